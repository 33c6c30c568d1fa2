package staff

import (
	"context"
	"crypto/subtle"
	"maps"
	"time"
)

// Tx contains the methods of a store's transaction that [Service] uses.
type Tx interface {
	// Cashiers returns all cashiers, sorted by name.
	Cashiers() ([]Cashier, error)
	// SaveCashier inserts or updates a cashier.
	SaveCashier(cashier Cashier) error
	// SaveTries updates only the Tries of a stored cashier.
	SaveTries(name string, tries map[string]Tries) error
	// DropCashier removes a cashier. A missing cashier is not an error.
	DropCashier(name string) error
	// NextNumber adds one to the counter of a series and returns it: 1, 2, 3 …
	NextNumber(series string) (int64, error)
	// LastSeries returns the greatest name of a series, in byte order, with from <= name < to. It
	// returns "" if the series has no such name.
	LastSeries(from, to string) (string, error)
}

// Service changes the cashiers and checks their PINs, in transactions of the type T. It is safe for
// concurrent use.
type Service[T Tx] struct {
	update     func(ctx context.Context, change func(T) error) error
	cashiers   func(ctx context.Context) ([]Cashier, error)
	now        func() time.Time
	till       string
	iterations int
}

// New returns a service on a store. update and cashiers are methods of the store: update runs a
// change in one transaction, perhaps more than once, and cashiers returns all cashiers. till is the
// name of the till at which PINs are entered: wrong PINs are counted for each till. iterations is
// the number of PBKDF2 rounds for new PINs.
func New[T Tx](
	update func(ctx context.Context, change func(T) error) error,
	cashiers func(ctx context.Context) ([]Cashier, error),
	now func() time.Time, till string, iterations int,
) *Service[T] {
	return &Service[T]{update, cashiers, now, till, iterations}
}

// Guarded checks the identity and calls the function change with the cashier, in one transaction.
// In a shop without cashiers, the identity must be empty, and change gets the zero Cashier.
func (s *Service[T]) Guarded(ctx context.Context, who Identity, change func(tx T, by Cashier) error) error {
	if who == (Identity{}) {
		return s.update(ctx, func(tx T) error {
			all, err := tx.Cashiers()
			switch {
			case err != nil:
				return err
			case len(all) > 0:
				return ErrIdentityNeeded
			}
			return change(tx, Cashier{})
		})
	}
	all, err := s.cashiers(ctx)
	if err != nil {
		return err
	}
	found, known := FindCashier(all, who.Name)
	if !known {
		return ErrWrongPIN
	}
	sum := found.PIN.sum(who.PIN) // Hash before the transaction: hashing is slow and would block other writers.
	var right bool
	err = s.update(ctx, func(tx T) (err error) {
		found, right, err = s.tryPIN(tx, found.Name, sum)
		if err != nil || !right {
			// err is nil for a wrong PIN, so that the transaction commits the count of wrong PINs.
			return err
		}
		return change(tx, found)
	})
	if err == nil && !right {
		err = ErrWrongPIN
	}
	return err
}

// tryPIN returns the cashier with the name. right reports whether sum is the hash of the cashier's
// PIN; it is false for an unknown name. tryPIN counts a wrong PIN at this till, and resets counts
// after a right one. During a pause it returns a [*PausedError] and does not check the PIN.
func (s *Service[T]) tryPIN(tx T, name string, sum []byte) (cashier Cashier, right bool, err error) {
	all, err := tx.Cashiers()
	if err != nil {
		return cashier, false, err
	}
	cashier, known := FindCashier(all, name)
	if !known {
		return cashier, false, nil
	}
	tries := cashier.Tries[s.till]
	if tries.Paused(s.now()) {
		return cashier, false, &PausedError{Until: tries.Until}
	}
	if subtle.ConstantTimeCompare(cashier.PIN.Sum, sum) == 1 {
		return cashier, true, s.resetTries(tx, all, cashier)
	}
	counted := map[string]Tries{s.till: tries.Fail(s.now())}
	for till, tries := range cashier.Tries {
		if till != s.till {
			counted[till] = tries
		}
	}
	return cashier, false, tx.SaveTries(cashier.Name, counted)
}

// resetTries resets counts of wrong PINs after a right PIN. by is the cashier who entered it. For
// an owner, resetTries resets the counts of all cashiers at all tills, otherwise only the count of
// this cashier at this till.
func (s *Service[T]) resetTries(tx T, all []Cashier, by Cashier) error {
	for _, cashier := range all {
		left := maps.Clone(cashier.Tries)
		switch {
		case by.Role == RoleOwner:
			clear(left)
		case cashier.Name == by.Name:
			delete(left, s.till)
		}
		if len(left) == len(cashier.Tries) {
			continue
		}
		if err := tx.SaveTries(cashier.Name, left); err != nil {
			return err
		}
	}
	return nil
}
