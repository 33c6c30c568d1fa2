package postgres

import (
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// What the server limits: a statement, the waiting for another process's turn,
// and a transaction in which nothing happens. See also answerLimit.
const (
	statementLimit = 5 * time.Second
	turnLimit      = 3 * time.Second
	idleLimit      = 10 * time.Second
)

// beginSchema begins a transaction that makes the tables, one process at a time.
const beginSchema = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(1953066092)"

// dialect is what PostgreSQL does in its own way. The limits are set in each
// transaction: between a pooler and the server connections change with it.
func dialect() sqlstore.Dialect {
	d := patient()
	limits := fmt.Sprintf("; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d",
		statementLimit.Milliseconds(), turnLimit.Milliseconds(), idleLimit.Milliseconds())
	d.BeginWrite += limits
	d.BeginRead += limits
	return d
}

// patient is the dialect without limits, to read or write a whole shop.
func patient() sqlstore.Dialect {
	return sqlstore.Dialect{
		// A writer has its turn once it holds the row of the change sequence. It reads
		// what was committed before, so it must not stick to what it saw when it began.
		BeginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED",
		BeginRead:  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		ForUpdate:  " FOR UPDATE",
		Version:    "SELECT coalesce(obj_description(to_regclass('meta'), 'pg_class')::int, 0)",
		SetVersion: fmt.Sprintf("COMMENT ON TABLE meta IS '%d'", sqlstore.SchemaVersion),
		Lost:       func(err error) bool { return broken(err) && !silent(err) },
		Fault:      unusable,
	}
}
