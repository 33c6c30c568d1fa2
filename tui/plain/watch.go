package plain

import (
	"context"
	"slices"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/sound"
)

// outcome is an order's outcome as it was said.
type outcome struct {
	verdict payments.Verdict
	status  payments.Status
}

// refresh reads the state and announces what is new. When the store works again,
// it first recovers what was under way: a sale that had been charged is over, unless
// it has other lines by now.
func (s *session) refresh(ctx context.Context) {
	s.read(ctx)
	if s.state.Reach.Conditions().StoreDown && !s.unread && !s.Health().StoreDown {
		charged, _ := s.Service.Recover(ctx, s.Till) // Should it fail, the reading says so.
		for _, sale := range charged {
			before := s.cart.Sale.ID
			if s.keep(ctx, s.cart.Charged(sale)); s.cart.Sale.ID != before {
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
	if s.unread || s.state.Reach.Conditions().StoreDown {
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
	health.StoreDown = health.StoreDown || s.unread
	s.state.Reach = health.Reach(s.state.Now)
	if light := s.light(); light != s.lit {
		s.lit = light
		s.say(light)
	}
	tunes := s.announceOutcomes()
	for _, orphan := range slices.Backward(s.state.Orphans()) {
		if s.once(string(orphan.ID[:])) {
			tunes = append(tunes, sound.Alarm)
			s.say(badge.Orphan(s.Texts, orphan, s.Zone))
		}
	}
	if s.Sound != nil && len(tunes) > 0 { // One sound at a time, beside the talk.
		s.sounds.Go(func() { s.Sound(ctx, slices.Min(tunes)) })
	}
	if s.state.Reach.Blind() {
		return
	}
	s.announceTimes()
	count := s.state.ToCheck()
	if count > s.toCheck {
		s.say(s.Texts.Plain.ToCheck.With(count))
	}
	s.toCheck = count
}

// once tells whether something is to be said for the first time.
func (s *session) once(what string) bool {
	said := s.said[what]
	s.said[what] = true
	return !said
}

// announceOutcomes says each unseen outcome once, and returns its sound. One that
// was said stays as it was said while nothing can be known.
func (s *session) announceOutcomes() (tunes []sound.Tune) {
	before := s.outcomes
	s.outcomes = make(map[string]outcome)
	for _, order := range slices.Backward(s.state.Open) {
		said, now := before[order.Reference], outcome{s.state.Verdict(order), order.Status}
		switch {
		case order.Facts.Acknowledged:
		case said == now, said != outcome{} && s.state.Hidden(order):
			s.outcomes[order.Reference] = said
		default:
			s.outcomes[order.Reference] = now
			s.sayOutcome(order)
			tune := sound.Unpaid
			if now.verdict == payments.VerdictPaid {
				tune = sound.Paid
			}
			tunes = append(tunes, tune)
		}
	}
	if len(tunes) > 0 {
		s.say(s.Texts.Plain.Unseen.With(len(s.outcomes)))
	}
	return tunes
}

// announceTimes says once that the time of a link runs out, and once that it is
// over, with the moment from which on nobody waits for an event any more.
func (s *session) announceTimes() {
	for _, order := range s.state.Awaited() {
		left, _ := s.state.Left(order)
		over := left <= 0
		if left > countdown.SoonOver || !s.once(order.Reference+strconv.FormatBool(over)) {
			continue
		}
		s.sayTime(order)
		if over {
			until := order.Link.ExpiresAt.Add(payments.LinkGrace).In(s.Zone)
			s.say(s.Texts.Hints.TimeOver.With(i18n.Clock(until)))
		}
	}
}

// light says whether payments are received, and why they are refused.
func (s *session) light() string {
	health := s.Health()
	forged := health.Cause.Kind == payments.CauseSignatureKnown
	switch reach := s.state.Reach; {
	case reach == payments.ReachRefused, forged && !reach.Blind():
		return s.Texts.WhyRefused(health.Cause)
	case health.ClockOff() && !reach.Blind():
		return s.Texts.Alarms.Clock.With(i18n.Span(health.Ahead.Abs()))
	}
	return s.Texts.Reach[s.state.Reach]
}
