package sandbox

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// maxBody bounds an order call, in bytes.
const maxBody = 64 << 10

// brokenMessage is what an order call is told that breaks on purpose.
const brokenMessage = "Internal Server Error"

// serveOrder is the order call of section 4.1 of the specification.
func (s *Sandbox) serveOrder(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		s.refuse(w, r, http.StatusRequestEntityTooLarge, "body is larger than 64 KiB")
		return
	}
	if err != nil {
		s.refuse(w, r, http.StatusBadRequest, "body did not arrive whole")
		return
	}
	faults := s.Faults().Call
	if faults.Break {
		s.refuse(w, r, http.StatusInternalServerError, brokenMessage)
		return
	}
	request, err := gateway.DecodeOrder(body)
	if err != nil {
		s.refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	if !same(request.Access, s.config.Token) {
		s.refuse(w, r, http.StatusUnauthorized, "access is not a known token")
		return
	}
	if faults.Refuse != "" {
		s.refuse(w, r, http.StatusUnprocessableEntity, faults.Refuse)
		return
	}
	made, first, err := s.create(request, faults)
	switch {
	case errors.Is(err, errTaken):
		s.refuse(w, r, http.StatusConflict, err.Error())
	case err != nil:
		s.refuse(w, r, http.StatusTooManyRequests, err.Error())
	default:
		s.answer(w, r, made, first, faults)
	}
}

// same compares two secrets in a time that tells nothing of them, not even
// their lengths.
func same(a, b payments.Secret) bool {
	hashA, hashB := sha256.Sum256([]byte(a.Reveal())), sha256.Sum256([]byte(b.Reveal()))
	return subtle.ConstantTimeCompare(hashA[:], hashB[:]) == 1
}

// made is what the answer to an order call needs to know of the order.
type made struct{ link, reference string }

// create takes an order, and lets happen to it what a fault wants to happen
// before the answer; first is then that event.
func (s *Sandbox) create(request gateway.OrderRequest, faults CallFaults) (made, *delivery, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sender.full() {
		return made{}, nil, ErrBusy
	}
	if err := s.book.check(request.Reference); err != nil {
		return made{}, nil, err
	}
	created := newOrder(request, s.config.Now().Add(s.config.Lifetime))
	s.book.add(created)
	s.orderChanged(created)
	s.expect(created)
	var first *delivery
	if faults.EventFirst != "" {
		// A kind that is none of a customer's makes nothing happen.
		first, _ = s.act(created, faults.EventFirst)
	}
	return made{link: created.link, reference: created.reference}, first, nil
}

// answer tells the merchant of its order, unless a fault is in the way. What
// it waits for it does not when the server or the sandbox ends.
func (s *Sandbox) answer(w http.ResponseWriter, r *http.Request, made made, first *delivery, faults CallFaults) {
	stops := s.board.stops.of(r)
	if first != nil {
		select {
		case <-first.tried:
		case <-stops:
		case <-s.watchers.over:
		case <-r.Context().Done():
		}
	}
	if faults.Slow > 0 {
		select {
		case <-time.After(faults.Slow):
		case <-stops:
		case <-s.watchers.over:
		case <-r.Context().Done():
		}
	}
	if faults.Cut {
		panic(http.ErrAbortHandler) // The server closes the connection and says nothing.
	}
	if faults.BreakAfter {
		s.refuse(w, r, http.StatusInternalServerError, brokenMessage)
		return
	}
	link := s.base(r) + linkPrefix + made.link
	if faults.CheckoutURL != "" {
		link = faults.CheckoutURL
	}
	faults.Reply.write(w, gateway.OrderReply{
		Message: "Success", CheckoutURL: link, OrderReference: made.reference,
		ExpiresInMinutes: int((s.config.Lifetime + time.Minute - 1) / time.Minute),
	})
}

// base returns what links begin with. The host of the request is one of the
// sandbox's own.
func (s *Sandbox) base(r *http.Request) string {
	switch {
	case s.public != nil:
		return strings.TrimRight(s.config.PublicURL, "/")
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
