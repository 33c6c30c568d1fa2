package staff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

func TestTheFirstCashierIsAnOwnerAndOwnersAddOthers(t *testing.T) {
	s := staffed(t)
	all, err := s.store.Cashiers(t.Context())
	if err != nil || len(all) != 2 || all[0].Role != staff.RoleOwner || all[1].Role != staff.RoleCashier {
		t.Fatalf("%+v (%v)", all, err)
	}
	owner := identity("Hasina", ownersPIN)
	for _, c := range []struct {
		name string
		role staff.Role
		pin  string
		by   staff.Identity
		want error
	}{
		{"Rado", "", "2589", staff.Identity{}, staff.ErrIdentityNeeded},
		{"Rado", "", "2589", identity("Soa", cashierPIN), staff.ErrNotOwner},
		{"Rado", "", "2589", identity("Hasina", "0000"), staff.ErrWrongPIN},
		{"Rado", "", "2589", identity("Nobody", "0000"), staff.ErrWrongPIN},
		{"Rado", "chief", "2589", owner, staff.ErrInvalidCashier},
		{" \t", "", "2589", owner, staff.ErrInvalidCashier},
		{"SOA", "", "2589", owner, staff.ErrInvalidCashier},
		{"Rado", "", "999", owner, staff.ErrInvalidCashier},
		{"Rado", "", "12345678901234", owner, staff.ErrInvalidCashier},
		{"Rado", "", "99a9", owner, staff.ErrInvalidCashier},
		{"Rado", "", "0000", owner, staff.ErrInvalidCashier},
		{"Rado", "", "1234", owner, staff.ErrInvalidCashier},
		{"Rado", "", "987654", owner, staff.ErrInvalidCashier},
	} {
		mustFail(t, failure(s.AddCashier(t.Context(), c.name, c.role, secret.New(c.pin), c.by)), c.want)
		if c.pin == "2589" { // A valid PIN.
			mustFail(t, s.CheckNewCashier(t.Context(), c.name, c.role, c.by), c.want)
		}
	}
	must(t, s.CheckNewCashier(t.Context(), "Rado", "", owner))
	if all, err := s.store.Cashiers(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("a check added a cashier: %+v (%v)", all, err)
	}
	first := failure(newShop(t).AddCashier(t.Context(), "Soa", staff.RoleCashier, secret.New("2589"), staff.Identity{}))
	mustFail(t, first, staff.ErrNeedsOwner)
}

func TestTheLastOwnerIsRemovedLast(t *testing.T) {
	s := staffed(t)
	owner := identity("Hasina", ownersPIN)
	drop := func(name string, by staff.Identity, want error) {
		t.Helper()
		mustFail(t, s.DropCashier(t.Context(), name, by), want)
	}
	drop("Soa", identity("Soa", cashierPIN), staff.ErrNotOwner)
	drop("Soa", staff.Identity{}, staff.ErrIdentityNeeded)
	drop("Rado", owner, staff.ErrInvalidCashier)
	drop("Hasina", owner, staff.ErrNeedsOwner)
	drop("soa", owner, nil)
	drop("Hasina", owner, nil)
	if all, err := s.store.Cashiers(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v (%v)", all, err)
	}
}

func TestThePauseDoublesAfterThreeWrongPINs(t *testing.T) {
	for failed, want := range map[int]time.Duration{
		0: 0, 1: 0, 2: 0, 3: 30 * time.Second, 4: time.Minute, 5: 2 * time.Minute, 6: 4 * time.Minute,
		7: 5 * time.Minute, 8: 5 * time.Minute, 999: 5 * time.Minute, math.MaxInt - 1: 5 * time.Minute,
	} {
		got := staff.Tries{Failed: failed, Until: opening().AddDate(0, 0, -1)}.Fail(opening())
		expected := staff.Tries{Failed: failed + 1}
		if want > 0 {
			expected.Until = opening().Add(want)
		}
		if got != expected {
			t.Errorf("after %d: %+v, want %+v", failed, got, expected)
		}
	}
}

func TestAPauseEndsOnTimeAndLastsFiveMinutesAtMost(t *testing.T) {
	for left, want := range map[time.Duration]bool{
		-time.Minute: false, 0: false, 1: true, 5 * time.Minute: true, 5*time.Minute + 1: false, 1 << 62: false,
	} {
		if got := (staff.Tries{Until: opening().Add(left)}).Paused(opening()); got != want {
			t.Errorf("%v before its end: paused is %v, want %v", left, got, want)
		}
	}
	if (staff.Tries{Failed: 99}).Paused(opening()) {
		t.Error("paused without an end of the pause")
	}
}

