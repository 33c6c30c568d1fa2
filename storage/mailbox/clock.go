package mailbox

import "time"

// clock is the relay's clock. Like all clocks of a machine, the machine's own can be wrong and be
// set, also by years. So the relay reads it once, at the start, and then counts the time that passes:
// a jump changes no time of arrival and deletes nothing.
type clock struct {
	wall    func() time.Time // The machine's clock.
	started time.Time
	base    time.Time // What the machine's clock said at the start.
	newest  time.Time // The newest time of arrival that was stored before the start.
	ran     int64     // Running time at the start, in microseconds; see [clock.running].
}

func newClock(wall func() time.Time) clock {
	return clock{wall: wall, started: time.Now(), base: wall().Round(0)}
}

// now returns the time on the relay's clock.
func (c clock) now() time.Time { return c.base.Add(time.Since(c.started)) }

// running returns how long the relay has run in all, at least since the oldest acknowledged letter, in
// microseconds. The age of acknowledged letters is counted in it.
func (c clock) running() int64 { return c.ran + time.Since(c.started).Microseconds() }

// jump returns by how much the machine's clock was set since the start or, if it was behind at the
// start, how far. Small corrections count as 0.
func (c clock) jump() time.Duration {
	const small = 5 * time.Second
	jumped := c.wall().Round(0).Sub(c.now())
	if behind := c.wall().Round(0).Sub(c.newest); jumped.Abs() < small && behind < -small {
		jumped = behind
	}
	if jumped.Abs() < small {
		return 0
	}
	return jumped
}
