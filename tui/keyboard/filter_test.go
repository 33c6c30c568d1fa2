package keyboard_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/storage/storagetest"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/tuitest"
)

const (
	ms    = time.Millisecond
	known = "6111000000017" // Code of an article.
)

// hand presses keys, which pass through a filter. The time does not run; it jumps from one event to
// the next.
type hand struct {
	t       testing.TB
	filter  keyboard.Filter
	now     time.Time
	meaning keyboard.Meaning
	opens   map[string]keyboard.Meaning // The meaning that keys have after the key with this name was delivered.
	got     []string
}

func newHand(t testing.TB, meaning keyboard.Meaning) *hand {
	t.Helper()
	return &hand{t: t, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), meaning: meaning}
}

// take collects all keys and scans that the filter delivers now.
func (h *hand) take() {
	for {
		switch next := h.filter.Next(h.meaning, func(code string) bool { return code == known }, h.now).(type) {
		case tea.KeyMsg:
			h.got = append(h.got, next.String())
			if meaning, opens := h.opens[next.String()]; opens {
				h.meaning = meaning
			}
		case keyboard.Scan:
			h.got = append(h.got, fmt.Sprintf("scan %s, typed %q", next.Code, next.Typed))
		default:
			return
		}
	}
}

// press lets a time pass, during which the filter is called as often as it wants, and then presses
// a key.
func (h *hand) press(after time.Duration, name string) *hand {
	h.t.Helper()
	h.wait(after)
	key, err := tuitest.Key(name)
	tuitest.Must(h.t, err)
	h.filter.Press(keyboard.Stroke{Key: key, At: h.now})
	h.take()
	return h
}

func (h *hand) wait(length time.Duration) *hand {
	until := h.now.Add(length)
	for {
		wait := h.filter.Wait()
		if wait == 0 || h.now.Add(wait).After(until) {
			break
		}
		h.now = h.now.Add(wait)
		h.take()
	}
	h.now = until
	h.take()
	return h
}

// types presses the keys of a text, with the time gap before each of them.
func (h *hand) types(gap time.Duration, text string) *hand {
	h.t.Helper()
	for _, char := range text {
		h.press(gap, string(char))
	}
	return h
}

// hold holds a key down: the first repeat comes after 500 ms, the next ones every 33 ms.
func (h *hand) hold(name string, repeats int) *hand {
	h.t.Helper()
	h.press(time.Second, name)
	for n := range repeats {
		h.press(map[bool]time.Duration{true: 500 * ms, false: 33 * ms}[n == 0], name)
	}
	return h
}

// gives waits for a second. It fails the test unless the filter has delivered exactly the keys and
// scans in want since the last call.
func (h *hand) gives(want ...string) *hand {
	h.t.Helper()
	h.wait(time.Second)
	if !slices.Equal(h.got, want) {
		h.t.Errorf("got %q, want %q", h.got, want)
	}
	h.got = nil
	return h
}

