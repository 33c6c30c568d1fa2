// Package plain is the line mode of the console, for screen readers, braille
// displays, dumb terminals, serial lines and pipes. It guarantees that it only
// ever adds lines, without a colour, a cursor movement or any other escape
// sequence; that an outcome is said by itself the moment it is known and stays
// unseen until it is acknowledged; that an order is made by the word yes alone,
// once; and that what is not understood changes nothing.
package plain

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/plain/line"
	"checkout/till/tui/sound"
)

// Config is what the line mode needs.
type Config struct {
	Service  *payments.Service
	Till     string
	Shop     string
	Test     bool       // The account is one with which no money moves.
	Texts    i18n.Texts // In the language that it begins in.
	Language i18n.Language
	Health   func() payments.Health
	Sound    func(ctx context.Context, tune sound.Tune) // Nil when it is off.
	// Customer acts as the customer of an order. Nil unless this is the demo.
	Customer func(ctx context.Context, orderReference string, kind payments.EventKind) error
	Zone     *time.Location
	Terminal
	// Ticks says that time went by; nil for once a second.
	Ticks <-chan time.Time
}

// Terminal is where the lines come from and go to.
type Terminal struct {
	Input  io.Reader
	Output io.Writer
	Echoes bool                              // What is typed is shown by the terminal.
	Encode func(text string) string          // Writes what the terminal can draw; nil for everything.
	Code   func(link string) (string, error) // Draws a link as a code, in printable characters.
}

// session is one cashier at the line mode.
type session struct {
	Config
	out     *line.Printer
	verbs   map[string]command // By their words.
	yes, no []string           // The words that answer a question.
	badge   badge.Badge
	asked   func(ctx context.Context, text string) // Takes the answer to an open question; nil without one.
	leaves  bool
	cart    cart.Cart
	catalog catalog
	state   live.State
	unread  bool             // The last reading of the state failed.
	listed  []payments.Order // The list that was said last.
	said    announced
	call    call
	sounds  chan struct{} // Holds a token for each sound that is being played.
}

// maxSounds is how many sounds are played at once.
const maxSounds = 2

// Run talks with the cashier until they leave, the input ends or ctx ends; none
// of these is an error. What was entered is on disk then.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newSession(config)
	if err != nil {
		return err
	}
	ticks := config.Ticks
	if ticks == nil {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		ticks = ticker.C
	}
	s.open(ctx)
	s.talk(ctx, line.Read(ctx, config.Input), config.Service.Watch(ctx), ticks)
	if s.call.sending {
		s.answered(ctx, <-s.call.answers)
	}
	if !s.leaves {
		s.out.Say(s.Texts.Plain.Ended.With(len(s.state.Awaited())))
	}
	s.out.Close()
	cancel()
	for range cap(s.sounds) {
		s.sounds <- struct{}{}
	}
	if err := s.out.Err(); err != nil {
		return fmt.Errorf("show the line mode: %w", err)
	}
	return nil
}

func newSession(config Config) (*session, error) {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	config.Till = payments.Clean(config.Till, payments.MaxTillWidth)
	s := &session{
		Config: config, out: line.NewPrinter(config.Output, config.Encode, config.Echoes),
		cart: cart.New(func() payments.Sale { return config.Service.NewSale(config.Till) }),
		said: announced{orders: make(map[string]*announcedOrder), orphans: make(map[payments.EventID]bool)},
		call: call{answers: make(chan answer, 1)}, sounds: make(chan struct{}, maxSounds),
	}
	s.state.Now = config.Service.Now()
	if err := s.speak(config.Language.Code); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *session) open(ctx context.Context) {
	if whole, _ := s.Texts.Frame.Mark(s.Customer != nil, s.Test); whole != "" {
		s.out.Say(whole)
	}
	if s.Shop != "" {
		s.out.Say(s.Shop)
	}
	s.out.Say(s.Texts.Plain.Hello)
	s.restore(ctx)
	s.restock(ctx)
	s.refresh(ctx)
}

// talk is the event loop. While an order is being sent lines wait, so that none is
// taken for the next sale's.
func (s *session) talk(ctx context.Context, lines <-chan string, wakeUps <-chan struct{}, ticks <-chan time.Time) {
	for !s.leaves {
		typed := lines
		if s.call.sending {
			typed = nil
			s.out.Flush()
		} else {
			s.out.Ask(s.prompt())
		}
		if s.out.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case text, open := <-typed:
			if !open {
				return
			}
			s.out.Took(text)
			s.take(ctx, text)
		case _, open := <-wakeUps:
			if !open {
				return
			}
			s.catalog.stale = true
			s.refresh(ctx)
		case <-ticks:
			s.tick(ctx)
		case answer := <-s.call.answers:
			s.answered(ctx, answer)
		}
	}
}

func (s *session) prompt() string {
	if unseen := len(s.state.News()); unseen > 0 {
		return s.Texts.Plain.Prompt.With(unseen) + " " + s.Texts.Sale.Prompt
	}
	return s.Texts.Sale.Prompt
}

func (s *session) take(ctx context.Context, text string) {
	text = payments.Clean(text, 2*entry.MaxWidth)
	if ask := s.asked; ask != nil {
		s.asked = nil
		ask(ctx, text)
		return
	}
	if s.catalog.stale {
		s.restock(ctx)
	}
	if text == "" {
		s.blank(ctx)
		return
	}
	if s.catalog.sells(text) || !s.command(ctx, text) {
		s.enter(ctx, text)
	}
}

func (s *session) blank(ctx context.Context) {
	switch {
	case !s.cart.Empty():
		s.charge(ctx, "")
	case len(s.state.News()) > 0:
		s.news(ctx, "")
	default:
		s.out.Say(s.Texts.Plain.Empty)
	}
}

// confirm asks a question that yes alone answers. A line that is neither yes nor
// no is taken for what it says, and nothing is done of what was asked.
func (s *session) confirm(question string, yes func(ctx context.Context)) {
	s.out.Say(question + " " + s.Texts.Plain.YesNo)
	s.asked = func(ctx context.Context, text string) {
		word := strings.ToLower(text)
		if slices.Contains(s.yes, word) {
			yes(ctx)
			return
		}
		s.out.Say(s.Texts.Plain.Kept)
		if text != "" && !slices.Contains(s.no, word) {
			s.take(ctx, text)
		}
	}
}

// speak changes the language. The words of English commands are understood as
// well, for they are the same at every counter, and yes and no in every language.
func (s *session) speak(code string) error {
	languages := map[string]i18n.Texts{}
	s.yes, s.no = nil, nil
	for _, other := range i18n.Languages() {
		texts, err := s.Language.Load(other)
		if err != nil {
			return fmt.Errorf("read the texts of %s: %w", other, err)
		}
		languages[other] = texts
		mistyped := func(word string) bool { return len(word) == 1 && other != code && other != "en" }
		s.yes = append(s.yes, slices.DeleteFunc(words(texts.Plain.Yes), mistyped)...)
		s.no = append(s.no, slices.DeleteFunc(words(texts.Plain.No), mistyped)...)
	}
	s.Texts, s.Language.Code = languages[code], code
	s.verbs = make(map[string]command)
	for _, verbs := range []i18n.Verbs{languages["en"].Verbs, s.Texts.Verbs} { // The later one decides.
		for _, command := range commands(verbs, s.Customer != nil) {
			for _, word := range words(command.says) {
				s.verbs[word] = command
			}
		}
	}
	s.badge = badge.Plain(s.Texts)
	return nil
}
