package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
)

// MaxBody is the largest order call or fault lab request, in bytes.
const MaxBody = 64 << 10

// maxKeptBody is how much of an order call's body is kept, in bytes.
const maxKeptBody = 4 << 10

// proxyPage is an HTML page like those that proxies and captive portals send instead of the
// service's answer.
const proxyPage = `<!DOCTYPE html><html lang="fr"><meta charset="utf-8"><title>Service indisponible</title>
<h1>Service momentanément indisponible</h1><p>Merci de réessayer dans quelques minutes.</p>
`

// ServeOrder handles the order call of section 4.1 of the specification, a POST.
func (s *Sandbox) ServeOrder(w http.ResponseWriter, r *http.Request) {
	var order Order
	var faults CallFaults
	text, err := readBody(w, r)
	if err == nil {
		request, invalid := gateway.DecodeOrder(text)
		faults = s.nextCallFaults(request.Reference)
		order, err = s.take(r.Context(), request, invalid, faults)
	}
	call := Activity{
		Kind: OrderCall, OrderReference: order.OrderReference, Reference: order.Reference, Unknown: order.Unknown,
		Status: http.StatusOK, Body: hideToken(text),
	}
	if err != nil {
		call.Status, call.Message = StatusOf(err), clean.Text(err.Error(), payments.MaxShownWidth)
	}
	s.mu.Lock()
	s.record(call)
	s.mu.Unlock()
	switch {
	case call.Status == 0:
		panic(http.ErrAbortHandler) // The server closes the connection without an answer.
	case err != nil:
		WriteJSON(w, call.Status, gateway.EncodeMessage(err.Error()))
		return
	}
	body := gateway.EncodeReply(gateway.OrderReply{
		OrderReference:   order.OrderReference,
		CheckoutURL:      cmp.Or(faults.CheckoutURL, s.config.BaseURL(r)+LinkPrefix+order.Link),
		ExpiresInMinutes: int((s.config.Lifetime + time.Minute - 1) / time.Minute),
	})
	switch faults.Reply {
	case ReplyEmpty:
		body = nil
	case ReplyHTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, proxyPage)
		return
	case ReplyCutJSON:
		body = body[:len(body)/2]
	case ReplyWrongFields: // The names that the specification uses in a summary, not in its tables.
		body = []byte(strings.NewReplacer(`"checkout_url"`, `"payment_link"`, `"expires_in_minutes"`, `"expires_in"`,
			`"order_reference"`, `"reference"`).Replace(string(body)))
	}
	WriteJSON(w, http.StatusOK, body)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return body, &refusal{http.StatusRequestEntityTooLarge, "body is larger than 64 KiB"}
	}
	if err != nil {
		return body, errors.New("body did not arrive whole")
	}
	return body, nil
}

// hideToken returns the beginning of an order call's body for the journal, without access tokens.
func hideToken(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), maxKeptBody)]), "\ufffd")
	token := regexp.MustCompile(`(TGPT?_|access["']?\s*[:=]\s*["']?)[^"'&\s]*`)
	return token.ReplaceAllString(text, "${1}(not shown)")
}

// nextCallFaults returns the faults for the next order call with this reference. It counts the
// call, because the field Times limits how many calls have faults.
func (s *Sandbox) nextCallFaults(reference string) CallFaults {
	s.mu.Lock()
	defer s.mu.Unlock()
	current := &s.faultsOf(reference).Call
	faults := *current
	if faults.Times > 0 {
		current.Times--
	}
	if faults.Times == 1 {
		*current = CallFaults{}
	}
	return faults
}

// take creates the order of a call, and waits as the faults EventFirst and Slow require. invalid is
// the error from decoding the call, or nil. If the call is refused, take returns an error for
// [StatusOf], and an order that has only the reference.
func (s *Sandbox) take(ctx context.Context, request gateway.OrderRequest, invalid error, faults CallFaults) (order Order, err error) {
	order.Reference = clean.Text(request.Reference, payments.MaxShownWidth)
	address, known := s.config.Merchants[request.Access]
	switch {
	case faults.Break:
		return order, errBroken
	case invalid != nil:
		return order, invalid
	case s.config.Strict && len(request.Unknown) > 0:
		return order, &gateway.FieldError{Field: request.Unknown[0], Problem: "is not known"}
	case !known && request.Access != s.config.Token:
		return order, &refusal{http.StatusUnauthorized, "access is not a known token"}
	case faults.Refuse != "":
		return order, &refusal{http.StatusUnprocessableEntity, faults.Refuse}
	}
	err = s.change(func() error {
		made := newOrder(request, s.config.Now().Add(s.config.Lifetime))
		made.WebhookURL = address
		created, err := s.insert(made)
		if err != nil {
			return err
		}
		if faults.EventFirst != "" {
			// Ignore the error: if act refuses the event, it sends nothing.
			_ = s.act(created, faults.EventFirst, LowBalance)
		}
		order = *created
		return nil
	})
	if err != nil {
		return order, err
	}
	s.hold(ctx, order.OrderReference, faults.Slow)
	switch {
	case faults.Cut:
		err = errCut
	case faults.BreakAfter:
		err = errBroken
	}
	return order, err
}

// Add adds an order without an order call. Its link expires at the given time. An error wraps
// [ErrSnapshot], or says that another order has the reference.
func (s *Sandbox) Add(order payments.Order, expires time.Time) (added Order, err error) {
	err = s.change(func() error {
		created, err := s.insert(newOrder(gateway.OrderRequest{
			Description: order.Description, Reference: order.Reference, Amount: order.Amount,
			Currency: payments.Currency, Items: order.Items,
		}, expires))
		if err == nil {
			added = *created
		}
		return err
	})
	return added, err
}

// insert adds an order. It returns errTaken if another order has the reference. The caller holds
// s.mu.
func (s *Sandbox) insert(order *Order) (*Order, error) {
	if s.find(func(o *Order) bool { return o.Reference == order.Reference }) != nil {
		return nil, errTaken
	}
	if own := s.ownFaults[order.Reference]; own != nil {
		order.Faults = &own.Event
	}
	s.orders = append(s.orders[max(0, len(s.orders)-maxOrders+1):], order)
	return order, nil
}

// hold delays the answer to an order call. With the fault EventFirst, it waits until each event of
// the order was tried once. Then it waits for the duration slow. It returns early if ctx or the
// sandbox ends.
func (s *Sandbox) hold(ctx context.Context, order string, slow time.Duration) {
	s.Await(ctx, func() bool {
		return !slices.ContainsFunc(s.Deliveries(), func(d Delivery) bool {
			return d.Order == order && len(d.Tries) == 0 && (d.Stage == Waiting || d.Stage == Sending)
		})
	})
	ctx, cancel := context.WithTimeout(ctx, slow)
	defer cancel()
	s.Await(ctx, func() bool { return false })
}

// WriteJSON answers with a body that is JSON already, and forbids clients to cache it.
func WriteJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
