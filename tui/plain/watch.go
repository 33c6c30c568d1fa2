package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/doctor"
	"checkout/till/tui/sound"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

func (s *session) tell(ctx context.Context, facts []counter.Fact) {
	var tunes []sound.Tune
	for _, fact := range facts {
		s.sayFact(ctx, fact)
		s.Voice.Hear(s.Texts, fact)
		if tune, rings := sound.Of(fact); rings {
			tunes = append(tunes, tune)
		}
	}
	if s.Sound != nil && len(tunes) > 0 { // The smallest tune is the most important one.
		s.sounds.Go(func() { s.Sound(ctx, slices.Min(tunes)) })
	}
}

func (s *session) sayFact(ctx context.Context, fact counter.Fact) {
	words := s.Texts.Plain
	switch fact := fact.(type) {
	case counter.Refused:
		s.sayRefusal(fact.Why)
	case counter.SaveFailed, counter.StoreFailed:
		s.say(s.Texts.Hints.StoreFailed)
	case counter.NotRestored:
		s.say(s.Texts.Hints.SalesUnread)
	case counter.SalesRead:
		if fact.Restored {
			s.say(s.Texts.Sale.Restored)
			s.lines(ctx, "")
		}
	case counter.Dropped:
		s.lines(ctx, "")
	case counter.SaleCharged:
		if fact.Current && fact.Recovered {
			s.say(s.Texts.Sale.Ended)
		}
	case counter.GaveBack:
		s.say(s.Texts.Sale.GaveBack.With(i18n.Money(fact.Cash)))
		s.startOpening(ctx)
	case counter.PartForgotten:
		s.say(s.Texts.Sale.PartForgotten.With(i18n.Money(fact.Part)))
	case counter.LinesKept:
		s.say(wording.LinesKept(s.Texts, fact, s.counter.Cart().Sale.Taken > 0))
	case counter.Asked:
		s.sayAsked(fact.Question)
	case counter.TookCash:
		s.sayTaken(ctx, fact.Sale)
	case counter.TookPart:
		s.afterSale(ctx, "", fact.Sale.Account.IsDrawer())
		s.say(wording.Taken(s.Texts, fact.Sale))
	case counter.CashNotTaken:
		s.sayNotTaken(fact)
	case counter.Sent:
		s.say(s.Texts.Pay.Sending)
	case counter.Offered:
		s.counter.SetAside()
		s.offer(fact.Order)
	case counter.NotOffered:
		s.counter.SetAside()
		s.sayDeclined(fact)
	case counter.Acknowledged:
		s.say(words.Seen.With(fact.Order.Reference))
	case counter.Looked:
		s.sayHealth()
	case counter.Became:
		s.sayOutcome(fact.Order)
		if fact.Verdict == payments.VerdictPaid && !fact.Old && !fact.Repeated {
			s.afterSale(ctx, fact.Order.Reference, false)
			s.sayOwed(ctx, fact.Order.Debt, true)
		}
	case counter.Unseen:
		s.say(words.Unseen.With(fact.Count))
	case counter.OrphanCame:
		s.say(badge.Orphan(s.Texts, fact.Record, s.Zone))
	case counter.LinkEnds:
		s.sayEnd(fact)
	case counter.ToCheck:
		s.say(words.ToCheck.With(fact.Count))
	case counter.Reviewed:
		s.sayReviewed(fact)
	case counter.Quits:
		s.leaves = true
	}
}

func (s *session) sayTaken(ctx context.Context, sale drawer.CounterSale) {
	s.counter.SetAside()
	s.afterSale(ctx, sale.Number, sale.Account.IsDrawer())
	s.say(wording.Taken(s.Texts, sale))
	s.sayOwed(ctx, cmp.Or(sale.Debt, sale.Account), sale.Debt != "")
}

