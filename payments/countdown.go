package payments

import "time"

// ClockSlack is by how much the two clocks of a machine may differ before a
// countdown says so.
const ClockSlack = 2 * time.Second

// Countdown tells how long a link can still be paid. It trusts neither the
// wall clock (it jumps when it is set, and after a power cut) nor the
// monotonic one (it stands still while the machine sleeps), but takes the
// smaller of what the two say.
type Countdown struct {
	expires time.Time
	left    time.Duration
}

// NewCountdown starts a countdown at now to the link's end. Count elapsed time
// from this moment.
func NewCountdown(expires, now time.Time) Countdown {
	// Without its monotonic reading a time is compared by the wall clock alone.
	expires = expires.Round(0)
	return Countdown{expires: expires, left: expires.Sub(now)}
}

// Left returns the remaining time, never below zero, given the wall clock and
// the monotonic time elapsed since the start, and whether the two clocks
// differ by more than [ClockSlack].
func (c Countdown) Left(wall time.Time, elapsed time.Duration) (left time.Duration, moved bool) {
	byWall, byElapsed := c.expires.Sub(wall), c.left-elapsed
	difference := byWall - byElapsed
	return max(0, min(byWall, byElapsed)), difference.Abs() > ClockSlack
}
