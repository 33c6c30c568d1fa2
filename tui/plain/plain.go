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
	"checkout/till/tui/counter"
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
	counter  *counter.Counter
	commands []command
	leaves   bool
	listed   []payments.Order    // The list that was said last.
	lit      string              // The till's health, as it was said last.
	answers  chan counter.Effect // Tells how an order call ended.
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
		commands: commands(config.Texts.Verbs, config.Customer != nil), answers: make(chan counter.Effect, 1),
	}
	s.counter = counter.New(counter.Config{
		Till: s.Till, Now: s.Service.Now, Reach: s.reach,
		NewSale: func() payments.Sale { return s.Service.NewSale(s.Till) },
	})
	mark, _ := s.Texts.Frame.Mark(s.Customer != nil, s.Test)
	for _, text := range []string{mark, s.Shop, s.Texts.Plain.Hello} {
		if text != "" {
			s.say(text)
		}
	}
	s.counter.Begin()
	s.settle(ctx)
	s.talk(ctx, read(ctx, s.Input), s.Service.Watch(ctx))
	if s.counter.Stage() == counter.Sending {
		s.counter.Take(<-s.answers)
	}
	s.counter.Save()
	s.settle(ctx)
	if !s.leaves {
		s.say(s.Texts.Plain.Ended.With(len(s.state().Awaited())))
	}
	s.endPrompt()
	cancel()
	s.sounds.Wait()
	if err := s.Flush(); err != nil {
		return fmt.Errorf("show the line mode: %w", err)
	}
	return nil
}

// reach says whether a payment would be seen now.
func (s *session) reach(storeDown bool) payments.Reach {
	health := s.Health()
	health.StoreDown = health.StoreDown || storeDown
	return health.Reach(s.Service.Now())
}

// state returns what is known of the store.
func (s *session) state() counter.Picture { return s.counter.Picture() }

// talk is the event loop. While an order is being sent lines wait, so that none is
// taken for the next sale's.
func (s *session) talk(ctx context.Context, lines <-chan string, wakeUps <-chan struct{}) {
	for !s.leaves {
		typed := lines
		if s.counter.Stage() == counter.Sending {
			typed = nil
		} else {
			prompt := s.Texts.Sale.Prompt
			if unseen := len(s.state().News()); unseen > 0 {
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
			s.counter.Wake()
		case <-s.Ticks:
			s.counter.Tick()
		case answered := <-s.answers:
			s.counter.Take(answered)
		}
		s.settle(ctx)
	}
}

// settle performs what the counter wants done, and says what happened. Sales are written
// first, so that a line is on disk before it is said. An order call runs beside the talk.
func (s *session) settle(ctx context.Context) {
	for {
		effects, facts := s.counter.Drain()
		if len(effects) == 0 && len(facts) == 0 {
			return
		}
		for _, effect := range effects {
			if save, is := effect.(counter.SaveSale); is {
				// What was typed reaches the disk even when the program is ended meanwhile.
				s.counter.Take(save.Perform(context.WithoutCancel(ctx), s.Service))
			}
		}
		s.tell(ctx, facts)
		for _, effect := range effects {
			switch effect := effect.(type) {
			case counter.SaveSale: // It was performed.
			case counter.Checkout:
				go func() { s.answers <- effect.Perform(ctx, s.Service) }()
			default:
				s.counter.Take(effect.Perform(ctx, s.Service))
			}
		}
	}
}

func (s *session) take(ctx context.Context, text string) {
	text = payments.Clean(text, 2*entry.MaxWidth)
	if s.counter.Question() != nil {
		word := strings.ToLower(text)
		if slices.Contains(s.Texts.Plain.Yes[:], word) {
			s.counter.Yes()
			return
		}
		s.counter.No()
		s.say(s.Texts.Plain.Kept)
		if text == "" || slices.Contains(s.Texts.Plain.No[:], word) {
			return
		}
		// What is neither yes nor no is taken for what it says.
	}
	s.counter.Restock()
	s.settle(ctx)
	_, coded := s.counter.Shelf().Coded(text)
	_, named := s.counter.Shelf().Labelled(text)
	switch news := s.state().News(); {
	case text == "" && s.counter.Cart().Empty() && len(news) > 0:
		s.list(news, "")
	case text == "":
		s.counter.Charge()
	case coded || named || !s.command(ctx, text): // An article goes before any command.
		line := cart.Line{}
		item, err := s.parse(text)
		if err == nil {
			line, err = s.counter.Add(item)
		}
		s.changed(ctx, line, err)
	}
}
