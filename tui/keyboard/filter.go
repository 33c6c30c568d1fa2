package keyboard

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	// Repeat is the longest time between two characters of a key that is held down. Two taps by a
	// person are further apart.
	Repeat = 120 * time.Millisecond
	// repeatDelay is the longest time before the first repeat of a key that is held down.
	repeatDelay = 1100 * time.Millisecond
	// fastestRepeat is the shortest time between two repeats. A scanner types faster.
	fastestRepeat = 25 * time.Millisecond
	// textEnd is how long a key cannot answer a question after a dropped text. The key may be the
	// end of that text.
	textEnd = time.Second
	// LetterWait is how long a letter is kept in [Starts]. If another letter follows, both are
	// text.
	LetterWait = 300 * time.Millisecond
	// Again is how long to wait before the next try to handle keys, for example while a [Reader]
	// has keys that it has not sent.
	Again = 10 * time.Millisecond
)

// Quiet is the message of [Wait]. The caller then calls [Filter.Next].
type Quiet struct{}

// Wait returns a command that sends [Quiet] after a time, or nil if the time is 0.
func Wait(length time.Duration) tea.Cmd {
	if length == 0 {
		return nil
	}
	return tea.Tick(length, func(time.Time) tea.Msg { return Quiet{} })
}

// Scan is a code that a scanner typed.
type Scan struct {
	Code string
	// Part of the scanned text that was already delivered as keys. The open screen must remove it.
	Typed string
}

// Filter decides which keys count, and which are a scan. The caller passes each [Stroke] to Press,
// and then calls Next until it returns nil. The rules:
//
//   - A key that answers a question or closes an outcome counts only if it is not held down.
//   - The letter of a command and a function key count once while they are held down, except
//     [Meaning.Repeats].
//   - A letter is a command only if it is not part of a text or of a scan.
//   - No key of a scan is a command, an answer or the end of an answer.
//
// A delivered key may change what the next key means, so the caller passes the current [Meaning] to
// each call of Next.
type Filter struct {
	strokes []Stroke // Keys that Next has not handled yet.
	burst   Burst
	typed   string // Part of the burst that was delivered as keys.
	kept    keys   // Characters that may become a text or a scan.
	out     keys   // Keys to deliver.
	tap     *kept  // A key that answers a question, unless it repeats.
	last    map[string]time.Time
	command string    // Letter of the last command, until the next other key.
	dropped time.Time // When the last character of a dropped text was read.
	ended   time.Time // When the last scan ended.
}

// Press adds a key that was read.
func (f *Filter) Press(stroke Stroke) {
	if stroke.Key.Type == tea.KeyCtrlCloseBracket { // Scanners type the separator of a GS1 code as this key.
		stroke.Key = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'\x1d'}}
	}
	f.strokes = append(f.strokes, stroke)
}

// Next returns the next [tea.KeyMsg] or [Scan], or nil if there is none at the time now. knows
// reports whether an article or a sale has a code.
func (f *Filter) Next(meaning Meaning, knows func(code string) bool, now time.Time) tea.Msg {
	for {
		if len(f.strokes) > 0 {
			now = f.strokes[0].At
		}
		switch {
		case meaning.Busy:
			return nil
		case len(f.out) > 0:
			if msg := f.deliver(meaning); msg != nil {
				return msg
			}
		case f.tap != nil && now.Sub(f.tap.At) >= Repeat:
			f.tapped()
		case len(f.kept) > 0 && now.Sub(f.burst.Last) >= f.kept[0].meaning.wait():
			f.release()
		case len(f.strokes) == 0:
			return nil
		default:
			read := kept{Stroke: f.strokes[0], meaning: meaning}
			f.strokes = f.strokes[1:]
			if read.At.Before(meaning.Since) {
				continue
			}
			if msg := f.take(read, knows); msg != nil {
				return msg
			}
		}
	}
}

// Waiting reports whether keys wait because the screen was busy.
func (f *Filter) Waiting() bool { return len(f.strokes)+len(f.out) > 0 }

// Wait returns how long the caller must wait before the next call of Next, or 0 if no key is held
// back.
func (f *Filter) Wait() time.Duration {
	switch {
	case len(f.kept) > 0:
		return f.kept[0].meaning.wait()
	case f.tap != nil:
		return Repeat
	}
	return 0
}

func (f *Filter) take(read kept, knows func(code string) bool) tea.Msg {
	ends := Ends(read.Key)
	switch {
	case ends && f.burst.Text == "" && read.At.Sub(f.ended) < ScannerGap:
		return nil // Some scanners send two end keys.
	case f.tap != nil && f.tap.Key.String() != read.Key.String():
		f.tapped()
		return f.later(read)
	case Types(read.Key) && !read.Key.Paste:
		return f.typedKey(read)
	case ends && f.scanned(read, knows):
		return f.scan(read, knows)
	case read.Key.Type == tea.KeyCtrlC && f.burst.scanned(knows, read.At):
		f.burst = Burst{}
		return nil // A scanner's ETX (Ctrl+C) must not end the program.
	}
	f.burst = Burst{}
	if len(f.kept) > 0 {
		f.release()
		return f.later(read)
	}
	return f.answer(read)
}