func TestTheFilterTellsKeysApart(t *testing.T) {
	asked := func(keys keyboard.Keys) keyboard.Meaning { return keyboard.Meaning{Keys: keys, Asked: "question 1"} }
	code := keyboard.Meaning{Keys: keyboard.Starts, Letters: "ln"}
	line := keyboard.Meaning{Keys: keyboard.Line, Letters: "+-d", Repeats: "+-"}
	for name, c := range map[string]struct {
		meaning keyboard.Meaning
		do      func(h *hand)
		want    []string
	}{
		"text is delivered at once": {keyboard.Meaning{Keys: keyboard.Text}, func(h *hand) { h.types(80*ms, "a1").press(80*ms, "enter") }, []string{"a", "1", "enter"}},
		"a scan in a text":          {keyboard.Meaning{Keys: keyboard.Text}, func(h *hand) { h.types(5*ms, "LN1042").press(5*ms, "tab") }, []string{"L", "N", "1", "0", "4", "2", `scan LN1042, typed "LN1042"`}},
		"a slow scan of a code":     {keyboard.Meaning{Keys: keyboard.Text}, func(h *hand) { h.types(140*ms, known).press(140*ms, "enter") }, append(strings.Split(known, ""), fmt.Sprintf("scan %s, typed %q", known, known))},
		"a price typed fast":        {keyboard.Meaning{Keys: keyboard.Text}, func(h *hand) { h.types(30*ms, "3500").press(30*ms, "enter") }, []string{"3", "5", "0", "0", "enter"}},
		"a phone number in a field": {keyboard.Meaning{Keys: keyboard.Field}, func(h *hand) { h.types(30*ms, "0340000000").press(30*ms, "enter") }, append(strings.Split("0340000000", ""), "enter")},
		"a code in an answer":       {asked(keyboard.Answer), func(h *hand) { h.types(9*ms, "A-1042").press(9*ms, "enter") }, []string{"A", "-", "1", "0", "4", "2", `scan A-1042, typed "A-1042"`}},
		"words in an answer":        {asked(keyboard.Answer), func(h *hand) { h.types(30*ms, "erreur").press(30*ms, "enter") }, []string{"e", "r", "r", "e", "u", "r", "enter"}},
		"two end keys":              {keyboard.Meaning{}, func(h *hand) { h.types(5*ms, known).press(5*ms, "enter").press(5*ms, "ctrl+j") }, []string{`scan ` + known + `, typed ""`}},
		"the separator of GS1":      {keyboard.Meaning{}, func(h *hand) { h.types(5*ms, "01061").press(5*ms, "ctrl+]").types(5*ms, "10").press(5*ms, "enter") }, []string{"scan 01061\x1d10, typed \"\""}},

		"a command":                   {keyboard.Meaning{}, func(h *hand) { h.press(0, "p") }, []string{"p"}},
		"a command and another key":   {keyboard.Meaning{}, func(h *hand) { h.press(0, "p").press(20*ms, "down") }, []string{"p", "down"}},
		"a word is no command":        {keyboard.Meaning{}, func(h *hand) { h.types(100*ms, "pe") }, nil},
		"two taps of a command":       {keyboard.Meaning{}, func(h *hand) { h.types(130*ms, "pp") }, []string{"p", "p"}},
		"a held command":              {keyboard.Meaning{}, func(h *hand) { h.hold("p", 25) }, []string{"p"}},
		"held twice":                  {keyboard.Meaning{}, func(h *hand) { h.hold("p", 25).hold("p", 25) }, []string{"p", "p"}},
		"held, all in one read":       {keyboard.Meaning{}, func(h *hand) { h.filter.Press(keyboard.Stroke{Key: keyOf("ppp"), At: h.now}); h.take() }, []string{"p"}},
		"a held key that may repeat":  {line, func(h *hand) { h.hold("+", 5) }, []string{"+", "+", "+", "+", "+", "+"}},
		"another letter on that line": {line, func(h *hand) { h.hold("d", 5) }, []string{"d"}},
		"a scan where commands are":   {line, func(h *hand) { h.types(50*ms, "RN-1042").press(50*ms, "enter") }, []string{`scan RN-1042, typed ""`}},

		"a letter at a code":             {code, func(h *hand) { h.press(0, "l") }, []string{"l"}},
		"the help at a code":             {code, func(h *hand) { h.press(0, "?") }, []string{"?"}},
		"another letter at a code":       {code, func(h *hand) { h.press(0, "k") }, []string{"[k]"}},
		"a held letter at a code":        {code, func(h *hand) { h.hold("l", 25) }, []string{"l"}},
		"a letter held for a short time": {code, func(h *hand) { h.press(0, "l").types(200*ms, "l").types(33*ms, "llll") }, []string{"l"}},
		"the next sale's text":           {code, func(h *hand) { h.types(200*ms, "le") }, []string{"[le]"}},
		"two letters typed slowly":       {code, func(h *hand) { h.types(200*ms, "ll") }, []string{"[ll]"}},
		"text with a blank":              {code, func(h *hand) { h.types(90*ms, "n").press(90*ms, " ").press(90*ms, "2").press(90*ms, "enter") }, []string{"[n 2]", "enter"}},
		"a scan with a pause": {code, func(h *hand) {
			h.types(10*ms, known[:4]).press(200*ms, known[4:5]).types(10*ms, known[5:]).press(10*ms, "enter")
		}, []string{`scan ` + known + `, typed ""`}},

		"a held letter that opens a question at a code": {code, func(h *hand) { h.opens = opens("n", asked(keyboard.Starts)); h.hold("n", 45) }, []string{"n"}},
		"a command that opens a question": {keyboard.Meaning{}, func(h *hand) {
			h.opens = opens("y", asked(keyboard.Answer))
			h.press(0, "y").types(200*ms, "12").press(50*ms, "enter")
		}, []string{"y", "1", "2", "enter"}},
		"taps of a command that opens a question":       {keyboard.Meaning{}, func(h *hand) { h.opens = opens("y", asked(keyboard.Answer)); h.types(130*ms, "yy") }, []string{"y"}},
		"a held letter that goes to the sale":           {code, func(h *hand) { h.opens = opens("n", keyboard.Meaning{Keys: keyboard.Text}); h.hold("n", 45) }, []string{"n"}},
		"a held letter that opens a field":              {line, func(h *hand) { h.opens = opens("d", keyboard.Meaning{Keys: keyboard.Field}); h.hold("d", 45) }, []string{"d"}},
		"a held command, whose repeats begin late":      {keyboard.Meaning{}, func(h *hand) { h.press(0, "p").press(time.Second, "p").types(33*ms, "pppppp") }, []string{"p"}},
		"a scan that begins with signs that may repeat": {line, func(h *hand) { h.types(5*ms, "---&àààààà&è").press(5*ms, "enter") }, []string{`scan 666100000017, typed ""`}},
		"text at a chosen line":                         {line, func(h *hand) { h.types(100*ms, "koba") }, []string{"[kob]", "[a]"}},
		"a short scan at a question":                    {asked(keyboard.Commands), func(h *hand) { h.types(5*ms, "12345").press(5*ms, "enter") }, nil},
		"a scan whose Enter comes late":                 {asked(keyboard.Commands), func(h *hand) { h.types(5*ms, known).press(190*ms, "enter") }, nil},
		"an answer after a while":                       {asked(keyboard.Commands), func(h *hand) { h.types(5*ms, "12345").press(time.Second, "enter") }, []string{"enter"}},
		"a scan in a field that ends with Ctrl+C":       {keyboard.Meaning{Keys: keyboard.Field}, func(h *hand) { h.types(5*ms, "RN-042").press(5*ms, "ctrl+c") }, []string{"R", "N", "-", "0", "4", "2"}},
		"a held function key":                           {keyboard.Meaning{}, func(h *hand) { h.hold("f7", 20) }, []string{"f7", "f7"}},
		"a held favourite":                              {keyboard.Meaning{Keys: keyboard.Text}, func(h *hand) { h.hold("alt+2", 20) }, []string{"alt+2", "alt+2"}},
		"a held arrow with Alt":                         {keyboard.Meaning{}, func(h *hand) { h.hold("alt+left", 2) }, []string{"alt+left", "alt+left", "alt+left"}},
		"held arrows":                                   {keyboard.Meaning{}, func(h *hand) { h.hold("down", 2) }, []string{"down", "down", "down"}},

		"an answer":                {asked(keyboard.Text), func(h *hand) { h.press(0, "enter") }, []string{"enter"}},
		"a held answer":            {asked(keyboard.Text), func(h *hand) { h.press(0, "enter").types(33*ms, "").press(33*ms, "enter").press(33*ms, "enter") }, nil},
		"three taps":               {asked(keyboard.Text), func(h *hand) { h.press(0, "enter").press(130*ms, "enter").press(130*ms, "enter") }, []string{"enter", "enter", "enter"}},
		"an answer, then a text":   {asked(keyboard.Text), func(h *hand) { h.press(0, "enter").press(20*ms, "k") }, []string{"enter", "k"}},
		"Enter without a question": {keyboard.Meaning{}, func(h *hand) { h.hold("enter", 2) }, []string{"enter", "enter", "enter"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHand(t, c.meaning)
			c.do(h)
			h.gives(c.want...)
		})
	}
}

