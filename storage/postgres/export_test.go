package postgres

import "time"

// WithAnswer sets how long the server may be silent.
func WithAnswer(limit time.Duration) Option { return func(o *options) { o.answer = limit } }
