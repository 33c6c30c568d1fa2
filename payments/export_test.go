package payments

import "time"

// WithStopwatch measures the time since the start with elapsed.
func WithStopwatch(elapsed func() time.Duration) Option {
	return func(s *Service) { s.stopwatch = elapsed }
}
