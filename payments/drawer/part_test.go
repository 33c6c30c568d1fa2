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
	first, err := s.Take(t.Context(), part(sale, amount), drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	return first
}

func TestASaleIsPaidInCashAndByLink(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	if order.Amount != 5000 || order.Total != 7000 || order.RestOf != first.Number || order.Description != "Rest of 7 000 Ar" {
		t.Errorf("got %+v", order)
	}
	if lines := order.Lines(); len(lines) != 1 || lines[0].Total() != order.Amount {
		t.Errorf("the service gets the lines %+v", lines)
	}
	s.pay(t, order)
	day := s.day(t, money.Day(s.Now(), 0))
	if day.Taken() != (money.Sum{Count: 1, Amount: 7000}) || s.account(t, "T1").Taken() != day.Taken() {
		t.Errorf("the day has %+v, the account %+v", day.Taken(), s.account(t, "T1").Taken())
	}
	settled, err := s.IssueReceipt(t.Context(), order.Reference)
	must(t, err)
	if len(settled.Parts) != 2 || settled.Parts[0].Amount != 2000 || !settled.Parts[1].Proven {
		t.Errorf("the receipt has %+v", settled.Parts)
	}
	stored, _, err := s.Order(t.Context(), order.Reference)
	must(t, err)
	if verdict := stored.Verdict(payments.Conditions{}, s.Now()); verdict != payments.VerdictPaid {
		t.Errorf("got %s", verdict)
	}
}

func TestASaleIsNotPaidTwiceInParts(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	objects := func(name string, want payments.ObjectionKind, charge func() error) {
		objection, is := errors.AsType[*payments.Objection](charge())
		if !is || objection.Kind != want {
			t.Errorf("%s: got %+v", name, objection)
		}
	}
	objects("the whole sale", payments.SalePaid, func() error {
		_, err := s.Take(t.Context(), terms("S1"), drawer.Paying{Tender: drawer.TenderCash})
		return err
	})
	objects("more than the rest", payments.SalePaid, func() error {
		more := rest(first)
		more.Part.Amount++
		_, err := s.Take(t.Context(), more, drawer.Paying{Tender: drawer.TenderCash})
		return err
	})
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	objects("cash while the link lives", payments.SalePayable, func() error {
		_, err := s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})
		return err
	})
	s.pay(t, order)
	objects("the rest once more", payments.SalePaid, func() error {
		_, err := s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})
		return err
	})
	_, err = s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})
	if objection, is := errors.AsType[*payments.Objection](err); !is || objection.Order.Reference != order.Reference {
		t.Errorf("the cashier knows of the first part, and the link paid the rest: got %v", err)
	}
}

func TestARestIsRefusedAfterThePartWasGivenBack(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	s.void(t, "T1", first.Number)
	if _, err := s.Checkout(t.Context(), rest(first)); !errors.Is(err, payments.ErrOutdated) {
		t.Errorf("got %v", err)
	}
}

