package sqlstore

import (
	"fmt"
	"time"

	"checkout/till/payments"
)

const (
	allCashiers = `SELECT name, role, salt, sum, iterations, failed, until FROM cashiers ORDER BY name`

	saveCashier = `INSERT INTO cashiers (name, role, salt, sum, iterations, failed, until)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (name) DO UPDATE SET role = excluded.role, salt = excluded.salt, sum = excluded.sum,
			iterations = excluded.iterations, failed = excluded.failed, until = excluded.until`

	saveTries = `UPDATE cashiers SET failed = $2, until = $3 WHERE name = $1`

	dropCashier = `DELETE FROM cashiers WHERE name = $1`
)

// office is the part of a transaction that concerns the people of the shop.
type office struct{ tx *transaction }

// Cashiers returns all cashiers, by name.
func (o office) Cashiers() ([]payments.Cashier, error) {
	cashiers, err := list(o.tx.query, scanCashier, allCashiers)
	if err != nil {
		return nil, fmt.Errorf("read cashiers: %w", err)
	}
	return cashiers, nil
}

// SaveCashier writes a cashier.
func (o office) SaveCashier(cashier payments.Cashier) error {
	pin, tries := cashier.PIN, cashier.Tries
	_, err := o.tx.exec(saveCashier, cashier.Name, string(cashier.Role), nonNil(pin.Salt), nonNil(pin.Sum),
		int64(pin.Iterations), int64(tries.Failed), untilValue(tries.Until))
	if err != nil {
		return fmt.Errorf("save cashier: %w", err)
	}
	return nil
}

// SaveTries writes a cashier's tries alone.
func (o office) SaveTries(name string, tries payments.Tries) error {
	if _, err := o.tx.exec(saveTries, name, int64(tries.Failed), untilValue(tries.Until)); err != nil {
		return fmt.Errorf("count a PIN that was tried: %w", err)
	}
	return nil
}

// DropCashier removes a cashier.
func (o office) DropCashier(name string) error {
	if _, err := o.tx.exec(dropCashier, name); err != nil {
		return fmt.Errorf("drop cashier: %w", err)
	}
	return nil
}

// untilValue is the end of a pause, 0 for none.
func untilValue(until time.Time) int64 {
	if until.IsZero() {
		return 0
	}
	return until.UnixMilli()
}

func scanCashier(scan scanFunc) (cashier payments.Cashier, err error) {
	var role string
	var until int64
	err = scan(&cashier.Name, &role, &cashier.PIN.Salt, &cashier.PIN.Sum, &cashier.PIN.Iterations,
		&cashier.Tries.Failed, &until)
	cashier.Role = payments.Role(role)
	if until != 0 {
		cashier.Tries.Until = time.UnixMilli(until).UTC()
	}
	return cashier, err
}
