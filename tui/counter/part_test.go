package counter_test

import (
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

// partTaken returns a shop in which a customer has paid a part of the only sale with the given
// tender.
func partTaken(t *testing.T, tender drawer.Tender) (*shoptest.Counter, drawer.CounterSale) {
	t.Helper()
	shop := shoptest.Open(t)
	terms := sell(t, shop).add("Vary", 20_000).at.Cart().Terms()
	terms.Part.Amount = 5000
	part, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: tender})
	tuitest.Must(t, err)
	return shop, part
}

func TestAPartSurvivesARestartAndIsHeldAndResumed(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCard)
	d := sell(t, shop)
	if sale := d.at.Cart().Sale; sale.Taken != 5000 {
		t.Fatalf("got %+v", sale)
	}
	d.at.Hold("Rabe")
	d.settle().add("Coca", 2000)
	d.at.Drop()
	d.at.Yes()
	d.settle()
	d.at.Resume(0)
	d.settle()
	if due := d.at.Cart().Terms().Due(); due != 15_000 {
		t.Errorf("%d are due", due)
	}
}

func TestAPartThatWasGivenBackElsewhereIsReadAgain(t *testing.T) {
	shop, first := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	_, err := shop.VoidSale(t.Context(), shoptest.Till, first.Number, "wrong", staff.Identity{})
	tuitest.Must(t, err)
	d.at.Charge()
	d.at.Tender()
	d.settle()
	d.at.TakeCash(0)
	d.settle()
	if sale := d.at.Cart().Sale; sale.Taken != 0 || len(sale.Items) != 1 || d.taken(t) != 0 {
		t.Errorf("got %+v", sale)
	}
}

func TestASaleWhoseRestWasPaidElsewhereEnds(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	terms := d.at.Cart().Terms()
	terms.Till = "T2"
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	d.at.Charge()
	d.at.Yes()
	if d.settle(); d.at.Asking() != counter.AskPaid || !d.at.Cart().Untouched() {
		t.Errorf("asked %q, and the sale is %+v", d.at.Asking(), d.at.Cart().Sale)
	}
}

func TestTheRestAfterTwoPartsIsWhatIsLeft(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop).begin(6000)
	d.at.Yes()
	if order := d.settle().at.Shown().Order; order.Amount != 9000 || d.taken(t) != 11_000 {
		t.Errorf("of 20 000 Ar, %d are in the drawer, and the link is for %d", d.taken(t), order.Amount)
	}
}

func TestALineThatIsAddedWhileThePartsAreRecordedIsDue(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.late = delays[counter.TakeCash]
	d.at.TenderBy(drawer.TenderCash)
	d.at.TakeCash(0)
	d.settle().add("Coca", 2000)
	if due := d.release().at.Cart().Terms().Due(); due != 2000 || d.taken(t) != 20_000 {
		t.Errorf("of 22 000 Ar, %d are in the drawer, and %d are due", d.taken(t), due)
	}
}

func TestASaleWhoseNoteChangesWhileItIsPaidEnds(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	d.late = delays[counter.TakeCash]
	d.at.Tender()
	d.at.TakeCash(0)
	taken := d.settle().kept[0].Perform(t.Context(), d.Service)
	d.at.Annotate("Table 4") // This is written after the payment.
	d.settle().at.Take(taken)
	d.late = nil
	if d.settle(); !d.at.Cart().Untouched() || d.taken(t) != 20_000 {
		t.Errorf("%d are in the drawer, and the sale is %+v", d.taken(t), d.at.Cart().Sale)
	}
	if sales, err := d.Sales(t.Context(), shoptest.Till); err != nil || len(sales) != 0 {
		t.Errorf("%+v, %v are on disk", sales, err)
	}
}