func TestTheRightPINDoesNotEndAPause(t *testing.T) {
	s := staffed(t)
	wrong, right := identity("Soa", "0000"), identity("Soa", cashierPIN)
	for range 4 {
		mustFail(t, s.identify(t, wrong), staff.ErrWrongPIN)
	}
	// A try during the pause does not make the pause longer.
	for range 2 {
		paused, ok := errors.AsType[*staff.PausedError](s.identify(t, right))
		if !ok || !paused.Until.Equal(opening().Add(30*time.Second)) || !strings.Contains(paused.Error(), "wait until 2026-11-21T") {
			t.Fatalf("%v", paused)
		}
		s.now = s.now.Add(time.Second)
	}
	mustFail(t, s.identify(t, identity("Nobody", cashierPIN)), staff.ErrWrongPIN)
	s.now = opening().Add(30 * time.Second)
	mustFail(t, s.identify(t, right), nil)
	s.expectTries(t, staff.Tries{})
}

func TestWrongPINsAreCountedByTillAndForgottenAfterAnOwnersPIN(t *testing.T) {
	const attempt, pause = "attempt", "pause"
	for _, test := range []struct {
		name  string
		enter func(first, second *shop) error // Enters a PIN after four wrong ones for Hasina and Soa at the first till.
		want  map[string]string               // What each person's PIN gives at the first till afterwards.
	}{
		{"nothing", func(_, _ *shop) error { return nil }, map[string]string{"Hasina": pause, "Soa": pause}},
		{"a cashier's PIN at another till", func(_, second *shop) error {
			return second.identify(t, identity("Soa", cashierPIN))
		}, map[string]string{"Hasina": pause, "Soa": pause}},
		{"the owner's PIN at another till", func(_, second *shop) error {
			return second.identify(t, identity("Hasina", ownersPIN))
		}, map[string]string{"Hasina": attempt, "Soa": attempt}},
		{"a reset", func(_, second *shop) error {
			return second.ResetPIN(t.Context(), "Hasina", secret.New(ownersPIN))
		}, map[string]string{"Hasina": attempt, "Soa": pause}},
		{"five minutes", func(first, _ *shop) error {
			first.now = first.now.Add(5 * time.Minute)
			return nil
		}, map[string]string{"Hasina": attempt, "Soa": attempt}},
	} {
		t.Run(test.name, func(t *testing.T) {
			first := staffed(t)
			at := func(till string) *shop {
				other := *first
				other.Service = staff.New(first.store.Update, first.store.Cashiers, first.clock, till, 2)
				return &other
			}
			one, two := at("T1"), at("T2")
			mustFail(t, two.identify(t, identity("Soa", "0000")), staff.ErrWrongPIN)
			for _, name := range []string{"Hasina", "Soa"} {
				for range 4 {
					mustFail(t, one.identify(t, identity(name, "0000")), staff.ErrWrongPIN)
				}
			}
			must(t, test.enter(first, two))
			all, err := first.store.Cashiers(t.Context())
			must(t, err)
			for _, name := range []string{"Soa", "Hasina"} { // The owner's PIN is tried last and ends every pause.
				got, pin := attempt, map[string]string{"Soa": cashierPIN, "Hasina": ownersPIN}[name]
				if _, paused := errors.AsType[*staff.PausedError](one.identify(t, identity(name, pin))); paused {
					got = pause
				}
				cashier, _ := staff.FindCashier(all, name)
				if got != test.want[name] || cashier.PausedUntil(first.clock()).IsZero() != (got == attempt) {
					t.Errorf("%s: %s, want %s; %+v", name, got, test.want[name], cashier.Tries)
				}
			}
		})
	}
}

// expectTries checks the wrong tries of the cashier Soa.
func (s *shop) expectTries(t *testing.T, want staff.Tries) {
	t.Helper()
	all, err := s.store.Store.Cashiers(t.Context())
	must(t, err)
	for _, cashier := range all {
		if cashier.Name == "Soa" && cashier.Tries[""] != want {
			t.Errorf("tries %+v, want %+v", cashier.Tries, want)
		}
	}
}

