package postgres

import "time"

// Turn returns the statement that makes a change wait for its turn.
func Turn() string { return patient().Turn }

// Impatient returns options with a timeout for each answer of the server.
func Impatient(answer time.Duration) Options { return Options{answer: answer} }

// Migrating returns options with migrations in addition to the usual ones.
func Migrating(migrations ...string) Options { return Options{migrations: migrations} }
