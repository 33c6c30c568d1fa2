package storagetest

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func officeTests() []test {
	return []test{
		{"keeps a cashier, also after a restart, and lists them by name", cashiersSurvive},
		{"writes a cashier's tries alone", triesAlone},
		{"drops a cashier, and one that is not there", cashierDropped},
		{"lets a cashier in, and keeps who was refused out after a restart", pausesSurvive},
	}
}

func cashier(name string) payments.Cashier {
	return payments.Cashier{
		Name: name, Role: payments.RoleOwner, PIN: payments.PINHash{Salt: []byte{0, 1}, Sum: []byte{255}, Iterations: 600_000},
	}
}

func saveCashiers(t *testing.T, store Store, cashiers ...payments.Cashier) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error {
		for _, cashier := range cashiers {
			if err := tx.Office().SaveCashier(cashier); err != nil {
				return err
			}
		}
		return nil
	})
}

func expectCashiers(t *testing.T, store Store, want ...payments.Cashier) {
	t.Helper()
	var got []payments.Cashier
	update(t, store, func(tx payments.Tx) (err error) {
		got, err = tx.Office().Cashiers()
		return err
	})
	expect(t, "how many cashiers", len(got), len(want))
	for i := range got {
		expect(t, "name", got[i].Name, want[i].Name)
		expect(t, "role", got[i].Role, want[i].Role)
		expect(t, "salt", got[i].PIN.Salt, want[i].PIN.Salt)
		expect(t, "hash", got[i].PIN.Sum, want[i].PIN.Sum)
		expect(t, "iterations", got[i].PIN.Iterations, want[i].PIN.Iterations)
		expect(t, "tries", got[i].Tries, want[i].Tries)
	}
}

func cashiersSurvive(t *testing.T, open Opener) {
	store := open(t)
	expectCashiers(t, store)
	first, second := cashier("Soa"), cashier("Hasina “R”")
	saveCashiers(t, store, first, second)
	first.Role, first.PIN.Iterations = payments.RoleCashier, 1
	first.Tries = payments.Tries{Failed: 4, Until: opening().Add(time.Minute)}
	saveCashiers(t, store, first)
	check(t, "close", store.Close())
	expectCashiers(t, open(t), second, first)
}

func triesAlone(t *testing.T, open Opener) {
	store := open(t)
	first, second := cashier("A"), cashier("B")
	saveCashiers(t, store, first, second)
	second.Tries = payments.Tries{Failed: 1}
	for _, name := range []string{"B", "nobody"} {
		update(t, store, func(tx payments.Tx) error { return tx.Office().SaveTries(name, second.Tries) })
	}
	expectCashiers(t, store, first, second)
}

func cashierDropped(t *testing.T, open Opener) {
	store := open(t)
	saveCashiers(t, store, cashier("A"), cashier("B"))
	for range 2 {
		update(t, store, func(tx payments.Tx) error { return tx.Office().DropCashier("A") })
		expectCashiers(t, store, cashier("B"))
	}
}

func pausesSurvive(t *testing.T, open Opener) {
	store := open(t)
	service := payments.New(store, nil, opening, payments.WithPINIterations(2))
	right := payments.Identity{Name: "Soa", PIN: payments.NewSecret("4711")}
	_, err := service.AddCashier(t.Context(), "Soa", "", right.PIN, payments.Identity{})
	check(t, "add", err)
	_, err = service.Identify(t.Context(), right)
	check(t, "identify", err)
	for range 4 {
		_, err = service.Identify(t.Context(), payments.Identity{Name: "Soa", PIN: payments.NewSecret("0000")})
		expectError(t, "a wrong PIN", err, payments.ErrWrongPIN)
	}
	check(t, "close", store.Close())
	_, err = payments.New(open(t), nil, opening).Identify(t.Context(), right)
	if _, paused := errors.AsType[*payments.PausedError](err); !paused {
		t.Errorf("the right PIN after four wrong ones: %v", err)
	}
}
