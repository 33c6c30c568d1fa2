// Package countdown shows the time that a payment has left: in figures and as
// a bar. It guarantees that every screen warns at the same moments, and by
// another word, never by colour alone.
package countdown

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/theme"
)

// soonOver is when the time runs out.
const soonOver = time.Minute

// timeWidth is how many columns the time takes, so that a bar beside it stands
// still.
const timeWidth = 5

// Countdown words and dresses what is left.
type Countdown struct {
	theme theme.Theme
	texts i18n.Texts
}

// New returns a countdown for a theme and a language.
func New(theme theme.Theme, texts i18n.Texts) Countdown {
	return Countdown{theme: theme, texts: texts}
}

// Soon tells whether the time runs out.
func Soon(left time.Duration) bool { return left < soonOver }

// Time returns what is left in figures, in 5 columns: " 8:47".
func (c Countdown) Time(left time.Duration) string {
	return c.style(left, c.theme.Strong).Render(theme.Right(i18n.Countdown(max(0, left)), timeWidth))
}

// Word says that the time runs out; blank while it does not.
func (c Countdown) Word(left time.Duration) string {
	if !Soon(left) {
		return ""
	}
	return " " + c.theme.Warning.Render(c.texts.Facing.Soon)
}

// Bar returns how much of the whole is left, in width columns; at the end of it
// a word where the time runs out.
func (c Countdown) Bar(left, whole time.Duration, width int) string {
	word := c.Word(left)
	room := width - theme.Width(word)
	if room < timeWidth {
		room, word = width, ""
	}
	return c.Bare(left, whole, room) + word
}

// Bare is Bar without the word.
func (c Countdown) Bare(left, whole time.Duration, width int) string {
	return bar.Draw(c.theme, c.style(left, c.theme.Line), Share(left, whole), width)
}

// Line returns bar and time in one row of width columns.
func (c Countdown) Line(left, whole time.Duration, width int) string {
	return c.Bar(left, whole, width-timeWidth-1) + " " + c.Time(left)
}

// Share is how much of the whole is left, 0 to 1.
func Share(left, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return max(0, min(1, float64(left)/float64(whole)))
}

func (c Countdown) style(left time.Duration, usual theme.Style) theme.Style {
	if Soon(left) {
		return c.theme.Warning
	}
	return usual
}