// later puts a key back, because other keys must be delivered before it.
func (f *Filter) later(read kept) tea.Msg {
	f.strokes = slices.Insert(f.strokes, 0, read.Stroke)
	return nil
}

func (f *Filter) scanned(end kept, knows func(code string) bool) bool {
	return f.burst.scanned(knows, end.At) && end.meaning.scans(f.burst.Code(), knows)
}

func (f *Filter) scan(end kept, knows func(code string) bool) Scan {
	scan := Scan{Code: f.burst.Code(), Typed: f.typed}
	// After a pause within the code, f.burst has only the end of the code, but f.kept has all of
	// it.
	if whole := f.kept.text(); knows(whole) {
		scan.Code = whole
	}
	f.burst, f.kept = Burst{}, nil
	f.ended = end.At
	return scan
}

// typedKey handles a character, or several that were read together.
func (f *Filter) typedKey(read kept) tea.Msg {
	text := string(read.Key.Runes)
	if f.command == text && len(f.kept) == 0 && !read.meaning.command(text) && read.At.Sub(f.last[text]) < repeatDelay {
		f.remember(text, read.At)
		return nil // The command opened a text field, and its key is still held down.
	}
	f.command = ""
	f.burst = f.burst.Add(text, read.At)
	if f.burst.Text == text {
		f.typed = ""
	}
	if len(f.kept) == 0 && read.meaning.wait() == 0 {
		f.typed += text
		return read.Key
	}
	for _, char := range read.Key.Runes {
		read.Key.Runes = []rune{char}
		f.kept = append(f.kept, read)
	}
	letter := f.kept.letter()
	count := strings.Count(f.burst.Text, letter)
	repeats := letter != "" && strings.Contains(read.meaning.Repeats, letter) && count > 2 &&
		read.At.Sub(f.burst.Began) >= time.Duration(count-1)*fastestRepeat
	slow := letter == "" && f.kept[0].meaning.starts() && !f.burst.quick(read.At)
	if repeats || slow {
		f.release()
	}
	return nil
}

// release delivers the kept keys. They are commands if all of them type the same letter, and this
// letter is a command. In [Starts] and [Line], several keys are commands only if the letter was
// held down. Other keys are text, which is dropped on a screen with [Commands].
func (f *Filter) release() {
	released := f.kept
	f.kept = nil
	letter, meaning := released.letter(), released[0].meaning
	if meaning.command(letter) && (len(released) == 1 || meaning.Keys == Commands || released.held()) {
		counted := released
		if !strings.Contains(meaning.Repeats, letter) {
			counted = released.taps(f.last[letter])
		}
		f.remember(letter, released[len(released)-1].At)
		f.command = letter
		for _, command := range counted {
			command.only = true
			f.out = append(f.out, command)
		}
		return
	}
	released = slices.DeleteFunc(released, func(key kept) bool {
		if key.meaning.Keys == Commands {
			f.dropped = key.At
		}
		return key.meaning.Keys == Commands
	})
	if text := released.text(); text != "" {
		f.out = append(f.out, kept{Stroke: Stroke{Key: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}}})
	}
}

// answer handles a paste, or a key that is not text. A key that answers a question is kept until it
// is known that it does not repeat.
func (f *Filter) answer(read kept) tea.Msg {
	f.tap, f.command = nil, ""
	answers := key.Matches(read.Key, answering())
	if !answers && !once(read.Key) {
		return read.Key
	}
	name := read.Key.String()
	last, pressed := f.last[name]
	f.remember(name, read.At)
	held := pressed && read.At.Sub(last) < Repeat
	asked := answers && read.meaning.Asked != ""
	switch {
	case held && (asked || !answers), asked && read.At.Sub(f.dropped) < textEnd:
		return nil
	case !asked:
		return read.Key
	}
	f.tap = &read
	return nil
}

// once reports whether a key that is not text counts only once while it is held down.
func once(msg tea.KeyMsg) bool {
	return msg.Alt && msg.Type == tea.KeyRunes || msg.Type <= tea.KeyF1 && msg.Type >= tea.KeyF20
}

// answering returns the keys that may answer a question, close an outcome or end the program.
func answering() key.Binding {
	return key.NewBinding(key.WithKeys("enter", "tab", "delete", "ctrl+c"))
}

func (f *Filter) tapped() {
	f.tap.only = true
	f.out = append(f.out, *f.tap)
	f.tap = nil
}

func (f *Filter) remember(name string, at time.Time) {
	if f.last == nil {
		f.last = map[string]time.Time{}
	}
	f.last[name] = at
}

// deliver returns the next key. For a command or an answer whose meaning has changed, it returns
// nil.
func (f *Filter) deliver(meaning Meaning) tea.Msg {
	next := f.out[0]
	f.out = f.out[1:]
	switch {
	case next.only && !next.meaning.same(meaning):
		return nil
	case Types(next.Key):
		f.typed += string(next.Key.Runes)
	}
	return next.Key
}

// Types reports whether a key types characters. A key with Alt does not.
func Types(msg tea.KeyMsg) bool {
	return (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt
}
