package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

const rabe = ledger.Account("customer/A1")

// owe adds an amount to what a customer owes. For an amount below zero, the customer owes less, as
// after another payment.
func (s *shop) owe(t testing.TB, account ledger.Account, amount money.Ariary) {
	t.Helper()
	sold := ledger.Transfer{At: s.now, Booked: s.now, Kind: ledger.Sale, From: ledger.Sales, To: account, Amount: amount, Till: "T1"}
	must(t, s.store.Update(t.Context(), func(tx payments.Tx) error { return tx.Post(sold.Forward()) }))
}

func debtTerms(sale string, debt ledger.Account, amount money.Ariary) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Debt: debt, Items: []payments.Item{{Label: "Debt", UnitPrice: amount, Quantity: 1}}}
}

func (s *shop) owed(t testing.TB, account ledger.Account) (owed money.Ariary) {
	t.Helper()
	must(t, s.store.Update(t.Context(), func(tx payments.Tx) (err error) {
		owed, err = tx.Owed(account)
		return err
	}))
	return owed
}

func TestAnOrderThatPaysADebtIsNoSale(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 20_000)
	order, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 9000))
	must(t, err)
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	order, _ = s.look(t, order.Reference)
	if order.Debt != rabe || order.Net() != 9000 || order.Terms().Debt != rabe || s.owed(t, rabe) != 11_000 {
		t.Errorf("got %+v", order)
	}
	if moved := order.Transfers[0]; moved.Kind != ledger.Paid || moved.From != rabe || moved.To != ledger.Service || !moved.OfDebt() {
		t.Errorf("got %+v", moved)
	}
	if _, err := s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: "not in the merchant area"}); err != nil {
		t.Fatal(err)
	}
	order, _ = s.look(t, order.Reference)
	if back := order.Transfers[1]; back.Kind != ledger.Paid || !back.Back() || s.owed(t, rabe) != 20_000 || order.Net() != 0 {
		t.Errorf("got %+v", back)
	}
}

func TestLinksThatCanStillBePaidCountAgainstADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 20_000)
	first, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 9000))
	must(t, err)
	_, err = s.Checkout(t.Context(), debtTerms("D2", rabe, 11_000))
	must(t, err)
	_, err = s.Checkout(t.Context(), debtTerms("D3", rabe, 1))
	if objection, is := errors.AsType[*payments.Objection](err); !is || objection.Kind != payments.SalePayable {
		t.Errorf("got %v", err)
	}
	if _, err = s.Checkout(t.Context(), again(debtTerms("D3", rabe, 20_000))); err != nil {
		t.Errorf("despite the links: %v", err)
	}
	_, err = s.Checkout(t.Context(), again(debtTerms("D4", rabe, 20_001)))
	if owed, is := errors.AsType[*payments.OwedError](err); !is || owed.Owed != 20_000 || owed.Amount != 20_001 || owed.Error() == "" {
		t.Errorf("got %v", err)
	}
	if _, err = s.Checkout(t.Context(), again(debtTerms("D1", rabe, 9000))); err != nil {
		t.Errorf("the same debt again: %v", err)
	}
	s.receive(t, event(payments.PaymentSuccess, first, ""))
	s.now = s.now.Add(payments.LinkGrace).Add(payments.LinkGrace).Add(10 * payments.LinkGrace)
	if _, err := s.Checkout(t.Context(), debtTerms("D5", rabe, 11_000)); err != nil {
		t.Errorf("after the links ended: %v", err)
	}
}

// Charging a debt again asks about the links of its other orders by the same clocks as charging a sale.
func TestALinkThatHasJustEndedCountsAgainstADebt(t *testing.T) {
	for _, test := range []struct {
		name            string
		wall, stopwatch time.Duration // Time since the order was made.
		asks            bool
	}{
		{"the customer may just have paid", 12*time.Minute - time.Second, 12*time.Minute - time.Second, true},
		{"the clock was set forward", 24 * time.Hour, time.Minute, true},
		{"two minutes are over by both clocks", 12 * time.Minute, 12 * time.Minute, false},
	} {
		s := newShop(t)
		elapsed := time.Duration(0)
		s.Service = payments.New(s.store, s, s.clock, payments.WithTag("GT"), payments.WithStopwatch(func() time.Duration { return elapsed }))
		s.owe(t, rabe, 9000)
		order, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 9000))
		must(t, err)
		s.now, elapsed = s.now.Add(test.wall), test.stopwatch
		_, err = s.Checkout(t.Context(), debtTerms("D2", rabe, 9000))
		objection, asks := errors.AsType[*payments.Objection](err)
		if asks != test.asks || asks && objection.Order.Reference != order.Reference {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestASuccessInDoubtCountsAgainstADebtUntilAPersonHasChecked(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 9000)
	order, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 9000))
	must(t, err)
	success := event(payments.PaymentSuccess, order, "")
	success.Amount = payments.AmountValue(8999)
	s.receive(t, success)
	s.now = s.now.Add(time.Hour)
	_, err = s.Checkout(t.Context(), debtTerms("D2", rabe, 9000))
	if objection, is := errors.AsType[*payments.Objection](err); !is || objection.Kind != payments.SaleDoubtful {
		t.Errorf("got %v", err)
	}
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: "not in the merchant area"})))
	must(t, failure(s.Checkout(t.Context(), debtTerms("D2", rabe, 9000))))
}

func TestALinkThatPaysMoreThanIsOwedMustBeChecked(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 9000)
	order, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 9000))
	must(t, err)
	s.owe(t, rabe, -1) // Another payment, for example in cash.
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	order, _ = s.look(t, order.Reference)
	mustAsk(t, order, s.now, payments.DebtOverpaid)
	must(t, s.refund(t, order.Reference, area, 9000))
	order, _ = s.look(t, order.Reference)
	mustAsk(t, order, s.now)
}

func TestALinkThatAPersonFoundPaidDoesNotCountAgainstTheRestOfADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 9000)
	order, err := s.Checkout(t.Context(), debtTerms("D1", rabe, 5000))
	must(t, err)
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})))
	must(t, failure(s.Checkout(t.Context(), debtTerms("D2", rabe, 4000))))
}