// opens returns a map with one entry: the meaning that keys have after a key.
func opens(name string, meaning keyboard.Meaning) map[string]keyboard.Meaning {
	return map[string]keyboard.Meaning{name: meaning}
}

func keyOf(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }

func TestADeliveredKeyChangesWhatTheNextOneMeans(t *testing.T) {
	t.Run("a question that opens by itself gets no answer that was tapped before", func(t *testing.T) {
		h := newHand(t, keyboard.Meaning{Keys: keyboard.Starts, Asked: "outcome 1"}).press(0, "enter")
		h.meaning.Asked = "question 2"
		h.gives()
	})
	t.Run("the rest of a text waits for its beginning", func(t *testing.T) {
		h := newHand(t, keyboard.Meaning{Keys: keyboard.Starts, Letters: "n"}).press(0, "n")
		h.meaning = keyboard.Meaning{Keys: keyboard.Text}
		h.types(50*ms, "em").gives("[nem]").types(50*ms, "s").gives("s")
	})
	t.Run("a scan across the change stays whole", func(t *testing.T) {
		h := newHand(t, keyboard.Meaning{Keys: keyboard.Text}).types(5*ms, known[:3])
		h.meaning = keyboard.Meaning{Keys: keyboard.Starts}
		h.types(5*ms, known[3:]).press(5*ms, "enter").gives("6", "1", "1", "scan "+known+`, typed "611"`)
	})
	t.Run("a command that makes the screen busy keeps the next one", func(t *testing.T) {
		h := newHand(t, keyboard.Meaning{})
		h.opens = map[string]keyboard.Meaning{"p": {Busy: true}}
		h.types(130*ms, "pp").gives("p")
		tuitest.Equal(t, h.filter.Waiting(), true, "keys wait")
		h.opens, h.meaning.Busy = nil, false
		h.gives("p")
	})
	t.Run("keys wait for a busy screen, and a failure drops them", func(t *testing.T) {
		h := newHand(t, keyboard.Meaning{Keys: keyboard.Answer, Busy: true}).types(20*ms, "ab").gives()
		tuitest.Equal(t, h.filter.Waiting(), true, "keys wait")
		h.meaning.Busy = false
		h.gives("a", "b")
		h.meaning.Busy = true
		h.types(20*ms, "ab").wait(ms)
		h.meaning = keyboard.Meaning{Keys: keyboard.Answer, Since: h.now}
		h.types(20*ms, "c").gives("c")
	})
}

