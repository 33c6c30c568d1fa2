package sale_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// expect fails the test unless the stored sales have the names want. The name of the current sale
// is blank.
func expect(t *testing.T, c *shoptest.Counter, want ...string) {
	t.Helper()
	sales, err := c.Sales(t.Context(), shoptest.Till)
	var names []string
	for _, sale := range sales {
		names = append(names, sale.Name)
	}
	if slices.Sort(names); err != nil || !slices.Equal(names, want) {
		t.Errorf("got the stored sales %q, %v, want %q", names, err, want)
	}
}

func TestASaleIsHeldByNameAndResumed(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c.Store())), "Vary 3500 x2").Type("Sav").Send(hold)
	d.Sees("Finish the line first: Enter adds it, Esc clears it.", "› Sav").Lacks("which name")
	d.Press("esc").Send(hold).Sees("─ Hold ─", "Hold this sale under which name?", "Enter   holds it as 1", "Esc   goes back to the sale").Type("Rina").Sees("holds it as Rina", "› Rina")
	d.Press("esc").Sees("1  Vary").Send(hold, hold).Lacks("which name")
	expect(t, c, "")
	d.Send(hold).Press("enter").Sees("Held as 1. A new sale begins.", "Type what the customer takes", "nothing yet")
	expect(t, c, "1")
	enter(enter(d, "Coca 2000").Send(hold), "1").Sees("Another sale is already held under this name.", "› 1")
	enter(d.Press("ctrl+u"), "Rina").Sees("Held as Rina.")
	enter(enter(d, "Savony 500").Send(hold), "RINA").Sees("Another sale is already held").Press("ctrl+u", "enter").Sees("Held as 2.")
	expect(t, c, "1", "2", "Rina")
	t.Run("without lines the key lists them, and a resumed sale keeps its name", func(t *testing.T) {
		d.Send(hold).Sees("Held sales", "› 1 ", "7 000 Ar", "  Rina ", "  2 ", "12:00")
		d.Press("down", "down", "down", "up").Sees("› Rina").Press("enter").Sees("The sale Rina is back.", "1  Coca", "2 000").Lacks("Held sales")
		expect(t, c, "", "1", "2")
		enter(d, "Savony 100").Send(hold).Sees("holds it as Rina").Press("enter")
		expect(t, c, "1", "2", "Rina")
	})
	t.Run("Esc, the hold key and typing close the list", func(t *testing.T) {
		d.Send(hold).Press("esc").Sees("Type what the customer takes").Send(hold, hold).Sees("Type what the customer takes")
		d.Send(hold).Sees("Held sales").Type("Ki").Sees("› Ki", "Type what the customer takes").Press("esc")
	})
	t.Run("a held sale is dropped after a question", func(t *testing.T) {
		d.Send(hold).Press("delete").Sees("Drop the sale 1, 7 000 Ar?", "Enter drops it").Type("Ki").Sees("› Ki", "Type what the customer takes")
		d.Press("esc").Send(hold).Press("delete", "esc").Sees("Held sales", "› 1 ").Press("delete", "enter").Sees("› 2 ").Lacks("› 1 ")
		expect(t, c, "2", "Rina")
		d.Press("delete", "enter", "delete", "enter").Sees("Type what the customer takes").Lacks("Held sales")
		expect(t, c)
		d.Send(hold).Sees("No sale is held.")
	})
}

func TestTheListOfHeldSalesShowsTheDayOnAnotherDay(t *testing.T) {
	now := shoptest.Opening()
	clock := func() time.Time { return now }
	d := enter(drive(t, on(t, open(t).Store(), clock)), "Vary 3500").Send(hold).Press("enter")
	d.Send(hold).Sees("12:00").Lacks("21/11")
	now = now.Add(13 * time.Hour)
	d.Sees("21/11 12:00")
}

