package plain

import (
	"context"
	"errors"
	"slices"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/sound"
)

// announceStrays says each payment that no order has, the oldest first, and
// rings: no cashier may miss one.
func (s *session) announceStrays(ctx context.Context) {
	fresh := false
	for _, stray := range slices.Backward(s.state.Strays()) {
		if !s.watch.strays[stray.ID] {
			s.watch.strays[stray.ID], fresh = true, true
			s.sayStray(stray)
		}
	}
	if fresh {
		s.ring(ctx, sound.Alarm)
	}
}

// sayStray says what was paid by whom, as far as anybody knows.
func (s *session) sayStray(stray payments.Record) {
	paid := stray.Event.Amount.Shown()
	if amount, err := payments.ParseAriary(paid); err == nil && stray.Event.Amount.Is(amount) {
		paid = i18n.Money(amount)
	}
	if paid == "" {
		paid = s.Texts.Attention.Nothing
	}
	s.out.Say(s.Texts.Alarms.Stray.With(paid, strayName(stray), i18n.Moment(stray.ReceivedAt.In(s.Zone))))
}

// strayName is what the service calls the order of an event.
func strayName(stray payments.Record) string {
	return payments.Clean(stray.Event.OrderReference, payments.MaxShownWidth)
}

// looked asks, and notes that somebody looked for the oldest payment that no
// order has.
func (s *session) looked(context.Context, string) {
	strays := s.state.Strays()
	if len(strays) == 0 {
		s.out.Say(s.Texts.Orders.NoneToCheck)
		return
	}
	oldest := strays[len(strays)-1]
	s.ask(s.Texts.Alarms.AskSeen.With(strayName(oldest)), func(ctx context.Context) {
		switch err := s.Service.Notice(ctx, oldest, payments.Identity{}); {
		case errors.Is(err, payments.ErrIdentityNeeded):
			s.out.Say(s.Texts.Plain.Identity)
		case err != nil:
			s.out.Say(s.Texts.Hints.StoreFailed)
		default:
			s.out.Say(s.Texts.Plain.Seen.With(strayName(oldest)))
			s.look(ctx)
		}
	})
}
