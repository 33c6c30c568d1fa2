package storagetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
)

func personTests() []test {
	return []test{
		{"has every wrong PIN counted, also from several tills at the same time", triesOfTwo},
	}
}

// triesOfTwo enters wrong PINs at two consoles at the same time. The store counts four of them. The
// fourth one starts a pause, in which all further PINs are refused.
func triesOfTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	soa := staff.Identity{Name: "Soa", PIN: secret.New("4711")}
	first := payments.New(both[0].store, nil, opening, payments.WithPINIterations(2))
	_, err := first.AddCashier(t.Context(), soa.Name, "", soa.PIN, staff.Identity{})
	check(t, "add a cashier", err)
	const tries = 20
	errs := make([]error, tries)
	var group sync.WaitGroup
	for i := range tries {
		group.Go(func() {
			wrong := staff.Identity{Name: soa.Name, PIN: secret.New(fmt.Sprint(1000 + i))}
			errs[i] = both[i%2].Review(t.Context(), payments.Record{}, wrong)
		})
	}
	group.Wait()
	compared := 0
	for _, err := range errs {
		paused, is := errors.AsType[*staff.PausedError](err)
		switch {
		case errors.Is(err, staff.ErrWrongPIN):
			compared++
		case !is || !paused.Until.Equal(opening().Add(30*time.Second)):
			t.Errorf("error %v", err)
		}
	}
	expect(t, "PINs that were compared", compared, 4)
	all, err := both[1].Cashiers(t.Context())
	check(t, "read cashiers", err)
	expect(t, "tries", all[0].Tries[""], staff.Tries{Failed: 4, Until: opening().Add(30 * time.Second)})
}
