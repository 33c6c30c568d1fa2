package postgres

import "time"

// WithFollow sets how often the follower reads without a notification.
func WithFollow(every time.Duration) Option { return func(o *options) { o.follow = every } }

// WithAnswer sets how long the server may be silent.
func WithAnswer(limit time.Duration) Option { return func(o *options) { o.answer = limit } }
