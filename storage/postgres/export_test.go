package postgres

import "time"

// Impatient returns options that allow the server this time for an answer.
func Impatient(answer time.Duration) Options { return Options{answer: answer} }

// Migrating returns options with additional migrations.
func Migrating(migrations ...string) Options { return Options{migrations: migrations} }
