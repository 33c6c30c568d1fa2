package sqlstore

import (
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
)

const (
	allCashiers = `SELECT name, role, salt, iterations, failed, until FROM cashiers ORDER BY name`

	saveCashier = `INSERT INTO cashiers (name, role, salt, sum, iterations, failed, until)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (name) DO UPDATE SET role = excluded.role, salt = excluded.salt, sum = excluded.sum,
			iterations = excluded.iterations, failed = excluded.failed, until = excluded.until`

	// The triggers of these tables count the try, and compare the sums. They take
	// no row where they refuse.
	insertTry      = `INSERT INTO pin_tries (name, nonce, sum, tried_at) VALUES ($1, $2, $3, $4)`
	insertIdentity = `INSERT INTO identities (name, nonce) VALUES ($1, $2)`

	deleteCashier = `DELETE FROM cashiers WHERE name = $1`

	closingsOf = `SELECT day, starts_at, ends_at, till, closed_by, closed_at, orders, sums FROM closings
		WHERE day >= $1 AND day <= $2 ORDER BY day`

	insertClosing = `INSERT INTO closings (day, starts_at, ends_at, till, closed_by, closed_at, orders, sums)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (day) DO NOTHING`
)

// scanCashier reads a row of allCashiers.
func scanCashier(scan scanFunc) (cashier payments.Cashier, err error) {
	err = scan(clean(&cashier.Name, payments.MaxTillWidth), clean(&cashier.Role, maxKey),
		&cashier.PIN.Salt, &cashier.PIN.Iterations,
		&cashier.Tries.Failed, instant{&cashier.Tries.Until})
	return cashier, err
}

// Staff returns the transaction's part for people.
func (t *tx) Staff() payments.Staff { return t }

// Cashiers returns all cashiers, by name, without the sums of their PINs.
func (t *tx) Cashiers() ([]payments.Cashier, error) {
	cashiers, err := list(t, scanCashier, allCashiers)
	if err != nil {
		return nil, fmt.Errorf("read cashiers: %w", err)
	}
	return cashiers, nil
}

// SaveCashier writes a cashier.
func (t *tx) SaveCashier(cashier payments.Cashier) error {
	_, err := t.exec(saveCashier, cashier.Name, string(cashier.Role), cashier.PIN.Salt, cashier.PIN.Sum,
		cashier.PIN.Iterations, cashier.Tries.Failed, millis(cashier.Tries.Until))
	if err != nil {
		return fmt.Errorf("save cashier: %w", err)
	}
	return nil
}

// TryPIN counts a PIN that is tried.
func (t *tx) TryPIN(name, nonce string, sum []byte, now time.Time) (bool, error) {
	written, err := t.exec(insertTry, name, nonce, sum, now.UnixMilli())
	if err != nil {
		return false, fmt.Errorf("count a PIN that is tried: %w", err)
	}
	return written > 0, nil
}

// Identify tells whether the PIN that was tried is the right one.
func (t *tx) Identify(name, nonce string) (bool, error) {
	written, err := t.exec(insertIdentity, name, nonce)
	if err != nil {
		return false, fmt.Errorf("identify a cashier: %w", err)
	}
	return written > 0, nil
}

// DropCashier removes a cashier.
func (t *tx) DropCashier(name string) error {
	if _, err := t.exec(deleteCashier, name); err != nil {
		return fmt.Errorf("drop cashier: %w", err)
	}
	return nil
}

// closedSum is a verdict's sum as it stands in a closing's row.
type closedSum struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

// scanClosing reads a row of closingsOf.
func scanClosing(scan scanFunc) (closing payments.Closing, err error) {
	var text string
	err = scan(clean(&closing.Day, maxKey), instant{&closing.Period.From}, instant{&closing.Period.To},
		clean(&closing.Till, payments.MaxTillWidth), clean(&closing.By, payments.MaxTillWidth), instant{&closing.At},
		&closing.Orders, &text)
	if err != nil {
		return payments.Closing{}, err
	}
	// Sums that cannot be read must not hide the other days. [Verify] names them.
	var sums map[string]closedSum
	_ = json.Unmarshal([]byte(text), &sums)
	closing.Verdicts = make(map[payments.Verdict]payments.Sum, len(sums))
	for verdict, sum := range sums {
		closing.Verdicts[payments.Verdict(payments.Clean(verdict, maxKey))] = payments.Sum(sum)
	}
	return closing, nil
}

// Closings returns the closings of the days from one to another.
func (t *tx) Closings(from, to string) ([]payments.Closing, error) {
	closings, err := list(t, scanClosing, closingsOf, from, to)
	if err != nil {
		return nil, fmt.Errorf("read closings: %w", err)
	}
	return closings, nil
}

// InsertClosing writes the closing of a day that is not closed.
func (t *tx) InsertClosing(closing payments.Closing) (payments.Closing, bool, error) {
	sums := make(map[payments.Verdict]closedSum, len(closing.Verdicts))
	for verdict, sum := range closing.Verdicts {
		sums[verdict] = closedSum(sum)
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("encode the closing's sums: %w", err)
	}
	written, err := t.exec(insertClosing, closing.Day, closing.Period.From.UnixMilli(), closing.Period.To.UnixMilli(),
		closing.Till, closing.By, closing.At.UnixMilli(), closing.Orders, string(text))
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("insert closing: %w", err)
	}
	if written > 0 {
		return closing, true, nil
	}
	stored, err := t.Closings(closing.Day, closing.Day)
	if err != nil || len(stored) == 0 {
		return payments.Closing{}, false, fmt.Errorf("read the day's closing: %w", err)
	}
	return stored[0], false, nil
}
