package plain

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// answered is how an order call ended.
type answered struct {
	terms payments.Terms
	order payments.Order
	err   error
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
	question := s.Texts.Sale.Charge.With(cart.Worth(s.cart.Items()))
	until, live := s.livesUntil(ctx, s.cart.Sale().ID)
	if live {
		question = s.Texts.Asks.Again.With(until) + " " + question
	}
	s.ask(question, func(ctx context.Context) {
		if s.keep(ctx, s.cart.Save()); s.cart.Unsaved() > 0 {
			return
		}
		s.checkout(ctx, s.cart.Terms())
	})
}

// livesUntil says until when another order of a sale can still be paid.
func (s *session) livesUntil(ctx context.Context, sale string) (until string, live bool) {
	orders, err := s.Service.Orders(ctx, payments.Query{Sale: sale})
	if err != nil {
		return "", false
	}
	for _, order := range orders {
		if order.Live(s.Service.Now()) {
			return i18n.Clock(order.Link.ExpiresAt.In(s.Zone)), true
		}
	}
	return "", false
}

// checkout makes an order, once. Its answer comes by itself. Of a sale that was
// paid while the question stood none is made.
func (s *session) checkout(ctx context.Context, terms payments.Terms) {
	paid, err := s.paid(ctx, terms.Sale)
	switch {
	case s.blind(), err != nil:
		s.out.Say(s.blindHint())
		return
	case paid:
		s.out.Say(s.Texts.Pay.OtherPaid)
		return
	}
	terms.DespitePayable = true // The question was asked before.
	s.calls.sending = true
	s.out.Say(s.Texts.Pay.Sending)
	go func() {
		order, err := s.Service.Checkout(ctx, terms)
		s.calls.answers <- answered{terms, order, err}
	}()
}

// paid tells whether an order of a sale is paid.
func (s *session) paid(ctx context.Context, sale string) (bool, error) {
	if sale == "" {
		return false, nil
	}
	orders, err := s.Service.Orders(ctx, payments.Query{Sale: sale})
	return slices.ContainsFunc(orders, payments.Order.Paid), err
}

// answered says how an order call ended. A sale whose order was taken is over.
func (s *session) answered(ctx context.Context, answer answered) {
	s.calls.sending = false
	s.state.Now = s.Service.Now()
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
	hint, stored := "", true
	switch {
	case errors.As(answer.err, new(*payments.Refusal)):
		hint = s.Texts.Hints.Refusal
	case errors.Is(answer.err, payments.ErrNotSent):
		hint = s.Texts.Hints.Unsent
	case errors.As(answer.err, new(*payments.AmbiguousError)): // The order itself says so.
	case errors.Is(answer.err, payments.ErrNoRoom):
		hint, stored = s.Texts.Hints.NoRoom, false
	default:
		hint, stored = s.Texts.Hints.StoreFailed, false
	}
	if order := answer.order; stored {
		s.outcome(order)
		s.watch.heard[order.Reference] = heard{s.state.Verdict(order), order.Status}
	}
	if hint != "" {
		s.out.Say(hint)
	}
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
