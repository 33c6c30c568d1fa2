package payments_test

import (
	"maps"
	"slices"
	"time"

	"checkout/till/payments"
)

func (tx *transaction) Staff() payments.Staff { return office{tx} }

// office is the people's part of a transaction in memory.
type office struct{ tx *transaction }

func (o office) Cashiers() ([]payments.Cashier, error) {
	if err := o.tx.m.fault("read cashiers"); err != nil {
		return nil, err
	}
	var all []payments.Cashier
	for _, name := range slices.Sorted(maps.Keys(o.tx.m.cashiers)) {
		all = append(all, o.tx.m.cashiers[name])
	}
	return all, nil
}

func (o office) SaveCashier(cashier payments.Cashier) error {
	if err := o.tx.m.fault("save cashier"); err != nil {
		return err
	}
	put(o.tx, o.tx.m.sums, cashier.Name, string(cashier.PIN.Sum))
	cashier.PIN.Sum = nil
	put(o.tx, o.tx.m.cashiers, cashier.Name, cashier)
	return nil
}

// TryPIN gives a pause of a minute after each try but the first four.
func (o office) TryPIN(name, nonce string, sum []byte, now time.Time) (bool, error) {
	if err := o.tx.m.fault("try PIN"); err != nil {
		return false, err
	}
	cashier, known := o.tx.m.cashiers[name]
	if !known || now.Before(cashier.Tries.Until) {
		return false, nil
	}
	if cashier.Tries.Failed++; cashier.Tries.Failed > 3 {
		cashier.Tries.Until = now.Add(time.Minute)
	}
	put(o.tx, o.tx.m.cashiers, name, cashier)
	put(o.tx, o.tx.m.tries, name+nonce, string(sum))
	return true, nil
}

func (o office) Identify(name, nonce string) (bool, error) {
	if err := o.tx.m.fault("identify"); err != nil {
		return false, err
	}
	cashier, known := o.tx.m.cashiers[name]
	if sum, tried := o.tx.m.tries[name+nonce]; !known || !tried || sum != o.tx.m.sums[name] {
		return false, nil
	}
	cashier.Tries = payments.Tries{}
	put(o.tx, o.tx.m.cashiers, name, cashier)
	drop(o.tx, o.tx.m.tries, name+nonce)
	return true, nil
}

func (o office) DropCashier(name string) error {
	if err := o.tx.m.fault("drop cashier"); err != nil {
		return err
	}
	drop(o.tx, o.tx.m.cashiers, name)
	return nil
}

func (o office) InsertClosing(closing payments.Closing) (payments.Closing, bool, error) {
	if err := o.tx.m.fault("insert closing"); err != nil {
		return payments.Closing{}, false, err
	}
	if stored, closed := o.tx.m.closings[closing.Day]; closed {
		return stored, false, nil
	}
	put(o.tx, o.tx.m.closings, closing.Day, closing)
	return closing, true, nil
}

func (o office) Closings(from, to string) ([]payments.Closing, error) {
	if err := o.tx.m.fault("read closings"); err != nil {
		return nil, err
	}
	var found []payments.Closing
	for _, day := range slices.Sorted(maps.Keys(o.tx.m.closings)) {
		if day >= from && day <= to {
			found = append(found, o.tx.m.closings[day])
		}
	}
	return found, nil
}
