// Package tui is the console of the shop counter. All screens show the result of the same read of
// the store. The outcome of a payment is announced on any open screen, and a key that was meant for
// that screen never acknowledges it. The rest of the program never waits for the console: it only
// tells the console to read the store again.
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
	"checkout/till/tui/voice"
)

// Config is the configuration of the console.
type Config struct {
	live.Console // Its Texts are in the language at the start; newModel sets its Run.
	Shop         string
	Test         bool                                       // The account is a test account, in which no money moves.
	Sound        func(ctx context.Context, tune sound.Tune) // Plays a tune; nil if sound is off.
	Voice        *voice.Voice                               // Speaks about payments; nil if speech is off.
	Health       func() payments.Health                     // State of the listener and the store.
	Calls        func() []payments.Call                     // The last order calls; may be nil.
	// Checks test the payment service and the path of its webhooks; nil if there is
	// nothing to test.
	Checks    []doctor.Check
	PublicURL string // Address to which the payment service sends webhooks; blank if not set.
	// KeepLanguage stores the language for the next start; nil if it cannot be stored.
	KeepLanguage func(code string) error
	// Browse opens a page in this machine's browser; nil without a browser.
	Browse func(link string) error
	Demo
	Input  io.Reader
	Output io.Writer
}

// Demo has the settings that only the demo needs. In a shop, Demo is zero.
type Demo struct {
	Customer demo.Customer // Acts as the customer; nil outside the demo.
	Address  string        // Address at which a phone opens the demo; not shown if empty.
	Sample   bool          // The orders of the day are a sample.
	Script   Script        // Presses keys in place of a person; nil if a person uses the demo.
	Welcome  string        // Path of the settings file, for a welcome that says how to go live; blank for no welcome.
}

// Run shows the console until the cashier quits or ctx ends. It returns an error if the keyboard or
// the terminal fails, or if an unsaved sale cannot be written. It always restores the terminal.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	console := newModel(ctx, config)
	playing, stopScript := context.WithCancel(ctx)
	defer stopScript()
	console.stopScript = stopScript
	program := tea.NewProgram(console, tea.WithAltScreen(), tea.WithoutSignalHandler(),
		tea.WithInput(keyboard.Raw(config.Input)), tea.WithOutput(config.Output))
	// When ctx ends, the program quits. tea.WithContext would kill it, and a killed program
	// restores the terminal while it still reads from the terminal.
	defer context.AfterFunc(ctx, program.Quit)()
	var beside sync.WaitGroup
	var unread error
	beside.Go(func() { unread = console.keyboard.Feed(ctx, program) })
	beside.Go(func() { config.Voice.Run(ctx) })
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
			return fmt.Errorf("save the unsaved sales: %w", err)
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

// Script is a function that plays a demo by pressing keys. ctx ends when the console ends
// or a person presses a key.
type Script func(ctx context.Context, press func(key tea.KeyMsg))

// played is a key of the script; scriptEnded follows the last one.
type (
	played      struct{ key tea.KeyMsg }
	scriptEnded struct{}
)

// pace is the shortest time between two messages of the type changed. It leaves the console time
// for keys even if the store changes a thousand times in a second.
const pace = 20 * time.Millisecond

// relay sends a message of the type changed for each wake-up, until wakeUps is closed. That happens
// when ctx ends. send blocks until the program reads the message, as in Bubble Tea v1.
func relay(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	for range wakeUps {
		send(changed{})
		select {
		case <-time.After(pace):
		case <-ctx.Done():
		}
	}
}

// draftLimit is how long the console tries to save the unsaved sales before it ends.
const draftLimit = 5 * time.Second
