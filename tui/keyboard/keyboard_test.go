package keyboard_test

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/keyboard"
	"checkout/till/tui/tuitest"
)

// decode decodes bytes that arrive in pieces, flushes the decoder, and returns the keys.
func decode(pieces ...string) []tea.KeyMsg {
	keys, _ := split(pieces...)
	return keys
}

// split is like decode, but also returns the colours.
func split(pieces ...string) (keys []tea.KeyMsg, colours []keyboard.Colours) {
	var decoder keyboard.Decoder
	var msgs []tea.Msg
	for _, piece := range pieces {
		msgs = append(msgs, decoder.Decode([]byte(piece))...)
	}
	for _, msg := range append(msgs, decoder.Flush()...) {
		switch msg := msg.(type) {
		case tea.KeyMsg:
			keys = append(keys, msg)
		case keyboard.Colours:
			colours = append(colours, msg)
		}
	}
	return keys, colours
}

// names returns the names that Bubble Tea gives the keys. A paste is in brackets.
func names(keys []tea.KeyMsg) string {
	var all []string
	for _, key := range keys {
		all = append(all, key.String())
	}
	return strings.Join(all, "|")
}

// text returns the typed text, with the names of other keys in angle brackets. Unlike names, it
// returns the same text for all divisions of the bytes into pieces.
func text(keys []tea.KeyMsg) string {
	var all strings.Builder
	for _, key := range keys {
		if key.Type == tea.KeyRunes && !key.Alt && !key.Paste {
			all.WriteString(string(key.Runes))
			continue
		}
		all.WriteString("<" + key.String() + ">")
	}
	return all.String()
}

func TestKeySequencesAreDecoded(t *testing.T) {
	for sent, want := range map[string]string{
		"a":                                  "a",
		"Vary 3500\r":                        "Vary| |3500|enter",
		"é":                                  "é",
		"\t\x1b[Z\x7f\x03\n":                 "tab|shift+tab|backspace|ctrl+c|ctrl+j",
		"\x1b":                               "esc",
		"\x1b\x1b":                           "esc|esc",
		"\x1b1":                              "alt+1",
		"\x1bé":                              "alt+é",
		"\x1b]":                              "alt+]",
		"\x1bPay":                            "alt+P|ay",
		"\x1b\r":                             "alt+enter",
		"\x1b[A\x1bOB\x1b[1;5C":              "up|down|ctrl+right",
		"\x1b[1;3D\x1b[1;2H":                 "alt+left",
		"\x1b[H\x1b[4~\x1b[3~":               "home|end|delete",
		"\x1b[5~\x1b[6;5~":                   "pgup",
		"\x1bOP\x1bOR\x1b[15~\x1b[21~":       "f1|f3|f5|f10",
		"\x1b[[A\x1b[[Eb":                    "f1|f5|b", // F1 and F5 in the Linux text console.
		"\x1bOp\x1bOy\x1bOM":                 "0|9|enter",
		"\x1bOj\x1bOm\x1bOn":                 "*|-|.",
		"\x1b[200~Vary 3500\nCoca\x1b[201~x": "[Vary 3500\nCoca]|x",
		"\x1b[200~cut":                       "[cut]",
		"\x1b[200~Vary 3500\x1b[13;1uCoca\x1b[201~": "[Vary 3500\rCoca]",
		// Sequences in modes that a crashed program did not switch off.
		"\x1b[99;5u\x1b[27u\x1b[13;2u":    "ctrl+c|esc|enter",
		"\x1b[13;129u\x1b[57414;129u":     "enter|enter",
		"\x1b[1;129A\x1b[127;2u\x1b[9;2u": "up|backspace|shift+tab",
		"\x1b[97u\x1b[97;2u\x1b[32;2u":    "a|A| ",
		"\x1b[27;5;99~\x1b[27;2;13~":      "ctrl+c|enter",
		// Keys with modifiers that the screens do not use.
		"\x1bO2Pa\x1bO1;2Pa\x1bO5Da": "a|a|a",
		"\x1b[7$a\x1b[23$\x1b[A":     "a|up",
		"\x1b[50;2ua\x1b[97;3ua":     "a|a",
		// Terminal replies and other sequences that are not keys.
		"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\a":      "a",
		"\x1b]11;rgb:1e1e/1e1e/1e1e\aa":          "a",
		"\x1bP>|term 1.0\x1b\\a":                 "a",
		"\x1b_Gi=1;OK\x1b\\a":                    "a",
		"\x1b[?62;4c\x1b[24;80R\x1b[1;1R\x1b[Ia": "a",
		"\x1b[<0;12;4Ma\x1b[M !!b":               "a|b",
		"\x1b[57441;2ua":                         "a",
		"\x1b[3;5~a":                             "a",
		"\xff\xc3a":                              "a",
		"\xff":                                   "",
		"\x1b[1":                                 "",
	} {
		tuitest.Equal(t, names(decode(sent)), want, "%q", sent)
	}
}

