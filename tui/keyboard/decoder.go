package keyboard

import (
	"bytes"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

const (
	// escapeWait is how long the decoder waits for a byte after an escape character. Without one,
	// the character is the key Esc.
	escapeWait = 50 * time.Millisecond
	// sequenceWait is how long the decoder waits for the rest of a sequence, which a slow
	// connection may deliver in parts.
	sequenceWait = time.Second
	// maxPending is the maximum size of an incomplete paste or reply, in bytes.
	maxPending = 1 << 20
)

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Decoder converts the bytes of a terminal to messages: a [tea.KeyMsg] for each key, and a
// [Colours] for the replies to [Prepare]. Other input is dropped. The zero Decoder is ready to use.
type Decoder struct {
	pending []byte   // Bytes that are not decoded yet.
	text    *float64 // Luminance of the terminal's text; nil before the reply.
}

// Decode returns the complete messages in the data, and keeps the rest for the next call.
// Characters that were read together are one key, except blanks.
func (d *Decoder) Decode(data []byte) []tea.Msg {
	d.pending = append(d.pending, data...)
	var msgs []tea.Msg
	for len(d.pending) > 0 {
		key, size := first(d.pending)
		if size == 0 {
			break
		}
		if text, is := luminance(d.pending[:size], askText); is {
			d.text = &text
		}
		if background, is := luminance(d.pending[:size], askBackground); is {
			msgs = append(msgs, Colours{background, d.text})
		}
		d.pending = d.pending[size:]
		if key != nil {
			msgs = append(msgs, tea.KeyMsg(*key))
		}
	}
	if len(d.pending) > maxPending {
		msgs = append(msgs, d.Flush()...)
	}
	return msgs
}

// Wait returns how long to wait for more bytes before a call of Flush, or 0 if none are pending.
func (d *Decoder) Wait() time.Duration {
	switch {
	case len(d.pending) == 0:
		return 0
	case len(d.pending) == 1 && d.pending[0] == ansi.ESC:
		return escapeWait
	}
	return sequenceWait
}

// Flush decodes the pending bytes as if no more would come. It drops an incomplete sequence, except
// a paste.
func (d *Decoder) Flush() []tea.Msg {
	pending := d.pending
	d.pending = nil
	if text, pasted := bytes.CutPrefix(pending, []byte(pasteBegin)); pasted {
		return []tea.Msg{tea.KeyMsg(*paste(text))}
	}
	switch {
	case len(pending) == 1 && pending[0] == ansi.ESC:
		return []tea.Msg{tea.KeyMsg{Type: tea.KeyEsc}}
	case len(pending) == 2 && pending[0] == ansi.ESC:
		return []tea.Msg{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(pending[1])}, Alt: true}}
	}
	return nil
}

// first returns the first key in data and its length in bytes. The key is nil for other bytes, such
// as a reply. The length is 0 if the key is incomplete.
func first(data []byte) (*tea.Key, int) {
	switch c := data[0]; {
	case c == ansi.ESC:
		return escape(data)
	case c < ' ', c == ansi.DEL:
		return &tea.Key{Type: tea.KeyType(c)}, 1
	case c == ' ':
		return &tea.Key{Type: tea.KeySpace, Runes: []rune{' '}}, 1
	}
	var runes []rune
	size := 0
	for size < len(data) && data[size] > ' ' && data[size] != ansi.DEL && utf8.FullRune(data[size:]) {
		char, width := utf8.DecodeRune(data[size:])
		size += width
		if char != utf8.RuneError {
			runes = append(runes, char)
		}
	}
	if len(runes) == 0 {
		return nil, size
	}
	return &tea.Key{Type: tea.KeyRunes, Runes: runes}, size
}

