package storagetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
)

func personTests() []test {
	return []test{
		{"has tries of a PIN that are counted, with pauses that grow", triesCounted},
		{"is identified who tried the right PIN, once", identified},
		{"closes a day once, of several tills at once", closedOnce},
	}
}

func cashier(name string) payments.Cashier {
	return payments.Cashier{
		Name: name, Role: payments.RoleOwner, PIN: payments.PINHash{Salt: []byte{0, 1}, Sum: []byte{255}, Iterations: 600_000},
	}
}

func saveCashiers(t *testing.T, store Store, one, other payments.Cashier) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error {
		return errors.Join(tx.Staff().SaveCashier(one), tx.Staff().SaveCashier(other))
	})
}

func cashiers(t *testing.T, store Store) []payments.Cashier {
	t.Helper()
	return get(t, store, func(tx payments.Tx) ([]payments.Cashier, error) { return tx.Staff().Cashiers() })
}

// try tries a PIN for a cashier, and tells whether it was looked at.
func try(t *testing.T, store Store, name, nonce string, sum []byte) bool {
	t.Helper()
	return get(t, store, func(tx payments.Tx) (bool, error) { return tx.Staff().TryPIN(name, nonce, sum, time.Now()) })
}

func identify(t *testing.T, store Store, name, nonce string) bool {
	t.Helper()
	return get(t, store, func(tx payments.Tx) (bool, error) { return tx.Staff().Identify(name, nonce) })
}

// The pauses of wrong PINs, by the clock of whoever keeps the database.
func triesCounted(t *testing.T, db Database) {
	store := db.Open(t)
	for failed, want := range map[int]time.Duration{
		0: 0, 2: 0, 3: 30 * time.Second, 4: time.Minute, 9: 32 * time.Minute, 10: time.Hour, 999: time.Hour,
	} {
		tried := cashier("A")
		tried.Tries.Failed = failed
		saveCashiers(t, store, tried, cashier("B"))
		began := time.Now()
		expect(t, "a wrong PIN is looked at", try(t, store, "A", "nonce", []byte{1}), true)
		expect(t, "a wrong PIN", identify(t, store, "A", "nonce"), false)
		got := cashiers(t, store)
		expect(t, "failed", got[0].Tries.Failed, failed+1)
		if until := got[0].Tries.Until; want == 0 && !until.IsZero() || want > 0 && until.Sub(began.Add(want)).Abs() > 10*time.Second {
			t.Errorf("after %d no PIN is looked at until %v", failed, until)
		}
		expect(t, "another one's tries", got[1].Tries, payments.Tries{})
		what := fmt.Sprintf("the right PIN after %d", failed)
		expect(t, what+" is looked at", try(t, store, "A", "again", tried.PIN.Sum), want == 0)
		expect(t, what, identify(t, store, "A", "again"), want == 0)
	}
	wrong := cashier("A")
	wrong.Tries = payments.Tries{Failed: 5, Until: time.Now().Add(2 * time.Hour)}
	saveCashiers(t, store, wrong, cashier("B"))
	expect(t, "during a pause of a clock that was wrong", try(t, store, "A", "nonce", wrong.PIN.Sum), true)
	expect(t, "nobody", try(t, store, "nobody", "nonce", wrong.PIN.Sum) || identify(t, store, "nobody", "nonce"), false)
}

func identified(t *testing.T, db Database) {
	store, right, wrong := db.Open(t), cashier("A").PIN.Sum, []byte{1}
	saveCashiers(t, store, cashier("A"), cashier("B"))
	for _, c := range []struct {
		what        string
		nonce       string // Under which cashier A tries a PIN; blank for none.
		sum         []byte
		name, asked string // Who is identified under which nonce,
		want        bool   // and whether they are.
		failed      int    // Tries of cashier A afterwards.
	}{
		{"the right PIN", "nonce", right, "A", "nonce", true, 0},
		{"the same try again", "", nil, "A", "nonce", false, 0},
		{"another nonce", "nonce", right, "A", "x", false, 1},
		{"another cashier", "", nil, "B", "nonce", false, 1},
		{"a wrong PIN at another till", "newer", wrong, "A", "newer", false, 2},
		{"a try that another till's followed", "", nil, "A", "nonce", true, 0},
	} {
		expect(t, c.what+" is looked at", c.nonce == "" || try(t, store, "A", c.nonce, c.sum), true)
		expect(t, c.what, identify(t, store, c.name, c.asked), c.want)
		expect(t, "the tries after "+c.what, cashiers(t, store)[0].Tries.Failed, c.failed)
	}
}

func closedOnce(t *testing.T, db Database) {
	stores := []Store{db.Open(t), db.Open(t)}
	firsts, stored := make([]bool, len(stores)), make([]payments.Closing, len(stores))
	closeDay := func(i int) func() error {
		return func() error {
			return stores[i].Update(t.Context(), func(tx payments.Tx) (err error) {
				stored[i], firsts[i], err = tx.Staff().InsertClosing(payments.Closing{
					Day: "2026-11-21", Till: []string{"T1", "T2"}[i], At: opening(), Verdicts: map[payments.Verdict]payments.Sum{},
				})
				return err
			})
		}
	}
	errs := atOnce(closeDay(0), closeDay(1))
	check(t, "close", errors.Join(errs[:]...))
	expect(t, "one is the first", firsts[0] != firsts[1], true)
	expect(t, "both know the same till", stored[0].Till, stored[1].Till)
}
