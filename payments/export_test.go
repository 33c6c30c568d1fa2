package payments

import "time"

// WithStopwatch replaces the stopwatch: elapsed returns the time since the start.
func WithStopwatch(elapsed func() time.Duration) Option {
	return func(s *Service) { s.stopwatch = elapsed }
}
