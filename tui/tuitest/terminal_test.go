package tuitest_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

func TestTheScreenShowsWhatAProgramDraws(t *testing.T) {
	term := run(t, 60, 20, "console").Sees("60x20")
	if got := term.Line(0); got != "60x20" {
		t.Errorf("first line is %q", got)
	}
	if !strings.Contains(term.Raw(), "\x1b[?1049h") {
		t.Error("the raw output has no switch to the other screen")
	}
	if got := term.Bytes(); got != len(term.Raw()) {
		t.Errorf("%d bytes counted of %d", got, len(term.Raw()))
	}
}

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

func TestTextArrivesAsTyped(t *testing.T) {
	run(t, 80, 10, "console").Sees("80x10").
		Type("Vary 3500").Press("space", "escape").Sees("keys Vary| |3500| |esc")
}

func TestAPasteIsMarkedWhenTheProgramWantsThat(t *testing.T) {
	run(t, 80, 10, "console").Sees("80x10").
		Paste("Coca\t2000").Press("enter").Sees("keys [Coca", "2000]|enter")
}

func TestTheSizeIsPassedOn(t *testing.T) {
	term := run(t, 80, 24, "console").Sees("80x24")
	for _, size := range [][2]int{{40, 10}, {120, 40}, {20, 5}, {80, 24}} {
		want := fmt.Sprintf("%dx%d", size[0], size[1])
		term.Resize(size[0], size[1]).Sees(want)
		if cols, rows := term.Snapshot().Size(); cols != size[0] || rows != size[1] {
			t.Errorf("the screen is %dx%d, want %s", cols, rows, want)
		}
	}
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

func TestTheEndOfAProgramIsSeen(t *testing.T) {
	term := run(t, 80, 24, "console").Sees("80x24").Press("ctrl+c")
	if code := term.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	term.Sees("goodbye").Restored()
}

func TestSignals(t *testing.T) {
	t.Run("a signal ends the program in order", func(t *testing.T) {
		term := run(t, 80, 24, "console").Sees("80x24").Signal(syscall.SIGTERM)
		if code := term.Wait(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		term.Restored()
	})
	t.Run("a kill leaves no time", func(t *testing.T) {
		term := run(t, 80, 24, "console").Sees("80x24")
		term.Kill()
		if code := term.Wait(); code != 128+9 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("a closed terminal hangs up", func(t *testing.T) {
		term := run(t, 80, 24, "console").Sees("80x24")
		term.HangUp()
		if code := term.Wait(); code == 0 {
			t.Errorf("exit code %d", code)
		}
	})
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

func TestAQuestionIsAnsweredOnlyWhenAsked(t *testing.T) {
	run(t, 80, 24, "asks", tuitest.Answering()).Sees(`\x1b]11;rgb:1e1e/1e1e/1e1e`, `\x1b[1;1R`)

	silent := run(t, 80, 24, "asks")
	silent.Type("R").Sees(`answer "R"`)
}

func TestWhatIsNotSeenFailsWithThePicture(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		do   func(*tuitest.Terminal)
		want []string
	}{
		{"a text that does not come", func(term *tuitest.Terminal) { term.Sees("80x24", "PAID") }, []string{`does not say ["PAID"]`, "80x24\nkeys"}},
		{"a text that never came", func(term *tuitest.Terminal) { term.Shows("80x24", "PAID") }, []string{`never said ["PAID"]`, "80x24\nkeys"}},
		{"a text that does not go", func(term *tuitest.Terminal) { term.Gone("80x24") }, []string{"still says", "80x24\nkeys"}},
		{"a code that is not there", func(term *tuitest.Terminal) { term.QR() }, []string{"no QR code on the screen", "80x24"}},
		{"a program that goes on", func(term *tuitest.Terminal) { term.Wait() }, []string{"does not end", "80x24"}},
		{"a key that does not exist", func(term *tuitest.Terminal) { term.Press("hyper") }, []string{`no key is called that`}},
		{"a key that no terminal sends here", func(term *tuitest.Terminal) { term.Press("f20") }, []string{`not known`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			spy := &spy{TB: t}
			term := start(spy, "console", tuitest.Patience(4*time.Second)).Sees("80x24")
			spy.fails(func() { tt.do(term) })
			for _, want := range tt.want {
				if !strings.Contains(spy.said, want) {
					t.Errorf("the failure says %q, want %q in it", spy.said, want)
				}
			}
		})
	}
}

func TestAProgramThatHasEndedIsNotWaitedFor(t *testing.T) {
	spy := &spy{TB: t}
	term := start(spy, "rude")
	started := time.Now()
	spy.fails(func() { term.Sees("polite") })
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("gave up after %v", took)
	}
	if !strings.Contains(spy.said, "the program has ended") {
		t.Errorf("the failure says %q", spy.said)
	}
}

func TestTheEnvironmentIsThatOfAPerson(t *testing.T) {
	t.Setenv("CI", "1")
	t.Setenv("NO_COLOR", "1")
	env := strings.Join(tuitest.Environ("TERM=dumb"), "\n")
	if strings.Contains(env, "CI=") || strings.Contains(env, "NO_COLOR") || !strings.HasSuffix(env, "TERM=dumb") {
		t.Errorf("environment is %q", env)
	}
	if home := os.Getenv("HOME"); !strings.Contains(env, "HOME="+home) {
		t.Errorf("HOME is missing from %q", env)
	}
}
