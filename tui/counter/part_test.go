package counter_test

import (
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// begin takes a part of the sale in cash. How the customer pays the rest is not chosen yet.
func (d *desk) begin(part money.Ariary) *desk {
	d.t.Helper()
	if d.cash(part); d.at.Asking() != counter.AskRest || d.at.Question().Part != part {
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

// partTaken returns a shop in which a customer has paid a part of the only sale with the given
// tender.
func partTaken(t *testing.T, tender drawer.Tender) (*shoptest.Counter, drawer.CounterSale) {
	t.Helper()
	shop := shoptest.Open(t)
	terms := sell(t, shop).add("Vary", 20_000).at.Cart().Terms()
	terms.Part.Amount = 5000
	return shop, shop.Sell(terms, drawer.Paying{Tender: tender})
}

func TestAPartSurvivesARestartAndIsHeldAndResumed(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCard)
	d := sell(t, shop)
	d.is("paid", d.at.Cart().Sale.Taken, 5000)
	d.at.Hold("Rabe")
	d.settle().add("Coca", 2000)
	d.at.Drop()
	d.yes()
	d.at.Resume(0)
	d.settle()
	d.is("due", d.at.Cart().Terms().Due(), 15_000)
}

func TestAPartIsReportedForgottenWhenItsQuestionCloses(t *testing.T) {
	closes := map[string]struct {
		close func(at *counter.Counter)
		told  string
	}{
		"with a no":                   {(*counter.Counter).No, "[{5000}]"},
		"without an answer":           {(*counter.Counter).DismissQuestion, "[{5000}]"},
		"with the first question":     {(*counter.Counter).ForgetPart, "[{5000}]"},
		"with a question for a card":  {func(at *counter.Counter) { at.TenderBy(drawer.TenderCard) }, "[]"},
		"with the answer to charge":   {(*counter.Counter).Yes, "[]"},
		"while another charge begins": {func(at *counter.Counter) { at.Yes(); at.DismissQuestion() }, "[]"},
	}
	for name, c := range closes {
		t.Run(name, func(t *testing.T) {
			d := open(t).add("Vary", 20_000).begin(5000)
			c.close(d.at)
			d.is("forgotten parts", came[counter.PartForgotten](d.settle()), c.told)
		})
	}
}

func TestAPartThatWasGivenBackElsewhereIsReadAgain(t *testing.T) {
	shop, first := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	shop.Void(first.Number)
	d.cash(0)
	d.is("sale", d.sale(), "0 [Vary]")
	d.is("in the drawer", d.taken(t), 0)
}

func TestASaleWhoseRestWasPaidElsewhereEnds(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	terms := d.at.Cart().Terms()
	terms.Till = "T2"
	shop.Sell(terms, shoptest.Cash())
	d.at.Charge()
	d.is("question", d.yes().at.Asking(), counter.AskPaid)
	d.is("the sale is untouched", d.at.Cart().Untouched(), true)
}

// The tills share a database server. Each keeps its unfinished sales in a file.
func TestAHeldSaleWhoseRestWasPaidElsewhereEndsDuringAnotherCharge(t *testing.T) {
	shop := shoptest.New(t, shoptest.Database(t), payments.WithDrafts(shoptest.Database(t)))
	d := sell(t, shop).add("Vary", 20_000).begin(5000)
	order := d.yes().at.Shown().Order
	d.at.PutBack(order)
	d.settle().at.Hold("Rabe")
	d.settle().add("Coca", 2000).late = shoptest.Delays[counter.TakeCash]
	d.cash(0)
	terms := order.Terms()
	terms.Till, terms.Despite = "T2", []payments.ObjectionKind{payments.SalePayable}
	other := drawer.New(shop.Store(), payments.New(shop.Store(), nil, shop.Now))
	_, err := other.Take(t.Context(), terms, shoptest.Cash())
	tuitest.Must(t, err)
	d.wake()
	d.is("a charge is under way", d.at.Charging(), true)
	d.is("held sales", len(d.at.Cart().Held), 0)
	d.is("in the drawer", d.release().taken(t), 7000)
	d.stores(0)
}

func TestADroppedSaleWhoseRestWasPaidElsewhereKeepsItsMoney(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	terms := d.at.Cart().Terms()
	terms.Till = "T2"
	shop.Sell(terms, shoptest.Cash())
	d.at.Drop()
	d.yes()
	d.is("in the drawer", d.taken(t), 5000)
	d.is("the sale is untouched", d.at.Cart().Untouched(), true)
}

func TestALineThatIsAddedWhileThePartsAreRecordedIsDue(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.late = shoptest.Delays[counter.TakeCash]
	d.cash(0).add("Coca", 2000)
	d.is("due", d.release().at.Cart().Terms().Due(), 2000)
	d.is("in the drawer", d.taken(t), 20_000)
}

func TestASaleWhoseNoteChangesWhileItIsPaidEnds(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	d.late = shoptest.Delays[counter.TakeCash]
	taken := d.cash(0).kept[0].Perform(t.Context(), d.Service)
	d.at.Annotate("Table 4") // This is written after the payment.
	d.settle().at.Take(taken)
	d.late = nil
	d.is("the sale is untouched", d.settle().at.Cart().Untouched(), true)
	d.is("in the drawer", d.taken(t), 20_000)
	d.stores(0)
}

func TestASaleThatEndedDuringARefreshOfThePartsStaysEnded(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	d.reach = payments.ReachStoreDown
	d.after(time.Second)
	d.reach = payments.ReachListens
	d.late = shoptest.Delays[counter.ReadParts]
	d.after(time.Second) // The counter reads the parts again, because the store was down.
	read := d.kept[0].Perform(t.Context(), d.Service)
	d.cash(0).after(counter.Grace).at.DoneCash()
	d.settle().at.Take(read) // It still has the sale, which is paid now.
	d.is("the sale is untouched", d.at.Cart().Untouched(), true)
	d.late = nil
	d.is("the sale is untouched", d.settle().at.Cart().Untouched(), true)
	d.is("in the drawer", d.taken(t), 20_000)
}

func TestASaleEndsIfItsLastPartIsFoundStored(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	d.at.Charge()
	d.at.Tender()
	terms := d.settle().at.Question().Terms
	d.at.DismissQuestion()
	_, err := shop.Once("a").Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	d.at.Take(counter.TakeCash{Terms: terms, Err: &drawer.UnknownError{ID: "a", Err: payments.ErrCommitUnknown}})
	d.is("the sale is untouched", d.settle().at.Cart().Untouched(), true)
	d.is("amount in cash", d.at.Shown().Cash.Amount, 15_000)
}

func TestAPartThatIsFoundStoredIsReported(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := d.Once("a").Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	d.at.Take(counter.TakeCash{Terms: terms, Err: &drawer.UnknownError{ID: "a", Err: payments.ErrCommitUnknown}})
	d.is("due", d.settle().at.Cart().Terms().Due(), 15_000)
	d.is("parts", len(came[counter.TookPart](d)), 1)
}

func TestDroppingASaleGivesItsPartBack(t *testing.T) {
	for name, c := range map[string]struct {
		hires bool
		left  money.Ariary
	}{"in a shop without cashiers": {false, 0}, "but not without a PIN in a shop with cashiers": {true, 5000}} {
		t.Run(name, func(t *testing.T) {
			shop, _ := partTaken(t, drawer.TenderCash)
			if c.hires {
				shop.Hire()
			}
			d := sell(t, shop)
			d.at.Drop()
			if d.yes(); d.taken(t) != c.left || d.at.Cart().Untouched() == c.hires {
				t.Errorf("%d are in the drawer, the sale is %+v", d.taken(t), d.at.Cart().Sale)
			}
			if back := came[counter.GaveBack](d); c.hires != (len(back) == 0) || !c.hires && back[0].Cash != 5000 {
				t.Errorf("gave back %v", back)
			}
			d.at.Undo()
			d.is("sale after undo", d.sale(), fmt.Sprint(c.left, " [Vary]"))
		})
	}
}

func TestAPartIsNotKeptSilently(t *testing.T) {
	unpaid := func(d *desk, order payments.Order) {
		d.Advance(payments.DeafGrace)
		order = d.Find(order.Reference)
		seen := order.Verdict(payments.Conditions{}, d.Now())
		_, err := d.Service.Resolve(d.t.Context(), order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Seen: seen}, staff.Identity{})
		tuitest.Must(d.t, err)
	}
	for what, end := range map[string]func(d *desk, order payments.Order){
		"the cashier gives up a link that lives": func(d *desk, order payments.Order) {
			d.Hear(shoptest.Event(order, payments.PaymentFailed, ""))
			d.wake().after(counter.Grace)
			d.at.Done(d.at.Shown().Order)
			d.settle().after(counter.Grace)
			d.at.Yes()
		},
		"the outcome is acknowledged in the list": func(d *desk, order payments.Order) {
			d.at.SetAside()
			d.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
			d.wake().after(counter.Grace)
			d.at.Done(d.Find(order.Reference))
		},
		"a person finds the rest unpaid": func(d *desk, order payments.Order) {
			d.at.SetAside()
			unpaid(d, order)
			d.at.Wake()
		},
	} {
		t.Run(what, func(t *testing.T) {
			d := open(t).add("Vary", 20_000).begin(5000)
			d.at.Yes()
			end(d, d.settle().at.Shown().Order)
			d.is("sale", d.settle().sale(), "5000 [Vary]")
		})
	}
	t.Run("and while the till is off", func(t *testing.T) {
		d := open(t).add("Vary", 20_000).begin(5000)
		order := d.yes().at.Shown().Order
		d.is("paid", sell(t, d.Counter).at.Cart().Sale.Taken, 0)
		unpaid(d, order)
		again := sell(t, d.Counter)
		again.is("sale", again.sale(), "5000 [Vary]")
		again.is("note", again.at.Cart().Sale.Description, "")
		again.at.Drop()
		if again.yes(); again.taken(t) != 0 || !sell(t, d.Counter).at.Cart().Untouched() {
			t.Errorf("dropped, and %d are in the drawer", again.taken(t))
		}
	})
}

func TestLinesThatComeBackHaveWhatIsPaidNow(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	order := d.yes().at.Shown().Order
	d.Void(order.RestOf)
	d.at.PutBack(order)
	d.is("sale", d.settle().sale(), "0 [Vary]")
}

func TestAReadOfWhatIsPaidDoesNotForgetALaterPart(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.yes().late = shoptest.Delays[counter.ReadTaken]
	d.at.PutBack(d.at.Shown().Order)
	d.settle()
	read := d.kept[0].Perform(t.Context(), d.Service)
	d.Reply(shoptest.Refuse("no"))
	d.after(15 * time.Minute).begin(6000).at.Yes()
	d.settle().late = nil
	d.at.Take(read)
	d.is("due", d.settle().at.Cart().Terms().Due(), 9000)
	d.is("in the drawer", d.taken(t), 11_000)
}

func TestAPartThatIsReadBeforeItsResultCountsOnce(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop).begin(6000)
	d.late = shoptest.Delays[counter.TakeCash]
	took := d.yes().kept[0].Perform(t.Context(), d.Service)
	d.kept = nil
	d.reach = payments.ReachStoreDown
	d.after(time.Second)
	d.reach = payments.ReachListens
	d.after(time.Second).at.Take(took) // The parts were read after the failure of the store.
	d.is("amount of the order", d.settle().at.Shown().Order.Amount, 9000)
}