func (s *session) sayNotTaken(fact counter.CashNotTaken) {
	s.sayError(fact.Err, s.Texts.Hints.StoreFailed)
	if fact.Dropped.RestOf != "" && errors.Is(fact.Err, staff.ErrIdentityNeeded) {
		s.say(s.Texts.Plain.DropBy.With(fact.Dropped.RestOf))
	}
}

func (s *session) sayRefusal(why counter.Why) {
	switch why {
	case counter.Empty:
		s.say(s.Texts.Plain.Empty)
	case counter.Blind:
		s.say(s.Texts.Charging[s.counter.ReachNow()])
	case counter.NoRetry:
		s.say(s.Texts.Plain.NotAgain)
	}
}

// sayAsked prints a question that is still open. A command for a payment at the counter answers
// [counter.AskTender] itself.
func (s *session) sayAsked(question counter.Question) {
	if s.counter.Question() != nil && question.Kind != counter.AskTender {
		s.say(s.question(question) + " " + s.Texts.Plain.YesNo)
	}
}

// question returns the text of a question. The first question before an order begins with a warning
// if the till might not see the payment.
func (s *session) question(asked counter.Question) string {
	text := strings.ReplaceAll(wording.Question(s.Texts, s.Zone, asked), "\n", " ")
	if asked.Kind == counter.AskRest {
		text = s.Texts.Cash.RestByLink.With(i18n.Money(asked.Due()))
	}
	charges := asked.Kind == counter.AskCharge || asked.Kind == counter.AskAgain && !asked.Unbidden
	if reach := s.counter.ReachNow(); charges && reach.Doubtful() {
		return s.Texts.Charging[reach] + " " + text
	}
	return text
}

func (s *session) sayDeclined(fact counter.NotOffered) {
	if s.counter.Announced(fact.Order) {
		s.sayOutcome(fact.Order)
	}
	s.sayError(fact.Err, s.Texts.Hints.StoreFailed)
}

func (s *session) sayEnd(fact counter.LinkEnds) {
	s.sayTime(fact.Order)
	if fact.Over {
		until := fact.Order.Link.ExpiresAt.Add(payments.LinkGrace).In(s.Zone)
		s.say(s.Texts.Hints.TimeOver.With(i18n.Clock(until)))
	}
}

func (s *session) sayReviewed(fact counter.Reviewed) {
	if fact.Err != nil {
		s.sayError(fact.Err, s.Texts.Hints.StoreFailed)
		return
	}
	s.say(s.Texts.Plain.Seen.With(badge.OrphanName(fact.Record)))
}

// sayError prints the text of an error, or other if the error has none.
func (s *session) sayError(err error, other string) {
	s.say(errortext.Of(s.Texts, err, errortext.Place{Face: errortext.Lines, Zone: s.Zone}).Or(other))
}

// sayHealth prints the health text if it has changed. Once in each run, it also prints how many
// payments came while the program was off.
func (s *session) sayHealth() {
	if health := s.healthText(); health != s.lastHealth {
		s.lastHealth = health
		s.say(health)
		if relay := s.Health().Relay; len(relay.Missed) > 0 && !s.toldMissed {
			s.toldMissed = true
			s.say(s.Texts.Relay.Missed.With(len(relay.Missed), i18n.Money(relay.MissedOf)))
		}
	}
}

// healthText returns the headline of the findings, or why webhooks are refused. It contains no
// running time, so that it changes only with the state.
func (s *session) healthText() string {
	found, reach := s.findings(), s.state().Reach
	if refusal, is := doctor.Refusal(found, reach); is && !reach.Blind() {
		return refusal.Text
	}
	return doctor.Headline(found, reach).Short
}

func (s *session) findings() []doctor.Finding {
	state := s.state()
	return doctor.Findings(s.Texts, doctor.Picture{
		Health: s.Health(), Reach: state.Reach, Now: state.Now, Zone: s.Zone, Orphans: payments.SumOf(state.Orphans()),
	})
}
