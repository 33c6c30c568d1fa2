package drawer_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// part returns the terms for the first payment of a sale of 7,000, with this amount.
func part(sale string, amount money.Ariary) payments.Terms {
	first := terms(sale)
	first.Part.Amount = amount
	return first
}

// rest returns the terms for the rest of a sale after its first payment.
func rest(first drawer.CounterSale) payments.Terms {
	later := terms(first.Sale)
	later.Part = payments.Part{Amount: first.Total - first.Amount, Taken: first.Amount, RestOf: first.Number, Label: "Rest of 7 000 Ar"}
	return later
}

func (s *till) takePart(t *testing.T, sale string, amount money.Ariary) drawer.CounterSale {
	t.Helper()
	return s.take(t, part(sale, amount), inCash())
}

func TestASaleIsPaidInCashAndByLink(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order := s.checkout(t, rest(first))
	if order.Amount != 5000 || order.Total != 7000 || order.RestOf != first.Number || order.Description != "Rest of 7 000 Ar" {
		t.Errorf("got %+v", order)
	}
	s.pay(t, order)
	s.expectVerdict(t, order, payments.VerdictPaid)
	day := s.day(t, s.today())
	if day.Taken() != (money.Sum{Count: 1, Amount: 7000}) || s.account(t, "T1").Taken() != day.Taken() {
		t.Errorf("the day has %+v, the account %+v", day.Taken(), s.account(t, "T1").Taken())
	}
	s.refund(t, "T1", first.Number, true, 500)
	parts := []drawer.Part{{Tender: drawer.TenderCash, Amount: 2000, Refunded: 500}, {Tender: drawer.TenderLink, Amount: 5000, Proven: true}}
	if got := s.receipt(t, order.Reference).Parts; !slices.Equal(got, parts) {
		t.Errorf("the receipt has %+v", got)
	}
}

func TestASaleIsNotPaidTwiceInParts(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	more := rest(first)
	more.Part.Amount++
	objected(t, failure(s.Take(t.Context(), terms("S1"), inCash())), payments.SalePaid)
	objected(t, failure(s.Take(t.Context(), more, inCash())), payments.SalePaid)
	order := s.checkout(t, rest(first))
	objected(t, failure(s.Take(t.Context(), rest(first), inCash())), payments.SalePayable)
	s.pay(t, order)
	// The cashier knows of the first part, so the objection names the link that paid the rest.
	if named := objected(t, failure(s.Take(t.Context(), rest(first), inCash())), payments.SalePaid).Order; named.Reference != order.Reference {
		t.Errorf("the objection names %q", named.Reference)
	}
}

func TestAnUnfinishedSaleKnowsWhatWasTakenAndGivesItBack(t *testing.T) {
	s := open(t)
	must(t, s.SaveSale(t.Context(), payments.Sale{ID: "S1", Till: "T1", Items: terms("S1").Items}))
	first := s.takePart(t, "S1", 2000)
	s.takePart(t, "S1", 1000)
	if third := s.takePart(t, "S1", 500); third.RestOf != first.Number {
		t.Errorf("the third part pays the rest of %s", third.RestOf)
	}
	sales, err := s.Sales(t.Context(), "T1")
	if err != nil || len(sales) != 1 || sales[0].Taken != 3500 || sales[0].RestOf != first.Number {
		t.Fatalf("got %+v, %v", sales, err)
	}
	if others, err := s.Sales(t.Context(), "T2"); len(others) > 0 || err != nil {
		t.Errorf("the other till has %+v, %v", others, err)
	}
	for _, service := range []*drawer.Service{s.Once("drop 1"), s.Once("drop 1")} { // Only the first one finds money.
		must(t, failure(service.VoidParts(t.Context(), "T1", sales[0], "dropped", staff.Identity{})))
	}
	s.expectDrawers(t, map[string]money.Ariary{"T1": 0})
}

func TestASaleThatIsPaidInPartIsNotRecovered(t *testing.T) {
	s := newTill(openStore(t), payments.WithDrafts(openStore(t)))
	expect := func(when string, want int) {
		t.Helper()
		must(t, s.SaveSale(t.Context(), payments.Sale{ID: "S1", Till: "T1", Items: terms("S1").Items}))
		if closed, err := s.Recover(t.Context(), "T1"); err != nil || len(closed) != want {
			t.Errorf("%s: closed %+v, %v", when, closed, err)
		}
	}
	first := s.takePart(t, "S1", 2000)
	expect("after a part", 0)
	s.take(t, rest(first), inCash())
	expect("after the rest", 1)
}

// meantime is a store in which something happens just before the next change.
type meantime struct {
	drawer.Store
	happens func()
}

func (s *meantime) Update(ctx context.Context, change func(payments.Tx) error) error {
	if happens := s.happens; happens != nil {
		s.happens = nil
		happens()
	}
	return s.Store.Update(ctx, change)
}

