package plain

import (
	"context"
	"errors"
	"net/url"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// When it is said how long the service is being asked, and how long that may
// take at most.
const (
	waitStep    = 10 * time.Second
	longestCall = 30 * time.Second
)

// answered is how an order call ended.
type answered struct {
	terms payments.Terms
	order payments.Order
	err   error
	then  []func(ctx context.Context) // To be done once there is an order.
}

// askCharge asks whether to charge the sale. While no payment would be seen
// none is asked for.
func (s *session) askCharge(ctx context.Context, _ string) {
	switch {
	case s.cart.Empty():
		s.out.Say(s.Texts.Plain.Empty)
		return
	case s.blind():
		s.out.Say(s.blindHint())
		return
	}
	s.ask(s.Texts.Sale.Charge.With(cart.Worth(s.cart.Items())), func(ctx context.Context) {
		if s.keep(ctx, s.cart.Save()); s.cart.Unsaved() == 0 {
			s.checkout(ctx, s.cart.Terms())
		}
	})
}

// checkout makes an order, once. Its answer comes by itself. then is done once
// there is an order; it may be nil.
func (s *session) checkout(ctx context.Context, terms payments.Terms, then ...func(ctx context.Context)) {
	if s.blind() {
		s.out.Say(s.blindHint())
		return
	}
	s.calls.began = s.Service.Now()
	s.calls.said = 0
	s.calls.sending = true
	s.out.Say(s.Texts.Pay.Sending)
	go func() {
		order, err := s.Service.Checkout(ctx, terms)
		s.calls.answers <- answered{terms, order, err, then}
	}()
}

// sayWaited says every ten seconds for how long the service is being asked.
func (s *session) sayWaited() {
	waited := s.Service.Now().Sub(s.calls.began)
	if steps := int(waited / waitStep); s.calls.sending && steps > s.calls.said {
		s.calls.said = steps
		s.out.Say(s.Texts.Pay.Waited.With(int(waited/time.Second), int(longestCall/time.Second)))
	}
}

// asksAgain asks whether to charge a sale again that is paid, or can be paid by
// an earlier link, and tells whether that is why no order was made.
func (s *session) asksAgain(answer answered) bool {
	terms, question := answer.terms, ""
	if paid, is := errors.AsType[*payments.AlreadyPaidError](answer.err); is {
		at := paid.Order.Facts.PaidAt
		if at.IsZero() && paid.Order.Finding != nil {
			at = paid.Order.Finding.At
		}
		question = s.Texts.Asks.OnceMore.With(i18n.Clock(at.In(s.Zone)), cart.Worth(terms.Items))
		terms.DespitePaid = true
	}
	if payable, is := errors.AsType[*payments.StillPayableError](answer.err); is {
		question = s.Texts.Asks.Again.With(i18n.Clock(payable.Until.In(s.Zone)))
		terms.DespitePayable = true
	}
	if question == "" {
		return false
	}
	s.ask(question, func(ctx context.Context) { s.checkout(ctx, terms, answer.then...) })
	return true
}

// answered says how an order call ended. A sale whose order was taken is over.
func (s *session) answered(ctx context.Context, answer answered) {
	s.calls.sending = false
	s.state.Now = s.Service.Now()
	if s.asksAgain(answer) {
		return
	}
	if answer.order.Reference != "" {
		for _, do := range answer.then {
			do(ctx)
		}
	}
	if answer.err == nil {
		s.cart = s.cart.Charged(answer.terms.Sale)
		s.offer(answer.order)
	} else {
		s.declined(ctx, answer)
	}
	s.look(ctx)
}

// declined says why an order was not taken, and keeps its lines.
func (s *session) declined(ctx context.Context, answer answered) {
	hints, stored := s.Texts.Hints, true
	var hint string
	switch {
	case errors.As(answer.err, new(*payments.Refusal)):
		hint = hints.Refusal
	case errors.Is(answer.err, payments.ErrNotSent):
		hint = hints.Unsent
	case errors.As(answer.err, new(*payments.AmbiguousError)):
		hint = hints.Ambiguous
	case errors.Is(answer.err, payments.ErrNoRoom):
		hint, stored = hints.NoRoom, false
	case errors.Is(answer.err, payments.ErrUnderWay):
		hint, stored = hints.UnderWay, false
	case errors.Is(answer.err, payments.ErrReferenceTaken):
		hint, stored = hints.Taken, false
	default:
		hint, stored = hints.StoreFailed, false
	}
	if order := answer.order; stored {
		s.outcome(order)
		s.watch.heard[order.Reference] = heard{s.state.Verdict(order), order.Status}
	}
	s.out.Say(hint)
	s.giveBack(ctx, answer.terms)
}

// offer says what a customer needs to pay an order.
func (s *session) offer(order payments.Order) {
	s.outcome(order)
	s.out.Say(s.timed(order))
	if order.Link.Assumed {
		s.out.Say(s.Texts.Pay.Assumed)
	}
	s.sayLink(order)
}

// sayLink says an order's link, its host first: whom the customer's phone will
// call.
func (s *session) sayLink(order payments.Order) {
	if link, err := url.Parse(order.Link.URL); err == nil {
		s.out.Say(s.Texts.Pay.LinkOn.With(link.Host))
	}
	s.out.Say(s.Texts.Plain.Link.With(order.Link.URL))
}
