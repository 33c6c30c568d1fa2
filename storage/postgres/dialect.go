package postgres

import (
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

var _ sqlstore.Dialect = dialect{}

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
type dialect struct {
	patient bool // There are no limits: a whole shop is read or written.
}

// BeginWrite begins a transaction, which has its turn once it holds the row of
// the change sequence. It reads what was committed before it got its turn, so it
// must not stick to what it saw when it began.
func (d dialect) BeginWrite() string { return "BEGIN ISOLATION LEVEL READ COMMITTED" + d.limits() }

// BeginRead begins a transaction that sees one moment.
func (d dialect) BeginRead() string {
	return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + d.limits()
}

func (d dialect) limits() string {
	if d.patient {
		return ""
	}
	return fmt.Sprintf("; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d",
		statementLimit.Milliseconds(), turnLimit.Milliseconds(), idleLimit.Milliseconds())
}

// ForUpdate waits for the writers of other processes.
func (dialect) ForUpdate() string { return " FOR UPDATE" }

// Version reads the version from the comment on the table meta; 0 without either.
func (dialect) Version() string {
	return "SELECT coalesce(obj_description(to_regclass('meta'), 'pg_class')::int, 0)"
}

// SetVersion writes the version there.
func (dialect) SetVersion(version int) string {
	return fmt.Sprintf("COMMENT ON TABLE meta IS '%d'", version)
}

// Lost goes by what happened to the connection.
func (dialect) Lost(err error) bool { return broken(err) && !silent(err) }

// Fault goes by the connection and by the class of the server's error.
func (dialect) Fault(err error) bool { return unusable(err) }

// Features says that the driver keeps prepared statements, and that LIKE uses an
// index where the database has pg_trgm.
func (dialect) Features() sqlstore.Features { return sqlstore.Features{} }
