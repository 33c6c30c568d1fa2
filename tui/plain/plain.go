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
	"sync"
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
	Service *payments.Service
	Till    string
	Shop    string
	Test    bool // The account is one with which no money moves.
	Texts   i18n.Texts
	Health  func() payments.Health
	Sound   func(ctx context.Context, tune sound.Tune) // Nil when it is off.
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
	out      *line.Printer
	commands []command
	badge    badge.Badge
	yes      func(ctx context.Context) // What a yes does; nil while no question is open.
	leaves   bool
	cart     cart.Cart
	catalog  catalog
	state    live.State
	unread   bool             // The last reading of the state failed.
	listed   []payments.Order // The list that was said last.
	said     announced
	call     call
	sounds   sync.WaitGroup
}

// Run talks with the cashier until they leave, the input ends or ctx ends; none
// of these is an error. What was entered is on disk then.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(config)
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
	s.sounds.Wait()
	if err := s.out.Err(); err != nil {
		return fmt.Errorf("show the line mode: %w", err)
	}
	return nil
}

func newSession(config Config) *session {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	config.Till = payments.Clean(config.Till, payments.MaxTillWidth)
	s := &session{
		Config: config, out: line.NewPrinter(config.Output, config.Encode, config.Echoes),
		commands: commands(config.Texts.Verbs, config.Customer != nil), badge: badge.Plain(config.Texts),
		cart: cart.New(func() payments.Sale { return config.Service.NewSale(config.Till) }),
		said: announced{orders: make(map[string]announcedOrder), orphans: make(map[payments.EventID]bool)},
		call: call{answers: make(chan answer, 1)},
	}
	s.state.Now = config.Service.Now()
	return s
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
	if yes := s.yes; yes != nil {
		s.yes = nil
		s.answer(ctx, text, yes)
		return
	}
	if s.catalog.stale {
		s.restock(ctx)
	}
	switch {
	case text != "":
		if s.catalog.sells(text) || !s.command(ctx, text) {
			s.enter(ctx, text)
		}
	case s.cart.Empty() && len(s.state.News()) > 0:
		s.list(s.state.News(), "")
	default:
		s.charge(ctx, "")
	}
}

// confirm asks a question that yes alone answers.
func (s *session) confirm(question string, yes func(ctx context.Context)) {
	s.out.Say(question + " " + s.Texts.Plain.YesNo)
	s.yes = yes
}

// answer takes the answer to a question. A line that is neither yes nor no is taken
// for what it says, and nothing is done of what was asked.
func (s *session) answer(ctx context.Context, text string, yes func(ctx context.Context)) {
	word := strings.ToLower(text)
	if slices.Contains(words(s.Texts.Plain.Yes), word) {
		yes(ctx)
		return
	}
	s.out.Say(s.Texts.Plain.Kept)
	if text != "" && !slices.Contains(words(s.Texts.Plain.No), word) {
		s.take(ctx, text)
	}
}
