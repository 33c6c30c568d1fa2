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
		{"counts the tries of a PIN, with pauses that grow", triesCounted},
		{"identifies who tried the right PIN, once", identified},
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

func expectCashiers(t *testing.T, store Store, want ...payments.Cashier) {
	t.Helper()
	got := cashiers(t, store)
	expect(t, "how many cashiers", len(got), len(want))
	for i := range got {
		expect(t, "name", got[i].Name, want[i].Name)
		expect(t, "role", got[i].Role, want[i].Role)
		expect(t, "salt", got[i].PIN.Salt, want[i].PIN.Salt)
		expect(t, "how much of a sum", len(got[i].PIN.Sum), 0)
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
func triesCounted(t *testing.T, open Opener) {
	store := open(t)
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

func identified(t *testing.T, open Opener) {
	store := open(t)
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
	err = payments.New(open(t), nil, time.Now).Notice(t.Context(), payments.Record{}, right)
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
