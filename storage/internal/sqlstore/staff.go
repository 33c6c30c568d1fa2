package sqlstore

import (
	"context"

	"checkout/till/payments"
)

const allCashiers = `SELECT name, role, salt, sum, iterations, failed, until FROM cashiers ORDER BY name`

func cashierColumns(c *payments.Cashier) []any {
	return []any{
		clean(&c.Name, payments.MaxTillWidth), clean(&c.Role, maxKey), &c.PIN.Salt, &c.PIN.Sum,
		&c.PIN.Iterations, &c.Tries.Failed, instant(&c.Tries.Until),
	}
}

// Cashiers implements [payments.Reader].
func (s *Store) Cashiers(ctx context.Context) ([]payments.Cashier, error) {
	return readAll(ctx, s, "read cashiers", cashierColumns, allCashiers)
}

func (t *tx) Cashiers() ([]payments.Cashier, error) {
	return list(t, "read cashiers", cashierColumns, allCashiers)
}

func (t *tx) SaveCashier(c payments.Cashier) error {
	return t.write("save cashier", `INSERT INTO cashiers (name, role, salt, sum, iterations, failed, until)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (name) DO UPDATE SET role = excluded.role, salt = excluded.salt, sum = excluded.sum,
			iterations = excluded.iterations, failed = excluded.failed, until = excluded.until`,
		c.Name, string(c.Role), c.PIN.Salt, c.PIN.Sum, c.PIN.Iterations, c.Tries.Failed, millis(c.Tries.Until))
}

// SaveTries updates only the columns failed and until. In PostgreSQL, the database role of a till
// has the right to update only these columns of the table cashiers.
func (t *tx) SaveTries(name string, tries payments.Tries) error {
	return t.write("save tries", `UPDATE cashiers SET failed = $2, until = $3 WHERE name = $1`, name, tries.Failed, millis(tries.Until))
}

func (t *tx) DropCashier(name string) error {
	return t.write("drop cashier", `DELETE FROM cashiers WHERE name = $1`, name)
}
