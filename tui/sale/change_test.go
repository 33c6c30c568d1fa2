package sale_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/tuitest"
)

func reduced(label string, price, list money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func TestEqualItemsAreMergedIntoOneLine(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500 x2", "Savony 1200", "Vary 3500 x3")
	d.Sees("Vary: now 5 in one line", "+ 1  Vary", "charges 18 700").Lacks("3  Vary").Type("x").Lacks("now 5", "+ 1")
	d.Press("esc", "ctrl+z").Sees("charges 8 200").Press("ctrl+z").Sees("charges 7 000")
	t.Run("an item with a discount is not merged", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Press("up", "d")
		enter(d, "3000", "Vary 3000").Sees("1  Vary (was 3 500)", "2  Vary", "charges 6 000")
	})
	t.Run("the list scrolls to a merged line", func(t *testing.T) {
		d := drive(t, desk(t, open(t).Store())).Resize(80, 9)
		enter(d, "ax 100", "bx 100", "cx 100", "dx 100", "ex 100", "fx 100", "gx 100", "hx 100").Lacks("1  ax")
		enter(d, "ax 100").Sees("+ 1  ax").Type("V").Lacks("1  ax").Sees("8  hx")
	})
}

func TestALineThatChangedIsMarkedForThreeSeconds(t *testing.T) {
	shop := open(t)
	screen := on(t, shop.Store(), shop.Now)
	d := enter(drive(t, screen), "Koba 500").Sees("+ 1  Koba")
	for _, want := range []string{"+ 1  Koba", "+ 1  Koba", "  1  Koba"} {
		shop.Advance(time.Second)
		screen.Counter.Tick()
		d.Sees(want)
	}
	d.Lacks("+ 1")
}

func TestADiscountIsANewUnitPrice(t *testing.T) {
	for text, want := range map[string]payments.Item{"10%": reduced("Coca", 1800, 2000, 3), "": item("Coca", 2000, 3)} {
		d := enter(drive(t, desk(t, open(t).Store())), "coca x3").Type("typed").Press("up", "d")
		d.Sees("Coca (2 000 Ar). New price: 1800; off each piece: 10% or -200", "› 1  Coca").Lacks("› typed")
		d.Type(text).Press("enter").Sees("› typed").Lacks("New price", "› 1")
		sells(t, d, want)
	}
	d := enter(drive(t, desk(t, open(t).Store())), "coca").Press("up", "d").Type("free").Press("enter")
	d.Sees("The new price must be above zero", "› free").Press("esc").Lacks("New price", "› free").Sees("charges 2 000")
}

func TestADiscountDoesNotRaiseThePrice(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Mofo 300").Press("up", "d").Sees("Mofo (300 Ar). New price: 270; off it: 10% or -30")
	d.Type("350").Press("enter").Sees("This is above the price. To edit the price: Esc, then Enter on the line.", "› 350")
	sells(t, d, item("Mofo", 300, 1))
	d.Press("ctrl+u").Type("250").Press("enter", "up", "d").Type("300").Press("enter").Lacks("above the price").Sees("charges 300")
	enter(d, "Kely 1").Press("up", "d").Sees("New price: 1; off it: 10% or -1")
}

func TestTheListPriceIsShownAndKept(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "coca x3").Press("up", "d")
	enter(d, "10%").Sees("1  Coca (was 2 000)", "1 800", "5 400")
	d.Press("up", "+").Sees("1  Coca (was 2 000)", "7 200")
	d.Press("enter").Sees("› Coca 1800 x4").Press("backspace").Type("2").Press("enter").Sees("1  Coca (was 2 000)", "charges 3 600")
	enter(d, "eclair 4000").Sees("2  Éclair (was 4 500)") // An article was typed with a price below the stored one.
	enter(enter(d, "A1").Press("up", "enter", "ctrl+u"), "Coca 1L 5000").Sees("3  Coca 1L (was 6 000)")
	enter(d, "", "")
	tuitest.Equal(t, charged(d)[0].Terms.Items[0], reduced("Coca", 1800, 2000, 2), "the charged item")
}

