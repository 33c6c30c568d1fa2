package plain

import (
	"context"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// answer is how an order call ended.
type answer struct {
	terms payments.Terms
	order payments.Order
	err   error
	then  func(ctx context.Context) // Done once there is an order; nil for nothing.
}

// charge asks whether to charge the sale. While no payment would be seen none is
// asked for.
func (s *session) charge(ctx context.Context, _ string) {
	switch {
	case s.cart.Empty():
		s.out.Say(s.Texts.Plain.Empty)
	case !s.refuseUnknown():
		s.confirm(s.Texts.Sale.Charge.With(cart.Worth(s.cart.Items())), func(ctx context.Context) {
			if s.keep(ctx, s.cart.Save()); len(s.cart.Unsaved()) == 0 {
				s.checkout(ctx, s.cart.Terms(), nil)
			}
		})
	}
}

func (s *session) refuseUnknown() bool {
	hint := s.Texts.Hints.Blind
	if s.state.Conditions.StoreDown && s.Health().Shared {
		hint = s.Texts.Hints.CutOff
	}
	if s.unknown() {
		s.out.Say(hint)
	}
	return s.unknown()
}

func (s *session) checkout(ctx context.Context, terms payments.Terms, then func(ctx context.Context)) {
	if s.refuseUnknown() {
		return
	}
	s.sending = true
	s.out.Say(s.Texts.Pay.Sending)
	go func() {
		order, err := s.Service.Checkout(ctx, terms)
		s.answers <- answer{terms, order, err, then}
	}()
}

// answered says how an order call ended. A sale whose order was taken is over.
func (s *session) answered(ctx context.Context, answer answer) {
	s.sending = false
	s.state.Now = s.Service.Now()
	// The sale is paid, or can be paid by an earlier link.
	if question, despite := cart.Again(answer.err, answer.terms, s.Zone); question != nil {
		s.confirm(question(s.Texts), func(ctx context.Context) { s.checkout(ctx, despite, answer.then) })
		return
	}
	if answer.order.Reference != "" && answer.then != nil {
		answer.then(ctx)
	}
	if answer.err == nil {
		s.cart = s.cart.Charged(answer.terms.Sale)
		s.offer(answer.order)
	} else {
		s.declined(ctx, answer)
	}
	s.refresh(ctx)
}

// declined says why an order was not taken, and keeps its lines.
func (s *session) declined(ctx context.Context, answer answer) {
	// An order that is still under way is one whose answer could not be stored.
	order := answer.order
	if order.Reference != "" && (order.Status != payments.StatusCreating || order.Facts.NotSent) {
		s.sayOutcome(order)
		s.announced[order.Reference] = announcedOrder{outcome: outcome{s.state.Verdict(order), order.Status}}
	}
	s.out.Say(s.Texts.Hints.Declined(answer.err))
	c, name, ok := s.cart.GiveBack(answer.terms, s.Service.Now())
	s.keep(ctx, c)
	switch {
	case ok && name == "":
		s.out.Say(s.Texts.Held.Returned)
	case ok:
		s.out.Say(s.Texts.Held.Kept.With(name))
	}
}