func TestASaleThatEndedDuringARefreshOfThePartsStaysEnded(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop)
	d.reach = payments.ReachStoreDown
	d.after(time.Second)
	d.reach = payments.ReachListens
	d.late = delays[counter.ReadParts]
	d.after(time.Second) // The counter reads the parts again, because the store was down.
	read := d.kept[0].Perform(t.Context(), d.Service)
	d.at.Charge()
	d.at.Tender()
	d.settle().at.TakeCash(0)
	d.settle().after(counter.Grace).at.DoneCash()
	d.settle().at.Take(read) // It still has the sale, which is paid now.
	if !d.at.Cart().Untouched() {
		t.Errorf("the sale is back: %+v", d.at.Cart().Sale)
	}
	d.late = nil
	if d.settle(); !d.at.Cart().Untouched() || d.taken(t) != 20_000 {
		t.Errorf("%d are in the drawer, and the sale is %+v", d.taken(t), d.at.Cart().Sale)
	}
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
	if d.settle(); !d.at.Cart().Untouched() || d.at.Shown().Cash.Amount != 15_000 {
		t.Errorf("the sale is %+v, and shown is %+v", d.at.Cart().Sale, d.at.Shown().Cash)
	}
}

func TestAPartThatIsFoundStoredIsReported(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	terms := d.at.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := d.Once("a").Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	d.at.Take(counter.TakeCash{Terms: terms, Err: &drawer.UnknownError{ID: "a", Err: payments.ErrCommitUnknown}})
	if d.settle(); len(came[counter.TookPart](d)) != 1 || d.at.Cart().Terms().Due() != 15_000 {
		t.Errorf("%d parts were reported, and the sale is %+v", len(came[counter.TookPart](d)), d.at.Cart().Sale)
	}
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
			d.at.Yes()
			if d.settle(); d.taken(t) != c.left || d.at.Cart().Untouched() == c.hires {
				t.Errorf("%d are in the drawer, the sale is %+v", d.taken(t), d.at.Cart().Sale)
			}
			d.at.Undo()
			if sale := d.at.Cart().Sale; sale.Taken != c.left || len(sale.Items) != 1 {
				t.Errorf("after undo, the sale is %+v", sale)
			}
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
			if sale := d.settle().at.Cart().Sale; sale.Taken != 5000 || len(sale.Items) != 1 {
				t.Errorf("got %+v", sale)
			}
		})
	}
	t.Run("and while the till is off", func(t *testing.T) {
		d := open(t).add("Vary", 20_000).begin(5000)
		d.at.Yes()
		order := d.settle().at.Shown().Order
		if sale := sell(t, d.Counter).at.Cart().Sale; sale.Taken != 0 {
			t.Errorf("the rest may be paid by the link, and the sale is %+v", sale)
		}
		unpaid(d, order)
		again := sell(t, d.Counter)
		if sale := again.at.Cart().Sale; sale.Taken != 5000 || len(sale.Items) != 1 || sale.Description != "" {
			t.Fatalf("got %+v", sale)
		}
		again.at.Drop()
		again.at.Yes()
		if again.settle(); again.taken(t) != 0 || !sell(t, d.Counter).at.Cart().Untouched() {
			t.Errorf("dropped, and %d are in the drawer", again.taken(t))
		}
	})
}

func TestLinesThatComeBackHaveWhatIsPaidNow(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.at.Yes()
	order := d.settle().at.Shown().Order
	_, err := d.VoidSale(t.Context(), shoptest.Till, order.RestOf, "wrong", staff.Identity{})
	tuitest.Must(t, err)
	d.at.PutBack(order)
	if sale := d.settle().at.Cart().Sale; sale.Taken != 0 || len(sale.Items) != 1 {
		t.Errorf("the part was given back, and the sale is %+v", sale)
	}
}

func TestAReadOfWhatIsPaidDoesNotForgetALaterPart(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.at.Yes()
	d.settle().late = delays[counter.ReadTaken]
	d.at.PutBack(d.at.Shown().Order)
	d.settle()
	read := d.kept[0].Perform(t.Context(), d.Service)
	d.Reply(shoptest.Refuse("no"))
	d.after(15 * time.Minute).begin(6000).at.Yes()
	d.settle().late = nil
	d.at.Take(read)
	if due := d.settle().at.Cart().Terms().Due(); due != 9000 || d.taken(t) != 11_000 {
		t.Errorf("of 20 000 Ar, %d are in the drawer, and %d are due", d.taken(t), due)
	}
}

