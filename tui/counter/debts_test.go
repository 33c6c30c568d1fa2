package counter_test

import (
	"errors"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
)

func TestASaleThatChangedIsNotAllowedAboveTheLimit(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Service.CreditLimit = 1000
	d.at.TenderBy(drawer.TenderAccount)
	d.at.SellTo("Rabe", true)
	d.settle()
	refused := came[counter.CashNotTaken](d)
	if len(refused) != 1 || !errors.As(refused[0].Err, new(*drawer.LimitError)) || d.at.Charging() || d.at.Question() != nil {
		t.Fatalf("got %+v", refused)
	}
	d.add("Coca", 2000)
	d.at.Allow(refused[0].Charge, staff.Identity{})
	if d.settle(); len(came[counter.TookCash](d)) != 0 || len(came[counter.Refused](d)) != 1 {
		t.Error("the sale was charged, although a line was added after the refusal")
	}
	d.at.Undo()
	d.settle().late = sends
	d.Reply(func(payments.Order) (payments.Created, error) {
		return payments.Created{}, &payments.Refusal{Message: "no"}
	})
	d.at.Charge()
	d.at.Yes()
	d.settle().at.Allow(refused[0].Charge, staff.Identity{})
	if d.settle(); len(came[counter.TookCash](d)) != 0 || len(came[counter.Refused](d)) != 2 {
		t.Error("the sale was charged during an order call")
	}
	d.release().at.SetAside()
	d.at.Allow(refused[0].Charge, staff.Identity{})
	if d.settle(); len(came[counter.TookCash](d)) != 1 {
		t.Error("the sale was not charged")
	}
}
