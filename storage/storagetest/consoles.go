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
func consoles(t *testing.T, db Database) [2]*shop {
	t.Helper()
	return [2]*shop{newShop(db.Open(t)), newShop(db.Open(t))}
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

func heldByTwo(t *testing.T, db Database) {
	both := consoles(t, db)
	held := sold("held")
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
	sales, err := both[1].Sales(t.Context(), "T1")
	check(t, "sales", err)
	expect(t, "sales that are left", len(sales), 0)
}

func sentByTwo(t *testing.T, db Database) {
	both := consoles(t, db)
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

func stillHeld(t *testing.T, db Database) {
	both := consoles(t, db)
	sale := sold("held")
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

// rounds is how often two acts meet, in each order of them.
const rounds = 6

// meet lets two consoles act at once on orders whose customers were refused, and
// looks at each afterwards. say records that a person saw the order unpaid, and
// found it paid or not.
func meet(
	t *testing.T, db Database,
	acts func(both [2]*shop, order payments.Order, say say) (first, second func() error),
	look func(order payments.Order, errs [2]error),
) {
	t.Helper()
	both := consoles(t, db)
	for i := range rounds {
		order := both[0].charge(t, fmt.Sprint("sale", i))
		both[0].receive(t, event(payments.PaymentFailed, order, "x"))
		errs := atOnce(acts([2]*shop{both[i%2], both[1-i%2]}, order, func(s *shop, paid bool, by string) error {
			finding := payments.Finding{Paid: paid, By: by, Seen: payments.VerdictNotPaid}
			_, err := s.Resolve(t.Context(), order.Reference, finding, payments.Identity{})
			return err
		}))
		stored, _ := read(t, both[1].store, order.Reference)
		look(stored, errs)
	}
}

// say records a finding.
type say = func(s *shop, paid bool, by string) error

func foundByTwo(t *testing.T, db Database) {
	meet(t, db, func(both [2]*shop, _ payments.Order, say say) (first, second func() error) {
		return func() error { return say(both[0], true, "true") }, func() error { return say(both[1], false, "false") }
	}, func(stored payments.Order, errs [2]error) {
		first := errs[0] == nil
		if (errs[1] == nil) == first || !errors.Is(errors.Join(errs[:]...), payments.ErrOutdated) {
			t.Fatalf("errors %v", errs)
		}
		expect(t, "the finding", stored.Finding.By, fmt.Sprint(first))
		expect(t, "the finding", stored.Finding.Paid, first)
	})
}

func foundAndSeen(t *testing.T, db Database) {
	var acknowledged payments.Order
	meet(t, db, func(both [2]*shop, order payments.Order, say say) (first, second func() error) {
		return func() error { return say(both[0], false, "Soa") }, func() (err error) {
			acknowledged, err = both[1].Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{})
			return err
		}
	}, func(stored payments.Order, errs [2]error) {
		check(t, "both", errors.Join(errs[:]...))
		if stored.Finding == nil || stored.Finding.By != "Soa" || stored.Facts.GivenUp != acknowledged.Facts.GivenUp {
			t.Errorf("%+v %+v, acknowledged %+v", stored.Finding, stored.Facts, acknowledged.Facts)
		}
	})
}

func foundAndPaid(t *testing.T, db Database) {
	meet(t, db, func(both [2]*shop, order payments.Order, say say) (first, second func() error) {
		return func() error { return say(both[0], false, "Soa") }, func() error {
			_, err := both[1].Receive(t.Context(), event(payments.PaymentSuccess, order, "x"), nil)
			return err
		}
	}, func(stored payments.Order, errs [2]error) {
		check(t, "receive", errs[1])
		want := payments.VerdictCheck // The finding came first, and the payment contradicts it.
		if errors.Is(errs[0], payments.ErrOutdated) {
			want = payments.VerdictPaid
		}
		expect(t, "verdict", stored.Verdict(payments.Conditions{}, opening()), want)
		expect(t, "seen", stored.Facts.Acknowledged, false)
	})
}
