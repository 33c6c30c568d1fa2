package staff_test

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

const (
	ownersPIN  = "4711"
	cashierPIN = "1357"
)

var errDisk = errors.New("the disk is full")

// opening is the moment at which every test begins.
func opening() time.Time { return time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) }

// shop is a Service on a SQLite database. The test controls the clock.
type shop struct {
	*staff.Service[payments.Tx]
	store *store
	now   time.Time
}

func newShop(t *testing.T) *shop {
	t.Helper()
	opened, err := sqlite.Open(t.Context(), filepath.Join(disk.Memory(t), "till.db"))
	must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	s := &shop{store: &store{opened, well}, now: opening()}
	s.Service = staff.New(s.store.Update, s.store.Cashiers, s.clock, "", 2) // Two hash iterations keep it fast.
	return s
}

// staffed returns a shop with the owner Hasina and the cashier Soa.
func staffed(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	must(t, failure(s.AddCashier(t.Context(), "Hasina", "", secret.New(ownersPIN), staff.Identity{})))
	must(t, failure(s.AddCashier(t.Context(), "Soa", "", secret.New(cashierPIN), identity("hasina", ownersPIN))))
	return s
}

// clock returns the shop's time in its time zone.
func (s *shop) clock() time.Time { return s.now.In(time.FixedZone("EAT", 3*60*60)) }

func identity(name, pin string) staff.Identity {
	return staff.Identity{Name: name, PIN: secret.New(pin)}
}

// identify returns the error for an identity.
func (s *shop) identify(t *testing.T, who staff.Identity) error {
	t.Helper()
	return s.Guarded(t.Context(), who, func(payments.Tx, staff.Cashier) error { return nil })
}

// outdated is a change that fails.
func outdated(payments.Tx, staff.Cashier) error { return payments.ErrOutdated }

// store is a SQLite database. A test can make any call fail.
type store struct {
	payments.Store
	fault func(call string) error // Called with the name of each call; if it returns an error, the call fails with that error.
}

// well fails no call.
func well(string) error { return nil }

// only returns a function that makes only calls with this name fail.
func only(call string) func(string) error {
	return func(asked string) error {
		if asked == call {
			return errDisk
		}
		return nil
	}
}

// Update runs the change twice and rolls the first run back, because a store may call it
// more than once.
func (s *store) Update(ctx context.Context, change func(payments.Tx) error) error {
	if err := s.fault("begin"); err != nil {
		return err
	}
	storagetest.Rehearse(ctx, s.Store, change)
	return s.Store.Update(ctx, func(tx payments.Tx) error {
		if err := change(faultyTx{tx, s.fault}); err != nil {
			return err
		}
		return s.fault("commit")
	})
}

func (s *store) Cashiers(ctx context.Context) ([]staff.Cashier, error) {
	all, err := s.Store.Cashiers(ctx)
	return all, cmp.Or(s.fault("read cashiers"), err)
}

// faultyTx is a transaction that a test can make fail.
type faultyTx struct {
	payments.Tx
	fault func(string) error
}

func (t faultyTx) Cashiers() ([]staff.Cashier, error) {
	all, err := t.Tx.Cashiers()
	return all, cmp.Or(t.fault("read cashiers"), err)
}

func (t faultyTx) SaveCashier(cashier staff.Cashier) error {
	return cmp.Or(t.fault("save cashier"), t.Tx.SaveCashier(cashier))
}

func (t faultyTx) SaveTries(name string, tries map[string]staff.Tries) error {
	return cmp.Or(t.fault("save tries"), t.Tx.SaveTries(name, tries))
}

func (t faultyTx) DropCashier(name string) error {
	return cmp.Or(t.fault("drop cashier"), t.Tx.DropCashier(name))
}

func (t faultyTx) NextNumber(series string) (int64, error) {
	number, err := t.Tx.NextNumber(series)
	return number, cmp.Or(t.fault("next number"), err)
}

func (t faultyTx) LastSeries(from, to string) (string, error) {
	last, err := t.Tx.LastSeries(from, to)
	return last, cmp.Or(t.fault("last series"), err)
}

// failure drops the first result of a call and returns the error.
func failure[T any](_ T, err error) error { return err }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustFail checks an error with errors.Is. A nil want means no error.
func mustFail(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}
