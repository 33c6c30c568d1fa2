// Package countdown shows the time left for a payment, in digits and as a bar.
package countdown

import (
	"math"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// timeWidth is the width of the remaining time, such as "10:00", in columns.
const timeWidth = 5

// Countdown is the remaining time of a link, and its whole lifetime.
type Countdown struct {
	Remaining, Whole time.Duration
	Theme            theme.Theme
	Texts            i18n.Texts
}

// Soon reports whether less than [payments.LinkEndsSoon] is left.
func (c Countdown) Soon() bool { return c.Remaining < payments.LinkEndsSoon }

// Time returns the time left in digits, at least 5 columns wide: " 8:47".
func (c Countdown) Time() string {
	return c.style(c.Theme.Strong).Render(theme.AlignRight(i18n.Countdown(max(0, c.Remaining)), timeWidth))
}

// Word returns a blank and the warning that little time is left, or "".
func (c Countdown) Word() string {
	if !c.Soon() {
		return ""
	}
	return " " + c.Theme.Warning.Render(c.Texts.Code.Soon)
}

// Bar draws how much of the lifetime is left, in width columns, with the warning if there is room.
func (c Countdown) Bar(width int) string {
	word := c.Word()
	room := width - theme.Width(word)
	if room < timeWidth {
		room, word = width, ""
	}
	return c.Bare(room) + word
}

// Bare draws the bar in width columns, without the warning.
func (c Countdown) Bare(width int) string {
	share := 0.0
	if c.Whole > 0 {
		share = math.Ceil(c.Remaining.Seconds()) / max(1, math.Floor(c.Whole.Seconds())) // The bar is full as long as [Countdown.Time] shows the whole lifetime.
	}
	return c.Theme.Bar(c.style(c.Theme.Flow), share, width)
}

// Line returns the bar and the time in one row of width columns.
func (c Countdown) Line(width int) string { return c.Bar(width-timeWidth-1) + " " + c.Time() }

func (c Countdown) style(usual theme.Style) theme.Style {
	if c.Soon() {
		return c.Theme.Warning
	}
	return usual
}