func TestASaleThatWasPaidWhileTheTillWasOffEnds(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	order := d.yes().at.Shown().Order
	d.at.PutBack(order)
	d.settle().Hear(shoptest.Event(order, payments.PaymentSuccess, ""))
	again := sell(t, d.Counter)
	if read := came[counter.SalesRead](again); !again.at.Cart().Untouched() || len(read) != 1 || read[0].Restored {
		t.Errorf("the sale is %+v, %+v", again.at.Cart().Sale, read)
	}
}

func TestASaleWhoseRestIsPaidByAnEarlierLinkEnds(t *testing.T) {
	for what, end := range map[string]func(d *desk){
		"when its outcome is acknowledged": func(d *desk) {
			d.at.ShowNews()
			d.settle().after(counter.Grace)
			d.at.Done(d.at.Shown().Order)
		},
		"when it is dropped": func(d *desk) {
			d.at.Drop()
			d.at.Yes()
		},
	} {
		t.Run(what, func(t *testing.T) {
			d := open(t).add("Vary", 20_000).begin(5000)
			order := d.yes().at.Shown().Order
			d.at.PutBack(order)
			d.settle().Hear(shoptest.Event(order, payments.PaymentSuccess, ""))
			end(d.wake().after(counter.Grace))
			if d.settle(); d.taken(t) != 5000 || !d.at.Cart().Untouched() || !sell(t, d.Counter).at.Cart().Untouched() {
				t.Errorf("%d are in the drawer, the sale is %+v", d.taken(t), d.at.Cart().Sale)
			}
		})
	}
}

