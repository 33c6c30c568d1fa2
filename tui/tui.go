// Package tui is the console of the shop counter. All screens get the same [counter.Picture] of the
// store. The outcome of a payment is announced on any open screen. A key press just after an
// outcome appears does not acknowledge that outcome. The webhook listener does not wait for the
// console.
package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/keyboard"
)

// Run shows the console until the cashier quits or ctx ends, and then restores the terminal. It
// returns an error if the keyboard or the terminal fails, or if an unsaved sale cannot be written.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	console := newModel(ctx, config)
	playing, stopScript := context.WithCancel(ctx)
	defer stopScript()
	console.stopScript = stopScript
	program := tea.NewProgram(console, tea.WithAltScreen(), tea.WithoutSignalHandler(),
		tea.WithInput(keyboard.Raw(config.Input)), tea.WithOutput(synchronized(config.Output, console.slow)))
	// tea.WithContext would kill the program, which would then restore the terminal while it still
	// reads keys.
	defer context.AfterFunc(ctx, program.Quit)()
	var beside sync.WaitGroup
	var unread error
	beside.Go(func() { unread = console.keyboard.Feed(ctx, program) })
	beside.Go(func() { config.Voice.Run(ctx) })
	beside.Go(func() { forward(ctx, config.Service.Watch(ctx), program.Send) })
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

// pace is the shortest time between two messages of [forward]. It leaves time for keys while the
// store changes quickly.
const pace = 20 * time.Millisecond

// forward sends a message of the type changed for each wake-up, until wakeUps is closed. send
// blocks until the program reads the message.
func forward(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	for range wakeUps {
		send(changed{})
		select {
		case <-time.After(pace):
		case <-ctx.Done():
		}
	}
}

// draftLimit is how long the console tries to save unsaved sales before it ends.
const draftLimit = 5 * time.Second
