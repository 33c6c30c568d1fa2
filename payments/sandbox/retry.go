package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrUnknownRetry says that a profile of deliveries has another name than
// those there are.
var ErrUnknownRetry = errors.New("unknown profile of deliveries")

// Retry says which deliveries are tried again, since the specification does
// not. Whatever the profile, a delivery ends with the first 2xx, a redirect is
// not followed and counts as a failure, and a delivery can be sent again by
// hand.
type Retry string

// The profiles are those of services that merchants know.
const (
	// RetryNone tries every delivery once.
	RetryNone Retry = "none"
	// RetryServerErrors tries again when no reply came, and on 5xx, 408 and
	// 429. A merchant who answers 404 to an order that it does not know yet
	// loses the event.
	RetryServerErrors Retry = "5xx-only"
	// RetryAll tries again on whatever is not 2xx, but for 410, by which a
	// merchant asks for no more. It is the default.
	RetryAll Retry = "all-non-2xx"
)

// ParseRetry returns the profile of a name, or [ErrUnknownRetry].
func ParseRetry(name string) (Retry, error) {
	all := []string{string(RetryNone), string(RetryServerErrors), string(RetryAll)}
	if !slices.Contains(all, name) {
		return "", fmt.Errorf("%w: %q is not one of %s", ErrUnknownRetry, name, strings.Join(all, ", "))
	}
	return Retry(name), nil
}

// WithRetry has deliveries tried again by a profile other than [RetryAll].
func WithRetry(retry Retry) Option { return func(s *Sandbox) { s.outlet.retry = retry } }

// again tells whether the profile has a delivery tried again after a try.
func (r Retry) again(tried attempt) bool {
	switch {
	case tried.accepted(), tried.final, r == RetryNone:
		return false
	case r == RetryServerErrors:
		return tried.status == 0 || tried.status >= http.StatusInternalServerError ||
			tried.status == http.StatusRequestTimeout || tried.status == http.StatusTooManyRequests
	}
	return tried.status != http.StatusGone
}

// wait returns how long to wait after the last of so many tries, and false
// when there is no further one. A merchant may ask for a longer pause than the
// plan has, to a bound, and not for a shorter one.
func (r Retry) wait(tries int, tried attempt) (time.Duration, bool) {
	planned, more := pause(tries)
	if !more || !r.again(tried) {
		return 0, false
	}
	return max(planned, min(tried.retryAfter, maxRetryAfter)), true
}

const (
	// jitterShare is by how much of itself a pause is longer or shorter by
	// chance, so that the tries of many deliveries part.
	jitterShare = 0.2
	// maxRetryAfter bounds the pause that a merchant may ask for.
	maxRetryAfter = 10 * time.Minute
)

// pauses returns how long a delivery waits before each further try.
func pauses() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

// pause returns how long to wait after so many tries, and false when there is
// no further one.
func pause(tries int) (time.Duration, bool) {
	plan := pauses()
	if tries < 1 || tries > len(plan) {
		return 0, false
	}
	share := 1 + jitterShare*(2*rand.Float64()-1) //nolint:gosec // Nobody gains by guessing a pause.
	return time.Duration(float64(plan[tries-1]) * share), true
}

// askedPause returns the pause that the header Retry-After asks for at now, 0
// when it asks for none or cannot be read.
func askedPause(header http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
