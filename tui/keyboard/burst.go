package keyboard

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Limits for the time between two keys of a scanner.
const (
	burstGap   = 150 * time.Millisecond // Longest pause between two keys of a burst.
	ScannerGap = 60 * time.Millisecond  // Mean time between two keys: a scanner's is usually shorter, a person's longer.
)

const (
	minScan   = 6 // Fewest characters in the scan of an unknown code.
	minFrench = 8 // Fewest characters in a text that [Burst.French] accepts.
	french    = `&é"'(-è_çà`
)

// Burst is text that was typed quickly, with the times of its first and last key. The zero Burst is
// empty.
type Burst struct {
	Text        string
	Began, Last time.Time
}

// Add returns the burst with the text of a key. After a pause of more than burstGap, a new burst
// begins.
func (b Burst) Add(text string, at time.Time) Burst {
	if b.Text == "" || at.Sub(b.Last) > burstGap {
		b = Burst{Began: at}
	}
	b.Text += text
	b.Last = at
	return b
}

// scanned reports whether the burst comes from a scanner. now is the time of the next key, for
// which [Ends] is true.
func (b Burst) scanned(knows func(code string) bool, now time.Time) bool {
	switch {
	case b.Text == "", now.Sub(b.Last) > burstGap:
		return false
	case knows(b.Code()):
		return true
	}
	return utf8.RuneCountInString(b.Text) >= minScan && b.quick(now)
}

func (b Burst) quick(now time.Time) bool { return b.Gap(now) < ScannerGap }

// Gap returns the time since the first key, divided by the number of characters.
func (b Burst) Gap(now time.Time) time.Duration {
	return now.Sub(b.Began) / time.Duration(max(1, utf8.RuneCountInString(b.Text)))
}

// Code returns the code that the scanner sent. For a [Burst.French] text, "&é" becomes "12".
func (b Burst) Code() string {
	if !b.French() {
		return b.Text
	}
	return American(b.Text)
}

// French reports whether the text consists of signs that a French keyboard types with its digit
// keys. A scanner that is set to an American keyboard presses these keys for digits. A short text
// is not French.
func (b Burst) French() bool {
	return utf8.RuneCountInString(b.Text) >= minFrench && strings.Trim(b.Text, french) == ""
}

// American returns the text that a scanner with American keys sent to a machine with a French
// keyboard. Letters are in lower case, because caps lock may have changed them.
func American(text string) string {
	return strings.NewReplacer("&", "1", "é", "2", `"`, "3", "'", "4", "(", "5", "-", "6", "è", "7", "_", "8", "ç", "9", "à", "0",
		")", "-", "°", "-", "a", "q", "q", "a", "z", "w", "w", "z", ",", "m", "?", "m", "$", "]").Replace(strings.ToLower(text))
}

// Ends reports whether scanners send a key after a code: Enter, Tab, LF, or ETX, which is Ctrl+C.
func Ends(msg tea.KeyMsg) bool {
	return key.Matches(msg, key.NewBinding(key.WithKeys("enter", "tab", "ctrl+j", "ctrl+c")))
}
