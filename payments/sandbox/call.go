package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// MaxBody is the largest order call or fault lab request, in bytes.
const MaxBody = 64 << 10

// proxyPage is the answer of a proxy, or of a network with a sign-in page.
const proxyPage = `<!DOCTYPE html><html lang="fr"><meta charset="utf-8"><title>Service indisponible</title>
<h1>Service momentanément indisponible</h1><p>Merci de réessayer dans quelques minutes.</p>
`

// ServeOrder handles the order call of section 4.1 of the specification, a POST.
func (s *Sandbox) ServeOrder(w http.ResponseWriter, r *http.Request) {
	faults := s.Faults().Call
	order, err := s.take(w, r, faults)
	call := Activity{
		Kind: "order_call", OrderReference: order.OrderReference, Reference: order.Reference, Unknown: order.Unknown,
		Status: http.StatusOK,
	}
	if err != nil {
		call.Status, call.Message = StatusOf(err), payments.Clean(err.Error(), payments.MaxShownWidth)
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
	case ReplyWrongFields: // A summary in the specification uses these names; its tables do not.
		body = []byte(strings.NewReplacer(`"checkout_url"`, `"payment_link"`, `"expires_in_minutes"`, `"expires_in"`,
			`"order_reference"`, `"reference"`).Replace(string(body)))
	}
	WriteJSON(w, http.StatusOK, body)
}

// take reads an order call and creates its order. It returns after the delays that the
// faults set. Its error is why the call is refused or gets no answer; see [StatusOf]. The
// order that it returns for a refused call contains only the reference, if the call had
// one.
func (s *Sandbox) take(w http.ResponseWriter, r *http.Request, faults CallFaults) (order Order, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return order, &refusal{http.StatusRequestEntityTooLarge, "body is larger than 64 KiB"}
	}
	if err != nil {
		return order, errors.New("body did not arrive whole")
	}
	if faults.Break {
		return order, errBroken
	}
	request, err := gateway.DecodeOrder(body)
	if err == nil && s.config.Strict && len(request.Unknown) > 0 {
		err = &gateway.FieldError{Field: request.Unknown[0], Problem: "is not known"}
	}
	if err != nil {
		return order, err
	}
	order.Reference = payments.Clean(request.Reference, payments.MaxShownWidth)
	if request.Access != s.config.Token {
		return order, &refusal{http.StatusUnauthorized, "access is not a known token"}
	}
	if faults.Refuse != "" {
		return order, &refusal{http.StatusUnprocessableEntity, faults.Refuse}
	}
	err = s.change(func() error {
		created, err := s.insert(newOrder(request, s.config.Now().Add(s.config.Lifetime)))
		if err != nil {
			return err
		}
		if faults.EventFirst != "" {
			_ = s.act(created, faults.EventFirst, LowBalance) // Ignores kinds that a customer cannot cause.
		}
		order = *created
		return nil
	})
	if err != nil {
		return order, err
	}
	s.hold(r.Context(), order.OrderReference, faults.Slow)
	switch {
	case faults.Cut:
		err = errCut
	case faults.BreakAfter:
		err = errBroken
	}
	return order, err
}

// Add adds an order of the shop as if it had been created earlier, with a link until expires.
// The reference must be new. Its error is [ErrSnapshot].
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

// insert adds an order, or returns errTaken. The caller holds s.mu.
func (s *Sandbox) insert(order *Order) (*Order, error) {
	if s.find(func(o *Order) bool { return o.Reference == order.Reference }) != nil {
		return nil, errTaken
	}
	s.orders = append(s.orders[max(0, len(s.orders)-maxOrders+1):], order)
	return order, nil
}

// hold delays an answer: first until all events of the order were tried, and then for the
// time slow. It returns early if the sandbox ends.
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

// WriteJSON answers with JSON.
func WriteJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
