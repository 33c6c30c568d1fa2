package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/staff"
)

const allCashiers = `SELECT name, role, salt, sum, iterations, tries FROM cashiers ORDER BY name`

// triesRow is the JSON of a cashier's wrong PINs at one till. Until is the end of the pause after
// them, in milliseconds since 1970; 0 without a pause.
type triesRow struct {
	Failed int   `json:"failed"`
	Until  int64 `json:"until,omitempty"`
}

func cashierColumns(c *staff.Cashier) []any {
	return []any{
		cleaned(&c.Name, staff.MaxNameWidth), cleaned(&c.Role, maxKey), &c.PIN.Salt, &c.PIN.Sum,
		&c.PIN.Iterations,
		jsonText(func(row map[string]triesRow) {
			c.Tries = nil
			for till, tries := range row {
				if c.Tries == nil {
					c.Tries = make(map[string]staff.Tries)
				}
				counted := staff.Tries{Failed: tries.Failed}
				if tries.Until != 0 {
					counted.Until = time.UnixMilli(tries.Until).UTC()
				}
				c.Tries[clean.Text(till, payments.MaxTillWidth)] = counted
			}
		}),
	}
}

func encodeTries(all map[string]staff.Tries) (string, error) {
	row := make(map[string]triesRow)
	for till, tries := range all {
		counted := triesRow{Failed: tries.Failed}
		if !tries.Until.IsZero() {
			counted.Until = tries.Until.UnixMilli()
		}
		row[till] = counted
	}
	encoded, err := json.Marshal(row)
	if err != nil {
		return "", fmt.Errorf("encode tries: %w", err)
	}
	return string(encoded), nil
}

// Cashiers implements [payments.Reader].
func (s *Store) Cashiers(ctx context.Context) ([]staff.Cashier, error) {
	return readAll(ctx, s, "read cashiers", cashierColumns, allCashiers)
}

func (t *tx) Cashiers() ([]staff.Cashier, error) {
	return list(t, "read cashiers", cashierColumns, allCashiers)
}

func (t *tx) SaveCashier(c staff.Cashier) error {
	tries, err := encodeTries(c.Tries)
	if err != nil {
		return err
	}
	return t.write("save cashier", `INSERT INTO cashiers (name, role, salt, sum, iterations, tries)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (name) DO UPDATE SET role = excluded.role, salt = excluded.salt, sum = excluded.sum,
			iterations = excluded.iterations, tries = excluded.tries`,
		c.Name, string(c.Role), c.PIN.Salt, c.PIN.Sum, c.PIN.Iterations, tries)
}

// SaveTries updates only the column tries, because the PostgreSQL role till_console may update no
// other column of the table cashiers.
func (t *tx) SaveTries(name string, all map[string]staff.Tries) error {
	tries, err := encodeTries(all)
	if err != nil {
		return err
	}
	return t.write("save tries", `UPDATE cashiers SET tries = $2 WHERE name = $1`, name, tries)
}

func (t *tx) DropCashier(name string) error {
	return t.write("drop cashier", `DELETE FROM cashiers WHERE name = $1`, name)
}
