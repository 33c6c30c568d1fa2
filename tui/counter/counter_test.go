package counter_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAnOutcomeFromBeforeTheStartIsMarkedOld(t *testing.T) {
	for name, start := range map[string]func(d *desk){
		"the first read succeeds": func(*desk) {},
		"the first read fails": func(d *desk) {
			d.Break()
			d.settle()
			d.Mend()
			d.wake()
		},
		"the clock ticks before the first read": func(d *desk) {
			d.late = func(counter.Effect) bool { return true }
			d.after(time.Second).release()
		},
	} {
		t.Run(name, func(t *testing.T) {
			shop := shoptest.Open(t)
			shop.Pay(shop.Charge("S1"))
			d := closed(t, shop)
			d.at.Begin()
			start(d)
			if told := came[counter.Became](d.settle()); len(told) != 1 || !told[0].Old {
				t.Errorf("got the outcomes %+v, want one that is old", told)
			}
		})
	}
}

func TestASaleIsSavedBeforeItIsCharged(t *testing.T) {
	t.Run("the call waits for all writes", func(t *testing.T) {
		d := open(t)
		d.late = shoptest.Delays[counter.SaveSale]
		d.add("Vary", 3500).add("Coca", 2000)
		d.at.Charge()
		for range 5 {
			d.at.Yes()
		}
		d.is("calls", len(d.settle().Calls()), 0)
		d.is("running writes", len(d.kept), 1)
		d.next()
		d.is("calls before all lines were saved", len(d.Calls()), 0)
		d.release()
		d.is("calls", len(d.Calls()), 1)
		d.is("lines of the order", len(d.Calls()[0].Items), 2)
	})
	t.Run("a failed write stops the charge", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		d.Break()
		d.at.Charge()
		d.yes()
		if d.at.Charging() || d.at.Question() != nil || len(came[counter.SaveFailed](d)) != 1 {
			t.Errorf("charging %v, failed %v", d.at.Charging(), came[counter.SaveFailed](d))
		}
		d.Mend()
		d.after(time.Second)
		d.is("calls after the disk recovered", len(d.Calls()), 0)
	})
	t.Run("a failed retry of an earlier write, too", func(t *testing.T) {
		d := open(t)
		d.Break()
		d.add("Vary", 3500).late = shoptest.Delays[counter.SaveSale]
		d.at.Save()
		d.settle().at.Charge()
		d.at.Yes()
		d.is("charging", d.release().at.Charging(), false)
		d.is("failed writes", len(came[counter.SaveFailed](d)), 2)
	})
	t.Run("an older state never overwrites a newer one", func(t *testing.T) {
		d := open(t)
		d.late = shoptest.Delays[counter.SaveSale]
		d.add("Vary", 1).add("Coca", 2).add("Savony", 3)
		d.is("writes under way", len(d.kept), 1)
		d.release()
		sales, err := d.Sales(t.Context(), shoptest.Till)
		if err != nil || len(sales) != 1 || len(sales[0].Items) != 3 {
			t.Errorf("got the stored sales %+v, %v; want one with 3 lines", sales, err)
		}
	})
}

func TestASaleIsNotRecoveredWhileItIsCharged(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.late = shoptest.Delays[counter.SaveSale]
	d.at.Charge()
	d.yes().at.Take(counter.Recover{Till: shoptest.Till, Sales: []payments.Sale{d.at.Cart().Sale}})
	d.is("lines of the sale that is being charged", len(labels(d.settle().at.Cart().Sale)), 1)
	d.is("amount of the order", d.release().at.Shown().Order.Amount, 3500)
	d.is("the sale is untouched", d.at.Cart().Untouched(), true)
}

func TestASaleIsNotChargedWhilePaymentsCannotBeSeen(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.reach = payments.ReachNotListening
	d.at.Charge()
	if refused := came[counter.Refused](d.settle()); len(refused) != 1 || refused[0].Why != counter.Blind || d.at.Question().Kind != counter.AskCharge {
		t.Errorf("got the refusals %+v, want one because of Blind, and the question", refused)
	}
	d.is("calls after a yes", len(d.yes().Calls()), 0)
	d.is("question after a yes", d.at.Asking(), "")
	d.reach = payments.ReachListens
	d.at.Charge()
	d.reach = payments.ReachNotListening
	d.is("calls", len(d.yes().Calls()), 0)
	d.is("lines", labels(d.at.Cart().Sale), "[Vary]")
}

