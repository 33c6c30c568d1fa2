// Package countdown shows the time that a payment has left: as figures in
// words and as a bar. It guarantees that every screen warns at the same
// moments, and by another word, never by colour alone.
package countdown

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/theme"
)

// When the words say that the time runs out.
const (
	soonOver   = 2 * time.Minute
	almostOver = 30 * time.Second
)

// The bar's columns. It is drawn anew as it shrinks, so it is kept short.
const (
	shortest = 6
	longest  = 12
	gap      = 2
)

// Countdown words and dresses what is left.
type Countdown struct {
	theme theme.Theme
	texts i18n.Texts
}

// New returns a countdown for a theme and a language.
func New(theme theme.Theme, texts i18n.Texts) Countdown {
	return Countdown{theme: theme, texts: texts}
}

// Word returns what is left in words. The word and its style change when two
// minutes, and again when 30 seconds are left.
func (c Countdown) Word(left time.Duration) string {
	words, figures := c.texts.Facing, i18n.Countdown(left)
	switch {
	case left <= almostOver:
		return c.theme.Alarm.Render(" " + words.AlmostOver.With(figures) + " ")
	case left <= soonOver:
		return c.theme.Warning.Render(" " + words.SoonOver.With(figures) + " ")
	}
	return c.theme.Strong.Render(c.texts.Pay.Left.With(figures))
}

// Draw returns Word and, where width columns have room for it, how much of the
// whole is left as a bar.
func (c Countdown) Draw(left, whole time.Duration, width int) string {
	word := c.Word(left)
	room := min(width-theme.Width(word)-gap, longest)
	if room < shortest || whole <= 0 {
		return word
	}
	return word + "  " + bar.Draw(float64(left)/float64(whole), room)
}

// Columns returns how many columns the widest word takes, in the last hour of a
// link, with a bar beside it that is drawn in full.
func (c Countdown) Columns() int {
	widest := 0
	for _, left := range []time.Duration{time.Hour - time.Second, soonOver, almostOver} {
		widest = max(widest, theme.Width(c.Word(left)))
	}
	return widest + gap + longest
}