// escape is [first] for data that begins with an escape character.
func escape(data []byte) (*tea.Key, int) {
	if len(data) == 1 {
		return nil, 0
	}
	switch data[1] {
	case '[':
		return sequence(data)
	case 'O':
		return application(data)
	case ']', 'P', '_':
		if size, is := reply(data); is {
			return nil, size
		}
	case ansi.ESC:
		return &tea.Key{Type: tea.KeyEsc}, 1
	}
	if !utf8.FullRune(data[1:]) {
		return nil, 0
	}
	_, size := utf8.DecodeRune(data[1:])
	key, _ := first(data[1 : 1+size])
	if key != nil {
		key.Alt = true
	}
	return key, 1 + size
}

// reply returns the length in bytes of an OSC, DCS or APC string, or 0 if it is incomplete. It
// returns false for a key with Alt, which may begin with the same two bytes.
func reply(data []byte) (size int, is bool) {
	if len(data) == 2 {
		return 0, true
	}
	if !bytes.ContainsRune([]byte("0123456789>!+$?G"), rune(data[2])) {
		return 0, false
	}
	_, _, size, state := ansi.DecodeSequence(data, ansi.NormalState, nil)
	// A final ESC may be the first byte of ST (ESC \), so wait for the next byte.
	if state != ansi.NormalState || size == len(data)-1 && data[size] == ansi.ESC {
		return 0, true
	}
	return size, true
}

// sequence is [first] for a control sequence.
func sequence(data []byte) (*tea.Key, int) {
	if bytes.HasPrefix(data, []byte(pasteBegin)) {
		text := data[len(pasteBegin):]
		end := bytes.Index(text, []byte(pasteEnd))
		if end < 0 {
			return nil, 0
		}
		return paste(text[:end]), len(pasteBegin) + end + len(pasteEnd)
	}
	if end := bytes.TrimLeft(data[2:], "0123456789"); len(end) > 0 && end[0] == '$' { // In rxvt, the sequence of a key with Shift ends with $.
		return nil, len(data) - len(end) + 1
	}
	parser := ansi.NewParser()
	whole, _, size, state := ansi.DecodeSequence(data, ansi.NormalState, parser)
	if state != ansi.NormalState {
		return nil, 0
	}
	// Beginnings of F1 to F5 on the Linux console, and of mouse events in an old format.
	const linux, mouse = "\x1b[[", "\x1b[M"
	following := map[string]int{linux: 1, mouse: 3}[string(whole)]
	switch {
	case len(data) < size+following:
		return nil, 0
	case string(whole) == linux && data[size] >= 'A' && data[size] <= 'E':
		return &tea.Key{Type: tea.KeyF1 - tea.KeyType(data[size]-'A')}, size + 1
	}
	command := ansi.Cmd(parser.Command())
	number, _ := parser.Param(0, 1)
	modifiers, _ := parser.Param(1, 1)
	kind, known := finals()[command.Final()]
	if command.Final() == '~' {
		kind, known = numbered()[number]
	}
	const xterm = 27 // xterm's sequence for a character: 27, the modifiers, the character code.
	switch {
	case command.Prefix() != 0, command.Intermediate() != 0:
		return nil, size + following
	case command.Final() == 'u':
		return character(number, modifiers), size
	case command.Final() == '~' && number == xterm:
		char, _ := parser.Param(2, 0)
		return character(char, modifiers), size
	case !known:
		return nil, size + following
	}
	return modified(kind, modifiers), size
}

// application is [first] for data that begins with ESC O. A crashed program may have left the
// terminal in an application mode.
func application(data []byte) (*tea.Key, int) {
	const pad, typed = "jklmnopqrstuvwxyX", "*+,-./0123456789="
	modifiers := len(data) - 2 - len(bytes.TrimLeft(data[2:], "0123456789;"))
	switch {
	case len(data) == 2+modifiers:
		return nil, 0
	case modifiers > 0: // Konsole's Shift+F1 has this form; no screen uses it.
		return nil, 3 + modifiers
	case data[2] == 'M':
		return &tea.Key{Type: tea.KeyEnter}, 3
	case data[2] == 'R': // A control sequence with R reports the cursor position, so F3 is not in finals.
		return &tea.Key{Type: tea.KeyF3}, 3
	}
	if at := bytes.IndexByte([]byte(pad), data[2]); at >= 0 {
		return &tea.Key{Type: tea.KeyRunes, Runes: []rune{rune(typed[at])}}, 3
	}
	if kind, known := finals()[data[2]]; known {
		return &tea.Key{Type: kind}, 3
	}
	return nil, 3
}