func TestRepliesAboutColoursAreDecodedWhereverTheyAreCut(t *testing.T) {
	text := 0.1857
	only := func(background float64) []keyboard.Colours { return []keyboard.Colours{{Background: background}} }
	for _, tt := range []struct {
		reply string
		want  []keyboard.Colours
	}{
		{"\x1b]11;rgb:ffff/ffff/ffff\a", only(1)},
		{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", only(1)},
		{"\x1b]11;rgb:ff/ff/ff\a", only(1)},
		{"\x1b]11;rgb:0000/0000/0000\a", only(0)},
		{"\x1b]11;rgb:00/00/ff\x1b\\", only(0.0722)},
		{"\x1b]10;rgb:65/7b/83\x1b\\\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\", []keyboard.Colours{{Background: 0.9234, Text: &text}}},
		{"\x1b]11;rgb:0000/ffff/0000\a\x1b]11;rgb:f/0/0\a", append(only(0.7152), only(0.2126)...)},
		// Replies that are not colours, or not complete colours.
		{"\x1b]10;rgb:ffff/ffff/ffff\a", nil},
		{"\x1b]12;rgb:ffff/ffff/ffff\a", nil},
		{"\x1b]11;rgb:ffff/ffff\a", nil},
		{"\x1b]11;rgb:ffff/ffff/gggg\a", nil},
		{"\x1b]11;rgb://\a", nil},
		{"\x1b]11;?\a", nil},
		{"\x1b]11;\a", nil},
		{"\x1b]11;rgb:ffff/ffff/f", nil},
	} {
		for at := range len(tt.reply) {
			keys, got := split(tt.reply[:at], tt.reply[at:])
			if !slices.EqualFunc(got, tt.want, same) || len(keys) > 0 {
				t.Errorf("%q, cut at %d, gives %v and the keys %q, want %v", tt.reply, at, got, names(keys), tt.want)
			}
		}
	}
}

func same(a, b keyboard.Colours) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-4 }
	return near(a.Background, b.Background) && (a.Text == nil) == (b.Text == nil) && (a.Text == nil || near(*a.Text, *b.Text))
}

func FuzzKeysAreTheSameWhereverTheirBytesAreCut(f *testing.F) {
	f.Add([]byte{1, 3, 4, 6}, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{2, 1, 9}, []byte{11, 10, 12, 13, 14, 15, 16})
	sent := []string{
		"6111000000017\r", "Vary", "é", " ", "\r", "\t", "\x1b[A", "\x1b[15~", "\x1bOM", "\x1bOp", "\x1b1", "\x1bé", "\x1b[[A",
		"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", "\x1b]11;rgb:1e1e/1e1e/1e1e\a", "\x1bP>|term\x1b\\", "\x1b_Gi=1;OK\x1b\\",
		"\x1b[200~Vary 3500\nCoca é\x1b[201~", "\x1b[24;80R", "\x1b[M !!", "\x1b[99;5u", "\x1bO2P", "\x1b[7$", "\x1b[<0;12;4M", "]C1", "('é'(",
	}
	f.Fuzz(func(t *testing.T, cuts, which []byte) {
		if len(which) > 100 {
			return
		}
		var whole string
		for _, at := range which {
			whole += sent[int(at)%len(sent)]
		}
		var pieces []string
		rest := whole
		for i := 0; len(rest) > 0; i++ {
			size := len(rest)
			if len(cuts) > 0 {
				size = min(size, 1+int(cuts[i%len(cuts)])%16)
			}
			pieces = append(pieces, rest[:size])
			rest = rest[size:]
		}
		if got, want := text(decode(pieces...)), text(decode(whole)); got != want {
			t.Errorf("%q gives %q, but %q when cut into %q", whole, want, got, pieces)
		}
	})
}

