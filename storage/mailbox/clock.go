package mailbox

import "time"

// clock is the relay's clock: the machine's time at the start, plus the time that has passed since.
// So setting the machine's clock changes no time of arrival and deletes no letter.
type clock struct {
	wall    func() time.Time
	started time.Time
	base    time.Time // Time of the machine's clock at the start.
	newest  time.Time // The newest time of arrival that was stored before the start.
	ran     int64     // Running time at the start, in microseconds; see [clock.running].
}

func newClock(wall func() time.Time) clock {
	return clock{wall: wall, started: time.Now(), base: wall().Round(0)}
}

func (c clock) now() time.Time { return c.base.Add(time.Since(c.started)) }

// running returns the running time of the relay, in microseconds. After a start, it continues from
// the running time of the last stored acknowledgement. The age of acknowledged letters is measured
// in this time, so they do not age while the relay is off.
func (c clock) running() int64 { return c.ran + time.Since(c.started).Microseconds() }

// jump returns by how much the machine's clock was set since the start. If the clock was not set,
// but is behind the newest time of arrival from before the start, jump returns that difference.
// Less than five seconds count as 0.
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
