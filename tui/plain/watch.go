package plain

import (
	"context"
	"maps"
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/sound"
)

// announcedOrder is what was announced of one order.
type announcedOrder struct {
	outcome    outcome // Zero while there is none that is unseen.
	soon, over bool    // That the time of its link runs out, and that it is over.
}

// outcome is an order's outcome as it was said.
type outcome struct {
	verdict payments.Verdict
	status  payments.Status
}

// soonOver is how long before a link's end it is said that its time runs out.
const soonOver = time.Minute

// refresh reads the state and announces what is new. When the store works again,
// it first recovers what was under way: a sale that had been charged is over, unless
// it has other lines by now.
func (s *session) refresh(ctx context.Context) {
	s.read(ctx)
	if s.state.Conditions.StoreDown && !s.unread && !s.Health().StoreDown {
		charged, _ := s.Service.Recover(ctx, s.Till) // Should it fail, the reading says so.
		for _, sale := range charged {
			before := s.cart.Sale().ID
			if s.keep(ctx, s.cart.ChargedAs(sale)); s.cart.Sale().ID != before {
				s.yes = nil
			}
		}
		s.read(ctx)
	}
	s.announce(ctx)
}

func (s *session) read(ctx context.Context) {
	state, err := s.state.Read(ctx, s.Service, s.Till)
	s.state, s.unread = state, err != nil
}

// tick runs once a second. A store that failed, and a sale that could not be
// written, are tried again.
func (s *session) tick(ctx context.Context) {
	if s.unread || s.state.Conditions.StoreDown {
		s.refresh(ctx)
	} else {
		s.announce(ctx)
	}
	if !s.unread {
		s.write(ctx)
	}
}

// announce says once what is new, the till's health first: every verdict rests on
// it. A payment that no order has sounds the alarm: no cashier may miss one.
func (s *session) announce(ctx context.Context) {
	health := s.Health()
	s.state.Now = s.Service.Now()
	s.state.Conditions = payments.Conditions{StoreDown: s.unread || health.StoreDown, ListenerDown: !health.Listening}
	if light := s.light(health); light != s.lit {
		s.lit = light
		s.out.Say(light)
	}
	maps.DeleteFunc(s.announced, func(reference string, _ announcedOrder) bool {
		_, open := s.state.Find(reference)
		return !open
	})
	s.announceOutcomes(ctx)
	alarm := false
	for _, orphan := range slices.Backward(s.state.Orphans()) {
		if !s.orphans[orphan.ID] {
			s.orphans[orphan.ID], alarm = true, true
			s.out.Say(s.badge.Orphan(orphan, s.Zone))
		}
	}
	if alarm {
		s.play(ctx, sound.Alarm)
	}
	if s.unknown() {
		return
	}
	s.announceTimes()
	count := s.state.ToCheck()
	if count > s.toCheck {
		s.out.Say(s.Texts.Plain.ToCheck.With(count))
	}
	s.toCheck = count
}

// announceOutcomes says each unseen outcome once, and plays a sound. One that was
// said stays as it was said while nothing can be known.
func (s *session) announceOutcomes(ctx context.Context) {
	unseen, fresh, tune := 0, false, sound.Unpaid
	for _, order := range slices.Backward(s.state.Open) {
		said, now := s.announced[order.Reference], outcome{s.state.Verdict(order), order.Status}
		if order.Facts.Acknowledged {
			now = outcome{}
		} else {
			unseen++
		}
		if now == said.outcome || now != (outcome{}) && said.outcome != (outcome{}) && s.unknown() {
			continue
		}
		said.outcome = now
		s.announced[order.Reference] = said
		if now == (outcome{}) {
			continue
		}
		fresh = true
		if s.sayOutcome(order); now.verdict == payments.VerdictPaid {
			tune = sound.Paid
		}
	}
	if fresh {
		s.out.Say(s.Texts.Plain.Unseen.With(unseen))
		s.play(ctx, tune)
	}
}

// announceTimes says once that the time of a link runs out, and once that it is
// over, with the moment from which on nobody waits for an event any more.
func (s *session) announceTimes() {
	for _, order := range s.state.Waiting() {
		left, _ := s.state.Left(order)
		said, over := s.announced[order.Reference], left <= 0
		if over && said.over || left > soonOver || !over && said.soon {
			continue
		}
		s.sayTime(order)
		if over {
			until := order.Link.ExpiresAt.Add(payments.LinkGrace).In(s.Zone)
			s.out.Say(s.Texts.Hints.TimeOver.With(i18n.Clock(until)))
		}
		said.soon, said.over = true, over
		s.announced[order.Reference] = said
	}
}

// play plays a sound beside the talk.
func (s *session) play(ctx context.Context, tune sound.Tune) {
	if s.Sound != nil {
		s.sounds.Go(func() { s.Sound(ctx, tune) })
	}
}

func (s *session) unknown() bool { return s.state.Conditions != payments.Conditions{} }

func (s *session) light(health payments.Health) string {
	words := s.Texts.Frame
	switch {
	case s.state.Conditions.StoreDown && health.Shared:
		return words.CutOff
	case s.state.Conditions.StoreDown:
		return words.StoreDown
	case s.state.Conditions.ListenerDown:
		return words.NotListening
	case health.Suspicious():
		return s.Texts.WhyRefused(health.Cause)
	}
	return words.Listening
}
