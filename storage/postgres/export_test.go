package postgres

import "time"

// Impatient returns options with which the server may be silent for so long.
func Impatient(answer time.Duration) Options { return Options{answer: answer} }
