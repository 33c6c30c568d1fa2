package storagetest

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func personTests() []test {
	return []test{
		{"has tries of a PIN that are counted, with pauses that grow", triesCounted},
		{"is identified who tried the right PIN, once", identified},
		{"is let in, and stays refused after a restart", pausesSurvive},
		{"closes a day once, of several tills at once", closedOnce},
	}
}

func cashier(name string) payments.Cashier {
	return payments.Cashier{
		Name: name, Role: payments.RoleOwner, PIN: payments.PINHash{Salt: []byte{0, 1}, Sum: []byte{255}, Iterations: 600_000},
	}
}

func saveCashiers(t *testing.T, store Store, all ...payments.Cashier) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error {
		for _, cashier := range all {
			if err := tx.Staff().SaveCashier(cashier); err != nil {
				return err
			}
		}
		return nil
	})
}

func cashiers(t *testing.T, store Store) (all []payments.Cashier) {
	t.Helper()
	update(t, store, func(tx payments.Tx) (err error) {
		all, err = tx.Staff().Cashiers()
		return err
	})
	return all
}

// try tries a PIN for a cashier, and tells whether it was looked at and was right.
func try(t *testing.T, store Store, name, nonce string, sum []byte) (counted, right bool) {
	t.Helper()
	update(t, store, func(tx payments.Tx) (err error) {
		counted, err = tx.Staff().TryPIN(name, nonce, sum, time.Now())
		return err
	})
	update(t, store, func(tx payments.Tx) (err error) {
		right, err = tx.Staff().Identify(name, nonce)
		return err
	})
	return counted, right
}

// The pauses of wrong PINs, by the clock of whoever keeps the database.
func triesCounted(t *testing.T, db Database) {
	store := db.Open(t)
	other := cashier("B")
	for failed, want := range map[int]time.Duration{
		0: 0, 2: 0, 3: 30 * time.Second, 4: time.Minute, 9: 32 * time.Minute, 10: time.Hour, 999: time.Hour,
	} {
		tried := cashier("A")
		tried.Tries.Failed = failed
		saveCashiers(t, store, tried, other)
		began := time.Now()
		if counted, right := try(t, store, "A", "nonce", []byte{1}); !counted || right {
			t.Errorf("after %d: counted %v, right %v", failed, counted, right)
		}
		got := cashiers(t, store)
		expect(t, "failed", got[0].Tries.Failed, failed+1)
		if until := got[0].Tries.Until; want == 0 && !until.IsZero() || want > 0 && until.Sub(began.Add(want)).Abs() > 10*time.Second {
			t.Errorf("after %d no PIN is looked at until %v", failed, until)
		}
		expect(t, "another one's tries", got[1].Tries, payments.Tries{})
		if counted, right := try(t, store, "A", "again", tried.PIN.Sum); counted != (want == 0) || right != counted {
			t.Errorf("the right PIN after %d: counted %v, right %v", failed, counted, right)
		}
	}
	wrong := cashier("A")
	wrong.Tries = payments.Tries{Failed: 5, Until: time.Now().Add(2 * time.Hour)}
	saveCashiers(t, store, wrong)
	if _, right := try(t, store, "A", "nonce", wrong.PIN.Sum); !right {
		t.Error("a pause of a clock that was wrong lasts")
	}
	if counted, right := try(t, store, "nobody", "nonce", wrong.PIN.Sum); counted || right {
		t.Error("nobody is somebody")
	}
}

func identified(t *testing.T, db Database) {
	store := db.Open(t)
	saveCashiers(t, store, cashier("A"), cashier("B"))
	if _, right := try(t, store, "A", "nonce", cashier("A").PIN.Sum); !right {
		t.Fatal("the right PIN is wrong")
	}
	expect(t, "tries", cashiers(t, store)[0].Tries, payments.Tries{})
	identify := func(name, nonce string) (right bool) {
		t.Helper()
		update(t, store, func(tx payments.Tx) (err error) {
			right, err = tx.Staff().Identify(name, nonce)
			return err
		})
		return right
	}
	expect(t, "the same try again", identify("A", "nonce"), false)
	update(t, store, func(tx payments.Tx) error {
		_, err := tx.Staff().TryPIN("A", "nonce", cashier("A").PIN.Sum, time.Now())
		return err
	})
	expect(t, "another nonce", identify("A", "x"), false)
	expect(t, "another cashier", identify("B", "nonce"), false)
	update(t, store, func(tx payments.Tx) error {
		_, err := tx.Staff().TryPIN("A", "newer", []byte{1}, time.Now())
		return err
	})
	expect(t, "the tries since", cashiers(t, store)[0].Tries.Failed, 2)
	expect(t, "a try at another till", identify("A", "newer"), false)
	expect(t, "a try that another till's followed", identify("A", "nonce"), true)
	expect(t, "the tries since", cashiers(t, store)[0].Tries.Failed, 0)
}

func pausesSurvive(t *testing.T, db Database) {
	store := db.Open(t)
	service := payments.New(store, nil, time.Now, payments.WithPINIterations(2))
	right := payments.Identity{Name: "Soa", PIN: payments.NewSecret("4711")}
	_, err := service.AddCashier(t.Context(), "Soa", "", right.PIN, payments.Identity{})
	check(t, "add", err)
	check(t, "identify", service.Notice(t.Context(), payments.Record{}, right))
	for range 4 {
		err = service.Notice(t.Context(), payments.Record{}, payments.Identity{Name: "Soa", PIN: payments.NewSecret("0000")})
		expectError(t, "a wrong PIN", err, payments.ErrWrongPIN)
	}
	check(t, "close", store.Close())
	err = payments.New(db.Open(t), nil, time.Now).Notice(t.Context(), payments.Record{}, right)
	if _, paused := errors.AsType[*payments.PausedError](err); !paused {
		t.Errorf("the right PIN after four wrong ones: %v", err)
	}
}

func closedOnce(t *testing.T, db Database) {
	stores := []Store{db.Open(t), db.Open(t)}
	firsts, stored := make([]bool, len(stores)), make([]payments.Closing, len(stores))
	close := func(i int) func() error {
		return func() error {
			return stores[i].Update(t.Context(), func(tx payments.Tx) (err error) {
				stored[i], firsts[i], err = tx.Staff().InsertClosing(payments.Closing{
					Day: "2026-11-21", Till: []string{"T1", "T2"}[i], At: opening(), Verdicts: map[payments.Verdict]payments.Sum{},
				})
				return err
			})
		}
	}
	errs := atOnce(close(0), close(1))
	check(t, "close", errors.Join(errs[:]...))
	expect(t, "one is the first", firsts[0] != firsts[1], true)
	expect(t, "both know the same till", stored[0].Till, stored[1].Till)
}
