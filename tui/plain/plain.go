// Package plain is the line mode of the console, for screen readers, braille
// displays, dumb terminals, serial lines and pipes. It guarantees that it only
// ever adds lines, without a colour, a cursor movement or any other escape
// sequence; that an outcome is said by itself the moment it is known and stays
// unseen until it is acknowledged; that an order is made by the word yes alone,
// once; and that what is not understood changes nothing.
package plain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
)

// Config is what the line mode needs.
type Config struct {
	live.Console // Its Run is not used, and of its theme what the terminal can draw.
	Shop         string
	Test         bool // The account is one with which no money moves.
	Health       func() payments.Health
	Sound        func(ctx context.Context, tune sound.Tune) // Nil when it is off.
	Customer     demo.Customer                              // Nil unless this is the demo.
	Ticks        <-chan time.Time                           // Says once a second that time went by.
	// Input and Output are where the lines come from and go to.
	Input  io.Reader
	Output io.Writer
	Echoes bool // What is typed is shown by the terminal.
	Light  bool // The terminal writes dark on light.
}

// session is one cashier at the line mode.
type session struct {
	Config
	printer
	commands []command
	yes      func(ctx context.Context) // What a yes does; nil while no question is open.
	leaves   bool
	cart     cart.Cart
	shelf    entry.Shelf // The shop's articles, as they were read last.
	stale    bool        // They may have changed since.
	state    live.State
	unread   bool             // The last reading of the state failed.
	listed   []payments.Order // The list that was said last.
	// What was said already, so that nothing is said twice.
	lit      string             // The till's health.
	said     map[string]bool    // The payments that no order has, and the times of links.
	outcomes map[string]outcome // Those that nobody has acknowledged, by the orders' references.
	toCheck  int                // How much there is to check.
	answers  chan func()        // Takes in how an order call ended, of which there is one at a time; nil while there is none.
	sounds   sync.WaitGroup
}

// Run talks with the cashier until they leave, the input ends or ctx ends; none
// of these is an error. What was entered is on disk then, or it was said that it
// could not be written.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	letters := config.Theme
	if letters.Charset == theme.Lines {
		letters.Charset = theme.Console // It draws no blanks in reverse video.
	}
	s := &session{
		Config: config, printer: printer{Writer: bufio.NewWriter(config.Output), encode: letters.Encode, echoes: config.Echoes},
		commands: commands(config.Texts.Verbs, config.Customer != nil),
		cart:     cart.New(func() payments.Sale { return config.Service.NewSale(config.Till) }), said: make(map[string]bool),
	}
	s.state.Now = s.Service.Now()
	mark, _ := s.Texts.Frame.Mark(s.Customer != nil, s.Test)
	for _, text := range []string{mark, s.Shop, s.Texts.Plain.Hello} {
		if text != "" {
			s.say(text)
		}
	}
	s.restore(ctx)
	s.restock(ctx)
	s.refresh(ctx)
	s.talk(ctx, read(ctx, s.Input), s.Service.Watch(ctx))
	if s.answers != nil {
		(<-s.answers)()
	}
	s.write(ctx)
	if !s.leaves {
		s.say(s.Texts.Plain.Ended.With(len(s.state.Awaited())))
	}
	s.endPrompt()
	cancel()
	s.sounds.Wait()
	if err := s.Flush(); err != nil {
		return fmt.Errorf("show the line mode: %w", err)
	}
	return nil
}

// talk is the event loop. While an order is being sent lines wait, so that none is
// taken for the next sale's.
func (s *session) talk(ctx context.Context, lines <-chan string, wakeUps <-chan struct{}) {
	for !s.leaves {
		typed := lines
		if s.answers != nil {
			typed = nil
		} else {
			prompt := s.Texts.Sale.Prompt
			if unseen := len(s.state.News()); unseen > 0 {
				prompt = s.Texts.Plain.Prompt.With(unseen) + " " + prompt
			}
			s.ask(prompt)
		}
		if s.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case text, open := <-typed:
			if !open {
				return
			}
			s.took(text)
			s.take(ctx, text)
		case _, open := <-wakeUps:
			if !open {
				return
			}
			s.stale = true
			s.refresh(ctx)
		case <-s.Ticks:
			s.tick(ctx)
		case answered := <-s.answers:
			answered()
		}
	}
}

func (s *session) take(ctx context.Context, text string) {
	text = payments.Clean(text, 2*entry.MaxWidth)
	if yes := s.yes; yes != nil {
		s.yes = nil
		word := strings.ToLower(text)
		if slices.Contains(s.Texts.Plain.Yes[:], word) {
			yes(ctx)
			return
		}
		s.say(s.Texts.Plain.Kept)
		if text == "" || slices.Contains(s.Texts.Plain.No[:], word) {
			return
		}
		// What is neither yes nor no is taken for what it says.
	}
	if s.stale {
		s.restock(ctx)
	}
	_, coded := s.shelf.Coded(text)
	_, named := s.shelf.Labelled(text)
	switch {
	case text == "" && s.cart.Empty() && len(s.state.News()) > 0:
		s.list(s.state.News(), "")
	case text == "":
		s.charge(ctx, "")
	case coded || named || !s.command(ctx, text): // An article goes before any command.
		c, line := s.cart, cart.Line{}
		item, err := s.parse(text)
		if err == nil {
			c, line, err = c.Add(item)
		}
		s.changed(ctx, c, line, err)
	}
}

// confirm asks a question that yes alone answers.
func (s *session) confirm(question string, yes func(ctx context.Context)) {
	s.say(question + " " + s.Texts.Plain.YesNo)
	s.yes = yes
}
