package postgres

import (
	"fmt"
	"strings"

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
type dialect struct {
	migrates bool // It is for bringing the schema forward.
}

// BeginWrite begins a transaction, which has its turn once it holds the row of
// the change sequence.
func (d dialect) BeginWrite() string {
	if d.migrates {
		return beginMigrate
	}
	return beginWrite
}

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

// Grams is a table of documents as the server's own text search has them.
func (dialect) Grams() sqlstore.Grams {
	return sqlstore.Grams{
		Add: `INSERT INTO order_grams (rowid, grams)
			VALUES ($1, array_to_tsvector(array_remove(string_to_array($2, ' '), '')))
			ON CONFLICT (rowid) DO UPDATE SET grams = order_grams.grams || excluded.grams`,
		Table: `order_grams`,
		Match: func(parameter string) string { return `grams @@ ` + parameter + `::text::tsquery` },
		Query: func(runs []string) string {
			query := `'` + strings.Join(runs, `' & '`) + `'`
			if sqlstore.Short(runs) {
				query += ":*"
			}
			return query
		},
	}
}
