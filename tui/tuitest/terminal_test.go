package tuitest_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

func TestKeysArriveOneByOne(t *testing.T) {
	names := []string{
		"a", "y", "esc", "n", "esc", "esc", "enter", "up", "esc", "down", "left", "right", "home", "end",
		"pgup", "pgdown", "tab", "shift+tab", "backspace", "delete", "insert", "ctrl+a", "ctrl+home", "ctrl+end",
		"ctrl+up", "ctrl+left", "shift+down", "shift+right", "ctrl+pgup", "ctrl+pgdown", "alt+x", "alt+up",
		"f1", "f4", "f5", "f6", "f10", "f11", "f12", "é", "?",
	}
	term := run(t, 400, 10, "console").Sees("400x10")
	term.Press(names...).Sees("keys " + strings.Join(names, "|"))
}

func TestWhatWasShownForAMomentIsRemembered(t *testing.T) {
	term := run(t, 80, 24, "console").Sees("80x24").Resize(60, 20).Sees("60x20").Gone("80x24")
	term.Shows("60x20", "80x24")
}

func TestAQRCodeIsReadAndGoneAgain(t *testing.T) {
	term := run(t, 80, 24, "console").Sees("80x24").Press("f2")
	if got := term.QR(); got != link {
		t.Errorf("read %q, want %q", got, link)
	}
	for _, size := range [][2]int{{60, 24}, {120, 45}, {34, 20}} {
		if got := term.Resize(size[0], size[1]).QR(); got != link {
			t.Errorf("at %v read %q", size, got)
		}
	}
	term.Press("q", "f3", "z").Gone("keys q").Sees("keys z")
	if _, err := term.Snapshot().Code(); err == nil {
		t.Error("a code is still there")
	}
}

func TestATerminalThatIsNotRestoredIsNoticed(t *testing.T) {
	spy := &spy{TB: t}
	term := start(spy, "rude")
	if code := term.Wait(); code != 7 {
		t.Errorf("exit code %d", code)
	}
	term.Restored()
	for _, want := range []string{"the other screen", "a hidden cursor", "a wheel that sends keys", "marked pastes"} {
		if !strings.Contains(spy.said, want) {
			t.Errorf("%q does not name %s", spy.said, want)
		}
	}
}

func TestWhatIsNotSeenFailsWithThePicture(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do   func(*tuitest.Terminal)
		want string
	}{
		"a text that does not come":           {func(term *tuitest.Terminal) { term.Sees("80x24", "PAID") }, `does not say ["PAID"]`},
		"a text that never came":              {func(term *tuitest.Terminal) { term.Shows("80x24", "PAID") }, `never said ["PAID"]`},
		"a text that does not go":             {func(term *tuitest.Terminal) { term.Gone("80x24") }, "still says"},
		"a code that is not there":            {func(term *tuitest.Terminal) { term.QR() }, "no QR code on the screen"},
		"a program that goes on":              {func(term *tuitest.Terminal) { term.Wait() }, "does not end"},
		"a key that no terminal sends so far": {func(term *tuitest.Terminal) { term.Press("f20") }, "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spy := &spy{TB: t}
			term := start(spy, "console").Sees("80x24")
			tuitest.Patience(100 * time.Millisecond)(term)
			spy.fails(func() { tt.do(term) })
			if !strings.Contains(spy.said, tt.want) || !strings.Contains(spy.said, "\n80x24") && name != "a key that no terminal sends so far" {
				t.Errorf("the failure says %q, want %q in it", spy.said, tt.want)
			}
		})
	}
}

func TestAProgramThatHasEndedIsNotWaitedFor(t *testing.T) {
	spy := &spy{TB: t}
	term := start(spy, "rude")
	spy.fails(func() { term.Sees("polite") })
	if !strings.Contains(spy.said, "the program has ended") {
		t.Errorf("the failure says %q", spy.said)
	}
}