func TestAPauseFromAWrongClockIsIgnored(t *testing.T) {
	s := staffed(t)
	for range 4 {
		mustFail(t, s.identify(t, identity("Soa", "0000")), staff.ErrWrongPIN)
	}
	s.now = s.now.AddDate(-1, 0, 0)
	mustFail(t, s.identify(t, identity("Soa", "0000")), staff.ErrWrongPIN)
	s.expectTries(t, staff.Tries{Failed: 5, Until: s.now.Add(time.Minute)})
}

func TestAChangeThatFailsKeepsTheCountOfWrongPINs(t *testing.T) {
	s := staffed(t)
	for range 2 {
		mustFail(t, s.Guarded(t.Context(), identity("Soa", "0000"), outdated), staff.ErrWrongPIN)
	}
	for range 5 {
		mustFail(t, s.Guarded(t.Context(), identity("Soa", cashierPIN), outdated), payments.ErrOutdated)
		s.expectTries(t, staff.Tries{Failed: 2})
	}
}

func TestAStoreErrorRevealsNoPINAndCountsNoTry(t *testing.T) {
	s := staffed(t)
	mustFail(t, s.identify(t, identity("Soa", "0000")), staff.ErrWrongPIN)
	for _, call := range []string{"begin", "read cashiers", "save tries", "commit"} {
		for _, pin := range []string{cashierPIN, "0000"} {
			s.store.Fault = storagetest.Only(call)
			mustFail(t, s.identify(t, identity("Soa", pin)), storagetest.ErrDisk)
		}
	}
	s.store.Fault = storagetest.Only("read cashiers")
	mustFail(t, s.identify(t, staff.Identity{}), storagetest.ErrDisk)
	s.expectTries(t, staff.Tries{Failed: 1})
}

func TestACashierChangedMeanwhileIsNotIdentified(t *testing.T) {
	for what, meanwhile := range map[string]func(tx payments.Tx) error{
		"is removed": func(tx payments.Tx) error { return tx.DropCashier("Soa") },
		"has another PIN": func(tx payments.Tx) error {
			pin := staff.PINHash{Salt: []byte("salt"), Sum: make([]byte, 32), Iterations: 2}
			return tx.SaveCashier(staff.Cashier{Name: "Soa", Role: staff.RoleCashier, PIN: pin})
		},
	} {
		s := staffed(t)
		s.store.Fault = func(asked string) error {
			if asked != "begin" {
				return nil
			}
			return s.store.Store.Update(t.Context(), meanwhile)
		}
		if err := s.identify(t, identity("Soa", cashierPIN)); !errors.Is(err, staff.ErrWrongPIN) {
			t.Errorf("a cashier who %s: error %v", what, err)
		}
	}
}

func TestCashiersChangeTheirPINAndOwnersAnyPIN(t *testing.T) {
	s := staffed(t)
	change := func(name, pin string, by staff.Identity, want error) {
		t.Helper()
		mustFail(t, s.ChangePIN(t.Context(), name, secret.New(pin), by), want)
	}
	change("Hasina", "2589", identity("Soa", cashierPIN), staff.ErrNotOwner)
	change("Soa", "99", identity("Soa", cashierPIN), staff.ErrInvalidCashier)
	change("Soa", "2589", identity("Soa", "0000"), staff.ErrWrongPIN)
	change("Rado", "2589", identity("Hasina", ownersPIN), staff.ErrInvalidCashier)
	change("Soa", "2589", identity("Soa", cashierPIN), nil)
	for range 5 {
		_ = s.identify(t, identity("Soa", "0000"))
	}
	change("Soa", "8163", identity("Hasina", ownersPIN), nil)
	must(t, s.identify(t, identity("Soa", "8163"))) // The owner's new PIN ends the pause.
}

func TestAPINThatIsResetIsRecordedAndEndsAPause(t *testing.T) {
	s := staffed(t)
	for range 5 {
		_ = s.identify(t, identity("Hasina", "0000"))
	}
	mustFail(t, s.ResetPIN(t.Context(), "Rado", secret.New("2589")), staff.ErrInvalidCashier)
	mustFail(t, s.ResetPIN(t.Context(), "Hasina", secret.New("99")), staff.ErrInvalidCashier)
	must(t, s.ResetPIN(t.Context(), "hasina", secret.New("2589")))
	must(t, s.identify(t, identity("Hasina", "2589")))
	s.now = s.now.Add(time.Hour)
	must(t, s.ResetPIN(t.Context(), "Soa", secret.New("8163")))
	all := money.Period{From: opening().Add(-time.Hour), To: opening().Add(2 * time.Hour)}
	want := []staff.PINReset{{Cashier: "Soa", At: opening().Add(time.Hour)}, {Cashier: "Hasina", At: opening()}}
	if found, err := s.PINResets(t.Context(), all); err != nil || !slices.Equal(found, want) {
		t.Errorf("found %v, error %v, want %v", found, err, want)
	}
	if found, err := s.PINResets(t.Context(), money.Period{From: opening().Add(2 * time.Hour), To: all.To}); err != nil || len(found) > 0 {
		t.Errorf("in another period: %v, error %v", found, err)
	}
}