func TestCashIsTakenForASale(t *testing.T) {
	t.Run("with change", func(t *testing.T) {
		d := open(t).add("Vary", 12500)
		d.at.Charge()
		d.at.Tender()
		d.at.TakeCash(20000)
		d.at.TakeCash(20000)
		if d.yes(); len(d.Calls()) != 0 || len(came[counter.TookCash](d)) != 1 {
			t.Fatalf("got %d calls and the facts %+v, want one cash sale", len(d.Calls()), d.facts)
		}
		sale := d.at.Shown().Cash
		if sale.Number != "T1-GT-C-000001" || sale.Change() != 7500 || d.at.Stage() != counter.Showing || !d.at.Cart().Untouched() {
			t.Errorf("got %+v in stage %v", sale, d.at.Stage())
		}
		d.at.DoneCash()
		if d.settle(); d.at.Shown().Cash.Number == "" {
			t.Error("the change was acknowledged before the grace period ended")
		}
		d.after(counter.Grace).at.DoneCash()
		d.is("stage", d.settle().at.Stage(), counter.Selling)
		d.stores(0)
	})
	t.Run("not without the store", func(t *testing.T) {
		d := open(t).add("Coca", 2000)
		d.reach = payments.ReachStoreDown
		d.at.Charge()
		d.is("question", d.settle().at.Asking(), "")
	})
}

func TestTheQuitQuestionReplacesAnotherQuestion(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.charge()
	d.at.PutBack(d.at.Shown().Order)
	d.settle().at.Charge()
	d.yes().at.Quit()
	d.settle()
	d.is("question", d.at.Asking(), counter.AskQuit)
	d.is("times that the order was left", len(came[counter.OrderLeft](d)), 1)
	d.at.No()
	d.is("stage", d.at.Stage(), counter.Selling)
	d.is("lines", labels(d.at.Cart().Sale), "[Vary]")
}

func TestTheOutcomeOfOneOfSeveralOrdersClosesTheQuitQuestion(t *testing.T) {
	d := open(t)
	other := d.Charge("S1")
	d.wake().add("Vary", 3500).charge()
	d.at.Quit()
	if d.settle().after(time.Minute); d.at.Asking() != counter.AskQuit || d.at.Question().Count != 2 {
		t.Fatalf("got the question %+v, want one about 2 payments", d.at.Question())
	}
	d.Pay(other)
	d.is("question", d.wake().at.Asking(), "")
}

func TestAnOrderThatWasGivenUpIsAwaitedUntilItsLinkEnds(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Fail(d.charge(), "")
	d.wake().after(counter.Grace).at.Done(d.at.Shown().Order)
	d.yes().wake().at.Quit()
	d.is("question", d.settle().at.Asking(), counter.AskQuit)
	d.is("awaited", d.at.Awaited(), 1)
	d.is("question", d.after(10*time.Minute).at.Asking(), "")
	d.at.Quit()
	d.settle()
	d.is("quits", len(came[counter.Quits](d)), 1)
}

func TestChangingTheSaleClosesTheChargeQuestion(t *testing.T) {
	for name, change := range map[string]func(c *counter.Counter){
		"a line":     func(c *counter.Counter) { _, _ = c.Add(shoptest.Coca()) },
		"a note":     func(c *counter.Counter) { c.Annotate("Rina") },
		"an undo":    func(c *counter.Counter) { c.Undo() },
		"a quantity": func(c *counter.Counter) { _, _ = c.SetQuantity(0, 3) },
		"a removal":  func(c *counter.Counter) { _ = c.Remove(0) },
	} {
		d := open(t).add("Vary", 3500)
		d.at.Charge()
		change(d.at)
		d.yes()
		d.is("calls with the old total after "+name, len(d.Calls()), 0)
	}
}

func TestLinesScannedAtACodeJoinItsSale(t *testing.T) {
	t.Run("when its lines are taken back", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.add("Coca", 2000)
		d.at.PutBack(order)
		d.is("lines", labels(d.settle().at.Cart().Sale), "[Vary Coca]")
		d.is("sale", d.at.Cart().Sale.ID, order.Sale)
	})
	t.Run("a failed order that can still be paid keeps waiting", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.Fail(d.charge(), "")
		d.wake().after(counter.Grace).at.PutBack(order)
		d.is("awaited", d.settle().at.Awaited(), 1)
		d.is("acknowledged", d.Find(order.Reference).Facts.Acknowledged, false)
	})
	t.Run("an order that cannot be paid any more is acknowledged", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
		d.wake().after(counter.Grace).at.PutBack(d.at.Shown().Order)
		d.settle()
		d.is("acknowledged", d.Find(order.Reference).Facts.Acknowledged, true)
	})
	t.Run("not when the sum would be too large", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.add("Tany", 999_999_999_999)
		d.at.PutBack(order)
		d.is("lines", labels(d.settle().at.Cart().Sale), "[Tany]")
		d.is("held", len(d.at.Cart().Held), 1)
	})
	t.Run("not lines that were entered after leaving the code", func(t *testing.T) {
		d := open(t).add("Vary", 3500)
		order := d.charge()
		d.at.SetAside()
		d.add("Coca", 2000).at.Show(order)
		d.settle().at.PutBack(order)
		d.is("lines", labels(d.settle().at.Cart().Sale), "[Coca]")
		d.is("held", len(d.at.Cart().Held), 1)
	})
}

