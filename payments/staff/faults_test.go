package staff_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/storage/storagetest"
)

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
