package storagetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"checkout/till/payments"
)

func consoleTests() []test {
	return []test{
		{"charges a held sale once, whoever of two restores it", heldByTwo},
		{"sends an order that was not sent once, whoever of two does it again", sentByTwo},
		{"asks before a sale is charged that another console charged and this one still has", stillHeld},
		{"records one of two findings that contradict each other", foundByTwo},
		{"loses neither of a finding and an acknowledgement", foundAndSeen},
		{"hides no payment behind a finding that comes at the same moment", foundAndPaid},
	}
}

// consoles are two consoles on one database.
func consoles(t *testing.T, open Opener) [2]*shop {
	t.Helper()
	return [2]*shop{newShop(open(t)), newShop(open(t))}
}

// atOnce runs two acts at once, and returns their errors.
func atOnce(first, second func() error) (errs [2]error) {
	var group sync.WaitGroup
	for i, act := range []func() error{first, second} {
		group.Go(func() { errs[i] = act() })
	}
	group.Wait()
	return errs
}

// expectOnce expects that of two consoles one succeeded, and that the service
// was asked once.
func expectOnce(t *testing.T, both [2]*shop, errs [2]error, refused func(error) bool) {
	t.Helper()
	if errs[0] != nil {
		errs[0], errs[1] = errs[1], errs[0]
	}
	if errs[0] != nil || !refused(errs[1]) {
		t.Errorf("errors %v", errs)
	}
	expect(t, "order calls", both[0].asked+both[1].asked, 1)
}

func heldByTwo(t *testing.T, open Opener) {
	both := consoles(t, open)
	held := sold("held", "T1", 0, "Vary")
	held.Name = "Rado"
	saveSale(t, both[0].store, held)
	charge := func(s *shop) func() error {
		sales, err := s.Sales(t.Context(), "T1")
		check(t, "restore", err)
		expect(t, "sales", len(sales), 1)
		unasked := terms("T1", sales[0].ID)
		unasked.DespitePaid, unasked.DespitePayable = false, false
		return func() error {
			_, err := s.Checkout(t.Context(), unasked)
			return err
		}
	}
	errs := atOnce(charge(both[0]), charge(both[1]))
	expectOnce(t, both, errs, func(err error) bool {
		_, payable := errors.AsType[*payments.StillPayableError](err)
		return payable || errors.Is(err, payments.ErrUnderWay)
	})
	expectSales(t, both[1].store, "T1")
}

func sentByTwo(t *testing.T, open Opener) {
	both := consoles(t, open)
	both[0].answer = func(payments.Order) (payments.Created, error) { return payments.Created{}, payments.ErrNotSent }
	unsent, err := both[0].Checkout(t.Context(), terms("T1", "sale"))
	expectError(t, "checkout", err, payments.ErrNotSent)
	both[0].answer, both[0].asked = nil, 0
	resend := func(s *shop) func() error {
		return func() error {
			again := terms("T1", "sale")
			again.Reference = unsent.Reference
			_, err := s.Checkout(t.Context(), again)
			return err
		}
	}
	errs := atOnce(resend(both[0]), resend(both[1]))
	expectOnce(t, both, errs, func(err error) bool { return errors.Is(err, payments.ErrReferenceTaken) })
}

func stillHeld(t *testing.T, open Opener) {
	both := consoles(t, open)
	sale := sold("held", "T1", 0, "Vary")
	saveSale(t, both[0].store, sale)
	order := both[0].charge(t, sale.ID)
	sale.Items = append(sale.Items, payments.Item{Label: "Coca", UnitPrice: 2000, Quantity: 1})
	saveSale(t, both[1].store, sale) // It comes back, with what was added.
	unasked := payments.Terms{Sale: sale.ID, Till: "T1", Items: terms("T1", "").Items}
	_, err := both[1].Checkout(t.Context(), unasked)
	if payable, is := errors.AsType[*payments.StillPayableError](err); !is || payable.Order.Reference != order.Reference {
		t.Errorf("while the first can be paid: %v", err)
	}
	both[0].receive(t, event(payments.PaymentSuccess, order, "x"))
	_, err = both[1].Checkout(t.Context(), unasked)
	if paid, is := errors.AsType[*payments.AlreadyPaidError](err); !is || paid.Order.Reference != order.Reference {
		t.Errorf("when the first is paid: %v", err)
	}
}

// seen is what a person found out who saw an order as it is not paid.
func seen(paid bool, by string) payments.Finding {
	return payments.Finding{Paid: paid, By: by, Seen: payments.VerdictNotPaid}
}

// refused is an order whose customer was refused.
func refused(t *testing.T, s *shop, i int) payments.Order {
	t.Helper()
	order := s.charge(t, fmt.Sprint("sale", i))
	s.receive(t, event(payments.PaymentFailed, order, "x"))
	return order
}

// rounds is how often two acts meet, in each order of them.
const rounds = 6

func foundByTwo(t *testing.T, open Opener) {
	both := consoles(t, open)
	for i := range rounds {
		order := refused(t, both[0], i)
		find := func(s *shop, paid bool) func() error {
			return func() error {
				_, err := s.Resolve(t.Context(), order.Reference, seen(paid, fmt.Sprint(paid)), payments.Identity{})
				return err
			}
		}
		errs := atOnce(find(both[0], true), find(both[1], false))
		first := errs[0] == nil
		if (errs[1] == nil) == first || !errors.Is(errors.Join(errs[:]...), payments.ErrOutdated) {
			t.Fatalf("errors %v", errs)
		}
		stored, _ := read(t, both[1].store, order.Reference)
		expect(t, "the finding", [2]string{stored.Finding.By, fmt.Sprint(stored.Finding.Paid)}, [2]string{fmt.Sprint(first), fmt.Sprint(first)})
	}
}

func foundAndSeen(t *testing.T, open Opener) {
	both := consoles(t, open)
	for i := range rounds {
		order := refused(t, both[0], i)
		var acknowledged payments.Order
		errs := atOnce(func() error {
			_, err := both[i%2].Resolve(t.Context(), order.Reference, seen(false, "Soa"), payments.Identity{})
			return err
		}, func() (err error) {
			acknowledged, err = both[1-i%2].Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{})
			return err
		})
		check(t, "both", errors.Join(errs[:]...))
		stored, _ := read(t, both[1].store, order.Reference)
		if stored.Finding == nil || stored.Finding.By != "Soa" || stored.Facts.GivenUp != acknowledged.Facts.GivenUp {
			t.Errorf("%+v %+v, acknowledged %+v", stored.Finding, stored.Facts, acknowledged.Facts)
		}
	}
}

func foundAndPaid(t *testing.T, open Opener) {
	both := consoles(t, open)
	for i := range rounds {
		order := refused(t, both[0], i)
		errs := atOnce(func() error {
			_, err := both[0].Resolve(t.Context(), order.Reference, seen(false, "Soa"), payments.Identity{})
			return err
		}, func() error {
			_, err := both[1].Receive(t.Context(), event(payments.PaymentSuccess, order, "x"), nil)
			return err
		})
		check(t, "receive", errs[1])
		stored, _ := read(t, both[1].store, order.Reference)
		want := payments.VerdictCheck // The finding came first, and the payment contradicts it.
		if errors.Is(errs[0], payments.ErrOutdated) {
			want = payments.VerdictPaid
		}
		expect(t, "verdict", stored.Verdict(payments.Conditions{}, opening()), want)
		expect(t, "seen", stored.Facts.Acknowledged, false)
	}
}