func TestACodeComesBackAfterNewsOfTwoOrders(t *testing.T) {
	d := open(t)
	first, second := d.Charge("S1"), d.Charge("S2")
	order := d.add("Vary", 3500).charge()
	for _, paid := range []payments.Order{second, first} {
		d.Pay(paid)
		d.wake().at.ShowNews()
		d.is("shown order", d.settle().at.Shown().Order.Reference, paid.Reference)
		d.is("shows the code", d.at.Shown().HasCode(), false)
	}
	d.after(counter.Grace).at.Done(d.at.Shown().Order)
	d.is("shown order", d.settle().at.Shown().Order.Reference, order.Reference)
	d.is("shows the code", d.at.Shown().HasCode(), true)
}

func TestAnotherStatusOfAnOutcomeIsReadBeforeKeysCount(t *testing.T) {
	d := open(t).add("Vary", 3500)
	order := d.charge()
	d.Hear(shoptest.Event(order, payments.PaymentFailed, ""))
	d.wake().after(counter.Grace)
	d.is("a key counts", d.at.Ready(), true)
	d.Hear(shoptest.Event(order, payments.PaymentExpired, "")) // The order is still not paid, but its link has ended.
	d.is("a key acts on the second outcome at once", d.wake().at.Ready(), false)
	d.is("answerable", d.at.Answerable(), "")
	d.is("a key counts", d.after(counter.Grace).at.Ready(), true)
	told := came[counter.Became](d)
	d.is("repeated outcomes", []bool{told[0].Repeated, told[1].Repeated}, "[false false]")
	d.is("outcomes", len(told), 2)
}

func TestASaleThatWasPaidDuringAFailedCallStaysEnded(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Reply(shoptest.Lose("nobody answers"))
	d.late = shoptest.Delays[counter.Checkout]
	d.at.Charge()
	answer := d.yes().kept[0].Perform(t.Context(), d.Service)
	d.late = nil
	d.at.SetAside()
	d.cash(0).at.Take(answer)
	d.is("the sale is untouched", d.settle().at.Cart().Untouched(), true)
	d.is("in the drawer", d.taken(t), 3500)
}

func TestAnOutcomeThatAFailedCallCoveredIsReadBeforeKeysCount(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Hear(shoptest.Event(d.charge(), payments.PaymentExpired, ""))
	d.wake().after(counter.Grace)
	d.at.Again(d.at.Shown().Order)
	d.Fill()
	d.is("a key acts on the outcome that is visible again at once", d.yes().at.Ready(), false)
	d.is("answerable", d.at.Answerable(), "")
	d.is("a key counts", d.after(counter.Grace).at.Ready(), true)
}

func TestLeavingDuringTheCallStillEndsTheSale(t *testing.T) {
	for name, c := range map[string]struct {
		answer shoptest.Answer
		kept   int
	}{
		"the order is made":             {nil, 0},
		"the service refuses the order": {shoptest.Refuse("Compte suspendu"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			if c.answer != nil {
				d.Reply(c.answer)
			}
			d.add("Vary", 3500)
			d.late = shoptest.Delays[counter.Checkout]
			d.at.Charge()
			d.yes().at.Leave()
			if d.settle(); d.at.Stage() != counter.Selling || !d.at.Cart().Untouched() || d.at.Awaited() != 1 {
				t.Fatalf("stage %v, the sale is %v, %d are awaited", d.at.Stage(), labels(d.at.Cart().Sale), d.at.Awaited())
			}
			d.release()
			d.is("lines", len(labels(d.at.Cart().Sale)), c.kept)
			d.is("stage", d.at.Stage(), counter.Selling)
		})
	}
}

// The customer may just have paid if the link has expired, but [payments.LinkGrace] is not over
// yet.
func TestChargingAnewAfterTheCountdownAsks(t *testing.T) {
	for name, tt := range map[string]struct {
		elapsed     time.Duration
		asks, ended bool
	}{
		"the link lives":        {10*time.Minute - time.Second, true, false},
		"the link ended now":    {10 * time.Minute, true, true},
		"the last moment":       {10*time.Minute + payments.LinkGrace - time.Second, true, true},
		"no payment is in time": {10*time.Minute + payments.LinkGrace, false, false},
		"an expired event came": {-1, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t).add("Vary", 3500)
			order := d.charge()
			if tt.elapsed < 0 {
				d.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
			}
			d.wake().after(max(counter.Grace, tt.elapsed)).at.Again(d.at.Shown().Order)
			question := d.settle().at.Question()
			d.is("order of the question", question.Order.Reference, order.Reference)
			d.is("asks", slices.Contains(question.Terms.Despite, payments.SalePayable), tt.asks)
			d.is("ended", question.Ended, tt.ended)
		})
	}
}

