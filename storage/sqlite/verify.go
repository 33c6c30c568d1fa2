package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"checkout/till/storage/internal/sqlstore"
)

// Verification is what [Verify] found.
type Verification struct {
	sqlstore.Audit
	Path  string // Absolute.
	Quick bool   // The indexes were not compared with their tables.
}

// Verify examines a database that may be in use meanwhile, and changes nothing
// in it: SQLite checks the structure of the file, with its indexes unless quick,
// and [sqlstore.Verify] the rows.
//
// Its error says that the file cannot be examined, as those of [Open] do; what
// was found until then comes with it.
func Verify(ctx context.Context, path string, quick bool, decode sqlstore.Decoder) (Verification, error) {
	found := Verification{Path: path, Quick: quick}
	path, err := filepath.Abs(path)
	if err != nil {
		return found, fmt.Errorf("find the database: %w", err)
	}
	found.Path = path
	if err := verify(ctx, &found, decode); err != nil {
		return found, fmt.Errorf("examine the database %s: %w", path, advise(err))
	}
	return found, nil
}

func verify(ctx context.Context, found *Verification, decode sqlstore.Decoder) error {
	pool, err := openFile(ctx, found.Path, modeInspect)
	if err != nil {
		return err
	}
	defer pool.Close()
	structure := "SELECT 'file', integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'"
	if found.Quick {
		structure = "SELECT 'file', quick_check FROM pragma_quick_check WHERE quick_check <> 'ok'"
	}
	const keys = `SELECT "table", 'a row refers to one of ' || parent || ' that is not there' FROM pragma_foreign_key_check`
	for _, check := range []string{structure, keys} {
		if err := report(ctx, pool, check, found); err != nil {
			return err
		}
	}
	return sqlstore.Verify(ctx, pool, dialect(), decode, &found.Audit)
}

// report adds the rows of a query, each a table and a problem, to the findings.
func report(ctx context.Context, pool *sql.DB, query string, found *Verification) error {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var table, problem string
		if err := rows.Scan(&table, &problem); err != nil {
			return err
		}
		found.Add(table, "", "%s", problem)
	}
	return rows.Err()
}

// quickCheck lets SQLite check the structure of a database, without its indexes.
func quickCheck(ctx context.Context, path string) error {
	pool, err := openPool(path, modeInspect, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	var found string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
}