// FuzzFilter types texts, holds keys down and scans codes on screens of every kind. It does not
// tell the filter which of these it does. No text may be lost, no key of a scan may count as a key,
// and no text may be delayed on a screen that draws it.
func FuzzFilter(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range storagetest.Size(50, 500) {
		acts := make([]byte, 3*(1+random.IntN(8)))
		for i := range acts {
			acts[i] = byte(random.IntN(256))
		}
		f.Add(acts)
	}
	f.Fuzz(func(t *testing.T, acts []byte) {
		h := newHand(t, keyboard.Meaning{})
		for ; len(acts) >= 3 && len(acts) < 60; acts = acts[3:] {
			h.meaning = keyboard.Meaning{Keys: keyboard.Keys(acts[0] % 6), Letters: "ln", Asked: map[bool]string{true: "question 1"}[acts[0] > 127]}
			gap := time.Duration(acts[1]) * ms
			starts := h.meaning.Keys == keyboard.Starts || h.meaning.Keys == keyboard.Line
			drawn := h.meaning.Keys != keyboard.Commands && !starts
			h.wait(time.Second)
			h.got = nil
			switch acts[2] % 3 {
			case 0: // A text.
				text := []string{"k", "kafe", "n", "nn", "koba 3", "lala"}[acts[2]/3%6]
				h.types(gap, strings.ReplaceAll(text, " ", "_"))
				if got := typed(h.got); drawn && got != strings.ReplaceAll(text, " ", "_") {
					t.Fatalf("%q is drawn of %q", got, text)
				}
				if h.wait(time.Second); starts && len(text) > 2 && !strings.Contains(typed(h.got), text[:1]) {
					t.Fatalf("the text %q became %q", text, h.got)
				}
			case 1: // A scan.
				gap = ms + gap%(12*ms)
				h.types(gap, known).press(gap, "enter").wait(time.Second)
				last := fmt.Sprintf("scan %s, typed %q", known, typed(h.got))
				if len(h.got) == 0 || h.got[len(h.got)-1] != last || slices.Contains(h.got, "enter") || !drawn && len(h.got) > 1 {
					t.Fatalf("a scan became %q", h.got)
				}
			default: // A key is held down.
				letter := string("lnk"[acts[2]/3%3])
				h.press(time.Second, letter).press(500*ms, letter)
				for range 20 {
					h.press(30*ms+gap%(62*ms), letter)
				}
				h.wait(time.Second)
				command := h.meaning.Keys == keyboard.Commands || starts && letter != "k"
				if count := len(h.got); command && count != 1 {
					t.Fatalf("the held key %s counts %d times", letter, count)
				}
			}
		}
	})
}

// typed returns the text of the keys, without scans and without the brackets around pastes.
func typed(got []string) string {
	var text strings.Builder
	for _, key := range got {
		if !strings.HasPrefix(key, "scan") {
			text.WriteString(strings.Trim(key, "[]"))
		}
	}
	return text.String()
}