func TestTheCodeOfAnOrderThatAPersonFoundUnpaidIsOnlyShownAgain(t *testing.T) {
	d := open(t)
	order := d.Resolve(d.Charge("S1").Reference, payments.Finding{Kind: payments.FoundUnpaid})
	d.at.Show(order)
	d.is("shows the code", d.settle().at.Shown().HasCode(), false)
	d.at.ShowAgain(order)
	d.is("shows the code", d.settle().at.Shown().HasCode(), true)
}

func TestANewOrderGivesUpTheOneThatItRepeats(t *testing.T) {
	for _, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentExpired} {
		d := open(t).add("Vary", 3500)
		d.at.Annotate("Rina")
		first := d.settle().charge()
		d.Hear(shoptest.Event(first, kind, ""))
		d.wake().after(counter.Grace).at.Again(d.at.Shown().Order)
		second := d.yes().at.Shown().Order
		if second.Reference == first.Reference || second.Sale != first.Sale || second.Amount != 3500 || second.Description != "Rina" {
			t.Errorf("after %s got the new order %+v", kind, second)
		}
		d.is("given up after "+string(kind), d.Find(first.Reference).Facts.GivenUp, true)
	}
}

func TestAnOutcomeIsNotAnnouncedAgainAfterTheStoreWasDown(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.Pay(d.charge())
	d.wake()
	for _, d.reach = range []payments.Reach{payments.ReachStoreDown, payments.ReachListens} {
		d.after(time.Second)
	}
	d.is("outcomes", len(came[counter.Became](d)), 1)
}

func TestEachFactIsReportedOnce(t *testing.T) {
	d := open(t)
	order := d.Charge("S1")
	d.wake().after(9*time.Minute + 5*time.Second).after(time.Second).after(time.Minute)
	ends := came[counter.LinkEnds](d)
	if len(ends) != 2 || ends[0].Over || !ends[1].Over {
		t.Errorf("got the link facts %+v, want soon over and then over", ends)
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
	tuitest.Equal(t, rung, 1, "outcomes that are not repeated")
}

func TestTheArticlesAreReadFiveSecondsAfterAChange(t *testing.T) {
	d := open(t)
	reads := func(want int, when string) {
		t.Helper()
		d.is("reads "+when, len(came[counter.ArticlesRead](d)), want)
	}
	kafe := func() payments.Article {
		article, _ := d.at.Shelf().Labelled("Kafe")
		return article
	}
	reads(1, "at the start")
	tuitest.Must(t, d.AddArticles(t.Context(), []payments.Article{{Label: "Kafe", UnitPrice: 800}}))
	d.at.ArticlesChanged()
	d.settle().is("price of the new article", kafe().UnitPrice, 800)
	d.wake().wake().after(4 * time.Second)
	reads(2, "within five seconds of another change in the store")
	d.wake().after(time.Second)
	reads(3, "after five seconds")
	d.after(time.Minute)
	reads(3, "without a change")
	t.Run("a failed read keeps them and is repeated", func(t *testing.T) {
		d.Break()
		d.at.ArticlesChanged()
		d.settle().is("price after a failed read", kafe().UnitPrice, 800)
		d.Mend()
		tuitest.Must(t, d.DropArticle(t.Context(), kafe().ID))
		d.after(5*time.Second).is("price after the next read", kafe().UnitPrice, 0)
	})
}

func ExampleCounter() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := counter.New(counter.Config{
		Tenders: []drawer.Tender{drawer.TenderCash},
		Till:    "T1", Now: func() time.Time { return now },
		NewSale: func() payments.Sale { return payments.Sale{ID: "S1", Till: "T1"} },
		Health:  func() payments.Health { return payments.Health{Listening: true} },
	})
	_, _ = c.Add(payments.Item{Label: "Vary", UnitPrice: 3500, Quantity: 2})
	c.Charge()
	_, facts := c.Drain()
	fmt.Println(facts[0].(counter.Asked).Question.Kind)
	// Output: charge
}

func TestTheCashierWhoAnswersChargesTheSale(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.at.SignIn("Soa")
	d.at.Charge()
	d.at.SignIn("Hery")
	d.is("order calls", len(came[counter.Sent](d.yes())), 1)
	d.is("cashier of the order", came[counter.Sent](d)[0].Terms.By, "Hery")
	d.is("cashier who sells", d.at.Seller(), "Hery")
}
