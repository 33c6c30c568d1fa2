package sandbox

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// Retry is the profile that says which deliveries are retried, since the
// specification does not. A delivery always ends with the first 2xx, and a
// redirect is a failure.
type Retry string

// The retry profiles.
const (
	// RetryNone tries every delivery once.
	RetryNone Retry = "none"
	// RetryServerErrors retries without a reply, and on 5xx, 408 and 429. A
	// merchant who answers 404 to an order that it does not know yet loses the
	// event.
	RetryServerErrors Retry = "5xx-only"
	// RetryAll retries whatever is not 2xx, but for 410, by which a merchant asks
	// for no more. It is the default.
	RetryAll Retry = "all-non-2xx"
)

// retries tells whether the profile retries after a try.
func (r Retry) retries(tried Try) bool {
	switch {
	case tried.Accepted(), r == RetryNone:
		return false
	case r == RetryServerErrors:
		return tried.Status == 0 || tried.Status >= http.StatusInternalServerError ||
			tried.Status == http.StatusRequestTimeout || tried.Status == http.StatusTooManyRequests
	}
	return tried.Status != http.StatusGone
}

// backoff returns the pause after the given number of tries, the last of which
// was tried, and false when there is no further one. The pauses grow, and differ
// by up to a fifth so that deliveries that failed together do not come back
// together.
func (r Retry) backoff(tries int, tried Try) (time.Duration, bool) {
	seconds := []float64{1, 5, 15, 30, 60, 120, 300}
	if tries > len(seconds) || !r.retries(tried) {
		return 0, false
	}
	jitter := 0.8 + 0.4*rand.Float64() //nolint:gosec // Nobody gains by guessing a pause.
	return time.Duration(seconds[tries-1] * jitter * float64(time.Second)), true
}
