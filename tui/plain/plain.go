// Package plain is the line mode of the console, for screen readers, braille displays,
// dumb terminals, serial lines and pipes.
//
// It guarantees:
//
//   - The output only grows by lines. It has no colours, cursor movements or other escape
//     sequences.
//   - An outcome is printed as soon as it is known, and stays unseen until the cashier
//     acknowledges it.
//   - Each order needs the answer yes, and one answer makes only one order.
//   - Input that is not understood changes no sale and no order.
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
	"checkout/till/payments/clean"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
	"checkout/till/tui/voice"
	"checkout/till/tui/wording"
)

// Config is what the line mode needs from its caller.
type Config struct {
	live.Console // The line mode uses only the character set of Theme.
	Shop         string
	Test         bool // Whether the account is a test account, which moves no money.
	Health       func() payments.Health
	Sound        func(ctx context.Context, tune sound.Tune) // Nil without sound.
	Voice        *voice.Voice                               // Nil without speech.
	Customer     demo.Customer                              // Nil outside the demo.
	Ticks        <-chan time.Time                           // Ticks once a second.
	Input        io.Reader
	Output       io.Writer
	Echoes       bool // Whether the terminal echoes the typed text.
	Light        bool // Whether the terminal has a light background.
}

type session struct {
	Config
	printer
	counter    *counter.Counter
	commands   []command
	leaves     bool
	listed     []payments.Order            // The last printed list. The cashier names an order by its place in the list.
	seen       map[string]payments.Verdict // Last printed verdict of each order, without [payments.Conditions].
	lastHealth string
	weighs     *entry.WeightError // The article that needs a weight or measure, or nil.
	fresh      newcomer           // New customer whose name was typed once, and must be typed again.
	toldMissed bool
	answers    chan counter.Effect
	sounds     sync.WaitGroup // Waits for the running tunes and the voice.
	settled    string         // Reference or number of the sale that was paid last; may be empty.
	printing   int            // Number of running prints and openings of the drawer.
	printed    chan printed   // Receives the results of running prints and openings.
}

// Run runs the line mode until the cashier quits, the input ends or ctx ends. It saves the entered
// lines, or tells the cashier that they could not be saved. It returns an error if it cannot write
// the output.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	letters := config.Theme
	if letters.Charset == theme.Lines {
		// With theme.Lines, Encode would draw a QR code by escape sequences, whose ESC the printer
		// removes.
		letters.Charset = theme.Console
	}
	s := &session{
		Config: config, printer: printer{Writer: bufio.NewWriter(config.Output), encode: letters.Encode, echoes: config.Echoes},
		commands: commands(config.Texts, config.Tenders, config.Customer != nil), answers: make(chan counter.Effect, 1),
		printed: make(chan printed), seen: map[string]payments.Verdict{},
	}
	s.counter = counter.New(counter.Config{
		Till: s.Till, Tenders: s.Tenders, Words: wording.Recorded(s.Texts), Now: s.Service.Now, Health: s.Health,
		NewSale: func() payments.Sale { return s.Service.NewSale(s.Till) },
	})
	mark, _ := s.Texts.Frame.Mark(s.Customer != nil, s.Test)
	for _, text := range []string{mark, s.Shop, s.Texts.Plain.Hello} {
		if text != "" {
			s.say(text)
		}
	}
	s.sounds.Go(func() { s.Voice.Run(ctx) })
	s.counter.Begin()
	s.drain(ctx)
	s.talk(ctx, read(ctx, s.Input), s.Service.Watch(ctx))
	if s.counter.Stage() == counter.Sending {
		s.counter.Take(<-s.answers)
	}
	s.counter.Save()
	s.drain(ctx)
	s.endPrints()
	if !s.leaves {
		s.say(s.Texts.Plain.Ended.With(s.counter.Awaited()))
	}
	s.endPrompt()
	cancel()
	s.sounds.Wait()
	if err := s.Flush(); err != nil {
		return fmt.Errorf("show the line mode: %w", err)
	}
	return nil
}

func (s *session) state() counter.Picture { return s.counter.Picture() }

// talk is the event loop. It reads no input during an order call, so that no line is added to the
// wrong sale.
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
		case result := <-s.printed:
			s.sayPrinted(result)
		case answered := <-s.answers:
			s.counter.Take(answered)
		}
		s.drain(ctx)
	}
}

// drain performs the effects of the counter and prints its facts. It saves a line of a sale before
// it prints the line. Order calls run in the background.
func (s *session) drain(ctx context.Context) {
	for {
		effects, facts := s.counter.Drain()
		if len(effects) == 0 && len(facts) == 0 {
			return
		}
		for _, effect := range effects {
			if save, is := effect.(counter.SaveSale); is {
				// Write the sale even if a signal ends the program at this moment.
				s.counter.Take(save.Perform(context.WithoutCancel(ctx), s.Service))
			}
		}
		s.tell(ctx, facts)
		for _, effect := range effects {
			switch effect := effect.(type) {
			case counter.SaveSale: // The loop above has performed the write.
			case counter.Checkout:
				go func() { s.answers <- effect.Perform(ctx, s.Service) }()
			default:
				s.counter.Take(effect.Perform(ctx, s.Service))
			}
		}
	}
}

func (s *session) take(ctx context.Context, text string) {
	text = clean.Text(text, 2*entry.MaxWidth)
	if s.counter.Question() != nil {
		word := strings.ToLower(text)
		if slices.Contains(s.Texts.Plain.Yes[:], word) {
			s.counter.Yes()
			return
		}
		if s.counter.Asking() == counter.AskRest && s.paysBy(word) {
			s.command(ctx, text)
			return
		}
		tenders := s.counter.Asking() == counter.AskCharge && s.paysBy(word)
		s.counter.No()
		if !tenders { // Otherwise a payment follows.
			s.say(s.Texts.Plain.Kept)
		}
		if text == "" || slices.Contains(s.Texts.Plain.No[:], word) {
			return
		}
		// Handle the text as an entry or a command.
	}
	s.counter.RefreshArticles()
	s.drain(ctx)
	if s.weighs != nil && s.weigh(ctx, text) {
		return
	}
	_, coded := s.counter.Shelf().Coded(text)
	_, named := s.counter.Shelf().Labelled(text)
	switch news := s.state().News(); {
	case text == "" && s.counter.Cart().Empty() && len(news) > 0:
		s.list(news, "")
	case text == "":
		s.charge(ctx, "")
	case coded || named || !s.command(ctx, text): // An article takes precedence over a command.
		s.enter(ctx, text)
	}
}
