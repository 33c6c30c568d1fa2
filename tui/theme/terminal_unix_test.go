//go:build unix

package theme_test

import (
	"testing"

	"github.com/creack/pty"

	"checkout/till/tui/theme"
)

func TestForTerminalReadsTheEnvironmentAndAsksNothing(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { _, _ = ptmx.Close(), tty.Close() })

	tests := []struct {
		name   string
		env    []string
		mode   theme.Mode
		render func(theme.Theme) string
		want   string
	}{
		{
			"256 colours are written as such",
			[]string{"TERM=xterm-256color"},
			theme.Auto,
			paid, "\x1b[1;38;5;16;48;5;35mPAID\x1b[0m",
		},
		{
			"a terminal of 16 colours gets only these",
			[]string{"TERM=linux"},
			theme.Auto,
			paid, "\x1b[7mPAID\x1b[0m",
		},
		{"a dumb terminal gets plain text", []string{"TERM=dumb"}, theme.Auto, paid, "PAID"},
		{
			"NO_COLOR keeps reverse and drops the colours",
			[]string{"TERM=xterm-256color", "NO_COLOR=1"},
			theme.Dark,
			paid, "\x1b[7mPAID\x1b[0m",
		},
		{
			"an empty NO_COLOR means nothing",
			[]string{"TERM=xterm-256color", "NO_COLOR="},
			theme.Auto,
			paid, "\x1b[1;38;5;16;48;5;35mPAID\x1b[0m",
		},
		{"CI without a person gets plain text", []string{"TERM=xterm-256color", "CI=1"}, theme.Auto, paid, "PAID"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.render(theme.ForTerminal(tty, from(tt.env...), tt.mode)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}

	// The first byte on the terminal is the x, so building themes wrote no byte.
	if _, err := tty.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 64)
	if n, err := ptmx.Read(first); err != nil || string(first[:n]) != "x" {
		t.Errorf("building themes wrote %q to the terminal, %v", first[:n], err)
	}
}

func paid(th theme.Theme) string { return th.PaidBlock.Render("PAID") }
