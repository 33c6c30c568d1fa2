package plain

import (
	"context"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// command is what a word stands for.
type command struct {
	says  func(verbs i18n.Verbs) string // Its words and what it does.
	does  func(s *session, ctx context.Context, rest string)
	takes bool // Something may stand behind it.
	demo  bool // It is there in the demo alone.
}

// commands are all of them, in the order in which help says them.
func commands() []command {
	return []command{
		{says: func(v i18n.Verbs) string { return v.Lines }, does: (*session).lines},
		{says: func(v i18n.Verbs) string { return v.Total }, does: (*session).total},
		{says: func(v i18n.Verbs) string { return v.Edit }, does: (*session).edit, takes: true},
		{says: func(v i18n.Verbs) string { return v.Remove }, does: (*session).remove, takes: true},
		{says: func(v i18n.Verbs) string { return v.Discount }, does: (*session).discount, takes: true},
		{says: func(v i18n.Verbs) string { return v.Undo }, does: (*session).undo},
		{says: func(v i18n.Verbs) string { return v.Note }, does: (*session).note, takes: true},
		{says: func(v i18n.Verbs) string { return v.Hold }, does: (*session).hold, takes: true},
		{says: func(v i18n.Verbs) string { return v.Resume }, does: (*session).resume, takes: true},
		{says: func(v i18n.Verbs) string { return v.Drop }, does: (*session).drop, takes: true},
		{says: func(v i18n.Verbs) string { return v.Charge }, does: (*session).askCharge},
		{says: func(v i18n.Verbs) string { return v.Waiting }, does: (*session).waiting},
		{says: func(v i18n.Verbs) string { return v.Link }, does: (*session).link, takes: true},
		{says: func(v i18n.Verbs) string { return v.Code }, does: (*session).code, takes: true},
		{says: func(v i18n.Verbs) string { return v.Left }, does: (*session).timeLeft},
		{says: func(v i18n.Verbs) string { return v.News }, does: (*session).news},
		{says: func(v i18n.Verbs) string { return v.Done }, does: (*session).done, takes: true},
		{says: func(v i18n.Verbs) string { return v.Again }, does: (*session).again, takes: true},
		{says: func(v i18n.Verbs) string { return v.Send }, does: (*session).send, takes: true},
		{says: func(v i18n.Verbs) string { return v.Check }, does: (*session).check},
		{says: func(v i18n.Verbs) string { return v.Looked }, does: (*session).looked},
		{says: func(v i18n.Verbs) string { return v.Health }, does: (*session).health},
		{says: func(v i18n.Verbs) string { return v.Language }, does: (*session).language, takes: true},
		{says: func(v i18n.Verbs) string { return v.Help }, does: (*session).help},
		{says: func(v i18n.Verbs) string { return v.Quit }, does: (*session).quit},
		{says: func(v i18n.Verbs) string { return v.Pay }, does: acts(payments.PaymentSuccess), takes: true, demo: true},
		{says: func(v i18n.Verbs) string { return v.Fail }, does: acts(payments.PaymentFailed), takes: true, demo: true},
		{says: func(v i18n.Verbs) string { return v.Cancel }, does: acts(payments.PaymentCanceled), takes: true, demo: true},
		{says: func(v i18n.Verbs) string { return v.Expire }, does: acts(payments.PaymentExpired), takes: true, demo: true},
	}
}

// words are what a text gives a command to be typed with: they stand before its
// first colon, parted by commas, as in "charge, c: asks, then charges".
func words(text string) []string {
	head, _, _ := strings.Cut(strings.ToLower(text), ":")
	return strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == ' ' })
}

// wordsOfCommands returns the numbers of the commands by the words of several
// languages, of which the first goes before the others.
func wordsOfCommands(demo bool, languages ...i18n.Verbs) map[string]int {
	numbers := make(map[string]int)
	for _, verbs := range slices.Backward(languages) {
		for i, command := range commands() {
			for _, word := range words(command.says(verbs)) {
				if demo || !command.demo {
					numbers[word] = i
				}
			}
		}
	}
	return numbers
}

// command does what a line commands, if it does.
func (s *session) command(ctx context.Context, text string) bool {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	number, found := s.verbs[strings.ToLower(word)]
	if !found {
		return false
	}
	rest = strings.TrimSpace(rest)
	wanted := commands()[number]
	if rest != "" && !wanted.takes {
		s.out.Say(s.Texts.Plain.Alone.With(word, text))
		return true
	}
	wanted.does(s, ctx, rest)
	return true
}

func (s *session) help(context.Context, string) {
	s.out.Say(s.Texts.Plain.Hello)
	for _, command := range commands() {
		if s.Customer != nil || !command.demo {
			s.out.Say(command.says(s.Texts.Verbs))
		}
	}
}

// language changes to the language of a code, or to the next one.
func (s *session) language(_ context.Context, rest string) {
	code := strings.ToLower(rest)
	if code == "" {
		code = i18n.Next(s.Language.Code)
	}
	if !slices.Contains(i18n.Languages(), code) || s.speak(code) != nil {
		s.out.Say(strings.Join(i18n.Languages(), ", "))
		return
	}
	s.watch.light = s.light(s.Health()) // It was said, in the other language.
	s.out.Say(s.Texts.Plain.Hello)
}

// quit leaves at once, or asks while payments are awaited.
func (s *session) quit(context.Context, string) {
	waiting := s.state.Awaited()
	if waiting == 0 {
		s.left = true
		return
	}
	s.ask(s.Texts.Frame.QuitWaiting.With(waiting), func(context.Context) { s.left = true })
}

// acts is the demo's customer who does something.
func acts(kind payments.EventKind) func(s *session, ctx context.Context, rest string) {
	return func(s *session, ctx context.Context, rest string) {
		order, found := s.pick(ctx, rest, s.latest())
		if !found {
			return
		}
		if err := s.Customer(ctx, order.OrderReference, kind); err != nil {
			s.out.Say(payments.Clean(err.Error(), payments.MaxShownWidth))
		}
	}
}
