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
// in it. SQLite's own check sees to the structure of the file, with its indexes
// unless quick; then every row that can be computed anew is: see
// [sqlstore.Verify].
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
	lockByFile()
	if err := verify(ctx, &found, decode); err != nil {
		return found, fmt.Errorf("examine the database %s: %w", path, advise(err))
	}
	return found, nil
}

func verify(ctx context.Context, found *Verification, decode sqlstore.Decoder) error {
	if err := inspect(ctx, found.Path); err != nil {
		return err
	}
	pool, err := openPool(found.Path, modeInspect, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := checkStructure(ctx, pool, found); err != nil {
		return err
	}
	return sqlstore.Verify(ctx, pool, dialect(), decode, &found.Audit)
}

// checkStructure lets SQLite check the file and the references between tables.
func checkStructure(ctx context.Context, pool *sql.DB, found *Verification) error {
	check := "PRAGMA integrity_check"
	if found.Quick {
		check = "PRAGMA quick_check"
	}
	err := each(ctx, pool, check, func(scan func(...any) error) error {
		var problem string
		if err := scan(&problem); err != nil || problem == "ok" {
			return err
		}
		found.Add("file", "", "%s", problem)
		return nil
	})
	if err != nil {
		return err
	}
	return each(ctx, pool, "PRAGMA foreign_key_check", func(scan func(...any) error) error {
		var table, parent string
		var row sql.Null[int64]
		var key int
		if err := scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		found.Add(table, "", "a row refers to one of %s that is not there", parent)
		return nil
	})
}

// each calls see for each row of a query.
func each(ctx context.Context, pool *sql.DB, query string, see func(scan func(...any) error) error) error {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := see(rows.Scan); err != nil {
			return err
		}
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
