package countdown

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/theme"
)

// When the words of a row say that the time runs out.
const (
	rowSoonOver   = 2 * time.Minute
	rowAlmostOver = 30 * time.Second
	rowBar        = 12
)

// Word returns what is left in words, for a screen without panes.
func (c Countdown) Word(left time.Duration) string {
	words, figures := c.texts.Facing, i18n.Countdown(left)
	switch {
	case left <= rowAlmostOver:
		return c.theme.DangerBlock.Render(" " + words.AlmostOver.With(figures) + " ")
	case left <= rowSoonOver:
		return c.theme.WarningBlock.Render(" " + words.SoonOver.With(figures) + " ")
	}
	return c.theme.Strong.Render(c.texts.Pay.Left.With(figures))
}

// Draw returns Word and, where width columns have room for it, how much of the
// whole is left as a bar, for a screen without panes.
func (c Countdown) Draw(left, whole time.Duration, width int) string {
	word := c.Word(left)
	room := min(width-theme.Width(word)-2, rowBar)
	if room < timeWidth || whole <= 0 {
		return word
	}
	return word + "  " + bar.Draw(c.theme, c.theme.Line, Share(left, whole), room)
}
