package drawer_test

import (
	"errors"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// transfers returns all transfers of an order, or the refunds and voids of a cash sale.
func (s *till) transfers(t *testing.T, ref string) []ledger.Transfer {
	t.Helper()
	order, _, err := s.Order(t.Context(), ref)
	if err == nil {
		return order.Transfers
	}
	sales, err := s.CounterSales(t.Context(), money.Period{To: s.now.AddDate(1, 0, 0)})
	must(t, err)
	for _, sale := range sales {
		if sale.Number == ref {
			return sale.Refunds
		}
	}
	return nil
}

// last returns the last element of s.transfers(t, ref), or the zero transfer.
func (s *till) last(t *testing.T, ref string) (last ledger.Transfer) {
	t.Helper()
	for _, transfer := range s.transfers(t, ref) {
		last = transfer
	}
	return last
}

// tryRefund makes a refund at a till, for a person who has seen what is left.
func (s *till) tryRefund(t *testing.T, till, ref string, inCash bool, amount money.Ariary) error {
	t.Helper()
	from, err := s.Refundable(t.Context(), ref, inCash)
	if err != nil && !errors.Is(err, payments.ErrNotFound) {
		t.Fatal(err)
	}
	return s.Refund(t.Context(), till, drawer.Given{Ref: ref, InCash: inCash, Amount: amount, Net: from.Net, Note: "broken"}, staff.Identity{})
}

// refund makes a refund like tryRefund and fails the test on an error. It returns the transfer.
func (s *till) refund(t *testing.T, till, ref string, inCash bool, amount money.Ariary) ledger.Transfer {
	t.Helper()
	must(t, s.tryRefund(t, till, ref, inCash, amount))
	return s.last(t, ref)
}

// takeBack takes back the last transfer of an order or of a cash sale, which must be a refund.
func (s *till) takeBack(t *testing.T, till, ref string) {
	t.Helper()
	must(t, s.tryTakeBack(t, till, ref, s.last(t, ref).ID))
}

func (s *till) tryTakeBack(t *testing.T, till, ref string, number int64) error {
	t.Helper()
	return s.TakeBack(t.Context(), till, ref, number, "a mistake", staff.Identity{})
}

// expectDrawers fails the test unless each till's drawer should contain this much cash.
func (s *till) expectDrawers(t *testing.T, want map[string]money.Ariary) {
	t.Helper()
	for till, want := range want {
		account := s.account(t, till)
		if account.Expected() != want {
			t.Errorf("the drawer of %s should have %d, want %d", till, account.Expected(), want)
		}
	}
}

func (s *till) expectVerdict(t *testing.T, order payments.Order, want payments.Verdict) {
	t.Helper()
	if got := s.find(t, order.Reference).Verdict(payments.Conditions{}, s.now); got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
}

func TestAPartOfACashSaleIsGivenBack(t *testing.T) {
	s := open(t)
	sale := s.cash(t, "S1")
	s.refund(t, "T1", sale.Number, true, 3000)
	s.takeBack(t, "T1", sale.Number)
	s.refund(t, "T1", sale.Number, true, 2000)
	s.expectDrawers(t, map[string]money.Ariary{"T1": 5000})
	first := s.today()
	s.now = s.now.AddDate(0, 0, 1)
	s.refund(t, "T1", sale.Number, true, 2000)
	if back := s.receipt(t, sale.Number).Cash.Refunded; back != 4000 {
		t.Errorf("the receipt has %d given back", back)
	}
	s.now = s.now.AddDate(0, 0, 1)
	s.void(t, "T1", sale.Number)
	for day, want := range []money.Ariary{5000, -2000, -3000} {
		period := money.Day(first.From.AddDate(0, 0, day), 0)
		takings := s.day(t, period)
		entries := s.journal(t, period)
		if len(entries) != 1 {
			t.Fatalf("day %d: %d entries", day, len(entries))
		}
		if in := entries[0].Amount - entries[0].Refunded; takings.Taken().Amount != want || in != want || !period.Contains(entries[0].At) {
			t.Errorf("day %d: the takings are %d and the entry %+v, want %d", day, takings.Taken().Amount, entries[0], want)
		}
	}
}

// The test with this name in package payments has more refusals of orders.
func TestARefundThatCannotBeMadeIsRefused(t *testing.T) {
	s := open(t)
	paid, sale, voided := s.order(t, "S1"), s.cash(t, "S3"), s.cash(t, "S4")
	s.pay(t, paid)
	s.refund(t, "T1", paid.Reference, false, 1000)
	s.refund(t, "T1", sale.Number, true, 1000)
	s.void(t, "T1", voided.Number)
	for _, ref := range []string{paid.Reference, paid.OrderReference, sale.Number} {
		if from, err := s.Refundable(t.Context(), ref, true); err != nil || from != (drawer.Refundable{Net: 6000, Left: 6000, Refunded: 1000}) {
			t.Errorf("of %s %+v can be given back, %v", ref, from, err)
		}
	}
	mustFail(t, failure(s.Refundable(t.Context(), "T1-GT-C-000009", true)), payments.ErrNotFound)
	seen := money.Ariary(6500)
	for name, c := range map[string]struct {
		given drawer.Given
		want  error
	}{
		"without a reason":                        {drawer.Given{Ref: paid.Reference, InCash: true, Amount: 500, Net: 6000, Note: " \u200b"}, drawer.ErrReasonNeeded},
		"of another amount left":                  {drawer.Given{Ref: paid.Reference, InCash: true, Amount: 500, Net: 6000, Seen: &seen, Note: "broken"}, payments.ErrOutdated},
		"of an order with another verdict":        {drawer.Given{Ref: paid.Reference, InCash: true, Amount: 500, Net: 6000, Verdict: payments.VerdictCheck, Note: "broken"}, payments.ErrOutdated},
		"of a cash sale, another amount left":     {drawer.Given{Ref: sale.Number, InCash: true, Amount: 500, Net: 6000, Seen: &seen, Note: "broken"}, payments.ErrOutdated},
		"of a cash sale, after another refund":    {drawer.Given{Ref: sale.Number, InCash: true, Amount: 500, Net: 7000, Note: "broken"}, payments.ErrOutdated},
		"of a cash sale, more than is left":       {drawer.Given{Ref: sale.Number, InCash: true, Amount: 6001, Net: 6000, Note: "broken"}, money.ErrNotAmount},
		"of a cash sale, nothing":                 {drawer.Given{Ref: sale.Number, InCash: true, Net: 6000, Note: "broken"}, money.ErrNotAmount},
		"of a cash sale, below zero":              {drawer.Given{Ref: sale.Number, InCash: true, Amount: -1, Net: 6000, Note: "broken"}, money.ErrNotAmount},
		"of a cash sale, in the merchant area":    {drawer.Given{Ref: sale.Number, Amount: 500, Net: 6000, Note: "broken"}, money.ErrNotAmount},
		"of a voided cash sale":                   {drawer.Given{Ref: voided.Number, InCash: true, Amount: 500, Note: "broken"}, drawer.ErrVoided},
		"of nothing":                              {drawer.Given{Ref: "T1-GT-C-000009", InCash: true, Amount: 500, Note: "broken"}, payments.ErrNotFound},
		"of an order whose number is of no order": {drawer.Given{Ref: "REF_9", Amount: 500, Note: "broken"}, payments.ErrNotFound},
	} {
		if err := s.Refund(t.Context(), "T1", c.given, staff.Identity{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	err := s.Refund(t.Context(), "T1", drawer.Given{Ref: sale.Number, InCash: true, Amount: 6001, Net: 6000, Note: "broken"}, staff.Identity{})
	if left, is := errors.AsType[*payments.LeftError](err); !is || left.Left != 6000 {
		t.Errorf("error %v, want one with 6000 Ar left", err)
	}
	s.expectDrawers(t, map[string]money.Ariary{"T1": 6000})
}

func TestARefundOfAllThatIsRepeatedWithItsIDIsMadeOnce(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	s.pay(t, order)
	for range 2 {
		from, err := s.Refundable(t.Context(), order.Reference, true)
		must(t, err)
		given := drawer.Given{Ref: order.Reference, InCash: true, All: true, Net: from.Net, Note: "broken"}
		must(t, s.Once("evening").Refund(t.Context(), "T1", given, staff.Identity{}))
	}
	s.expectDrawers(t, map[string]money.Ariary{"T1": -7000})
}

func TestARefundIsTakenBackOnce(t *testing.T) {
	s := open(t)
	order, other, sale := s.order(t, "S1"), s.order(t, "S2"), s.cash(t, "S3")
	s.pay(t, order)
	ofOrder := s.refund(t, "T1", order.Reference, true, 1000)
	ofSale := s.refund(t, "T1", sale.Number, true, 2000)
	mustFail(t, s.TakeBack(t.Context(), "T1", order.Reference, ofOrder.ID, " ", staff.Identity{}), drawer.ErrReasonNeeded)
	for ref, number := range map[string]int64{order.Reference: ofOrder.ID, sale.Number: ofSale.ID} {
		if err := s.tryTakeBack(t, "T1", other.Reference, number); !errors.Is(err, drawer.ErrNoRefund) {
			t.Errorf("%s, a refund of another order: error %v", ref, err)
		}
		must(t, s.tryTakeBack(t, "T1", ref, number))
		for name, err := range map[string]error{
			"twice":                              s.tryTakeBack(t, "T1", ref, number),
			"what takes a refund back":           s.tryTakeBack(t, "T1", ref, s.last(t, ref).ID),
			"zero":                               s.tryTakeBack(t, "T1", ref, 0),
			"below zero":                         s.tryTakeBack(t, "T1", ref, -1),
			"a number after the last":            s.tryTakeBack(t, "T1", ref, 99),
			"the number of the sale's first row": s.tryTakeBack(t, "T1", ref, 1),
		} {
			if !errors.Is(err, drawer.ErrNoRefund) {
				t.Errorf("%s, %s: error %v", ref, name, err)
			}
		}
	}
	s.expectDrawers(t, map[string]money.Ariary{"T1": 7000})
	last := s.refund(t, "T1", sale.Number, true, 2000)
	s.void(t, "T1", sale.Number)
	mustFail(t, s.tryTakeBack(t, "T1", sale.Number, last.ID), drawer.ErrVoided)
	s.expectDrawers(t, map[string]money.Ariary{"T1": 0})
}

func TestAVoidNeedsMoneyThatIsLeft(t *testing.T) {
	s := open(t)
	sale := s.cash(t, "S1")
	s.refund(t, "T1", sale.Number, true, 7000)
	mustFail(t, failure(s.VoidSale(t.Context(), "T1", sale.Number, "mistake", staff.Identity{})), drawer.ErrGivenBack)
	s.takeBack(t, "T1", sale.Number)
	if voided := s.void(t, "T1", sale.Number); voided.Left() != 0 {
		t.Errorf("%d is left after the void", voided.Left())
	}
	mustFail(t, failure(s.VoidSale(t.Context(), "T1", sale.Number, "again", staff.Identity{})), drawer.ErrVoided)
	sales, err := s.CounterSales(t.Context(), s.today())
	must(t, err)
	if len(sales) != 1 || !sales[0].Voided() || sales[0].Reason() != "mistake" || len(sales[0].Refunds) != 3 {
		t.Errorf("got %+v", sales)
	}
	s.now = s.now.AddDate(0, 1, 0)
	later, err := s.CounterSale(t.Context(), sale.Number)
	must(t, err)
	if later.Reason() != "mistake" || len(later.Refunds) != 3 {
		t.Errorf("a month later: got %+v", later)
	}
}