// finals maps the last letter of a sequence to its key.
func finals() map[byte]tea.KeyType {
	return map[byte]tea.KeyType{
		'A': tea.KeyUp, 'B': tea.KeyDown, 'C': tea.KeyRight, 'D': tea.KeyLeft, 'H': tea.KeyHome, 'F': tea.KeyEnd,
		'P': tea.KeyF1, 'Q': tea.KeyF2, 'S': tea.KeyF4, 'Z': tea.KeyShiftTab,
	}
}

// numbered maps the number before a final tilde to its key.
func numbered() map[int]tea.KeyType {
	return map[int]tea.KeyType{
		1: tea.KeyHome, 2: tea.KeyInsert, 3: tea.KeyDelete, 4: tea.KeyEnd, 5: tea.KeyPgUp, 6: tea.KeyPgDown,
		7: tea.KeyHome, 8: tea.KeyEnd, 11: tea.KeyF1, 12: tea.KeyF2, 13: tea.KeyF3, 14: tea.KeyF4, 15: tea.KeyF5,
		17: tea.KeyF6, 18: tea.KeyF7, 19: tea.KeyF8, 20: tea.KeyF9, 21: tea.KeyF10, 23: tea.KeyF11, 24: tea.KeyF12,
	}
}

// locks are the bits of Caps Lock and Num Lock, which are ignored.
const locks = 64 + 128

// character returns the key for a character code and modifiers, or nil if no screen uses it. A
// terminal sends such keys in a mode of kitty or xterm that a crashed program has left on.
func character(code, modifiers int) *tea.Key {
	const shift, control, padEnter = 1, 4, 57414
	held := max(0, modifiers-1) &^ locks
	char := rune(code & 0x1fffff) // A Unicode character has at most 21 bits.
	switch {
	case held == control && char >= 'a' && char <= 'z':
		return &tea.Key{Type: tea.KeyCtrlA + tea.KeyType(char-'a')}
	case held&^shift != 0:
		return nil
	case char == padEnter:
		return &tea.Key{Type: tea.KeyEnter}
	case char == '\t' && held == shift:
		return &tea.Key{Type: tea.KeyShiftTab}
	case char > 0 && char < ' ', char == ansi.DEL:
		return &tea.Key{Type: tea.KeyType(char)}
	case held == shift && unicode.IsLower(char):
		char = unicode.ToUpper(char)
	case !unicode.IsPrint(char), held == shift && char != ' ': // It is unknown what Shift types with a sign: that depends on the layout.
		return nil
	}
	key, _ := first([]byte(string(char)))
	return key
}

// modified returns a key with modifiers, or nil if no screen uses it. As in xterm, modifiers is 1
// plus the sum of 1 for Shift, 2 for Alt and 4 for Ctrl.
func modified(kind tea.KeyType, modifiers int) *tea.Key {
	const alt, control = 2, 4
	held := max(0, modifiers-1) &^ locks
	switch {
	case held&^alt == control && kind == tea.KeyLeft:
		kind = tea.KeyCtrlLeft
	case held&^alt == control && kind == tea.KeyRight:
		kind = tea.KeyCtrlRight
	case held&^alt != 0:
		return nil
	}
	return &tea.Key{Type: kind, Alt: held&alt != 0}
}

// paste returns pasted text as one key. In pasted text, some versions of tmux send line ends as
// sequences of the key Enter.
func paste(text []byte) *tea.Key {
	text = bytes.ReplaceAll(text, []byte("\x1b[13;1u"), []byte("\r"))
	return &tea.Key{Type: tea.KeyRunes, Runes: []rune(string(bytes.ToValidUTF8(text, nil))), Paste: true}
}
