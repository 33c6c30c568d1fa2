package tuitest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/hinshun/vt10x"
)

// Write sends bytes to the program as they are. It waits until the program has
// read what was sent before: keys that arrive in one read can mean another key,
// as Esc and a letter do.
func (t *Terminal) Write(p []byte) (int, error) {
	t.awaitRead()
	t.typed = true
	n, err := t.line.near.Write(p)
	if err != nil {
		return n, fmt.Errorf("type: %w", err)
	}
	return n, nil
}

// awaitRead returns when the program has read all keys, of which the kernel
// sends no news. A program that does not read is not waited for long.
func (t *Terminal) awaitRead() {
	limit := time.NewTimer(2 * time.Second)
	defer limit.Stop()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for t.typed && t.line.pending() {
		select {
		case <-again.C:
		case <-t.exited:
			return
		case <-limit.C:
			return
		}
	}
}

// Type sends text as fast as a barcode scanner does.
func (t *Terminal) Type(text string) *Terminal {
	t.t.Helper()
	return t.send(text)
}

// escapePause is longer than Esc waits for the rest of a sequence.
const escapePause = 100 * time.Millisecond

// handPause is the shortest time in which a hand presses Enter or Ctrl+C again. A key
// that comes sooner may be held, also on a slow machine.
const handPause = 300 * time.Millisecond

// Press sends keys, one after the other, by the names that key bindings have:
// "enter", "esc", "up", "ctrl+c", "f1", "shift+tab", "alt+x", or a character.
func (t *Terminal) Press(keys ...string) *Terminal {
	t.t.Helper()
	for _, name := range keys {
		k, err := Key(name)
		if err != nil {
			t.t.Fatal(err)
		}
		text, err := sequence(k)
		if err != nil {
			t.t.Fatal(err)
		}
		if name == t.pressed && (name == "enter" || name == "ctrl+c") {
			<-time.After(time.Until(t.pressedAt.Add(handPause)))
		}
		t.send(text)
		t.pressed = name
		t.pressedAt = time.Now()
	}
	return t
}

func (t *Terminal) send(text string) *Terminal {
	t.t.Helper()
	if t.pressed == "esc" {
		<-time.After(time.Until(t.pressedAt.Add(escapePause)))
	}
	t.pressed = ""
	if _, err := t.Write([]byte(text)); err != nil {
		t.t.Fatalf("%v%s\n%s", err, t.fate(), framed(t.Snapshot()))
	}
	return t
}

// Resize gives the terminal another size and empties it, so that what Sees finds
// afterwards was drawn for the new size.
func (t *Terminal) Resize(cols, rows int) *Terminal {
	t.t.Helper()
	t.feed.resize(cols, rows)
	if err := t.line.resize(cols, rows); err != nil {
		t.t.Fatal(err)
	}
	return t
}

// Signal sends sig to the program.
func (t *Terminal) Signal(sig os.Signal) *Terminal {
	t.t.Helper()
	if err := t.cmd.Process.Signal(sig); err != nil {
		t.t.Fatalf("send signal: %v", err)
	}
	return t
}

// Kill ends the program as a power cut does, without a chance to clean up, and
// waits until it is gone.
func (t *Terminal) Kill() {
	t.t.Helper()
	t.Signal(syscall.SIGKILL).Wait()
}

// HangUp closes the terminal as a person closes its window: the program gets
// SIGHUP, and can neither read nor write any more.
func (t *Terminal) HangUp() {
	t.t.Helper()
	if err := t.line.near.Close(); err != nil {
		t.t.Fatalf("hang up: %v", err)
	}
}

// Wait waits until the program has ended and its last words are on the screen.
// It gives the exit code; 128 and the signal's number if a signal ended it.
func (t *Terminal) Wait() int {
	t.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for _, done := range []chan struct{}{t.exited, t.drained} {
		select {
		case <-done:
		case <-limit.C:
			t.t.Fatalf("the program does not end\n%s", framed(t.Snapshot()))
		}
	}
	return t.code
}

// Restored waits for the program's end, and fails the test unless it has left
// the terminal as it was: the first screen, a visible cursor, no mouse,
// no marks around pastes, and typed lines that echo.
func (t *Terminal) Restored() {
	t.t.Helper()
	t.Wait()
	mode := t.Snapshot().mode
	last := func(sequence string) int { return strings.LastIndex(t.Raw(), sequence) }
	for _, left := range []struct {
		what string
		on   bool
	}{
		{"the other screen", mode&vt10x.ModeAltScreen != 0},
		{"a hidden cursor", mode&vt10x.ModeHide != 0},
		{"the mouse", mode&vt10x.ModeMouseMask != 0},
		{"focus reports", mode&vt10x.ModeFocus != 0},
		{"marked pastes", last("\x1b[?2004h") > last("\x1b[?2004l")},
		{"raw input", t.rawLeft},
	} {
		if left.on {
			t.t.Errorf("the program has ended and left the terminal with %s", left.what)
		}
	}
}