func TestAPartThatIsReadBeforeItsResultCountsOnce(t *testing.T) {
	shop, _ := partTaken(t, drawer.TenderCash)
	d := sell(t, shop).begin(6000)
	d.late = delays[counter.TakeCash]
	d.at.Yes()
	took := d.settle().kept[0].Perform(t.Context(), d.Service)
	d.kept = nil
	d.reach = payments.ReachStoreDown
	d.after(time.Second)
	d.reach = payments.ReachListens
	d.after(time.Second).at.Take(took) // The parts were read after the failure of the store.
	if order := d.settle().at.Shown().Order; order.Amount != 9000 {
		t.Errorf("11 000 of 20 000 Ar are paid, and the link is for %d", order.Amount)
	}
}

func TestASaleThatWasPaidWhileTheTillWasOffEnds(t *testing.T) {
	d := open(t).add("Vary", 20_000).begin(5000)
	d.at.Yes()
	order := d.settle().at.Shown().Order
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
			d.at.Yes()
			order := d.settle().at.Shown().Order
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
			if sale := d.settle().at.Cart().Sale; sale.Taken != 5000 {
				t.Errorf("the sale is %+v", sale)
			}
			if question := d.at.Question(); question != nil {
				t.Errorf("asks for %d", question.Due())
			}
		})
	}
}

func TestNoLeavesNoQuestionWhoseAnswerIsBeingRecorded(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	d.at.PutBack(d.charge())
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).late = delays[counter.TakeCash]
	d.at.Yes()
	d.settle().at.No()
	if left := came[counter.OrderLeft](d.settle()); len(left) > 0 || d.at.Question() == nil {
		t.Errorf("left %d times, asks %q", len(left), d.at.Asking())
	}
}

func TestALateReadOfAHeldSaleClosesNoQuestionAboutAnotherSale(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	whole := d.charge()
	d.at.PutBack(whole)
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).at.Yes()
	d.settle().at.Show(whole)
	d.settle().after(counter.Grace).late = delays[counter.ReadTaken]
	d.at.PutBack(d.at.Shown().Order)
	d.settle().at.Hold("Rabe")
	d.settle().add("Coca", 2000).at.Charge()
	if d.settle().release(); d.at.Asking() != counter.AskCharge {
		t.Errorf("asks %q", d.at.Asking())
	}
}

func TestNoRestIsChargedAfterAPartThatTheCounterDidNotKnow(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	whole := d.charge()
	d.at.PutBack(whole)
	d.settle().begin(5000).at.Yes()
	d.settle().after(counter.Grace).at.Yes()
	d.settle().after(time.Hour).late = delays[counter.ReadTaken]
	d.at.Show(whole)
	d.settle().after(counter.Grace).at.PutBack(d.at.Shown().Order)
	d.settle().begin(6000).at.Yes()
	if question := d.settle().at.Question(); question != nil {
		t.Errorf("asks %+v", question)
	}
	if due := d.release().at.Cart().Terms().Due(); due != 9000 || d.taken(t) != 11_000 {
		t.Errorf("of 20 000 Ar, %d are in the drawer, and %d are due", d.taken(t), due)
	}
}

func TestASaleWithANoteEndsIfItsRestIsChargedAgain(t *testing.T) {
	d := open(t).add("Vary", 20_000)
	d.at.Annotate("Table 4")
	d.settle().begin(5000).at.Yes()
	order := d.settle().at.Shown().Order
	d.Hear(shoptest.Event(order, payments.PaymentFailed, ""))
	d.wake().after(counter.Grace).at.Done(order)
	d.settle().at.Yes()
	if sale := d.settle().wake().at.Cart().Sale; sale.Taken != 5000 || sale.Description != "Table 4" {
		t.Fatalf("got %+v", sale)
	}
	d.at.ShowAgain(order)
	d.settle().at.Again(d.at.Shown().Order)
	d.at.Yes()
	if d.settle(); d.at.Shown().Order.Reference == order.Reference || !d.at.Cart().Untouched() {
		t.Errorf("the rest is charged again, and the sale is still %+v", d.at.Cart().Sale)
	}
}
