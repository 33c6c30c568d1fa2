package postgres

import "time"

// Timed returns options of which the follower reads without a notification that
// often, and the server may be silent for so long; 0 for the default.
func Timed(follow, answer time.Duration) Options { return Options{follow: follow, answer: answer} }