func TestTheLinesOfAnEarlierOrderHaveWhatIsPaidOfTheSale(t *testing.T) {
	for name, back := range map[string]func(d *desk, whole payments.Order){
		"in the sale":    func(d *desk, whole payments.Order) { d.at.PutBack(whole) },
		"to pay in cash": func(d *desk, whole payments.Order) { d.at.TenderFor(whole) },
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t).add("Vary", 20_000)
			whole := d.charge()
			d.at.PutBack(whole)
			d.settle().begin(5000).at.Yes()
			d.settle().after(counter.Grace).at.Yes() // The code for the whole price can still be paid.
			d.settle().at.Show(whole)
			back(d.settle().after(counter.Grace), d.at.Shown().Order)
			d.is("paid", d.settle().at.Cart().Sale.Taken, 5000)
			d.is("question", d.at.Asking(), "")
		})
	}
}

func TestNoLeavesNoQuestionWhoseAnswerIsBeingRecorded(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	d.at.PutBack(d.charge())
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).late = shoptest.Delays[counter.TakeCash]
	d.yes().at.No()
	d.is("times that the order was left", len(came[counter.OrderLeft](d.settle())), 0)
	d.is("a question is open", d.at.Question() != nil, true)
}

func TestALateReadOfAHeldSaleClosesNoQuestionAboutAnotherSale(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	whole := d.charge()
	d.at.PutBack(whole)
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).at.Yes()
	d.settle().at.Show(whole)
	d.settle().after(counter.Grace).late = shoptest.Delays[counter.ReadTaken]
	d.at.PutBack(d.at.Shown().Order)
	d.settle().at.Hold("Rabe")
	d.settle().add("Coca", 2000).at.Charge()
	d.is("question", d.settle().release().at.Asking(), counter.AskCharge)
}

func TestNoRestIsChargedAfterAPartThatTheCounterDidNotKnow(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	whole := d.charge()
	d.at.PutBack(whole)
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).at.Yes()
	d.settle().after(time.Hour).late = shoptest.Delays[counter.ReadTaken]
	d.at.Show(whole)
	d.settle().after(counter.Grace).at.PutBack(d.at.Shown().Order)
	d.settle().begin(6000).at.Yes()
	d.is("question", d.settle().at.Asking(), "")
	d.is("due", d.release().at.Cart().Terms().Due(), 9000)
	d.is("in the drawer", d.taken(t), 11_000)
}
