package tui_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui"
	"checkout/till/tui/tuitest/counter"
)

// screen is a terminal that a program writes to.
type screen struct {
	mu      sync.Mutex
	written strings.Builder
	changed chan struct{}
}

func newScreen() *screen { return &screen{changed: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written.Write(p)
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

// await returns once the program has written text. The limit is far beyond
// what a slow machine needs.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		s.mu.Lock()
		found := strings.Contains(s.written.String(), text)
		s.mu.Unlock()
		if found {
			return
		}
		select {
		case <-s.changed:
		case <-limit:
			t.Fatalf("the program never wrote %q", text)
		}
	}
}

// running is a console that runs in a terminal.
type running struct {
	*console
	far    *os.File // The terminal's other end.
	near   *os.File
	screen *screen
	stop   context.CancelFunc
	ended  chan error
}

// run runs a console until the test ends it.
func run(t *testing.T, settings ...setting) *running {
	t.Helper()
	far, near, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	if err := pty.Setsize(near, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	r := &running{console: open(t, settings...), far: far, near: near, screen: newScreen(), stop: stop, ended: make(chan error, 1)}
	r.config.Input, r.config.Output = near, near
	go func() { _, _ = io.Copy(r.screen, far) }()
	go func() {
		r.ended <- tui.Run(ctx, r.config)
		_ = near.Close()
	}()
	t.Cleanup(stop)
	r.screen.await(t, "Type what the customer takes")
	return r
}

func (r *running) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(r.far, keys); err != nil {
		t.Fatal(err)
	}
}

// end returns how the console ended.
func (r *running) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the console does not end")
		return nil
	}
}

func TestTheConsoleRunsUntilTheCashierLeaves(t *testing.T) {
	r := run(t)
	r.press(t, "\x03")
	if err := r.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	r.screen.await(t, "\x1b[?1049h\x1b[?1007s\x1b[?1007h") // The wheel sends keys,
	r.screen.await(t, "\x1b[?1007r\x1b[?1049l")            // and the terminal is as it was.
}

func TestTheConsoleRunsUntilItIsToldToEnd(t *testing.T) {
	r := run(t)
	r.stop()
	if err := r.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	r.screen.await(t, "\x1b[?1049l")
}

func TestTheConsoleIsWokenByTheStore(t *testing.T) {
	r := run(t)
	r.Pay(r.Charge("S1"))
	r.screen.await(t, "F2")
	r.press(t, "\x03")
	if err := r.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// slowStore changes nothing before its gate is open.
type slowStore struct {
	payments.Store
	gate chan struct{}
}

func (s slowStore) Update(ctx context.Context, change func(payments.Tx) error) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.Update(ctx, change)
}

// H5: leaving writes what the disk has not taken yet.
func TestLinesThatWaitForTheDiskAreWrittenBeforeTheEnd(t *testing.T) {
	for name, end := range map[string]func(r *running){
		"T14 on Ctrl+C":   func(r *running) { r.press(t, "\x03") },
		"T14 on a signal": func(r *running) { r.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			gate := make(chan struct{})
			store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "till.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = store.Close() }()
			r := run(t, func(c *console) {
				c.Counter = counter.New(t, slowStore{store, gate})
				c.config.Service = c.Service
			})
			for _, line := range []string{"Vary 3500", "Coca 2000", "Savony 500"} {
				r.press(t, line+"\r")
			}
			r.screen.await(t, "charges 6 000")
			end(r)
			close(gate)
			if err := r.end(t); err != nil {
				t.Fatal(err)
			}
			sales, err := r.Sales(t.Context(), counter.Till)
			if err != nil || len(sales) != 1 || len(sales[0].Items) != 3 {
				t.Errorf("on disk are %+v, %v", sales, err)
			}
		})
	}
}
