package plain_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"checkout/till/tui/plain"
	"checkout/till/tui/tuitest"
)

func TestNewsBeginOnANewLine(t *testing.T) {
	for name, c := range map[string]struct {
		echoes bool
		want   string
	}{
		"the terminal echoes input":        {true, "one\n> \ntwo\n> three\n\n> \n"},
		"the terminal does not echo input": {false, "one\n> \ntwo\n> typed\nthree\n\n> \n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			p := plain.NewPrinter(&out, strings.Clone, c.echoes)
			p.Say("one")
			p.Ask("> ")
			p.Ask("> ")
			p.Say("two")
			p.Ask("> ")
			p.Took("typed")
			p.Say("three")
			p.Say("")
			p.Ask("> ")
			if err := errors.Join(p.Close(), p.Close()); err != nil || out.String() != c.want {
				t.Errorf("got %q, %v, want %q", out.String(), err, c.want)
			}
		})
	}
}

func TestOnlyPrintableCharactersAreWritten(t *testing.T) {
	var out strings.Builder
	p := plain.NewPrinter(&out, func(text string) string { return text + "\x1b[0m" }, false)
	p.Say("T1 \x1b[31mred\x07\x00\r\x9b1m\u202e\u200b\xff\ttab\u2028 é")
	p.Ask("\x1b]0;title\x07> ")
	p.Took("\x1b[2J\x7f")
	if want := "T1 [31mred\ufffd1m\ufffdtab é[0m\n]0;title> [0m[2J[0m\n"; p.Close() != nil || out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestLinesAreReadWithAnyLineEnd(t *testing.T) {
	long := strings.Repeat("x", 5000)
	in := strings.NewReader("one\r\n\n" + long + "\ntwo\nlast")
	var got []string
	for text := range plain.Read(t.Context(), in) {
		got = append(got, text)
	}
	tuitest.Equal(t, got, []string{"one", "", long[:4096], "two", "last"}, "the lines")
}

func TestReadEndsWithItsContext(t *testing.T) {
	in, typed := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	lines := plain.Read(ctx, in)
	cancel()
	_, err := io.WriteString(typed, "nobody takes it\n")
	tuitest.Must(t, err)
	tuitest.Must(t, typed.Close())
	for text := range lines {
		tuitest.Equal(t, text, "nobody takes it", "the line")
	}
}
