package payments_test

import (
	"errors"
	"slices"
	"testing"

	"checkout/till/payments"
)

func TestCashForASaleIsAnObjectionToAnotherCharge(t *testing.T) {
	taken := payments.Taken{Number: "T1-GT-C-000001", Net: 9000, Largest: 9000}
	objection, is := errors.AsType[*payments.Objection](payments.MayCharge(nil, taken, payments.Terms{}, opening()))
	if !is || objection.Kind != payments.SalePaid || objection.Error() != "cash sale T1-GT-C-000001 was made from the sale" {
		t.Errorf("got %v", objection)
	}
	if err := payments.MayCharge(nil, taken, payments.Terms{Despite: []payments.ObjectionKind{payments.SalePaid}}, opening()); err != nil {
		t.Errorf("after a yes: %v", err)
	}
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

func TestALockedRelayNeedsAdvice(t *testing.T) {
	for reach, want := range map[payments.Reach]bool{
		payments.ReachRelayLocked: true, payments.ReachNotListening: true, payments.ReachUnconfirmed: true, payments.ReachListens: false,
	} {
		if got := reach.NeedsAdvice(); got != want {
			t.Errorf("%s: got %v, want %v", reach, got, want)
		}
	}
}
