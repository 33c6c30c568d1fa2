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

// maxBody bounds an order call, in bytes.
const maxBody = 64 << 10

// proxyPage is what a proxy in between answers, or the page of a network that
// wants its visitors to sign in.
const proxyPage = `<!DOCTYPE html><html lang="fr"><meta charset="utf-8"><title>Service indisponible</title>
<h1>Service momentanément indisponible</h1><p>Merci de réessayer dans quelques minutes.</p>
`

// ServeOrder is the order call of section 4.1 of the specification, a POST.
func (s *Sandbox) ServeOrder(w http.ResponseWriter, r *http.Request) {
	faults, call := s.Faults().Call, Activity{Kind: "order_call"}
	var order Order
	var message string
	order, call.Status, message = s.take(w, r, faults)
	call.OrderReference, call.Reference, call.Unknown = order.OrderReference, order.Reference, order.Unknown
	if call.Status == http.StatusOK {
		switch {
		case faults.Cut:
			call.Status, message = 0, "the connection is cut"
		case faults.BreakAfter:
			call.Status, message = http.StatusInternalServerError, "Internal Server Error"
		}
	}
	call.Message = payments.Clean(message, payments.MaxShownWidth)
	s.mu.Lock()
	s.record(call)
	s.mu.Unlock()
	switch call.Status {
	case 0:
		panic(http.ErrAbortHandler) // The server closes the connection and says nothing.
	case http.StatusOK:
		body := gateway.EncodeReply(gateway.OrderReply{
			OrderReference:   order.OrderReference,
			CheckoutURL:      cmp.Or(faults.CheckoutURL, s.config.BaseURL(r)+"/c/"+order.Link),
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
		case ReplyWrongFields: // Those of a summary of the specification, which its tables do not have.
			body = []byte(strings.NewReplacer(`"checkout_url"`, `"payment_link"`, `"expires_in_minutes"`, `"expires_in"`,
				`"order_reference"`, `"reference"`).Replace(string(body)))
		}
		WriteJSON(w, http.StatusOK, body)
	default:
		WriteJSON(w, call.Status, gateway.EncodeMessage(message))
	}
}

// take reads an order call and makes the order. It returns it with the status 200
// once the faults let it be answered, else why it is refused; such an order has
// the reference alone, when the call had one.
func (s *Sandbox) take(w http.ResponseWriter, r *http.Request, faults CallFaults) (order Order, status int, message string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return order, http.StatusRequestEntityTooLarge, "body is larger than 64 KiB"
	}
	if err != nil {
		return order, http.StatusBadRequest, "body did not arrive whole"
	}
	if faults.Break {
		return order, http.StatusInternalServerError, "Internal Server Error"
	}
	request, err := gateway.DecodeOrder(body)
	if err == nil && s.config.Strict && len(request.Unknown) > 0 {
		err = &gateway.FieldError{Field: request.Unknown[0], Problem: "is not known"}
	}
	if err != nil {
		return order, http.StatusBadRequest, err.Error()
	}
	order.Reference = payments.Clean(request.Reference, payments.MaxShownWidth)
	if request.Access != s.config.Token {
		return order, http.StatusUnauthorized, "access is not a known token"
	}
	if faults.Refuse != "" {
		return order, http.StatusUnprocessableEntity, faults.Refuse
	}
	err = s.change(func() error {
		if s.find(func(o *Order) bool { return o.Reference == request.Reference }) != nil {
			return errTaken
		}
		created := newOrder(request, s.config.Now().Add(s.config.Lifetime))
		s.orders = append(s.orders[max(0, len(s.orders)-maxOrders+1):], created)
		if faults.EventFirst != "" {
			_ = s.act(created, faults.EventFirst, LowBalance) // A kind that is none of a customer's makes nothing happen.
		}
		order = *created
		return nil
	})
	if err != nil {
		return Order{Reference: order.Reference}, StatusOf(err), err.Error()
	}
	s.hold(r.Context(), order.OrderReference, faults.Slow)
	return order, http.StatusOK, ""
}

// hold delays a reply: until the events of the order were tried, and then for so
// long. It ends with the sandbox.
func (s *Sandbox) hold(ctx context.Context, order string, slow time.Duration) {
	s.Await(ctx, func() bool {
		return !slices.ContainsFunc(s.Deliveries(), func(d Delivery) bool {
			return d.Order == order && len(d.Tries) == 0 && (d.Stage == Waiting || d.Stage == Sending)
		})
	})
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-s.over:
		case <-ctx.Done():
		}
	}
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
