package pay

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/theme"
)

// When a countdown says that the time runs out.
const (
	soonOver   = 2 * time.Minute
	almostOver = 30 * time.Second
)

// clock counts the link's time down, and the grace of a new outcome.
type clock struct {
	countdown payments.Countdown
	started   time.Time
	graceEnds time.Time
	shown     payments.Verdict // The verdict that the grace is for.
}

// left is the time that the link has left, and whether the machine's clocks
// part.
func (m Model) left() (time.Duration, bool) {
	now := m.state.Now
	if now.Before(m.clock.started) {
		now = m.clock.started // The picture is older than the link.
	}
	return m.clock.countdown.Left(now, now.Sub(m.clock.started))
}

// countdown is the time that the link has left, in words and, where there is
// room, as a bar. It changes its word and its colour as the time runs out.
func (m Model) countdown(width int) string {
	left, _ := m.left()
	words, figures := m.Texts.Facing, i18n.Countdown(left)
	text := m.Theme.Strong.Render(m.Texts.Pay.Left.With(figures))
	switch {
	case left <= almostOver:
		text = m.Theme.Alarm.Render(" " + words.AlmostOver.With(figures) + " ")
	case left <= soonOver:
		text = m.Theme.Warning.Render(" " + words.SoonOver.With(figures) + " ")
	}
	// The row is written anew each second, so it is kept short.
	const shortest, longest = 6, 12
	room := min(width-theme.Width(text)-2, longest)
	whole := m.order.Link.ExpiresAt.Sub(m.order.CreatedAt)
	if room < shortest || whole <= 0 {
		return text
	}
	return text + "  " + bar.Draw(float64(left)/float64(whole), room)
}
