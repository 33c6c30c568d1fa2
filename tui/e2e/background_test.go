package e2e_test

import (
	"runtime"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// Background colours of the program's name in the header. brandAuto is used until the console knows
// the terminal's background, and is a number of the 256-colour palette. The other two are the
// colours of the dark and of the light theme.
const (
	brandAuto  = 60
	brandDark  = 0x4c4580
	brandLight = 0xc9c2ea
)

const askColours = "\x1b]10;?\x1b\\\x1b]11;?"

// brand types a letter, and waits until the screen shows the text in typed. It returns the
// background colour of the program's name.
func brand(terminal *tuitest.Terminal, letter, typed string) int {
	return terminal.Type(letter).Sees(" "+typed+" ").Snapshot().Cell(1, 0).Ground
}

func TestTheConsoleTakesThePaletteForTheTerminalsBackground(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the console asks nothing on Windows")
	}
	terminal := alone(t, "demo --empty", "COLORTERM=truecolor").Sees("Total", "awaits")
	for _, step := range []struct {
		name, reply, letter, typed string
		want                       int
	}{ // The tests of tui/keyboard prove how a reply is read.
		{"no reply", "", "q", "q", brandAuto},
		{"a reply about the text", "\x1b]10;rgb:0000/0000/0000\a", "w", "qw", brandAuto},
		{"a light background", "\x1b]11;rgb:fdfd/f6f6/e3e3\a", "e", "qwe", brandLight},
		{"a dark background, with two digits", "\x1b]11;rgb:00/2b/36\x1b\\", "r", "qwer", brandDark},
	} {
		terminal.Type(step.reply)
		if got := brand(terminal, step.letter, step.typed); got != step.want {
			t.Errorf("after %s the colour is %#x, want %#x\n%s", step.name, got, step.want, terminal.Screen())
		}
	}
	const lightGrey = 253
	if got := terminal.Snapshot().Cell(4, 21); got.Rune != 'q' || got.Text != lightGrey { // Black on a dark background is unreadable.
		t.Errorf("the typed text %c has the colour %#x, want %d\n%s", got.Rune, got.Text, lightGrey, terminal.Screen())
	}
	if got := strings.Count(terminal.Raw(), askColours); got != 1 {
		t.Errorf("the console asked %d times, want once", got)
	}
}

func TestTheConsoleDoesNotAskWhereThePaletteIsFixed(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"TILL_THEME=dark", "NO_COLOR=1"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			terminal := alone(t, "demo --empty", setting).Sees("Total", "awaits")
			before := brand(terminal, "q", "q")
			if got := brand(terminal.Type("\x1b]11;rgb:ffff/ffff/ffff\a"), "w", "qw"); got != before {
				t.Errorf("a reply changed the colour %#x to %#x", before, got)
			}
			if strings.Contains(terminal.Raw(), askColours) {
				t.Error("the console asked")
			}
		})
	}
}
