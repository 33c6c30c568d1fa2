package staff_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/sqlitetest"
)

const (
	ownersPIN  = "4711"
	cashierPIN = "1357"
)

// opening is the moment at which every test begins.
func opening() time.Time { return time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) }

// shop is a Service on a SQLite database. The test controls the clock.
type shop struct {
	*staff.Service[payments.Tx]
	store *storagetest.Faulty
	now   time.Time
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{store: &storagetest.Faulty{Store: sqlitetest.Open(t)}, now: opening()}
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

// identify tries an identity and returns the error.
func (s *shop) identify(t *testing.T, who staff.Identity) error {
	t.Helper()
	return s.Guarded(t.Context(), who, func(payments.Tx, staff.Cashier) error { return nil })
}

// outdated is a change that returns an error.
func outdated(payments.Tx, staff.Cashier) error { return payments.ErrOutdated }

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
