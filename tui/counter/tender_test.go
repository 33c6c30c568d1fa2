package counter_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// tendered returns the labels of the lines that the open question about cash is for. It returns nil
// if no such question is open.
func tendered(d *desk) []string {
	question := d.at.Question()
	if question == nil || question.Kind != counter.AskTender {
		return nil
	}
	return labels(payments.Sale{Items: question.Terms.Items})
}

func TestAnOrderThatIsNotPaidCanBePaidInCash(t *testing.T) {
	for name, c := range map[string]struct {
		answer  shoptest.Answer
		happens func(d *desk, order payments.Order)
		asks    bool // Whether the link can still be paid, so that the counter asks before it takes cash.
		ended   bool // Whether the link has just ended, so that the customer may have paid.
	}{
		"waiting":  {asks: true},
		"failed":   {happens: func(d *desk, order payments.Order) { d.Fail(order, "") }, asks: true},
		"canceled": {happens: func(d *desk, order payments.Order) { d.Hear(shoptest.Event(order, payments.PaymentCanceled, "")) }, asks: true},
		"expired":  {happens: func(d *desk, order payments.Order) { d.Hear(shoptest.Event(order, payments.PaymentExpired, "")) }},
		"time over": {happens: func(d *desk, _ payments.Order) {
			d.Advance(10*time.Minute + payments.LinkGrace - time.Second)
		}, asks: true, ended: true},
		"time over, and no payment is in time any more": {happens: func(d *desk, _ payments.Order) {
			d.Advance(10*time.Minute + payments.LinkGrace)
		}},
		"refused by the service": {answer: shoptest.Refuse("no")},
		"refused, paid in cash, and voided": {answer: shoptest.Refuse("no"), happens: func(d *desk, order payments.Order) {
			d.Void(d.Sell(order.Terms(), shoptest.Cash()).Number)
		}},
		"not sent": {answer: shoptest.Unreachable()},
		"unknown":  {answer: shoptest.Silence()},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t).add("Vary", 3500)
			if c.answer != nil {
				d.Reply(c.answer)
			}
			order := d.charge()
			if c.happens != nil {
				c.happens(d, order)
			}
			d.wake().after(counter.Grace)
			d.at.TenderFor(d.at.Shown().Order)
			if d.settle(); len(tendered(d)) != 1 || d.at.Stage() != counter.Selling {
				t.Fatalf("got the question %+v at stage %v", d.at.Question(), d.at.Stage())
			}
			d.at.TakeCash(0)
			d.settle()
			question := d.at.Question()
			if asked := question != nil && question.Kind == counter.AskAgain && (question.Tender == drawer.TenderCash); asked != c.asks || asked && question.Ended != c.ended {
				t.Fatalf("got the question %+v, want one about the link: %v, and that it ended: %v", question, c.asks, c.ended)
			}
			if c.asks {
				d.after(counter.Grace).at.Yes()
				d.settle()
			}
			d.is("cash", d.at.Shown().Cash.Amount, 3500)
			d.is("sale", d.at.Shown().Cash.Sale, order.Sale)
			d.is("the sale is untouched", d.at.Cart().Untouched(), true)
			d.is("held", len(d.at.Cart().Held), 0)
		})
	}
}

func TestCashIsNotOfferedForAnOrderThatMayBePaid(t *testing.T) {
	for name, happens := range map[string]func(d *desk, order payments.Order){
		"paid":            func(d *desk, order payments.Order) { d.Pay(order) },
		"the store fails": func(d *desk, _ payments.Order) { d.Break() },
		"not seen":        func(d *desk, _ payments.Order) { d.reach = payments.ReachNotListening },
		"refused, and the store fails": func(d *desk, _ payments.Order) {
			d.Reply(shoptest.Refuse("no"))
			d.at.SetAside()
			d.add("Coca", 2000).charge()
			d.Break()
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t).add("Vary", 3500)
			happens(d, d.charge())
			d.wake().after(counter.Grace)
			order := d.at.Shown().Order
			d.at.TenderFor(order)
			d.is("question", d.settle().at.Asking(), "")
			d.is("shown order", d.at.Shown().Order.Reference, order.Reference)
		})
	}
}

func TestCashForAnOrderWaitsForTheGrace(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Hear(shoptest.Event(d.charge(), payments.PaymentExpired, ""))
	d.wake().at.TenderFor(d.at.Shown().Order)
	d.is("question", d.settle().at.Asking(), "")
	d.is("stage", d.at.Stage(), counter.Showing)
	d.after(counter.Grace).at.TenderFor(d.at.Shown().Order)
	d.settle()
	tuitest.Equal(t, len(tendered(d)), 1, "lines of the question about cash")
}

func TestCashForAnOrderIsNotMixedWithAnotherSale(t *testing.T) {
	t.Run("that was begun while the code was shown", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		d.charge()
		d.add("Coca", 2000)
		d.at.TenderFor(d.at.Shown().Order)
		held := came[counter.SaleHeld](d.settle())
		d.is("asks for cash for", tendered(d), "[Vary]")
		if cart := d.at.Cart(); len(held) != 1 || len(cart.Held) != 1 || cart.Held[0].Name != held[0].Name || labels(cart.Held[0])[0] != "Coca" {
			t.Errorf("got the held sales %+v, facts %+v", cart.Held, held)
		}
	})
	t.Run("while its lines are held", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		d.Reply(shoptest.Unreachable())
		order := d.charge()
		d.at.SetAside()
		if _, free := d.at.Hold("Rina"); !free {
			t.Fatal("the name is taken")
		}
		d.settle().add("Coca", 2000)
		d.at.Show(order)
		d.settle().after(counter.Grace).at.TenderFor(d.at.Shown().Order)
		d.is("asks for cash for", tendered(d.settle()), "[Vary]")
		d.is("held", len(d.at.Cart().Held), 1)
		d.is("lines of the held sale", labels(d.at.Cart().Held[0]), "[Coca]")
	})
}

