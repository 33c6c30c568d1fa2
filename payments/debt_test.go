package payments_test

import (
	"errors"
	"testing"

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

func TestLinksThatCanStillBePaidCountAgainstADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 20_000)
	first := s.checkout(t, debtTerms("D1", rabe, 9000))
	s.checkout(t, debtTerms("D2", rabe, 11_000))
	objected(t, failure(s.Checkout(t.Context(), debtTerms("D3", rabe, 1))), payments.SalePayable)
	s.checkout(t, again(debtTerms("D3", rabe, 20_000)))
	_, err := s.Checkout(t.Context(), again(debtTerms("D4", rabe, 20_001)))
	if owed, is := errors.AsType[*payments.OwedError](err); !is || owed.Owed != 20_000 || owed.Amount != 20_001 || owed.Error() == "" {
		t.Errorf("got %v", err)
	}
	s.checkout(t, again(debtTerms("D1", rabe, 9000))) // The same debt again.
	s.receive(t, event(payments.PaymentSuccess, first, ""))
	s.now = s.now.Add(12 * payments.LinkGrace)
	s.checkout(t, debtTerms("D5", rabe, 11_000)) // The links have ended.
}

func TestALinkThatPaysMoreThanIsOwedMustBeChecked(t *testing.T) {
	for name, test := range map[string]struct {
		less money.Ariary // What another payment of the debt brings meanwhile, for example in cash.
		why  []payments.Attention
	}{
		"all that is owed": {0, nil},
		"1 Ar too much":    {1, []payments.Attention{payments.DebtOverpaid}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.owe(t, rabe, 9000)
			order := s.checkout(t, debtTerms("D1", rabe, 9000))
			s.owe(t, rabe, -test.less)
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			expect := func(why ...payments.Attention) {
				t.Helper()
				order, _ = s.look(t, order.Reference)
				mustAsk(t, order, s.now, why...)
			}
			expect(test.why...)
			must(t, s.refund(t, order.Reference, area, 1000))
			expect()
			must(t, s.takeBack(t, order.Reference))
			expect(test.why...)
		})
	}
}

func TestALinkThatAPersonFoundPaidDoesNotCountAgainstTheRestOfADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 9000)
	order := s.checkout(t, debtTerms("D1", rabe, 5000))
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})))
	s.checkout(t, debtTerms("D2", rabe, 4000))
}
