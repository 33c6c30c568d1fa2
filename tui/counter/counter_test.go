package counter_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

func TestASaleIsChargedPaidAndAcknowledged(t *testing.T) {
	d := open(t).add("Vary", 3500)
	order := d.charge()
	if len(came[counter.Offered](d)) != 1 || !d.at.CodeShown() || !d.at.Cart().Untouched() {
		t.Fatalf("stage %v, the code is shown: %v, the sale is %v", d.at.Stage(), d.at.CodeShown(), labels(d.at.Cart().Sale))
	}
	d.Pay(order)
	d.wake()
	told := came[counter.Became](d)
	if len(told) != 1 || told[0].Verdict != payments.VerdictPaid || told[0].Old || d.at.CodeShown() {
		t.Fatalf("told is %+v", told)
	}
	d.after(counter.Grace).at.Done(d.at.Shown())
	if d.settle(); d.at.Stage() != counter.Selling || !d.Find(order.Reference).Facts.Acknowledged {
		t.Errorf("stage %v after the outcome was acknowledged", d.at.Stage())
	}
	if left := came[counter.OrderLeft](d); len(left) != 1 || !left[0].Paid {
		t.Errorf("left %+v", left)
	}
}

func TestAnOutcomeFromBeforeTheStartIsToldAsOld(t *testing.T) {
	d := open(t)
	d.Pay(d.Charge("S1"))
	again := *d
	again.facts = nil
	again.at = counter.New(counter.Config{
		Till: shoptest.Till, Now: d.Now, NewSale: d.at.NewSale, Health: d.at.Health,
	})
	again.at.Begin()
	if told := came[counter.Became](again.settle()); len(told) != 1 || !told[0].Old {
		t.Errorf("told is %+v", told)
	}
}

func TestNothingIsChargedBeforeItIsOnDisk(t *testing.T) {
	t.Run("an order waits for the writes", func(t *testing.T) {
		d := open(t)
		d.late = saves
		d.add("Vary", 3500).add("Coca", 2000)
		d.at.Charge()
		for range 5 {
			d.at.Yes()
		}
		if d.settle(); len(d.Calls()) != 0 || len(d.kept) != 1 {
			t.Fatalf("%d calls, and %d writes are under way", len(d.Calls()), len(d.kept))
		}
		if d.next(); len(d.Calls()) != 0 {
			t.Fatal("the order was sent while a line was not on disk")
		}
		d.release()
		calls := d.Calls()
		if len(calls) != 1 || len(calls[0].Items) != 2 {
			t.Errorf("the service was called with %+v", calls)
		}
	})
	t.Run("a disk that fails stops the charge", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		d.Break()
		d.at.Charge()
		d.at.Yes()
		d.settle()
		if d.at.Charging() || d.at.Question() != nil || len(came[counter.SaveFailed](d)) != 1 {
			t.Errorf("charging %v, failed %v", d.at.Charging(), came[counter.SaveFailed](d))
		}
		d.Mend()
		d.after(time.Second)
		if len(d.Calls()) != 0 {
			t.Error("the order was sent by itself once the disk worked")
		}
	})
	t.Run("an older state never lands on a newer one", func(t *testing.T) {
		d := open(t)
		d.late = saves
		d.add("Vary", 1).add("Coca", 2).add("Savony", 3)
		if len(d.kept) != 1 {
			t.Fatalf("%d writes are under way", len(d.kept))
		}
		d.release()
		sales, err := d.Sales(t.Context(), shoptest.Till)
		if err != nil || len(sales) != 1 || len(sales[0].Items) != 3 {
			t.Errorf("on disk are %+v, %v", sales, err)
		}
	})
}

func TestASaleIsNotChargedWhileAPaymentWouldNotBeSeen(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.reach = payments.ReachNotListening
	d.at.Charge()
	if refused := came[counter.Refused](d.settle()); len(refused) != 1 || refused[0].Why != counter.Blind || d.at.Question() != nil {
		t.Errorf("refused %+v", refused)
	}
	d.reach = payments.ReachListens
	d.at.Charge()
	d.reach = payments.ReachNotListening
	d.at.Yes()
	if d.settle(); len(d.Calls()) != 0 || len(labels(d.at.Cart().Sale)) != 1 {
		t.Errorf("%d calls, and the sale is %v", len(d.Calls()), labels(d.at.Cart().Sale))
	}
}

func TestAQuestionThatAnAnswerRaisesTakesNoYesAtOnce(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.charge()
	d.at.TakeBack(d.at.Shown())
	d.settle().at.Charge()
	d.at.Yes()
	d.settle()
	question := d.at.Question()
	if question == nil || question.Kind != counter.AskAgain || !question.Unbidden || d.at.Answerable() != "" {
		t.Fatalf("asked is %+v", question)
	}
	d.at.Yes()
	if d.settle(); len(d.Calls()) != 1 {
		t.Fatal("a yes from before the question could be read made an order")
	}
	d.after(counter.Grace).at.Yes()
	if d.settle(); len(d.Calls()) != 2 {
		t.Errorf("the service was called %d times after a yes", len(d.Calls()))
	}
}

func TestTheQuestionWhetherToLeaveTheProgramReplacesAnother(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.charge()
	d.at.TakeBack(d.at.Shown())
	d.settle().at.Charge()
	d.at.Yes()
	d.settle().at.Quit()
	d.settle()
	if question := d.at.Question(); question == nil || question.Kind != counter.AskQuit || len(came[counter.OrderLeft](d)) != 1 {
		t.Errorf("asked is %+v, left %v", question, came[counter.OrderLeft](d))
	}
	if d.at.No(); d.at.Stage() != counter.Selling || len(labels(d.at.Cart().Sale)) != 1 {
		t.Errorf("stage %v, the sale is %v", d.at.Stage(), labels(d.at.Cart().Sale))
	}
}

