package payments_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
)

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

func TestADecimalHasNoZerosAtItsEnd(t *testing.T) {
	for thousandths, want := range map[int64]string{1200: "1,2", 333: "0,333", 2000: "2", 10: "0,01", 0: "0"} {
		if got := payments.Decimal(thousandths, ","); got != want {
			t.Errorf("%d is %s, want %s", thousandths, got, want)
		}
	}
}
