package tuitest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/tui/component/qr"
	"checkout/till/tui/tuitest"
)

func TestAScreenShowsTheTextOfAView(t *testing.T) {
	tests := []struct {
		name, view, want string
	}{
		{"lines stand below each other", "ab\ncd", "ab\ncd\n"},
		{"colours are not text", "\x1b[1;38;5;16;42mPAID\x1b[0m", "PAID\n\n"},
		{"accents are kept", "Rèny é", "Rèny é\n\n"},
		{"wide characters take two columns", "漢字|\nabcd|", "漢字|\nabcd|\n"},
		{"what has no width is not kept", "e\u0301\u200bx", "ex\n\n"},
		{"the cursor is placed by row and column", "a\x1b[3;5Hb", "a\n\n    b"},
		{"the rest of a line is erased", "abcdef\r\x1b[2Cx\x1b[K", "abx\n\n"},
		{"the other screen is an empty one", "shell\x1b[?1049h\x1b[2J\x1b[Happ", "app\n\n"},
		{"unknown modes are no text", "\x1b[?2004h\x1b[?2026hx", "x\n\n"},
		{"a broken byte is shown as such", "a\xffb", "a\uFFFDb\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tuitest.Render(tt.view, 10, 3).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestACellHasTheColoursThatAreSeen(t *testing.T) {
	tests := []struct {
		name, view string
		want       tuitest.Cell
	}{
		{"ANSI", "\x1b[31;42mx", tuitest.Cell{Rune: 'x', Text: 1, Ground: 2}},
		{"the 256-colour palette", "\x1b[38;5;16;48;5;231mx", tuitest.Cell{Rune: 'x', Text: 16, Ground: 231}},
		{"reverse", "\x1b[38;5;16;48;5;231;7mx", tuitest.Cell{Rune: 'x', Text: 231, Ground: 16, Reversed: true}},
		{"bold", "\x1b[1mx", tuitest.Cell{Rune: 'x', Text: tuitest.DefaultColor, Ground: tuitest.DefaultColor, Bold: true}},
		{"faint", "\x1b[2mx", tuitest.Cell{Rune: 'x', Text: tuitest.DefaultColor, Ground: tuitest.DefaultColor, Faint: true}},
		{"an erased cell", "\x1b[48;5;231m\x1b[K", tuitest.Cell{Rune: ' ', Text: tuitest.DefaultColor, Ground: 231}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tuitest.Render(tt.view, 10, 3).Cell(0, 0); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func drawn(t *testing.T, width, height int, opts ...qr.Option) string {
	t.Helper()
	m, err := qr.New(link, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m.SetSize(width, height).View()
}

func TestACodeIsFoundAmongText(t *testing.T) {
	lines := strings.Split(drawn(t, 80, 15), "\n")
	for i, line := range lines {
		lines[i] = "left" + line + "right"
	}
	code, err := tuitest.Render("a title\n"+strings.Join(lines, "\n"), 80, 24).Code()
	if err != nil {
		t.Fatal(err)
	}
	if code.Col != 4 || code.Row != 1 || code.Cols != 29 || code.Rows != 15 {
		t.Errorf("found at %d,%d, %dx%d", code.Col, code.Row, code.Cols, code.Rows)
	}
	if code.Scale() != 1 || code.Quiet() != 2 || len(code.Modules()) != 25 {
		t.Errorf("scale %d, quiet zone %d, %d modules", code.Scale(), code.Quiet(), len(code.Modules()))
	}
	if text, err := code.Text(); err != nil || text != link {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestACodeIsReadThatTheReaderMistakesUpright(t *testing.T) {
	for _, odd := range []string{
		"http://127.0.0.1:53338/c/KQDN7BUIZHYFFA6X7CQK", "http://127.0.0.1:43877/c/OLP42C64RSAA3IMAINB5",
		"http://127.0.0.1:43608/c/J7DERHO66REYA5E64KJV", "http://127.0.0.1:57461/c/HGOEZIFDHJAF2VROOZ4F",
	} {
		m, err := qr.New(odd)
		if err != nil {
			t.Fatal(err)
		}
		code, err := tuitest.Render(m.SetSize(80, 24).View(), 80, 24).Code()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := code.Text(); err != nil || text != odd {
			t.Errorf("read %q, %v", text, err)
		}
	}
}

func TestWhatACameraCannotReadIsNotRead(t *testing.T) {
	whole := drawn(t, 80, 15)
	lines := strings.Split(whole, "\n")
	swapped := strings.NewReplacer("38;5;16;48;5;231", "38;5;231;48;5;16").Replace(whole)
	tests := []struct {
		name, view string
		want       error
	}{
		{"no code", "PAID", tuitest.ErrNoCode},
		{"a code without its last rows", strings.Join(lines[:10], "\n"), tuitest.ErrBrokenCode},
		{"a code that is overdrawn", whole + "\x1b[5;9H\x1b[0mPAID", tuitest.ErrBrokenCode},
		{"a code that is inverted", swapped, tuitest.ErrBrokenCode},
		{"the terminal's own colours", strings.ReplaceAll(whole, "38;5;16;48;5;231", "30;107"), tuitest.ErrNoCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tuitest.Render(tt.view, 80, 24).Code()
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	t.Run("a code without a quiet zone", func(t *testing.T) {
		var cut []string
		for _, line := range lines[1:14] {
			cut = append(cut, ansi.Cut(line, 2, 27)+"\x1b[0m")
		}
		code, err := tuitest.Render(strings.Join(cut, "\n"), 80, 24).Code()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := code.Text(); err == nil || code.Quiet() != 0 {
			t.Errorf("read %q with a quiet zone of %d", text, code.Quiet())
		}
	})
}
