package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
)

type verb func(s *session, ctx context.Context, rest string)

type command struct {
	says  string
	does  verb
	takes bool
}

func commands(texts i18n.Texts, tenders []drawer.Tender, demo bool) []command {
	v := texts.Verbs
	all := []command{
		{says: v.Lines, does: (*session).lines},
		{says: v.Edit, does: onLine((*session).edit), takes: true},
		{says: v.Remove, does: onLine((*session).remove), takes: true},
		{says: v.Discount, does: onLine((*session).discount), takes: true},
		{says: v.Undo, does: (*session).undo},
		{says: v.Note, does: (*session).note, takes: true},
		{says: v.Hold, does: (*session).hold, takes: true},
		{says: v.Resume, does: (*session).resume, takes: true},
		{says: v.Drop, does: (*session).drop},
		{says: v.Charge, does: (*session).charge},
		{says: v.Refund, does: (*session).refund, takes: true},
		{says: v.Open, does: (*session).openDrawer},
		{says: v.Receipt, does: (*session).showReceipt, takes: true},
		{says: v.Print, does: (*session).printReceipt, takes: true},
		{says: v.Waiting, does: (*session).waiting},
		{says: v.Link, does: onLink((*session).offer), takes: true},
		{says: v.Code, does: onLink((*session).code), takes: true},
		{says: v.Done, does: (*session).done, takes: true},
		{says: v.Again, does: onOrder((*session).repeatables, (*session).again), takes: true},
		{says: v.Check, does: (*session).check},
		{says: v.Looked, does: (*session).looked},
		{says: v.Health, does: (*session).health},
		{says: v.Help, does: (*session).help},
		{says: v.Quit, does: (*session).quit},
	}
	at := slices.IndexFunc(all, func(c command) bool { return c.says == v.Charge }) + 1
	for _, tender := range slices.Backward(tenders) {
		way, _ := tender.Way()
		all = slices.Insert(all, at, command{says: texts.TenderVerbs[string(tender)], does: tendered(tender), takes: way.Given || way.Named})
		if way.Named {
			all = slices.Insert(all, at+1, command{says: v.Debts, does: (*session).debts, takes: true})
		}
	}
	if !demo {
		return all
	}
	return append(all,
		command{says: v.Pay, does: onOrder(awaited, customer(payments.PaymentSuccess)), takes: true},
		command{says: v.Fail, does: onOrder(awaited, customer(payments.PaymentFailed)), takes: true},
		command{says: v.Cancel, does: onOrder(awaited, customer(payments.PaymentCanceled)), takes: true},
		command{says: v.Expire, does: onOrder(awaited, customer(payments.PaymentExpired)), takes: true},
	)
}

// onLine returns a verb for a command about a line of the sale. The text after the command begins
// with the line's number; without a text, the verb acts on the last line.
func onLine(does func(s *session, ctx context.Context, at int, text string)) verb {
	return func(s *session, ctx context.Context, rest string) {
		number, text, _ := strings.Cut(rest, " ")
		at := len(s.counter.Cart().Items())
		if number != "" {
			at, _ = strconv.Atoi(number) // An invalid number gives 0, which is no line.
		}
		if at < 1 || at > len(s.counter.Cart().Items()) {
			s.say(s.Texts.Plain.NoLine.With(number))
			return
		}
		does(s, ctx, at-1, strings.TrimSpace(text))
	}
}

// onOrder returns a verb for a command about an order. The text after the command names the order;
// without a text, the verb acts on the first order of otherwise.
func onOrder(
	otherwise func(s *session) []payments.Order, does func(s *session, ctx context.Context, order payments.Order),
) verb {
	return func(s *session, ctx context.Context, rest string) {
		if order, found := s.pick(ctx, rest, otherwise(s)); found {
			does(s, ctx, order)
		}
	}
}

// onLink returns a verb for a command about the link of an order. If the order cannot be paid now,
// or the till would not see the payment, the verb prints the outcome instead.
func onLink(does func(s *session, order payments.Order)) verb {
	return onOrder(awaited, func(s *session, _ context.Context, order payments.Order) {
		waits := s.state().Verdict(order) == payments.VerdictWaiting || !s.state().Reach.Blind() && order.Retryable(s.state().Now)
		if waits && order.Payable(s.state().Now) {
			does(s, order)
			return
		}
		s.sayOutcome(order)
		s.say(s.Texts.Plain.NoLink)
	})
}

// words returns the words of a command, which are before the colon of command.says, as in "charge,
// c: asks, then charges".
func words(text string) []string {
	head, _, _ := strings.Cut(strings.ToLower(text), ":")
	return strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == ' ' })
}

func (s *session) command(ctx context.Context, text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	at := slices.IndexFunc(s.commands, func(c command) bool { return slices.Contains(words(c.says), strings.ToLower(word)) })
	switch {
	case at < 0:
		return false
	case rest != "" && !s.commands[at].takes:
		s.say(s.Texts.Plain.Alone.With(word, text))
	default:
		s.commands[at].does(s, ctx, rest)
	}
	return true
}

func (s *session) paysBy(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.ContainsFunc(s.Tenders, func(tender drawer.Tender) bool {
		return slices.Contains(words(s.Texts.TenderVerbs[string(tender)]), word)
	})
}

func (s *session) help(context.Context, string) {
	s.say(s.Texts.Plain.Hello)
	for _, command := range s.commands {
		s.say(command.says)
	}
}

func (s *session) quit(context.Context, string) { s.counter.Quit() }

func awaited(s *session) []payments.Order { return s.state().Awaited() }

func (s *session) health(context.Context, string) {
	s.say(s.healthText())
	for _, finding := range s.findings() {
		if !finding.Bad() {
			continue
		}
		s.say(s.Texts.Frame.Labelled.With(s.Texts.Checks[string(finding.Check)], finding.Text))
		if finding.Advice != "" {
			s.say(finding.Advice)
		}
	}
	if last := s.Health().LastEvent; !last.IsZero() {
		s.say(s.Texts.Frame.LastEvent.With(i18n.Clock(last.In(s.Zone))))
	}
}

func customer(kind payments.EventKind) func(s *session, ctx context.Context, order payments.Order) {
	return func(s *session, ctx context.Context, order payments.Order) {
		if err := s.Customer(ctx, order.OrderReference, kind); err != nil {
			s.say(clean.Text(err.Error(), payments.MaxShownWidth))
		}
	}
}
