package sqlite

import (
	"errors"
	"fmt"
	"strings"

	driver "modernc.org/sqlite"

	"checkout/till/storage/internal/sqlstore"
)

var _ sqlstore.Dialect = dialect{}

// dialect is what SQLite does in its own way.
type dialect struct{}

// BeginWrite takes the write lock, for which it waits up to busyTimeout.
func (dialect) BeginWrite() string { return "BEGIN IMMEDIATE" }

// BeginRead begins a transaction; its first query decides which moment it sees.
func (dialect) BeginRead() string { return "BEGIN" }

// ForUpdate is empty: a writing transaction has the whole database.
func (dialect) ForUpdate() string { return "" }

// Version reads the version from the file's header.
func (dialect) Version() string { return "PRAGMA user_version" }

// SetVersion writes the version into the file's header, within the transaction.
func (dialect) SetVersion(version int) string {
	return fmt.Sprintf("PRAGMA user_version = %d;", version)
}

// Lost is false: there is nobody else on a connection to a file.
func (dialect) Lost(error) bool { return false }

// Fault goes by what SQLite and the guard say.
func (dialect) Fault(err error) bool { return unusable(err) }

// Grams is an FTS5 table that holds no documents, only what stands in them.
func (dialect) Grams() sqlstore.Grams {
	return sqlstore.Grams{
		Add:   `INSERT INTO order_grams (rowid, grams) VALUES ($1, $2)`,
		Tidy:  `INSERT INTO order_grams (order_grams, rank) VALUES ('merge', 16)`,
		Table: `order_grams`,
		Match: func(parameter string) string { return `order_grams MATCH ` + parameter },
		Query: func(runs []string) string {
			query := `"` + strings.Join(runs, `" AND "`) + `"`
			if sqlstore.Short(runs) {
				query += " *"
			}
			return query
		},
	}
}

// code returns the extended result code of an error, 0 when SQLite did not
// make it.
func code(err error) int {
	if failure, ok := errors.AsType[*driver.Error](err); ok {
		return failure.Code()
	}
	return 0
}

// lockByFile makes SQLite's locks survive that something in this process opens
// and closes the database file. Only Linux has such locks; elsewhere nothing in
// the process may touch the file. Whoever opens a database first decides for
// the whole process. That all use the same kind matters more than which, so a
// refusal is no error.
func lockByFile() { _, _ = driver.OFDLocking(true) }