// The cashier who drops a sale saw 2,000 of 7,000.
func TestOnlyWhatTheCashierSawIsGivenBackOfADroppedSale(t *testing.T) {
	elsewhere := func(s *till, first drawer.CounterSale, amount money.Ariary) {
		later := again(rest(first))
		later.Till = "T2"
		later.Part.Amount = amount
		s.take(t, later, inCash())
	}
	for name, test := range map[string]struct {
		meanwhile func(s *till, first drawer.CounterSale, order payments.Order)
		left      money.Ariary // What is in the drawer afterwards.
		outdated  bool
	}{
		"nothing happened":               {func(*till, drawer.CounterSale, payments.Order) {}, 0, false},
		"the link was paid":              {func(s *till, _ drawer.CounterSale, order payments.Order) { s.pay(t, order) }, 2000, true},
		"another till took the rest":     {func(s *till, first drawer.CounterSale, _ payments.Order) { elsewhere(s, first, 5000) }, 2000, true},
		"another till took another part": {func(s *till, first drawer.CounterSale, _ payments.Order) { elsewhere(s, first, 1000) }, 2000, true},
		"some was given back": {func(s *till, first drawer.CounterSale, _ payments.Order) {
			s.refund(t, "T1", first.Number, true, 500)
		}, 1500, true},
		"all was given back": {func(s *till, first drawer.CounterSale, _ payments.Order) { s.void(t, "T1", first.Number) }, 0, true},
		"the link was paid, and all of that given back": {func(s *till, _ drawer.CounterSale, order payments.Order) {
			s.pay(t, order)
			s.refund(t, "T1", order.Reference, false, order.Amount)
		}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			store := &meantime{Store: openStore(t)}
			s := newTill(store)
			first := s.takePart(t, "S1", 2000)
			order := s.checkout(t, rest(first))
			store.happens = func() { test.meanwhile(s, first, order) }
			cash, err := s.VoidParts(t.Context(), "T1", payments.Sale{ID: "S1", Taken: 2000}, "dropped", staff.Identity{})
			if test.outdated != errors.Is(err, payments.ErrOutdated) || !test.outdated && (err != nil || cash != 2000) {
				t.Errorf("gave back %d, %v", cash, err)
			}
			s.expectDrawers(t, map[string]money.Ariary{"T1": test.left})
		})
	}
}

// A sale is unfinished while the shop has a part of its money, and until it was paid once.
func TestWhenASaleWithAPartIsUnfinished(t *testing.T) {
	for _, test := range []struct {
		name string
		then func(s *till, first drawer.CounterSale) // What happens after the first part of 2,000.
		want money.Ariary                            // What was taken for the unfinished sale; 0 if it is not unfinished.
	}{
		{"after its first part", func(*till, drawer.CounterSale) {}, 2000},
		{"after another part", func(s *till, _ drawer.CounterSale) { s.takePart(t, "S1", 2000) }, 4000},
		{"after the last part", func(s *till, _ drawer.CounterSale) {
			s.takePart(t, "S1", 2000)
			s.takePart(t, "S1", 3000)
		}, 0},
		{"most of the part was given back", func(s *till, first drawer.CounterSale) { s.refund(t, "T1", first.Number, true, 1999) }, 1},
		{"all of the part was given back", func(s *till, first drawer.CounterSale) { s.refund(t, "T1", first.Number, true, 2000) }, 0},
		{"a refund after the rest", func(s *till, first drawer.CounterSale) {
			s.take(t, rest(first), inCash())
			s.refund(t, "T1", first.Number, true, 500)
		}, 0},
		{"most of the part was given back and paid again with the rest, and a void took the part away", func(s *till, first drawer.CounterSale) {
			s.refund(t, "T1", first.Number, true, 1500)
			later := rest(first)
			later.Part.Amount, later.Part.Taken = 6500, 500
			s.take(t, later, inCash())
			s.void(t, "T1", first.Number)
		}, 6500},
		{"the rest was found paid, and given back", func(s *till, first drawer.CounterSale) {
			order := s.checkout(t, rest(first))
			s.resolve(t, order, payments.FoundPaid)
			s.refund(t, "T1", order.Reference, false, 5000)
		}, 0},
		{"the rest was given back, and charged again by a link that expired", func(s *till, first drawer.CounterSale) {
			paid := s.take(t, rest(first), inCash())
			s.refund(t, "T1", paid.Number, true, 5000)
			order := s.checkout(t, rest(first))
			s.receive(t, eventOf(order, payments.PaymentExpired), s.now)
			must(t, failure(s.Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{})))
		}, 2000},
		{"the rest was paid by link, given back, and charged again in part", func(s *till, first drawer.CounterSale) {
			order := s.checkout(t, rest(first))
			s.pay(t, order)
			s.refund(t, "T1", order.Reference, false, 5000)
			again := rest(first)
			again.Part.Amount = 1000
			s.take(t, again, inCash())
		}, 3000},
		{"the rest was found unpaid after its proof", func(s *till, first drawer.CounterSale) {
			order := s.checkout(t, rest(first))
			s.pay(t, order)
			s.resolve(t, order, payments.FoundUnpaid)
		}, 2000},
	} {
		s := open(t)
		test.then(s, s.takePart(t, "S1", 2000))
		sales, err := s.Sales(t.Context(), "T1")
		must(t, err)
		if unfinished := len(sales) == 1; unfinished != (test.want > 0) || unfinished && sales[0].Taken != test.want {
			t.Errorf("%s: the sales are %+v", test.name, sales)
		}
	}
}
