package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui"
)

func TestChangesAreToldAtOnceAndNotTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		wakeUps := make(chan struct{}, 1)
		var told []time.Duration
		began := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			tui.Relay(ctx, wakeUps, func(tea.Msg) { told = append(told, time.Since(began)) })
		}()
		// A change each millisecond for three times the pace, and then none.
		for range 3 * tui.Pace / time.Millisecond {
			select {
			case wakeUps <- struct{}{}:
			default:
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(told) != 4 || told[0] != 0 || told[3] != 3*tui.Pace {
			t.Errorf("told after %v", told)
		}
		// One that comes just before the end does not hold it up.
		wakeUps <- struct{}{}
		synctest.Wait()
		ended := time.Now()
		cancel()
		close(wakeUps)
		<-done
		if waited := time.Since(ended); waited != 0 || len(told) != 5 {
			t.Errorf("the end waited %v; told %v", waited, told)
		}
	})
}
