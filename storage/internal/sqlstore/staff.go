package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"checkout/till/payments"
)

const allCashiers = `SELECT name, role, salt, sum, iterations, failed, until FROM cashiers ORDER BY name`

func cashierColumns(c *payments.Cashier) []any {
	return []any{
		clean(&c.Name, payments.MaxTillWidth), clean(&c.Role, maxKey), &c.PIN.Salt, &c.PIN.Sum,
		&c.PIN.Iterations, &c.Tries.Failed, instant(&c.Tries.Until),
	}
}

// Cashiers returns all cashiers, sorted by name.
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

// SaveTries updates only the columns failed and until. In PostgreSQL, a till's database
// role may update no other columns of cashiers.
func (t *tx) SaveTries(name string, tries payments.Tries) error {
	return t.write("save tries", `UPDATE cashiers SET failed = $2, until = $3 WHERE name = $1`, name, tries.Failed, millis(tries.Until))
}

func (t *tx) DropCashier(name string) error {
	return t.write("drop cashier", `DELETE FROM cashiers WHERE name = $1`, name)
}

const closingsOf = `SELECT day, starts_at, ends_at, till, closed_by, closed_at, orders, sums FROM closings
	WHERE day >= $1 AND day <= $2 ORDER BY day`

func closingColumns(c *payments.Closing) []any {
	return []any{
		clean(&c.Day, maxKey), instant(&c.Period.From), instant(&c.Period.To), clean(&c.Till, payments.MaxTillWidth),
		clean(&c.By, payments.MaxTillWidth), instant(&c.At), &c.Orders, jsonText(func(sums map[string]sumRow) {
			c.Verdicts = make(map[payments.Verdict]payments.Sum, len(sums))
			c.Received = payments.Sum(sums[receivedSum])
			delete(sums, receivedSum)
			for verdict, sum := range sums {
				c.Verdicts[payments.Verdict(payments.Clean(verdict, maxKey))] = payments.Sum(sum)
			}
		}),
	}
}

type sumRow struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

// receivedSum is the JSON key of the received money, next to the keys of the verdicts.
const receivedSum = "received"

func (t *tx) Closings(from, to string) ([]payments.Closing, error) {
	return list(t, "read closings", closingColumns, closingsOf, from, to)
}

func (t *tx) InsertClosing(c payments.Closing) (payments.Closing, bool, error) {
	sums := map[string]sumRow{receivedSum: sumRow(c.Received)}
	for verdict, sum := range c.Verdicts {
		sums[string(verdict)] = sumRow(sum)
	}
	encoded, err := json.Marshal(sums)
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("encode the closing's sums: %w", err)
	}
	values := []any{
		c.Day, c.Period.From.UnixMilli(), c.Period.To.UnixMilli(), c.Till, c.By, c.At.UnixMilli(), c.Orders, string(encoded),
	}
	written, err := t.exec("insert closing", `INSERT INTO closings
		(day, starts_at, ends_at, till, closed_by, closed_at, orders, sums, digest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (day) DO NOTHING`, append(values, digestOf(values...))...)
	if err != nil || written > 0 {
		return c, err == nil, err
	}
	stored, err := one(t, "read the day's closing", closingColumns, closingsOf, c.Day, c.Day)
	return stored, false, err
}

// digestOf returns the SHA-256 of values. It writes the length before each value, so that
// moving a character from one value to the next changes the digest.
func digestOf(values ...any) []byte {
	digest := sha256.New()
	for _, value := range values {
		text := fmt.Sprint(value)
		_, _ = fmt.Fprintf(digest, "%d %s", len(text), text) // Writing to a hash never fails.
	}
	return digest.Sum(nil)
}
