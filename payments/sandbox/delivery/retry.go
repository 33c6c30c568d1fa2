package delivery

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// ErrUnknownRetry says that no retry profile has a name.
var ErrUnknownRetry = errors.New("unknown profile of deliveries")

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

// jitter is the share of itself by which a pause is longer or shorter.
const jitter = 0.2

// Check returns [ErrUnknownRetry] unless there is such a profile.
func (r Retry) Check() error {
	if r != RetryNone && r != RetryServerErrors && r != RetryAll {
		return fmt.Errorf("%w: %q is not one of %s, %s, %s", ErrUnknownRetry, string(r), RetryNone, RetryServerErrors, RetryAll)
	}
	return nil
}

// retries tells whether the profile retries after a try.
func (r Retry) retries(tried Try) bool {
	switch {
	case tried.Accepted(), tried.final, r == RetryNone:
		return false
	case r == RetryServerErrors:
		return tried.Status == 0 || tried.Status >= http.StatusInternalServerError ||
			tried.Status == http.StatusRequestTimeout || tried.Status == http.StatusTooManyRequests
	}
	return tried.Status != http.StatusGone
}

// backoff returns the pause after the given number of tries, and false when
// there is no further try.
func (r Retry) backoff(tries int, tried Try) (time.Duration, bool) {
	pauses := []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
	if tries < 1 || tries > len(pauses) || !r.retries(tried) {
		return 0, false
	}
	share := 1 + jitter*(2*rand.Float64()-1) //nolint:gosec // Nobody gains by guessing a pause.
	return time.Duration(float64(pauses[tries-1]) * share), true
}
