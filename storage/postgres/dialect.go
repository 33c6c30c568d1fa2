package postgres

import (
	"fmt"

	"checkout/till/storage/internal/sqlstore"
)

var _ sqlstore.Dialect = dialect{}

// The statements that begin transactions. A writer reads what was committed
// before it got its turn, so it must not stick to what it saw when it began.
// Its number lets it be asked afterwards what became of it. The settings are read
// with it each time: they may be changed while connections last.
const (
	beginWrite = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_current_xact_id()::text || ' ' || " + readSafety
	beginRead  = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	// No two processes bring the schema forward at once. The number is till's.
	beginMigrate = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(1953066092)"
)

// dialect is what PostgreSQL does in its own way.
type dialect struct{}

// BeginWrite begins a transaction, which has its turn once it holds the row of
// the change sequence.
func (dialect) BeginWrite() string { return beginWrite }

// BeginRead begins a transaction that sees one moment.
func (dialect) BeginRead() string { return beginRead }

// ForUpdate waits for the writers of other processes.
func (dialect) ForUpdate() string { return " FOR UPDATE" }

// Version reads the version from a table, which [prepare] has made.
func (dialect) Version() string { return "SELECT version FROM till_schema" }

// SetVersion writes the version into that table.
func (dialect) SetVersion(version int) string {
	return fmt.Sprintf("UPDATE till_schema SET version = %d", version)
}

// Lost goes by what happened to the connection.
func (dialect) Lost(err error) bool { return lost(err) }

// Fault goes by the connection and by the class of the server's error.
func (dialect) Fault(err error) bool { return unusable(err) }

// Features says that the connections prepare statements themselves, and that an
// index for LIKE is the planner's business.
func (dialect) Features() sqlstore.Features { return sqlstore.Features{} }
