package staff_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
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

// TestAnyStoreErrorIsReturnedAndRolledBack fails each call to the store in turn. The caller must get
// the store's error, and the failed transaction must store nothing.
func TestAnyStoreErrorIsReturnedAndRolledBack(t *testing.T) {
	for name, act := range map[string]func(t *testing.T, s *shop) error{
		"a cashier who is added": func(t *testing.T, s *shop) error {
			return failure(s.AddCashier(t.Context(), "Rado", "", secret.New("2589"), identity("Hasina", ownersPIN)))
		},
		"a cashier who is dropped": func(t *testing.T, s *shop) error {
			return s.DropCashier(t.Context(), "Soa", identity("Hasina", ownersPIN))
		},
		"a PIN that is changed": func(t *testing.T, s *shop) error {
			return s.ChangePIN(t.Context(), "Soa", secret.New("2589"), identity("Hasina", ownersPIN))
		},
		"a PIN that is reset": func(t *testing.T, s *shop) error {
			return s.ResetPIN(t.Context(), "Soa", secret.New("2589"))
		},
		"an owner's PIN that ends a cashier's count": func(t *testing.T, s *shop) error {
			return s.identify(t, identity("Hasina", ownersPIN))
		},
		"the resets that are read": func(t *testing.T, s *shop) error {
			return failure(s.PINResets(t.Context(), resets()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for broken := 1; ; broken++ {
				s := staffed(t)
				must(t, s.ResetPIN(t.Context(), "Hasina", secret.New(ownersPIN)))
				_ = s.identify(t, identity("Soa", "0000"))
				before, calls, commits := s.stored(t), 0, 0
				s.store.Fault = func(call string) error {
					if call == "answer to the commit" {
						return nil // The change is stored.
					}
					if calls++; calls == broken {
						return storagetest.ErrDisk
					}
					if call == "commit" {
						commits++
					}
					return nil
				}
				err := act(t, s)
				if calls < broken {
					if err != nil || commits != 1 {
						t.Errorf("no call failed: error %v, %d transactions", err, commits)
					}
					return
				}
				if !errors.Is(err, storagetest.ErrDisk) {
					t.Errorf("call %d failed, the error is %v", broken, err)
				}
				if s.stored(t) != before {
					t.Errorf("call %d failed, and something was stored", broken)
				}
			}
		})
	}
}

// resets returns the period of the PIN resets: from one hour before opening to one hour after.
func resets() money.Period {
	return money.Period{From: opening().Add(-time.Hour), To: opening().Add(time.Hour)}
}

// stored returns all cashiers with their PINs and tries, and all recorded resets.
func (s *shop) stored(t *testing.T) string {
	t.Helper()
	fault := s.store.Fault
	defer func() { s.store.Fault = fault }()
	s.store.Fault = nil
	all, err := s.store.Cashiers(t.Context())
	must(t, err)
	found, err := s.PINResets(t.Context(), resets())
	must(t, err)
	var text string
	for _, cashier := range all {
		text += fmt.Sprintln(cashier.Name, cashier.Role, cashier.PIN.Salt, cashier.PIN.Sum, cashier.Tries)
	}
	return text + fmt.Sprint(found)
}
