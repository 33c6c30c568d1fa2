// Package tui is the console of the shop counter. It guarantees that every
// screen shows the same moment, that a payment's outcome is announced on
// whatever screen is open without stealing a key, and that nothing waits for
// it: it is woken, and reads what it shows anew.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/doctor"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
)

// Config is what the console needs.
type Config struct {
	live.Console // Its texts are in the language that it begins in; Run is the console's own.
	Shop         string
	Test         bool                                       // The account is one with which no money moves, and every screen says so.
	Sound        func(ctx context.Context, tune sound.Tune) // Nil when it is off.
	Health       func() payments.Health                     // What is known of the listener and the store.
	// Checks look at the payment service, and at the way from it; none when there is
	// nothing to look at.
	Checks []doctor.Check
	// KeepLanguage keeps a language for the next start; nil when nothing does.
	KeepLanguage func(code string) error
	// Browse opens a page in this machine's browser; nil when it has none.
	Browse func(link string) error
	Demo
	Input  io.Reader
	Output io.Writer
}

// Demo is what the demo adds to a console. It is zero in a shop.
type Demo struct {
	Customer demo.Customer // Acts as the customer. Not nil in the demo.
	Address  string        // Where phones find the demo; shown when not empty.
	Script   Script        // Uses the console by itself; nil for none.
	Welcome  string        // The settings file, for a welcome that says how to go live; blank for none.
}

// Run shows the console until the cashier leaves or ctx ends; both are no
// error. It restores the terminal in every case.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	console := newModel(ctx, config)
	playing, stopScript := context.WithCancel(ctx)
	defer stopScript()
	console.stopScript = stopScript
	program := tea.NewProgram(console, tea.WithAltScreen(), tea.WithoutSignalHandler(),
		tea.WithInput(keyboard.Raw(config.Input)), tea.WithOutput(config.Output))
	// Asked to quit and not killed by the context: a killed program gives the
	// terminal back while it still reads from it.
	defer context.AfterFunc(ctx, program.Quit)()
	var beside sync.WaitGroup
	var unread error
	if keyboard.Reads {
		beside.Go(func() {
			if unread = console.keyboard.Run(ctx, func(stroke keyboard.Stroke) { program.Send(stroke) }); unread != nil {
				program.Quit()
			}
		})
	}
	beside.Go(func() { relay(ctx, config.Service.Watch(ctx), program.Send) })
	if config.Script != nil {
		beside.Go(func() {
			config.Script(playing, func(key tea.KeyMsg) { program.Send(played{key}) })
			program.Send(scriptEnded{})
		})
	}
	beside.Go(func() { suspend(ctx, program) })
	last, err := program.Run()
	interrupted := ctx.Err() != nil
	cancel()
	beside.Wait()
	if ended, shown := last.(model); shown {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), draftLimit)
		defer cancel()
		var failed []error
		for _, unsaved := range ended.counter.Cart().Unsaved {
			failed = append(failed, config.Service.SaveSale(ctx, *unsaved))
		}
		if err := errors.Join(failed...); err != nil {
			return fmt.Errorf("save the sale that was being entered: %w", err)
		}
	}
	if unread != nil {
		return unread
	}
	if err != nil && !interrupted && !errors.Is(err, tea.ErrInterrupted) {
		return fmt.Errorf("show the console: %w", err)
	}
	return nil
}

// Script uses the console by itself until it is done. Its context ends when the
// console does, and as soon as a person presses a key.
type Script func(ctx context.Context, press func(key tea.KeyMsg))

// played is a key of the script's; scriptEnded says that there are no more.
type (
	played      struct{ key tea.KeyMsg }
	scriptEnded struct{}
)

// pace is how long the store's changes are left alone after one of them was
// told: the first is seen at once, and a thousand a second leave the console
// the time that its keys need.
const pace = 20 * time.Millisecond

// relay turns wake-ups into messages until their channel is closed, which it is
// when ctx ends. In Bubble Tea v1 Send blocks until the program reads.
func relay(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	for range wakeUps {
		send(changed{})
		select {
		case <-time.After(pace):
		case <-ctx.Done():
		}
	}
}

// draftLimit is how long the sales that are being entered may take to be written
// when the console ends.
const draftLimit = 5 * time.Second