func TestAFreeItemKeepsItsFirstPriceAsListPrice(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500 x2")
	for _, step := range []struct {
		keys  []string
		typed string
		want  payments.Item
	}{
		{[]string{"up", "d"}, "-500", reduced("Vary", 3000, 3500, 2)},
		{[]string{"up", "d"}, "-1000", reduced("Vary", 2500, 3500, 2)},
		{[]string{"up", "enter", "ctrl+u"}, "Vary 2000", reduced("Vary", 2000, 3500, 1)},
		{[]string{"up", "enter", "ctrl+u"}, "Vary 3500", item("Vary", 3500, 1)},
		{[]string{"up", "d"}, "10%", reduced("Vary", 3150, 3500, 1)},
		{[]string{"up", "enter", "ctrl+u"}, "Riz 1700", item("Riz", 1700, 1)},
	} {
		enter(d.Press(step.keys...), step.typed)
		sells(t, d, step.want)
	}
}

func TestANoteBecomesTheDescription(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c.Store())), "Vary 3500").Type("Sav").Press("ctrl+n").Sees("A note to the customer").Lacks("› Sav")
	enter(d, "Ho an'i Rina 3500").Sees("Note: Ho an'i Rina 3500", "› Sav", "1  Vary")
	if sales, _ := c.Sales(t.Context(), "T1"); len(sales) != 1 || sales[0].Description != "Ho an'i Rina 3500" {
		t.Errorf("got the stored sales %+v", sales)
	}
	d.Press("ctrl+n").Sees("› Ho an'i Rina 3500").Type("!!").Press("esc").Sees("Note: Ho an'i Rina 3500", "› Sav").Lacks("!!")
	d.Press("esc", "enter", "enter")
	tuitest.Equal(t, charged(d)[0].Terms.Description, "Ho an'i Rina 3500", "the description")
	t.Run("a note without lines survives a restart", func(t *testing.T) {
		c := open(t)
		enter(drive(t, desk(t, c.Store())).Press("ctrl+n"), "Rina")
		drive(t, desk(t, c.Store())).Sees("Note: Rina", "The previous sale is back.")
	})
}

func TestTheEntryLineHintsWhileTyping(t *testing.T) {
	for name, c := range map[string]struct{ entry, says string }{
		"dots":                          {"Savony 2.000", "Write the price without a dot or comma"},
		"a discount":                    {"10%", "A discount on the whole sale: type -10% or -500."},
		"no price":                      {"xyz", "No price is known: type it, as in xyz 3500"},
		"a quantity before":             {"3 eclair", "3 × Éclair  4 500"},
		"a very low price":              {"12", "Vary stock"},
		"a low free amount":             {"49", "→ Free amount · 1 × 49 Ar ! unusual"},
		"a very high price":             {"Tany 10000001", "10 000 001 Ar ! unusual"},
		"a very large quantity":         {"99999*eclair", "99 999 × Éclair  4 500 ! unusual"},
		"only a quantity":               {"x2", "Not understood."},
		"the price first":               {"3500 rice", "Type rice 3500"},
		"a quantity that is incomplete": {"coca x", "The quantity must be above zero"},
	} {
		t.Run(name, func(t *testing.T) {
			enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Type(c.entry).Sees("› "+c.entry, c.says)
		})
	}
	t.Run("adding or changing an unusual line warns", func(t *testing.T) {
		for entry, says := range map[string]string{
			"Savony 49": "! 1 × 49 Ar is unusual.", "1001*eclair": "! 1 001 × 4 500 Ar is unusual.",
		} {
			enter(drive(t, desk(t, open(t).Store())), entry).Sees(says)
		}
		d := enter(drive(t, desk(t, open(t).Store())), "Savony 50 x1000").Lacks("unusual")
		d.Press("up", "+").Sees("! 1 001 × 50 Ar is unusual.")
	})
	t.Run("an undo names what it undid", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500", "Coca 2000", "Vary 3500")
		d.Press("ctrl+z").Sees("As before: Vary", "+ 1  Vary").Press("ctrl+z").Sees("As before: Coca").Lacks("2  Coca")
		d.Press("esc", "enter").Sees("Type what the customer takes").Press("ctrl+z").Sees("As before: Vary", "1  Vary")
	})
}