// line is an input that waits for the time pause before it returns each piece.
type line struct {
	pieces []string
	pause  time.Duration
}

func (l *line) Read(data []byte) (int, error) {
	time.Sleep(l.pause)
	if len(l.pieces) == 0 {
		return 0, io.EOF
	}
	size := copy(data, l.pieces[0])
	l.pieces = l.pieces[1:]
	return size, nil
}

func TestAStrokeHasTheTimeOfItsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		reader := keyboard.NewReader(&line{[]string{"a", "\x1b[", "15~", "\x1b", "b"}, 40 * time.Millisecond}, time.Now)
		var keys []string
		var times []time.Duration
		err := reader.Run(t.Context(), func(msg tea.Msg) {
			stroke := msg.(keyboard.Stroke)
			keys, times = append(keys, stroke.Key.String()), append(times, stroke.At.Sub(began))
			time.Sleep(time.Second) // On a slow machine, the program handles a key only after a second.
			if !reader.Waiting() {
				t.Errorf("after %v Waiting is false, want true", keys)
			}
		})
		const ms = time.Millisecond
		if want := []string{"a", "f5", "alt+b"}; err != nil || !slices.Equal(keys, want) {
			t.Errorf("got %v, %v; want %v", keys, err, want)
		}
		if reader.Waiting() {
			t.Error("at the end Waiting is true, want false")
		}
		tuitest.Equal(t, times, []time.Duration{40 * ms, 120 * ms, 200 * ms}, "the times")
	})
}

func TestEscIsAKeyAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys []string
		err := keyboard.NewReader(&line{[]string{"\x1b", "b"}, 60 * time.Millisecond}, time.Now).Run(t.Context(), func(msg tea.Msg) {
			stroke := msg.(keyboard.Stroke)
			keys = append(keys, stroke.Key.String())
		})
		if want := []string{"esc", "b"}; err != nil || !slices.Equal(keys, want) {
			t.Errorf("got %v, %v; want %v", keys, err, want)
		}
	})
}

func TestAReaderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	input, output := io.Pipe()
	defer func() { _ = output.Close() }()
	ended := make(chan error)
	go func() { ended <- keyboard.NewReader(input, time.Now).Run(ctx, func(tea.Msg) {}) }()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTheEndOfTheTerminalEndsTheProgramWithoutAnError(t *testing.T) {
	if !keyboard.Reads {
		t.Skip("Bubble Tea reads the keys on this system")
	}
	broken := errors.New("broken")
	for _, c := range []struct{ fails, want error }{{syscall.EIO, nil}, {broken, broken}} {
		program := tea.NewProgram(idle{}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
		ended := make(chan error, 1)
		go func() { ended <- keyboard.NewReader(iotest.ErrReader(c.fails), time.Now).Feed(t.Context(), program) }()
		if _, err := program.Run(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, c.want) {
			t.Errorf("after %v got %v, want %v", c.fails, err, c.want)
		}
	}
}

type idle struct{}

func (idle) Init() tea.Cmd                         { return nil }
func (i idle) Update(tea.Msg) (tea.Model, tea.Cmd) { return i, nil }
func (idle) View() string                          { return "" }

// TestAmericanReadsTheKeysOfAFrenchKeyboard compares the two layouts key by key. The keys are those
// of the characters that the number of a sale can contain.
func TestAmericanReadsTheKeysOfAFrenchKeyboard(t *testing.T) {
	layouts := []struct{ american, french string }{
		{"1234567890-", "&é\"'(-è_çà)"},                                // No other key.
		{"1234567890", "1234567890"},                                   // On Windows, Caps Lock also shifts the digit keys.
		{"234567890-", "É\"'(-È_ÇÀ°"},                                  // On Linux, Caps Lock changes only the letters of the digit keys.
		{"qwertyuiop]asdfghjklzxcvbnm", "azertyuiop$qsdfghjklwxcvbn,"}, // No other key.
		{"qwertyuiopasdfghjklzxcvbnm", "AZERTYUIOPQSDFGHJKLWXCVBN?"},   // The same keys while Shift is held down.
	}
	for _, layout := range layouts {
		tuitest.Equal(t, keyboard.American(layout.french), layout.american, "American(%q)", layout.french)
	}
	if got, want := keyboard.American("T&)éàé-&&é&)GT)àààè"), "t1-20261121-gt-0007"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
