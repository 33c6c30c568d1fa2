package plain

import (
	"context"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// hold puts the sale aside under a name, and begins a new one.
func (s *session) hold(ctx context.Context, rest string) {
	if s.cart.Untouched() {
		s.out.Say(s.Texts.Plain.Empty)
		return
	}
	c, name, err := s.cart.Hold(rest, s.Service.Now())
	if err != nil {
		s.out.Say(s.Texts.Held.Taken)
		return
	}
	s.keep(ctx, c)
	s.out.Say(s.Texts.Held.Done.With(name))
}

// resume goes on with a sale that is held. Without a name it says which there
// are, or takes the only one.
func (s *session) resume(ctx context.Context, rest string) {
	held, at := s.cart.Held(), 0
	if rest != "" {
		at = s.cart.HeldAs(rest)
	}
	switch {
	case len(held) == 0:
		s.out.Say(s.Texts.Held.None)
	case rest == "" && len(held) > 1:
		for _, sale := range held {
			s.out.Say(s.Texts.Plain.Held.With(sale.Name, len(sale.Items), cart.Worth(sale.Items)))
		}
	case !s.cart.Untouched():
		s.out.Say(s.Texts.Plain.Full)
	case at < 0:
		s.out.Say(s.Texts.Plain.NotHeld.With(rest))
	default:
		s.keep(ctx, s.cart.Resume(at))
		s.out.Say(s.Texts.Held.Resumed.With(held[at].Name))
		s.lines(ctx, "")
	}
}

// drop asks, and throws a held sale away; without a name it is the sale that is
// being entered.
func (s *session) drop(_ context.Context, rest string) {
	if rest == "" && !s.cart.Untouched() {
		s.ask(s.Texts.Selling.Drop.With(cart.Worth(s.cart.Items())), func(ctx context.Context) {
			s.keep(ctx, s.cart.Drop())
			s.total(ctx, "")
		})
		return
	}
	at := s.cart.HeldAs(rest)
	if at < 0 {
		s.out.Say(s.Texts.Plain.NotHeld.With(rest))
		return
	}
	sale := s.cart.Held()[at]
	s.ask(s.Texts.Held.Drop.With(sale.Name, cart.Worth(sale.Items)), func(ctx context.Context) {
		if at := s.cart.HeldAs(sale.Name); at >= 0 {
			s.keep(ctx, s.cart.DropHeld(at))
			s.out.Say(s.Texts.Plain.Removed.With(sale.Name))
		}
	})
}

// giveBack brings back the lines of an order that was not taken.
func (s *session) giveBack(ctx context.Context, terms payments.Terms) {
	c, placed, name := s.cart.GiveBack(terms, s.Service.Now())
	s.keep(ctx, c)
	switch placed {
	case cart.OnTop:
		s.out.Say(s.Texts.Held.Returned)
	case cart.Beside:
		s.out.Say(s.Texts.Held.Kept.With(name))
	}
}
