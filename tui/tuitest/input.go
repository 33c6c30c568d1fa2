package tuitest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/hinshun/vt10x"
)

// Write sends bytes to the program, after the program has read all earlier input: two keys in one
// read can form another key.
func (t *Terminal) Write(p []byte) (int, error) {
	t.awaitRead()
	t.typed = true
	t.sentAt = time.Now()
	n, err := t.line.near.Write(p)
	if err != nil {
		return n, fmt.Errorf("type: %w", err)
	}
	return n, nil
}

// awaitRead waits until the program has read all keys, but at most two seconds.
func (t *Terminal) awaitRead() {
	limit := time.NewTimer(2 * time.Second)
	defer limit.Stop()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for t.typed && t.line.pending() {
		t.sentAt = time.Now() // A pause begins when the program has read the input.
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
	if t.pressed == "esc" {
		<-time.After(time.Until(t.sentAt.Add(escapePause)))
	}
	t.pressed = ""
	if _, err := t.Write([]byte(text)); err != nil {
		t.t.Fatalf("%v%s\n%s", err, t.fate(), framed(t.Snapshot()))
	}
	return t
}

// escapePause is a pause after the key Esc, longer than a program waits for the rest of a sequence.
const escapePause = 100 * time.Millisecond

// handPause is the shortest time between two presses of Enter or of the same function key, and
// before Ctrl+C. A slow machine could take faster presses for a key that is held down, or a faster
// Ctrl+C for the end of a scan.
const handPause = 500 * time.Millisecond

// Press sends keys by the names of key bindings, such as "enter", "ctrl+c", "f1", "shift+tab",
// "alt+x", or a character.
func (t *Terminal) Press(keys ...string) *Terminal {
	t.t.Helper()
	for _, name := range keys {
		k, err := Key(name)
		Must(t.t, err)
		text, err := sequence(k)
		Must(t.t, err)
		if name == "ctrl+c" || t.pressed == name && (name == "enter" || strings.HasPrefix(name, "f")) {
			t.awaitRead()
			<-time.After(time.Until(t.sentAt.Add(handPause)))
		}
		t.Type(text)
		t.pressed = name
	}
	return t
}

// Resize changes the terminal's size and clears the screen, so that Sees finds only what is drawn
// for the new size.
func (t *Terminal) Resize(cols, rows int) *Terminal {
	t.t.Helper()
	t.feed.resize(cols, rows)
	Must(t.t, t.line.resize(cols, rows))
	return t
}

// Signal sends sig to the program. It fails the test if the program has ended.
func (t *Terminal) Signal(sig os.Signal) *Terminal {
	t.t.Helper()
	if err := t.cmd.Process.Signal(sig); err != nil {
		t.t.Fatalf("send signal: %v", err)
	}
	return t
}

// Kill ends the program without a chance to clean up, and waits for its end.
func (t *Terminal) Kill() {
	t.t.Helper()
	t.Signal(syscall.SIGKILL).Wait()
}

// HangUp closes the terminal, as when its window is closed. The program receives SIGHUP.
func (t *Terminal) HangUp() {
	t.t.Helper()
	if err := t.line.near.Close(); err != nil {
		t.t.Fatalf("hang up: %v", err)
	}
}

// Wait waits for the program's end and its last output, and returns the exit code. After a signal,
// that is 128 plus the signal's number.
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

// Restored waits for the program's end and fails the test unless the terminal is restored.
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
			t.t.Errorf("the program left the terminal with %s", left.what)
		}
	}
}

// Key returns the key with a name as in key bindings, such as "enter", "shift+tab", "f1", "alt+x",
// or a character. It also accepts "space" and "escape".
func Key(name string) (tea.KeyMsg, error) {
	bare, alt := strings.CutPrefix(name, "alt+")
	switch bare {
	case "space", " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: alt}, nil
	case "escape":
		bare = "esc"
	}
	if utf8.RuneCountInString(bare) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(bare), Alt: alt}, nil
	}
	for kind := tea.KeyCtrlQuestionMark; kind >= tea.KeyF20; kind-- {
		if kind != tea.KeyRunes && kind.String() == bare {
			return tea.KeyMsg{Type: kind, Alt: alt}, nil
		}
	}
	return tea.KeyMsg{}, fmt.Errorf("find key %q: no key is called that", name)
}

// sequences are xterm's key sequences without the escape character.
var sequences = map[tea.KeyType]string{
	tea.KeyUp: "[A", tea.KeyDown: "[B", tea.KeyRight: "[C", tea.KeyLeft: "[D", tea.KeyHome: "[H", tea.KeyEnd: "[F",
	tea.KeyShiftTab: "[Z", tea.KeyInsert: "[2~", tea.KeyDelete: "[3~", tea.KeyPgUp: "[5~", tea.KeyPgDown: "[6~",
	tea.KeyF1: "OP", tea.KeyF2: "OQ", tea.KeyF3: "OR", tea.KeyF4: "OS", tea.KeyF5: "[15~", tea.KeyF6: "[17~",
	tea.KeyF7: "[18~", tea.KeyF8: "[19~", tea.KeyF9: "[20~", tea.KeyF10: "[21~", tea.KeyF11: "[23~", tea.KeyF12: "[24~",
	tea.KeyCtrlUp: "[1;5A", tea.KeyCtrlDown: "[1;5B", tea.KeyCtrlRight: "[1;5C", tea.KeyCtrlLeft: "[1;5D",
	tea.KeyCtrlHome: "[1;5H", tea.KeyCtrlEnd: "[1;5F", tea.KeyCtrlPgUp: "[5;5~", tea.KeyCtrlPgDown: "[6;5~",
	tea.KeyShiftUp: "[1;2A", tea.KeyShiftDown: "[1;2B", tea.KeyShiftRight: "[1;2C", tea.KeyShiftLeft: "[1;2D",
}

func sequence(k tea.KeyMsg) (string, error) {
	prefix := ""
	if k.Alt {
		prefix = "\x1b"
	}
	switch tail, known := sequences[k.Type]; {
	case k.Type == tea.KeyRunes || k.Type == tea.KeySpace:
		return prefix + string(k.Runes), nil
	case k.Type >= 0:
		return prefix + string(rune(k.Type)), nil
	case known:
		return prefix + "\x1b" + tail, nil
	}
	return "", fmt.Errorf("send key %q: its sequence is not known here", k.String())
}
