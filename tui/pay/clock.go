package pay

import (
	"time"

	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
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
// room, as a bar.
func (m Model) countdown(width int) string {
	left, _ := m.left()
	whole := m.order.Link.ExpiresAt.Sub(m.order.CreatedAt)
	return countdown.New(m.Theme, m.Texts).Draw(left, whole, width)
}
