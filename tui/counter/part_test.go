package counter_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// begin takes a part of the sale in cash, and leaves open how the rest is paid.
func (d *desk) begin(part money.Ariary) *desk {
	d.t.Helper()
	d.at.Charge()
	d.at.Tender()
	d.settle()
	d.at.TakeCash(part)
	if d.settle(); d.at.Asking() != counter.AskRest || d.at.Question().Part != part {
		d.t.Fatalf("got the question %+v", d.at.Question())
	}
	return d
}

func (d *desk) taken(t *testing.T) money.Ariary {
	t.Helper()
	account, err := d.Account(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	return account.Expected()
}

func TestAnUnpaidRestReturnsToTheSale(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.at.Yes()
	order := d.settle().at.Shown().Order
	d.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
	d.wake().after(counter.Grace)
	d.at.Done(d.at.Shown().Order)
	sale := d.settle().at.Cart().Sale
	if sale.Taken != 5000 || len(sale.Items) != 1 || sale.RestOf == "" {
		t.Fatalf("got the sale %+v", sale)
	}
	t.Run("and is paid in cash", func(t *testing.T) {
		d.at.Charge()
		d.at.Tender()
		if d.settle(); d.at.Question().Due() != 15_000 {
			t.Fatalf("got %+v", d.at.Question())
		}
		d.at.TakeCash(20_000)
		d.settle()
		if shown := d.at.Shown().Cash; shown.Amount != 15_000 || shown.Change() != 5000 || d.taken(t) != 20_000 {
			t.Errorf("got %+v, %d in the drawer", shown, d.taken(t))
		}
	})
}

func TestAPartSurvivesARestartAndIsHeldAndResumed(t *testing.T) {
	shop := shoptest.Open(t)
	d := sell(t, shop).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCard})
	tuitest.Must(t, err)
	again := sell(t, shop)
	if sale := again.at.Cart().Sale; sale.Taken != 5000 {
		t.Fatalf("got %+v", sale)
	}
	again.at.Hold("Rabe")
	again.settle().add("Coca", 2000)
	again.at.Drop()
	again.at.Yes()
	again.settle()
	again.at.Resume(0)
	again.settle()
	if due := again.at.Cart().Terms().Due(); due != 15_000 {
		t.Errorf("%d are due", due)
	}
}

func TestAPartThatWasGivenBackElsewhereIsReadAgain(t *testing.T) {
	shop := shoptest.Open(t)
	d := sell(t, shop).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	first, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	again := sell(t, shop)
	_, err = shop.VoidSale(t.Context(), shoptest.Till, first.Number, "wrong", staff.Identity{})
	tuitest.Must(t, err)
	again.at.Charge()
	again.at.Tender()
	again.settle()
	again.at.TakeCash(0)
	again.settle()
	if sale := again.at.Cart().Sale; sale.Taken != 0 || len(sale.Items) != 1 || again.taken(t) != 0 {
		t.Errorf("got %+v", sale)
	}
}

func TestDroppingASaleGivesItsPartBack(t *testing.T) {
	shop := shoptest.Open(t)
	d := sell(t, shop).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	again := sell(t, shop)
	again.at.Drop()
	again.at.Yes()
	if again.settle(); again.taken(t) != 0 || !again.at.Cart().Untouched() {
		t.Errorf("%d are in the drawer, the sale is %+v", again.taken(t), again.at.Cart().Sale)
	}
}

func TestAPartIsNotGivenBackWithoutAPINInAShopWithCashiers(t *testing.T) {
	shop := shoptest.Open(t)
	d := sell(t, shop).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	shop.Hire()
	again := sell(t, shop)
	again.at.Drop()
	again.at.Yes()
	if again.settle(); again.taken(t) != 5000 || again.at.Cart().Untouched() {
		t.Errorf("%d are in the drawer, the sale is %+v", again.taken(t), again.at.Cart().Sale)
	}
}
