package storagetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
)

func consoles(t *testing.T, db Database) [2]*shop {
	t.Helper()
	return [2]*shop{newShop(db.Open(t)), newShop(db.Open(t))}
}

func atOnce(first, second func() error) (errs [2]error) {
	var group sync.WaitGroup
	for i, act := range []func() error{first, second} {
		group.Go(func() { errs[i] = act() })
	}
	group.Wait()
	return errs
}

// checkoutOnce charges the same terms at both consoles at the same time. One charge must succeed
// and the other one must be refused, so that the service gets only one call.
func checkoutOnce(t *testing.T, both [2]*shop, terms payments.Terms, refused func(error) bool) {
	t.Helper()
	checkout := func(s *shop) func() error {
		return func() error {
			_, err := s.Checkout(t.Context(), terms)
			return err
		}
	}
	errs := atOnce(checkout(both[0]), checkout(both[1]))
	if (errs[0] == nil) == (errs[1] == nil) || !refused(errors.Join(errs[:]...)) {
		t.Errorf("errors %v", errs)
	}
	expect(t, "order calls", both[0].asked+both[1].asked, 1)
}

func heldByTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	held := sold("held")
	held.Name = "Rado"
	saveSale(t, both[0].store, held)
	checkoutOnce(t, both, payments.Terms{Sale: held.ID, Till: "T1", Items: held.Items}, func(err error) bool {
		objection, is := errors.AsType[*payments.Objection](err)
		return is && objection.Kind == payments.SalePayable || errors.Is(err, payments.ErrUnderWay)
	})
	sales, err := both[1].Sales(t.Context(), "T1")
	check(t, "sales", err)
	expect(t, "sales that are left", len(sales), 0)
}

func sentByTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	both[0].answer = func(payments.Order) (payments.Created, error) { return payments.Created{}, payments.ErrNotSent }
	again := terms("T1", "sale")
	unsent, err := both[0].Checkout(t.Context(), again)
	expectError(t, "checkout", err, payments.ErrNotSent)
	both[0].answer, both[0].asked, again.Reference = nil, 0, unsent.Reference
	checkoutOnce(t, both, again, func(err error) bool { return errors.Is(err, payments.ErrReferenceTaken) })
}

// metByTwo runs two actions at the same time, one at each console, on orders with a failed payment.
func metByTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	for i := range 18 { // Run each of the three cases six times. The consoles swap their roles.
		one, other := both[i%2], both[1-i%2]
		order := one.charge(t, fmt.Sprint("sale", i))
		one.receive(t, event(payments.PaymentFailed, order, "x"))
		find := func(s *shop, kind payments.FindingKind, by string) error {
			_, err := drawer.New(s.store, s.Service).Resolve(t.Context(), order.Reference, payments.Finding{Kind: kind, By: by, Seen: payments.VerdictNotPaid}, staff.Identity{})
			return err
		}
		unpaid := func() error { return find(one, payments.FoundUnpaid, "Soa") }
		stored := func() payments.Order {
			stored, _ := read(t, other.store, order.Reference)
			return stored
		}
		switch i % 3 {
		case 0: // Two contradicting findings: only one is stored.
			errs := atOnce(unpaid, func() error { return find(other, payments.FoundPaid, "Rado") })
			if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs[:]...), payments.ErrOutdated) {
				t.Fatalf("errors %v", errs)
			}
			finding := stored().Finding
			expect(t, "the finding", finding.Kind == payments.FoundPaid, errs[1] == nil)
			expect(t, "its finder", finding.By, map[payments.FindingKind]string{payments.FoundPaid: "Rado", payments.FoundUnpaid: "Soa"}[finding.Kind])
		case 1: // A finding and an acknowledgement: both are stored.
			var acknowledged payments.Order
			errs := atOnce(unpaid, func() (err error) {
				acknowledged, err = other.Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{})
				return err
			})
			check(t, "both", errors.Join(errs[:]...))
			if now := stored(); now.Finding == nil || now.Finding.By != "Soa" || now.Facts.GivenUp != acknowledged.Facts.GivenUp {
				t.Errorf("%+v %+v, acknowledged %+v", now.Finding, now.Facts, acknowledged.Facts)
			}
		default: // A finding and a payment: the finding must not hide the payment, whichever is stored first.
			errs := atOnce(unpaid, func() error {
				_, err := other.Receive(t.Context(), event(payments.PaymentSuccess, order, "x"), nil)
				return err
			})
			check(t, "receive", errs[1])
			want := payments.VerdictCheck // If the finding was stored first, the payment contradicts it.
			if errors.Is(errs[0], payments.ErrOutdated) {
				want = payments.VerdictPaid
			}
			now := stored()
			expect(t, "verdict", now.Verdict(payments.Conditions{}, opening()), want)
			expect(t, "seen", now.Facts.Acknowledged, false)
		}
	}
}

// owedToTwo makes two payments of a debt of 7,000 Ar at the same time, one at each console. Only
// one of them may succeed if together they are more than the debt.
func owedToTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	tills := [2]*drawer.Service{drawer.New(both[0].store, both[0].Service), drawer.New(both[1].store, both[1].Service)}
	for i, amounts := range [][2]money.Ariary{{7000, 7000}, {4000, 4000}, {3000, 4000}, {7000, 1}} {
		given := terms("T1", fmt.Sprint("sale", i))
		given.Items = []payments.Item{{Label: "Vary", UnitPrice: 7000, Quantity: 1}}
		name := fmt.Sprint("Rabe ", i)
		sold, err := tills[0].Take(t.Context(), given, drawer.Paying{Tender: drawer.TenderAccount, Customer: name, New: true})
		check(t, "sell on account", err)
		pay := func(at int) func() error {
			return func() error {
				terms := terms(fmt.Sprint("T", 1+at), fmt.Sprint("debt", i, at))
				terms.Debt = sold.Account
				terms.Items = []payments.Item{{Label: "Debt", UnitPrice: amounts[at], Quantity: 1}}
				_, err := tills[at].Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
				return err
			}
		}
		errs := atOnce(pay(0), pay(1))
		left := money.Ariary(7000)
		for at, err := range errs {
			if err == nil {
				left -= amounts[at]
				continue
			}
			if _, is := errors.AsType[*payments.OwedError](err); !is {
				t.Errorf("pay %d Ar: %v", amounts[at], err)
			}
		}
		if fits := amounts[0]+amounts[1] <= 7000; fits != (errors.Join(errs[:]...) == nil) || left < 0 || left == 7000 {
			t.Errorf("%v Ar: errors %v", amounts, errs)
		}
		all, err := tills[1].Debtors(t.Context())
		check(t, "read the customers", err)
		debtor, _ := drawer.FindDebtor(all, name)
		expect(t, name+" owes", debtor.Owed, left)
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
