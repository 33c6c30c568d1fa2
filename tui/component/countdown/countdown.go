// Package countdown shows the time that a payment has left: in figures and as
// a bar. It guarantees that every screen warns at the same moments, and by
// another word, never by colour alone.
package countdown

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// SoonOver is how long before a link's end its time runs out.
const SoonOver = time.Minute

// timeWidth is how many columns the time takes, so that a bar beside it stands
// still.
const timeWidth = 5

// Countdown is the time that is Left of a Whole.
type Countdown struct {
	Left, Whole time.Duration
	Theme       theme.Theme
	Texts       i18n.Texts
}

// Soon tells whether the time runs out.
func (c Countdown) Soon() bool { return c.Left < SoonOver }

// Time returns what is left in figures, in 5 columns: " 8:47".
func (c Countdown) Time() string {
	return c.style(c.Theme.Strong).Render(theme.Right(i18n.Countdown(max(0, c.Left)), timeWidth))
}

// Word says that the time runs out; blank while it does not.
func (c Countdown) Word() string {
	if !c.Soon() {
		return ""
	}
	return " " + c.Theme.Warning.Render(c.Texts.Code.Soon)
}

// Bar returns how much of the whole is left, in width columns; at the end of it
// a word where the time runs out.
func (c Countdown) Bar(width int) string {
	word := c.Word()
	room := width - theme.Width(word)
	if room < timeWidth {
		room, word = width, ""
	}
	return c.Bare(room) + word
}

// Bare is Bar without the word.
func (c Countdown) Bare(width int) string {
	share := 0.0
	if c.Whole > 0 {
		share = float64(c.Left) / float64(c.Whole)
	}
	return c.Theme.Bar(c.style(c.Theme.Line), share, width)
}

// Line returns bar and time in one row of width columns.
func (c Countdown) Line(width int) string { return c.Bar(width-timeWidth-1) + " " + c.Time() }

func (c Countdown) style(usual theme.Style) theme.Style {
	if c.Soon() {
		return c.Theme.Warning
	}
	return usual
}
