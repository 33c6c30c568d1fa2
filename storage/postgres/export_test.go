package postgres

import "time"

// Impatient returns options that allow the server this time for an answer.
func Impatient(answer time.Duration) Options { return Options{answer: answer} }