func TestAChangeOfTheSaleClosesItsQuestion(t *testing.T) {
	for name, change := range map[string]func(c *counter.Counter){
		"a line":     func(c *counter.Counter) { _, _ = c.Add(shoptest.Coca()) },
		"a note":     func(c *counter.Counter) { c.Annotate("Rina") },
		"an undo":    func(c *counter.Counter) { c.Undo() },
		"a quantity": func(c *counter.Counter) { _, _ = c.SetQuantity(0, 3) },
		"a removal":  func(c *counter.Counter) { c.Remove(0) },
	} {
		d := open(t).add("Vary", 3500)
		d.at.Charge()
		change(d.at)
		d.at.Yes()
		if d.settle(); len(d.Calls()) != 0 {
			t.Errorf("%s: the old total was charged", name)
		}
	}
}

func TestWhatWasScannedAtACodeJoinsItsSale(t *testing.T) {
	t.Run("when its lines are taken back", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.add("Coca", 2000)
		d.at.TakeBack(order)
		if got := labels(d.settle().at.Cart().Sale); !slices.Equal(got, []string{"Vary", "Coca"}) || d.at.Cart().Sale.ID != order.Sale {
			t.Errorf("the sale is %v", got)
		}
	})
	t.Run("and an order that can still be paid goes on waiting", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.Fail(d.charge(), "")
		d.wake().after(counter.Grace).at.TakeBack(order)
		if d.settle(); d.Find(order.Reference).Facts.Acknowledged || d.at.Awaited() != 1 {
			t.Errorf("it was given up, and %d payments are awaited", d.at.Awaited())
		}
	})
	t.Run("but not when the sum would be too large", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.add("Tany", 999_999_999_999)
		d.at.TakeBack(order)
		if got := d.settle().at.Cart(); !slices.Equal(labels(got.Sale), []string{"Tany"}) || len(got.Held) != 1 {
			t.Errorf("the sale is %v, and %d are held", labels(got.Sale), len(got.Held))
		}
	})
	t.Run("but not what was entered after the code was left", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.at.SetAside()
		d.add("Coca", 2000).at.Show(order)
		d.settle().at.TakeBack(order)
		if got := d.settle().at.Cart(); !slices.Equal(labels(got.Sale), []string{"Coca"}) || len(got.Held) != 1 {
			t.Errorf("the sale is %v, and %d are held", labels(got.Sale), len(got.Held))
		}
	})
}

func TestACodeComesBackAfterNewsOfAnotherOrder(t *testing.T) {
	d := open(t)
	other := d.Charge("S1")
	order := d.add("Vary", 3500).charge()
	d.Pay(other)
	d.wake().at.ShowNews()
	if d.settle(); d.at.Shown().Reference != other.Reference || d.at.CodeShown() {
		t.Fatalf("shown is %s", d.at.Shown().Reference)
	}
	d.after(counter.Grace).at.Done(d.at.Shown())
	if d.settle(); d.at.Shown().Reference != order.Reference || !d.at.CodeShown() {
		t.Errorf("shown is %s, its code: %v", d.at.Shown().Reference, d.at.CodeShown())
	}
}

func TestACallThatTheCashierLeftEndsItsSale(t *testing.T) {
	for name, c := range map[string]struct {
		answer shoptest.Answer
		kept   int
	}{
		"once the order is made":  {nil, 0},
		"unless it was not taken": {shoptest.Refuse("Compte suspendu"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			if c.answer != nil {
				d.Reply(c.answer)
			}
			d.add("Vary", 3500)
			d.late = sends
			d.at.Charge()
			d.at.Yes()
			d.settle().at.Leave()
			if d.settle(); d.at.Stage() != counter.Selling || !d.at.Cart().Untouched() || d.at.Awaited() != 1 {
				t.Fatalf("stage %v, the sale is %v, %d are awaited", d.at.Stage(), labels(d.at.Cart().Sale), d.at.Awaited())
			}
			d.release()
			if got := labels(d.at.Cart().Sale); len(got) != c.kept || d.at.Stage() != counter.Selling {
				t.Errorf("the sale is %v, stage %v", got, d.at.Stage())
			}
		})
	}
}

func TestEachThingIsToldOnce(t *testing.T) {
	d := open(t)
	order := d.Charge("S1")
	d.wake().after(9*time.Minute + 5*time.Second).after(time.Second).after(time.Minute)
	ends := came[counter.LinkEnds](d)
	if len(ends) != 2 || ends[0].Over || !ends[1].Over {
		t.Errorf("the ends of the link are told as %+v", ends)
	}
	d.reach = payments.ReachStoreDown
	d.Fail(order, "")
	d.wake()
	d.reach = payments.ReachListens
	d.after(time.Second).wake().wake()
	var rung int
	for _, fact := range came[counter.Became](d) {
		if !fact.Repeated {
			rung++
		}
	}
	if rung != 1 {
		t.Errorf("told are %+v", came[counter.Became](d))
	}
}

func ExampleCounter() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := counter.New(counter.Config{
		Till: "T1", Now: func() time.Time { return now },
		NewSale: func() payments.Sale { return payments.Sale{ID: "S1", Till: "T1"} },
		Health:  func() payments.Health { return payments.Health{Listening: true} },
	})
	_, _ = c.Add(payments.Item{Label: "Vary", UnitPrice: 3500, Quantity: 2})
	c.Charge()
	_, facts := c.Drain()
	fmt.Println(facts[0].(counter.Asked).Question.Kind)
	// Output: charge
}