func TestTheRestOfASaleWithAPartGivenBackIsNotPlainlyPaid(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	s.void(t, "T1", first.Number)
	s.pay(t, order)
	stored, _, err := s.Order(t.Context(), order.Reference)
	must(t, err)
	reasons := stored.Attention(s.Now())
	if verdict := stored.Verdict(payments.Conditions{}, s.Now()); verdict != payments.VerdictCheck || !slices.Equal(reasons, []payments.Attention{payments.PartGivenBack}) {
		t.Errorf("5 000 of 7 000 Ar are paid, and the order is %s for %v", verdict, reasons)
	}
	// The customer pays the rest.
	later := rest(first)
	later.Part = payments.Part{Amount: 2000, Taken: 5000, RestOf: first.Number, Label: "Rest of 7 000 Ar"}
	_, err = s.Take(t.Context(), later, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	stored, _, err = s.Order(t.Context(), order.Reference)
	must(t, err)
	if verdict := stored.Verdict(payments.Conditions{}, s.Now()); verdict != payments.VerdictPaid {
		t.Errorf("the sale is paid, and the order is %s for %v", verdict, stored.Attention(s.Now()))
	}
}

func TestACodeStaysUntilTheSaleIsFullyPaid(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	despite := part("S1", 2000)
	despite.Despite = []payments.ObjectionKind{payments.SalePayable}
	first, err := s.Take(t.Context(), despite, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	payable := func() bool {
		stored, _, err := s.Order(t.Context(), order.Reference)
		must(t, err)
		return stored.Payable(s.Now())
	}
	if !payable() {
		t.Error("the first money hides the code")
	}
	later := rest(first)
	later.Despite = despite.Despite
	_, err = s.Take(t.Context(), later, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	if payable() {
		t.Error("the code is shown after the sale is paid")
	}
}

// The sale was changed at another till between its parts.
func TestTheLargestTotalOfASaleSaysWhetherItIsPaid(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	for _, quantity := range []int64{4, 2} { // The sale is 14,000, then 7,000.
		half := part("S1", 3500)
		half.Items[0].Quantity = quantity
		half.Despite = []payments.ObjectionKind{payments.SalePayable}
		must(t, failure(s.Take(t.Context(), half, drawer.Paying{Tender: drawer.TenderCash})))
	}
	if !s.find(t, order.Reference).Payable(s.Now()) {
		t.Error("the code is hidden after 7,000 of 14,000 were paid")
	}
	s.pay(t, order)
	s.expectVerdict(t, order, payments.VerdictPaid) // 14,000 of 14,000 are not too much.
}

func TestAnUnfinishedSaleKnowsWhatWasTakenAndGivesItBack(t *testing.T) {
	s := open(t)
	sale := payments.Sale{ID: "S1", Till: "T1", Items: terms("S1").Items}
	must(t, s.SaveSale(t.Context(), sale))
	first := s.takePart(t, "S1", 2000)
	sales, err := s.Sales(t.Context(), "T1")
	must(t, err)
	if len(sales) != 1 || sales[0].Taken != 2000 || sales[0].RestOf != first.Number {
		t.Fatalf("got %+v", sales)
	}
	if others, err := s.Sales(t.Context(), "T2"); len(others) > 0 || err != nil {
		t.Errorf("the other till has %+v, %v", others, err)
	}
	must(t, s.VoidParts(t.Context(), "T1", "S1", "dropped", staff.Identity{}))
	must(t, s.VoidParts(t.Context(), "T1", "S1", "dropped", staff.Identity{}))
	if taken, _, err := s.TakenFor(t.Context(), "S1"); taken != 0 || err != nil || s.account(t, "T1").Expected() != 0 {
		t.Errorf("%d are left, %v", taken, err)
	}
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
	_, err := s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	expect("after the rest", 1)
}

// The cash for the rest was given back, so the customer still owes what the link is for.
func TestARestWhoseCashWasGivenBackIsNotPaidOtherwise(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	later := rest(first)
	later.Despite = []payments.ObjectionKind{payments.SalePayable}
	second, err := s.Take(t.Context(), later, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	s.expectVerdict(t, order, payments.VerdictPaidOtherwise)
	s.void(t, "T1", second.Number)
	s.expectVerdict(t, order, payments.VerdictWaiting)
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

func TestNoPartIsGivenBackOfASaleThatIsPaidMeanwhile(t *testing.T) {
	store := &meantime{Store: openStore(t)}
	s := newTill(store)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	store.happens = func() { s.pay(t, order) }
	if err := s.VoidParts(t.Context(), "T1", "S1", "dropped", staff.Identity{}); !errors.Is(err, payments.ErrOutdated) {
		t.Errorf("got the error %v", err)
	}
	if got := s.account(t, "T1").Expected(); got != 2000 {
		t.Errorf("%d Ar are in the drawer, want 2000", got)
	}
}

func TestTheChangeWithAnIDGivesAllPartsBack(t *testing.T) {
	s := open(t)
	s.takePart(t, "S1", 2000)
	must(t, failure(s.Take(t.Context(), part("S1", 1000), drawer.Paying{Tender: drawer.TenderCash})))
	for range 2 {
		must(t, s.Once("drop 1").VoidParts(t.Context(), "T1", "S1", "dropped", staff.Identity{}))
	}
	if got := s.account(t, "T1").Expected(); got != 0 {
		t.Errorf("%d Ar are in the drawer, want none", got)
	}
}

func TestASaleWhosePartWasGivenBackIsNotUnfinished(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	s.refund(t, "T1", first.Number, true, 1999)
	sales, err := s.Sales(t.Context(), "T1")
	must(t, err)
	if len(sales) != 1 || sales[0].Taken != 1 {
		t.Errorf("1 Ar of the part is left, and the sales are %+v", sales)
	}
	s.refund(t, "T1", first.Number, true, 1)
	if sales, err := s.Sales(t.Context(), "T1"); len(sales) > 0 || err != nil {
		t.Errorf("nothing of the part is left, and the sales are %+v, %v", sales, err)
	}
}

func TestASaleThatWasPaidInPartsIsNotUnfinishedAfterARefund(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	must(t, failure(s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})))
	s.refund(t, "T1", first.Number, true, 500)
	if sales, err := s.Sales(t.Context(), "T1"); len(sales) > 0 || err != nil {
		t.Errorf("got %+v, %v", sales, err)
	}
	settled, err := s.IssueReceipt(t.Context(), first.Number)
	must(t, err)
	if len(settled.Parts) != 2 || settled.Parts[0].Refunded != 500 || settled.Parts[1].Refunded != 0 {
		t.Errorf("the receipt has %+v", settled.Parts)
	}
}

// Most of the first part was given back, and paid again with the rest. The void takes the first part
// away as a whole.
func TestASaleIsUnfinishedAfterAVoidOfAPartThatWasRefunded(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	s.refund(t, "T1", first.Number, true, 1500)
	later := rest(first)
	later.Part.Amount, later.Part.Taken = 6500, 500
	must(t, failure(s.Take(t.Context(), later, drawer.Paying{Tender: drawer.TenderCash})))
	s.void(t, "T1", first.Number)
	if sales, err := s.Sales(t.Context(), "T1"); err != nil || len(sales) != 1 || sales[0].Taken != 6500 {
		t.Errorf("the unfinished sales are %+v, %v", sales, err)
	}
}

func TestASaleWhoseRestWasGivenBackIsNotUnfinished(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	s.resolve(t, order, payments.FoundPaid)
	s.refund(t, "T1", order.Reference, false, 5000)
	if sales, err := s.Sales(t.Context(), "T1"); len(sales) > 0 || err != nil {
		t.Errorf("the sale was paid, and is among %+v, %v", sales, err)
	}
	if err := s.VoidParts(t.Context(), "T1", "S1", "dropped", staff.Identity{}); !errors.Is(err, payments.ErrOutdated) {
		t.Errorf("the parts of a sale that was paid are voided: error %v", err)
	}
}

// The rest was given back by mistake, and charged again by a link.
func TestACodeIsHiddenWhenTheRefundOfTheRestIsTakenBack(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	paid, err := s.Take(t.Context(), rest(first), drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	s.refund(t, "T1", paid.Number, true, 5000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	s.takeBack(t, "T1", paid.Number)
	s.expectVerdict(t, order, payments.VerdictPaidOtherwise)
}

func TestASaleIsUnfinishedAfterItsRestWasFoundUnpaid(t *testing.T) {
	s := open(t)
	first := s.takePart(t, "S1", 2000)
	order, err := s.Checkout(t.Context(), rest(first))
	must(t, err)
	s.pay(t, order)
	s.receive(t, order, payments.PaymentFailed)
	for _, test := range []struct {
		found payments.FindingKind
		want  int
	}{{payments.FoundUnpaid, 1}, {payments.FoundPaid, 0}} {
		s.resolve(t, order, test.found)
		if sales, err := s.Sales(t.Context(), "T1"); len(sales) != test.want || err != nil {
			t.Errorf("found %s: the unfinished sales are %+v, %v", test.found, sales, err)
		}
	}
}

func TestASaleStaysOpenUntilItsLastPart(t *testing.T) {
	s := open(t)
	must(t, s.SaveSale(t.Context(), payments.Sale{ID: "S1", Till: "T1", Items: terms("S1").Items}))
	for n, want := range []int{1, 1, 0} {
		next := part("S1", 2000)
		if n == 2 {
			next.Part.Amount = 3000
		}
		_, err := s.Take(t.Context(), next, drawer.Paying{Tender: drawer.TenderCash})
		must(t, err)
		sales, err := s.Sales(t.Context(), "T1")
		must(t, err)
		if len(sales) != want {
			t.Errorf("after %d parts there are the sales %+v", n+1, sales)
		}
	}
	if taken := s.account(t, "T1").Taken(); taken != (money.Sum{Count: 1, Amount: 7000}) {
		t.Errorf("got %+v", taken)
	}
}
