package relay

import (
	"sync"

	"golang.org/x/time/rate"
)

// limits are the rate limits of the relay. Each box has a limit for all requests, and one for each
// sender. For webhooks, a sender's limit counts only within one box: the events of all shops may
// come from the same few addresses, so a common limit would let one shop block the others.
type limits struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

// maxLimiters is the maximum number of limiters, to bound the memory. At the maximum, a new limiter
// replaces an arbitrary one.
const maxLimiters = 20_000

const perMinute = rate.Limit(1.0 / 60)

func newLimits() *limits { return &limits{limiters: map[string]*rate.Limiter{}} }

func (l *limits) allow(name string, perSecond rate.Limit, burst int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter := l.limiters[name]
	if limiter == nil {
		for other := range l.limiters {
			if len(l.limiters) < maxLimiters {
				break
			}
			delete(l.limiters, other)
		}
		limiter = rate.NewLimiter(perSecond, burst)
		l.limiters[name] = limiter
	}
	return limiter.Allow()
}

// box reports whether a box may get one more request. On average it may get 20 a second from one
// sender, and 50 a second in all; in a burst, 40 and 100 together. Requests with a wrong signature
// (stamped is false) have separate limits, so that they cannot block valid ones.
func (l *limits) box(box, address string, stamped bool) bool {
	if !stamped {
		box += " wrong"
	}
	return l.allow("sender "+box+" "+senderIP(address), 20, 40) && l.allow("box "+box, 50, 100)
}
