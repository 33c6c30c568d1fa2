package payments_test

import (
	"reflect"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// rest returns the terms for the rest of a sale of 9 000 Ar, after 4 000 Ar were paid at the
// counter.
func rest(amount money.Ariary) payments.Terms {
	return payments.Terms{
		Reference: "A2", Sale: "S1", Till: "T1", Items: terms("").Items,
		Part: payments.Part{Amount: amount, Taken: 4000, RestOf: "T1-GT-C-000001", Label: "Rest of 9 000 Ar"},
	}
}

func TestAnOrderForTheRestOfASale(t *testing.T) {
	order, err := payments.NewOrder(rest(5000), opening())
	must(t, err)
	if order.Amount != 5000 || order.SaleTotal() != 9000 || order.Description != "Rest of 9 000 Ar" {
		t.Errorf("got %d Ar of %d Ar, %q", order.Amount, order.SaleTotal(), order.Description)
	}
	// The service's items must add up to the amount.
	if want := []payments.Item{{Label: "Rest of 9 000 Ar", UnitPrice: 5000, Quantity: 1}}; !reflect.DeepEqual(order.Lines(), want) {
		t.Errorf("the service gets %+v, want %+v", order.Lines(), want)
	}
	if again := order.Terms(); !reflect.DeepEqual(again.Part, rest(5000).Part) || again.Description != "" {
		t.Errorf("another order has the terms %+v", again)
	}
	for _, amount := range []money.Ariary{-1, 9001} {
		mustFail(t, failure(payments.NewOrder(rest(amount), opening())), money.ErrTooLarge)
	}
	terms := rest(0)
	terms.Part = payments.Part{}
	if whole, err := payments.NewOrder(terms, opening()); err != nil || !reflect.DeepEqual(whole.Lines(), whole.Items) {
		t.Errorf("the service gets %+v of a whole sale, %v", whole.Lines(), err)
	}
}

func TestAPartIsChargedUpToTheTotal(t *testing.T) {
	taken := payments.Taken{Number: "T1-GT-C-000001", Net: 4000}
	must(t, payments.MayCharge(nil, taken, rest(5000), opening()))
	objected(t, payments.MayCharge(nil, taken, rest(5001), opening()), payments.SalePaid)
	live := pending()
	live.Amount = 3000
	must(t, payments.MayCharge([]payments.Order{live}, taken, rest(2000), opening()))
	objected(t, payments.MayCharge([]payments.Order{live}, taken, rest(5000), opening()), payments.SalePayable)
	taken.Net = 3000 // A part was given back.
	mustFail(t, payments.MayCharge(nil, taken, rest(5000), opening()), payments.ErrOutdated)
}

func TestTheRestAfterAPartWasGivenBackMustBeChecked(t *testing.T) {
	waiting, err := payments.NewOrder(rest(5000), opening())
	must(t, err)
	paid := waiting
	paid.Facts.PaidAt = opening()
	for _, taken := range []money.Ariary{0, 3999, 4000} {
		settled := payments.Settle(waiting, paid, nil, payments.Taken{Net: taken, Largest: 9000})
		want := []payments.Attention{payments.PartGivenBack}
		if taken == 4000 {
			want = nil
		}
		if got := settled[0].Facts.Attention; !slices.Equal(got, want) {
			t.Errorf("with %d of 4000 Ar left of the part: %v, want %v", taken, got, want)
		}
	}
}

func TestCashForASaleIsAnObjectionToAnotherCharge(t *testing.T) {
	taken := payments.Taken{Number: "T1-GT-C-000001", Net: 9000, Largest: 9000}
	objection := objected(t, payments.MayCharge(nil, taken, payments.Terms{}, opening()), payments.SalePaid)
	if objection.Error() != "cash sale T1-GT-C-000001 was made from the sale" {
		t.Errorf("got %v", objection)
	}
	must(t, payments.MayCharge(nil, taken, again(payments.Terms{}), opening())) // After a yes.
}

func TestCashEndsTheCodesOfASaleAndMeetsItsPayments(t *testing.T) {
	paid, waiting := payments.Order{Reference: "A", Amount: 9000}, payments.Order{Reference: "B", Amount: 9000}
	paid.Facts.PaidAt = opening()
	cash := payments.Taken{Number: "C", Net: 9000, Largest: 9000}
	changed := payments.SettleCash([]payments.Order{paid, waiting}, cash, true)
	if len(changed) != 2 || !slices.Contains(changed[0].Facts.Attention, payments.PaidTwice) || changed[0].Facts.Superseded ||
		!changed[1].Facts.Superseded || len(changed[1].Facts.Attention) > 0 {
		t.Errorf("got %+v", changed)
	}
	back := payments.SettleCash(changed, payments.Taken{}, false)
	if len(back) != 1 || len(back[0].Facts.Attention) > 0 {
		t.Errorf("after the void got %+v", back)
	}
	t.Run("a part that is given back ends no code", func(t *testing.T) {
		cash.Net = 8000
		if changed := payments.SettleCash([]payments.Order{waiting}, cash, false); len(changed) > 0 {
			t.Errorf("got %+v", changed)
		}
	})
}
