package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// verb does what a command says, with the text behind its word.
type verb func(s *session, ctx context.Context, rest string)

// command is a verb with its words and what it does, as help says them.
type command struct {
	says  string
	does  verb
	takes bool // A text may stand behind the word.
}

// commands are those of a language, in the order in which help says them.
func commands(v i18n.Verbs, demo bool) []command {
	waiting := func(s *session) []payments.Order { return s.state.Waiting() }
	unseenOrWaiting := func(s *session) []payments.Order { return append(s.state.News(), s.state.Waiting()...) }
	all := []command{
		{says: v.Lines, does: (*session).lines},
		{says: v.Total, does: (*session).total},
		{says: v.Edit, does: onLine((*session).edit), takes: true},
		{says: v.Remove, does: onLine((*session).remove), takes: true},
		{says: v.Discount, does: onLine((*session).discount), takes: true},
		{says: v.Undo, does: (*session).undo},
		{says: v.Note, does: (*session).note, takes: true},
		{says: v.Hold, does: (*session).hold, takes: true},
		{says: v.Resume, does: (*session).resume, takes: true},
		{says: v.Drop, does: (*session).drop, takes: true},
		{says: v.Charge, does: (*session).charge},
		{says: v.Waiting, does: (*session).waiting},
		{says: v.Link, does: onOrder(waiting, (*session).link), takes: true},
		{says: v.Code, does: onOrder(waiting, (*session).code), takes: true},
		{says: v.Left, does: (*session).times},
		{says: v.News, does: (*session).news},
		{says: v.Done, does: (*session).done, takes: true},
		{says: v.Again, does: onOrder(unseenOrWaiting, (*session).again), takes: true},
		{says: v.Send, does: onOrder((*session).unsent, (*session).send), takes: true},
		{says: v.Check, does: (*session).check},
		{says: v.Looked, does: (*session).noticed},
		{says: v.Health, does: (*session).health},
		{says: v.Language, does: (*session).language, takes: true},
		{says: v.Help, does: (*session).help},
		{says: v.Quit, does: (*session).quit},
	}
	if !demo {
		return all
	}
	return append(all,
		command{says: v.Pay, does: onOrder(waiting, customer(payments.PaymentSuccess)), takes: true},
		command{says: v.Fail, does: onOrder(waiting, customer(payments.PaymentFailed)), takes: true},
		command{says: v.Cancel, does: onOrder(waiting, customer(payments.PaymentCanceled)), takes: true},
		command{says: v.Expire, does: onOrder(waiting, customer(payments.PaymentExpired)), takes: true},
	)
}

// onLine is the verb that does something with the line of the sale whose number
// stands behind its word, and the text behind that; without a number it is the
// last line.
func onLine(does func(s *session, ctx context.Context, at int, text string)) verb {
	return func(s *session, ctx context.Context, rest string) {
		number, text, _ := strings.Cut(rest, " ")
		at := len(s.cart.Items())
		if number != "" {
			at, _ = strconv.Atoi(number) // What is no number is no line.
		}
		if at < 1 || at > len(s.cart.Items()) {
			s.out.Say(s.Texts.Plain.NoLine.With(number))
			return
		}
		does(s, ctx, at-1, strings.TrimSpace(text))
	}
}

// onOrder is the verb that does something with the order that is named behind
// its word, or with the first of otherwise.
func onOrder(
	otherwise func(s *session) []payments.Order, does func(s *session, ctx context.Context, order payments.Order),
) verb {
	return func(s *session, ctx context.Context, rest string) {
		if order, found := s.pick(ctx, rest, otherwise(s)); found {
			does(s, ctx, order)
		}
	}
}

// words are what a text gives a command to be typed with: they stand before its
// first colon, parted by commas, as in "charge, c: asks, then charges".
func words(text string) []string {
	head, _, _ := strings.Cut(strings.ToLower(text), ":")
	return strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == ' ' })
}

func (s *session) command(ctx context.Context, text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	wanted, found := s.verbs[strings.ToLower(word)]
	rest = strings.TrimSpace(rest)
	switch {
	case !found:
		return false
	case rest != "" && !wanted.takes:
		s.out.Say(s.Texts.Plain.Alone.With(word, text))
	default:
		wanted.does(s, ctx, rest)
	}
	return true
}

func (s *session) help(context.Context, string) {
	s.out.Say(s.Texts.Plain.Hello)
	for _, command := range commands(s.Texts.Verbs, s.Customer != nil) {
		s.out.Say(command.says)
	}
}

func (s *session) language(_ context.Context, rest string) {
	code := strings.ToLower(rest)
	if code == "" {
		code = i18n.Next(s.Language.Code)
	}
	if !slices.Contains(i18n.Languages(), code) || s.speak(code) != nil {
		s.out.Say(strings.Join(i18n.Languages(), ", "))
		return
	}
	s.said.light = s.light(s.Health()) // It was said, in the other language.
	s.out.Say(s.Texts.Plain.Hello)
}

func (s *session) quit(context.Context, string) {
	awaited := len(s.state.Awaited())
	if awaited == 0 {
		s.leaves = true
		return
	}
	s.confirm(s.Texts.Frame.QuitWaiting.With(awaited), func(context.Context) { s.leaves = true })
}

// health says whether payments can be seen, when the server of the database was
// heard of last, and when the last event came.
func (s *session) health(context.Context, string) {
	health := s.Health()
	s.out.Say(s.light(health))
	if health.Shared {
		ago := i18n.Span(s.Service.Now().Sub(health.Heard))
		says := s.Texts.Health.Answered.With(ago)
		switch {
		case health.Heard.IsZero():
			says = s.Texts.Illness.NeverHeard
		case s.state.Conditions.StoreDown:
			says = s.Texts.Illness.Silent.With(ago)
		}
		s.out.Say(s.Texts.Frame.Labelled.With(s.Texts.Health.Database, says))
	}
	if last := health.LastEvent; !last.IsZero() {
		s.out.Say(s.Texts.Frame.LastEvent.With(i18n.Clock(last.In(s.Zone))))
	}
}

func customer(kind payments.EventKind) func(s *session, ctx context.Context, order payments.Order) {
	return func(s *session, ctx context.Context, order payments.Order) {
		if err := s.Customer(ctx, order.OrderReference, kind); err != nil {
			s.out.Say(payments.Clean(err.Error(), payments.MaxShownWidth))
		}
	}
}