func TestAPINIsNeverPrinted(t *testing.T) {
	s := staffed(t)
	rado, err := s.AddCashier(t.Context(), "Rado", "", secret.New("2589"), identity("Hasina", ownersPIN))
	must(t, err)
	all, err := s.store.Cashiers(t.Context())
	must(t, err)
	encoded, err := json.Marshal(all)
	must(t, err)
	text := fmt.Sprintf("%v %+v %#v %s %s %v %v", all, all[0], all[1].PIN, encoded, all[0].PIN.LogValue(), identity("Soa", cashierPIN), rado)
	for _, hidden := range []string{
		cashierPIN, ownersPIN, fmt.Sprint(rado.PIN.Sum), fmt.Sprintf("%x", rado.PIN.Sum), fmt.Sprint(all[0].PIN.Sum), fmt.Sprint(all[1].PIN.Sum),
	} {
		if strings.Contains(text, hidden) {
			t.Errorf("%q is in %s", hidden, text)
		}
	}
	if !strings.Contains(text, "[redacted]") {
		t.Error(text)
	}
	if string(all[0].PIN.Salt) == string(all[1].PIN.Salt) {
		t.Error("two cashiers have the same salt")
	}
}

func TestABrokenPINHashMatchesNoPIN(t *testing.T) {
	s := staffed(t)
	for _, broken := range []staff.PINHash{
		{Salt: []byte{}, Sum: []byte{}}, {Salt: []byte("salt"), Sum: make([]byte, 32)}, {Salt: []byte{}, Sum: []byte{}, Iterations: 2},
	} {
		err := s.store.Update(t.Context(), func(tx payments.Tx) error {
			return tx.SaveCashier(staff.Cashier{Name: "Soa", Role: staff.RoleCashier, PIN: broken})
		})
		must(t, err)
		for _, pin := range []string{cashierPIN, ""} {
			mustFail(t, s.identify(t, identity("Soa", pin)), staff.ErrWrongPIN)
		}
	}
}

// Another till adds the first cashier just before this till begins its transaction with the number
// moment. At moment 1, this till finds that cashier and is refused. At moment 2, the other till is
// too late: this till needs only one transaction.
func TestAddingTheFirstCashierIsAtomic(t *testing.T) {
	for moment, want := range map[int]error{1: staff.ErrIdentityNeeded, 2: nil} {
		s, begun := newShop(t), 0
		s.store.Fault = func(asked string) error {
			if asked == "begin" {
				begun++
			}
			if asked != "begin" || begun != moment {
				return nil
			}
			return s.store.Store.Update(t.Context(), func(tx payments.Tx) error {
				pin := staff.PINHash{Salt: []byte{1}, Sum: []byte{2}, Iterations: 1}
				return tx.SaveCashier(staff.Cashier{Name: "Hasina", Role: staff.RoleOwner, PIN: pin})
			})
		}
		_, err := s.AddCashier(t.Context(), "Soa", "", secret.New(cashierPIN), staff.Identity{})
		s.store.Fault = nil
		if all, _ := s.store.Cashiers(t.Context()); !errors.Is(err, want) || len(all) != 1 {
			t.Errorf("%v, cashiers %v", err, all)
		}
	}
}

func TestAnUnknownIdentityIsRefusedWithoutCashiers(t *testing.T) {
	s, nobody := newShop(t), identity("Nobody", "9999")
	for name, err := range map[string]error{
		"adds":    failure(s.AddCashier(t.Context(), "Mallory", staff.RoleOwner, secret.New(ownersPIN), nobody)),
		"removes": s.DropCashier(t.Context(), "Soa", nobody),
	} {
		all, listed := s.store.Cashiers(t.Context())
		if !errors.Is(err, staff.ErrWrongPIN) || len(all) != 0 || listed != nil {
			t.Errorf("%s: %v, cashiers %v, %v", name, err, all, listed)
		}
	}
}
