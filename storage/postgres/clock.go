package postgres

import (
	"log/slog"
	"sync"
	"time"
)

// readClock reads the server's clock, in microseconds since 1970.
const readClock = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// clock measures the offset of the server's clock from this machine's, as NTP
// does: the server's time is compared with the middle of the round trip, and is
// known to half of it. It is safe for concurrent use.
type clock struct {
	now    func() time.Time
	logger *slog.Logger

	mu   sync.Mutex
	skew time.Duration // Positive when the server's clock is ahead.
	told bool          // The log says that the clocks are apart.
}

// MaxSkew is how far two clocks may be apart before a person is told.
const MaxSkew = 5 * time.Second

func newClock() *clock { return &clock{now: time.Now, logger: slog.New(slog.DiscardHandler)} }

// take takes a reading of the server's clock that was asked for at a moment and
// has just come. An offset that the reading does not contradict stays, so that
// the time does not tremble with the network.
func (c *clock) take(asked time.Time, microseconds int64) {
	came := c.now()
	margin := came.Sub(asked) / 2
	measured := time.UnixMicro(microseconds).Sub(asked.Add(margin))
	c.mu.Lock()
	defer c.mu.Unlock()
	if (measured - c.skew).Abs() > margin {
		c.skew = measured
	}
	switch apart := c.skew.Abs() > MaxSkew; {
	case apart && !c.told:
		c.told = true
		c.logger.Warn("this machine's clock and the database server's are apart: till goes by the server's; set both by the network",
			slog.Duration(keyAhead, c.skew.Round(time.Millisecond)))
	case !apart && c.told:
		c.told = false
		c.logger.Info("this machine's clock and the database server's agree again")
	}
}

// offset returns the offset that was measured last, zero before the first time.
func (c *clock) offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skew
}
