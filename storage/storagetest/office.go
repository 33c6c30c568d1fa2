package storagetest

import (
	"errors"
	"sync"
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
		{"keeps a closing, also after a restart, and lists them by day", closingsSurvive},
		{"closes a day once, of several tills at once", closedOnce},
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
			if err := tx.Staff().SaveCashier(cashier); err != nil {
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
		got, err = tx.Staff().Cashiers()
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
		update(t, store, func(tx payments.Tx) error { return tx.Staff().SaveTries(name, second.Tries) })
	}
	expectCashiers(t, store, first, second)
}

func cashierDropped(t *testing.T, open Opener) {
	store := open(t)
	saveCashiers(t, store, cashier("A"), cashier("B"))
	for range 2 {
		update(t, store, func(tx payments.Tx) error { return tx.Staff().DropCashier("A") })
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

func closingOf(day string) payments.Closing {
	return payments.Closing{
		Day: day, Period: payments.Period{From: opening(), To: opening().AddDate(0, 0, 1)}, Till: "T1", By: "Soa “R”",
		At: opening().Add(time.Millisecond), Orders: 3, Verdicts: map[payments.Verdict]payments.Sum{
			payments.VerdictPaid: {Count: 2, Amount: payments.MaxAriary}, payments.VerdictCheck: {Count: 1, Amount: 1},
		},
	}
}

// closeDay closes a day, and returns the closing that the store has then.
func closeDay(t *testing.T, store Store, closing payments.Closing) (stored payments.Closing, first bool) {
	t.Helper()
	update(t, store, func(tx payments.Tx) (err error) {
		stored, first, err = tx.Staff().InsertClosing(closing)
		return err
	})
	return stored, first
}

func closingsSurvive(t *testing.T, open Opener) {
	store := open(t)
	days := []string{"2026-11-20", "2026-11-21", "2026-11-22"}
	for _, day := range days {
		_, first := closeDay(t, store, closingOf(day))
		expect(t, "the first of its day", first, true)
	}
	check(t, "close", store.Close())
	store = open(t)
	var found []payments.Closing
	update(t, store, func(tx payments.Tx) (err error) {
		found, err = tx.Staff().Closings("2026-11-20", "2026-11-21")
		return err
	})
	expect(t, "closings", found, []payments.Closing{closingOf(days[0]), closingOf(days[1])})
}

// Two tills close one day at once.
func closedOnce(t *testing.T, open Opener) {
	stores := []Store{open(t), open(t)}
	var group sync.WaitGroup
	firsts, stored := make([]bool, len(stores)), make([]payments.Closing, len(stores))
	for i, store := range stores {
		group.Go(func() {
			closing := closingOf("2026-11-21")
			closing.Till = []string{"T1", "T2"}[i]
			stored[i], firsts[i] = closeDay(t, store, closing)
		})
	}
	group.Wait()
	expect(t, "one is the first", firsts[0] != firsts[1], true)
	expect(t, "both know the same", stored[0], stored[1])
}
