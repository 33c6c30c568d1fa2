package postgres

import (
	"log/slog"
	"sync"
	"time"
)

// maxSkew is the clock skew above which the program warns.
const maxSkew = 5 * time.Second

// clock measures how far the server's clock is ahead of this machine's. Like NTP, it compares a
// reading of the server's clock with the middle between request and answer, so the error is at most
// half the round trip. It is safe for concurrent use.
type clock struct {
	now    func() time.Time
	logger *slog.Logger

	mu   sync.Mutex
	skew time.Duration // The last result: positive if the server's clock is ahead.
}

// measure updates the skew from a reading of the server's clock, in microseconds since 1970. The
// reading was requested at the time asked and received just now. measure ignores a change of the
// skew that is smaller than the possible error.
func (c *clock) measure(asked time.Time, microseconds int64) {
	margin := c.now().Sub(asked) / 2
	measured := time.UnixMicro(microseconds).Sub(asked.Add(margin))
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.skew.Abs() > maxSkew
	if (measured - c.skew).Abs() > margin {
		c.skew = measured
	}
	switch apart := c.skew.Abs() > maxSkew; {
	case apart && !before:
		c.logger.Warn("this machine's clock and the database server's are apart: till goes by the server's; set both by the network",
			slog.Duration(keyAhead, c.skew.Round(time.Millisecond)))
	case !apart && before:
		c.logger.Info("this machine's clock and the database server's agree again")
	}
}