func TestTheHeldSalesAreListedOnceTheyAreRead(t *testing.T) {
	c := open(t)
	tuitest.Must(t, c.SaveSale(t.Context(), payments.Sale{ID: "old", Name: "Rabe", Till: shoptest.Till, Items: []payments.Item{item("Vary", 3500, 1)}}))
	early := func(t *testing.T) *tuitest.Driver {
		t.Helper()
		every := func(counter.Effect) bool { return true }
		return slowly(t, desk(t, c.Store()), every).Send(hold).Sees("Reading the held sales…").Lacks("No sale is held.")
	}
	t.Run("when the key was pressed before", func(t *testing.T) {
		early(t).Send(shoptest.Release{}).Sees("Held sales", "› Rabe")
	})
	t.Run("but not after another key", func(t *testing.T) {
		early(t).Type("V").Send(shoptest.Release{}).Sees("› V").Lacks("Held sales")
	})
	t.Run("and are read again after a failure", func(t *testing.T) {
		c.Break()
		d := drive(t, desk(t, c.Store())).Sees("could not").Send(hold).Lacks("No sale is held.")
		c.Mend()
		d.Send(hold).Sees("Held sales", "› Rabe")
	})
}

func TestASaleThatWasChargedElsewhereIsRemoved(t *testing.T) {
	charged := func(sale payments.Sale) counter.Recover { return counter.Recover{Sales: []payments.Sale{sale}} }
	t.Run("while a line is corrected", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Press("up", "enter").Sees("› Vary 3500")
		d.Send(takes(charged(alone(d).Screen.Counter.Cart().Sale))).Sees("Type what the customer takes").Lacks("Vary 3500 x")
	})
	t.Run("while it is held and the list is open", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500")
		before := alone(d).Screen.Counter.Cart().Sale
		d.Send(hold).Press("enter").Send(hold).Sees("Held sales").Press("delete").Send(takes(charged(before))).Lacks("Held sales")
		tuitest.Equal(t, len(alone(d).Screen.Counter.Cart().Held), 0, "held sales")
	})
}

// The money is given back before the sale is dropped, so for a moment the list is open without a
// sale.
func TestTheListClosesWhenItsLastSaleWasPaidInPart(t *testing.T) {
	c := open(t)
	c.SellPart(shoptest.Terms("S1"), 5000)
	d := drive(t, desk(t, c.Store())).Send(hold).Press("enter").Send(hold).Sees("Held sales")
	d.Press("delete", "enter").Sees("Type what the customer takes").Lacks("Held sales")
	expect(t, c)
}

// A slow database gives back what was paid of the first sale while another sale is chosen.
func TestAHeldSaleStaysChosenWhenAnotherOneIsDropped(t *testing.T) {
	c := open(t)
	begun(t, c)
	voids := shoptest.Delays[counter.VoidParts]
	d := enter(slowly(t, desk(t, c.Store()), voids).Send(hold), "Rabe")
	enter(enter(d, "Coca 2000").Send(hold), "Rina")
	enter(enter(d, "Savony 1200").Send(hold), "Soa")
	d.Send(hold).Press("delete", "enter").Press("down").Sees("› Rina").Send(shoptest.Release{}).Sees("› Rina").Lacks("Rabe")
	d.Press("enter").Sees("The sale Rina is back.")
}

// The saved sales are read late, and the sale of the last run becomes the current one.
func TestAHeldSaleDoesNotReplaceARestoredOne(t *testing.T) {
	c := open(t)
	tuitest.Must(t, c.SaveSale(t.Context(), payments.Sale{ID: "old", Till: shoptest.Till, Items: []payments.Item{item("Vary", 3500, 1)}}))
	restores := shoptest.Delays[counter.ReadSales]
	d := enter(slowly(t, desk(t, c.Store()), restores), "Coca 2000").Send(hold).Press("enter").Send(hold).Sees("Held sales")
	d.Send(shoptest.Release{}).Press("enter")
	if cart := alone(d).Screen.Counter.Cart(); cart.Find("old").ID == "" {
		t.Errorf("the restored sale is gone: got the sale %+v and the held sales %+v", cart.Sale, cart.Held)
	}
}
