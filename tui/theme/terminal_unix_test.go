//go:build unix

package theme_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/creack/pty"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestForTerminalReadsTheEnvironmentAndAsksNothing(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { _, _ = ptmx.Close(), tty.Close() })

	const rich, paid = "TERM=xterm-256color", "\x1b[1;38;5;16;48;5;35mPAID\x1b[0m"
	for _, tt := range []struct {
		name string
		env  []string
		mode theme.Mode
		want string
	}{
		{"256 colours are written as such", []string{rich}, theme.Auto, paid},
		{"a terminal of 16 colours gets only these", []string{"TERM=linux"}, theme.Auto, "\x1b[7;32mPAID\x1b[0m"},
		{"a dumb terminal gets plain text", []string{"TERM=dumb"}, theme.Auto, "PAID"},
		{"NO_COLOR keeps reverse and drops the colours", []string{rich, "NO_COLOR=1"}, theme.Dark, "\x1b[7mPAID\x1b[0m"},
		{"an empty NO_COLOR means nothing", []string{rich, "NO_COLOR="}, theme.Auto, paid},
		{"CI without a person gets plain text", []string{rich, "CI=1"}, theme.Auto, "PAID"},
	} {
		tuitest.Equal(t, theme.ForTerminal(tty, from(tt.env...), tt.mode).PaidBlock.Render("PAID"), tt.want, "%s", tt.name)
	}

	// The first byte on the terminal is this x, which shows that building themes has written nothing.
	_, err = tty.WriteString("x")
	tuitest.Must(t, err)
	first := make([]byte, 64)
	if n, err := ptmx.Read(first); err != nil || string(first[:n]) != "x" {
		t.Errorf("building themes wrote %q to the terminal, %v", first[:n], err)
	}
}

func TestOnlyAutoAdaptsToTheBackground(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { _, _ = ptmx.Close(), tty.Close() })
	const rich = "TERM=xterm-256color"
	tests := []struct {
		name      string
		out       io.Writer
		env       []string
		mode      theme.Mode
		luminance float64
		want      theme.Mode // Blank if the theme does not depend on the background.
	}{
		{"a dark background", tty, []string{rich}, theme.Auto, 0.1, theme.Dark},
		{"a light background", tty, []string{rich, "COLORTERM=truecolor"}, theme.Auto, 0.9, theme.Light},
		{"an unknown mode is auto", tty, []string{rich}, "solar", 0.9, theme.Light},
		{"the mode dark", tty, []string{rich}, theme.Dark, 0.9, ""},
		{"the mode light", tty, []string{rich}, theme.Light, 0.1, ""},
		{"the mode contrast", tty, []string{rich}, theme.Contrast, 0.1, ""},
		{"NO_COLOR", tty, []string{rich, "NO_COLOR=1"}, theme.Auto, 0.1, ""},
		{"16 colours", tty, []string{"TERM=xterm"}, theme.Auto, 0.1, theme.Dark},
		{"the Linux console", tty, []string{"TERM=linux"}, theme.Auto, 0.1, ""},
		{"no colours", tty, []string{"TERM=dumb"}, theme.Auto, 0.1, ""},
		{"not a terminal", new(bytes.Buffer), []string{rich}, theme.Auto, 0.1, ""},
	}
	for _, tt := range tests {
		th := theme.ForTerminal(tt.out, from(tt.env...), tt.mode)
		want := th.Accent.Render("x")
		if tt.want != "" {
			want = theme.ForTerminal(tt.out, from(tt.env...), tt.want).Accent.Render("x")
		}
		tuitest.Equal(t, th.Adapts(), tt.want != "", "%s: it adapts", tt.name)
		shared := th
		th.Adapt(tt.luminance, nil)
		tuitest.Equal(t, shared.Accent.Render("x"), want, "%s: a copy", tt.name)
	}
}

func TestPaperIsVisibleOnEveryLightBackground(t *testing.T) {
	for luminance, want := range map[float64]string{1: "#eeebe3", 0.92: "231", 0.88: "231", 0.1: "#f5f2e9"} {
		th := theme.Full(theme.Auto)
		th.Colours = 1 << 24
		th.Adapt(luminance, nil)
		tuitest.Equal(t, fmt.Sprint(th.Paper.GetBackground()), want, "on a background of luminance %v the paper", luminance)
	}
}