// The answer to the commit of a cash sale was lost, and the database could not be reached for a
// while.
func TestTheCounterFindsOutWhetherACashSaleIsStored(t *testing.T) {
	for _, stored := range []bool{true, false} {
		d := open(t).add("Vary", 3500)
		d.at.Tender()
		d.settle()
		terms := d.at.Question().Terms
		d.at.DismissQuestion()
		if stored {
			_, err := d.Service.Once("a").Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
			tuitest.Must(t, err)
		}
		d.at.Take(counter.TakeCash{Terms: terms, Err: &drawer.UnknownError{ID: "a", Err: payments.ErrCommitUnknown}})
		d.settle()
		took, refused := came[counter.TookCash](d), came[counter.CashNotTaken](d)
		if stored != (len(took) == 1) || stored != d.at.Cart().Empty() {
			t.Errorf("stored %v: got %+v, the sale is empty: %v", stored, took, d.at.Cart().Empty())
		}
		want := []error{counter.ErrUnsure, counter.ErrNotStored}
		if stored {
			want = want[:1]
		}
		for i, err := range want {
			if len(refused) != len(want) || !errors.Is(refused[i].Err, err) {
				t.Errorf("stored %v: got %+v, want %v", stored, refused, want)
			}
		}
	}
}

// A part of a sale is found stored while the cashier is asked whether to drop the sale.
func TestAQuestionClosesWhenAPartOfItsSaleIsFound(t *testing.T) {
	d := open(t).add("Vary", 3500)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 1000
	_, err := d.Service.Once("a").Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	d.late = shoptest.Delays[counter.FindCash]
	d.at.Take(counter.TakeCash{Terms: terms, Err: &drawer.UnknownError{ID: "a", Err: payments.ErrCommitUnknown}})
	d.settle().at.Drop()
	d.release().at.Yes()
	d.is("paid", d.settle().at.Cart().Sale.Taken, 1000)
}

// The database comes back for a moment only, and then fails again.
func TestTheCounterFindsOutAboutEachCashSale(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.late = shoptest.Delays[counter.ReadPicture]
	for _, id := range []string{"a", "b"} {
		d.at.Take(counter.TakeCash{Terms: d.at.Cart().Terms(), Err: &drawer.UnknownError{ID: id, Err: payments.ErrCommitUnknown}})
		d.settle()
	}
	d.late = shoptest.Delays[counter.FindCash]
	d.next()
	d.Break()
	d.release().Mend()
	refused := came[counter.CashNotTaken](d.wake())
	if len(refused) != 4 || !errors.Is(refused[2].Err, counter.ErrNotStored) || !errors.Is(refused[3].Err, counter.ErrNotStored) {
		t.Errorf("got %+v", refused)
	}
}

func TestTheLinesOfAnotherTillsOrderAreSoldByThisTill(t *testing.T) {
	for name, c := range map[string]struct {
		charge func(d *desk, order payments.Order)
		tender drawer.Tender
	}{
		"in cash": {tender: drawer.TenderCash, charge: func(d *desk, order payments.Order) {
			d.at.TenderFor(order)
			d.settle().at.TakeCash(0)
		}},
		"by another order": {tender: drawer.TenderLink, charge: func(d *desk, order payments.Order) {
			d.at.Again(order)
			d.at.Yes()
		}},
		"by another order, after its lines came back": {tender: drawer.TenderLink, charge: func(d *desk, order payments.Order) {
			d.at.PutBack(order)
			d.settle().at.Charge()
			d.at.Yes()
		}},
		"with the lines of the next sale": {tender: drawer.TenderLink, charge: func(d *desk, order payments.Order) {
			d.add("Savon", 900).at.PutBack(order)
			d.settle().at.Charge()
			d.at.Yes()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			terms := shoptest.Terms("S1")
			terms.Till = "T9"
			order, err := d.Checkout(t.Context(), terms)
			tuitest.Must(t, err)
			d.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
			d.at.Show(d.Find(order.Reference))
			c.charge(d.settle().after(counter.Grace), d.at.Shown().Order)
			d.settle()
			till, number := d.at.Shown().Order.Till, d.at.Shown().Order.Reference
			if c.tender == drawer.TenderCash {
				till, number = d.at.Shown().Cash.Till, d.at.Shown().Cash.Number
			}
			if number == order.Reference || till != shoptest.Till {
				t.Errorf("the till %q has the payment %s", till, number)
			}
		})
	}
}

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
	d.is("cash sales after a line was added", len(came[counter.TookCash](d.settle())), 0)
	d.is("refusals", len(came[counter.Refused](d)), 1)
	d.at.Undo()
	d.settle().late = shoptest.Delays[counter.Checkout]
	d.Reply(func(payments.Order) (payments.Created, error) {
		return payments.Created{}, &payments.Refusal{Message: "no"}
	})
	d.at.Charge()
	d.yes().at.Allow(refused[0].Charge, staff.Identity{})
	d.is("cash sales during an order call", len(came[counter.TookCash](d.settle())), 0)
	d.is("refusals", len(came[counter.Refused](d)), 2)
	d.release().at.SetAside()
	d.at.Allow(refused[0].Charge, staff.Identity{})
	d.settle()
	d.is("cash sales", len(came[counter.TookCash](d)), 1)
}
