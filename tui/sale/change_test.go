package sale_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
)

// reduced is an item that costs less than it did.
func reduced(label string, price, list payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func TestTheSameAtTheSamePriceIsOneLine(t *testing.T) {
	t.Run("and it is said what happened, which can be undone", func(t *testing.T) {
		c := open(t)
		d := enter(drive(t, desk(t, c)), "Vary 3500 x2", "Savony 1200", "Vary 3500 x3")
		d.Sees("Vary: now 5 in one line", "+ 1  Vary", "charges 18 700").Lacks("3  Vary")
		if got, want := stored(t, c), []payments.Item{item("Vary", 3500, 5), item("Savony", 1200, 1)}; !slices.Equal(got, want) {
			t.Errorf("on disk is %v, want %v", got, want)
		}
		d.Type("x").Lacks("now 5", "+ 1")
		d.Press("esc", "ctrl+z").Sees("charges 8 200").Press("ctrl+z").Sees("charges 7 000")
	})
	t.Run("a merged line far above is brought into view", func(t *testing.T) {
		d := drive(t, desk(t, &drawer{})).Resize(80, 9)
		for _, label := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			enter(d, label+"x 100")
		}
		d.Lacks("1  ax")
		enter(d, "ax 100").Sees("+ 1  ax").Type("V").Lacks("1  ax").Sees("8  hx")
	})
}

func TestADiscountIsANewUnitPrice(t *testing.T) {
	cases := map[string]struct {
		entry string
		want  payments.Item
	}{
		"a price":                 {"1800", reduced("Coca", 1800, 2000, 3)},
		"a share":                 {"10%", reduced("Coca", 1800, 2000, 3)},
		"an amount off":           {"-500", reduced("Coca", 1500, 2000, 3)},
		"a higher price is none":  {"2500", item("Coca", 2500, 3)},
		"nothing off":             {"0%", item("Coca", 2000, 3)},
		"nothing typed leaves it": {"", item("Coca", 2000, 3)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := enter(drive(t, desk(t, open(t))), "coca x3").Type("typed").Press("up", "d")
			d.Sees("Coca (2 000 Ar). New price: 1800, 10% or -500", "› 1  Coca").Lacks("› typed")
			d.Type(c.entry).Press("enter").Sees("› typed").Lacks("New price", "› 1")
			if got := items(d); !slices.Equal(got, []payments.Item{c.want}) {
				t.Errorf("the sale has %v, want %v", got, c.want)
			}
		})
	}
	for name, entry := range map[string]string{"all of it": "100%", "no number": "free"} {
		t.Run("refused is "+name, func(t *testing.T) {
			d := enter(drive(t, desk(t, open(t))), "coca").Press("up", "d").Type(entry).Press("enter")
			d.Sees("The new price must be above zero", "› "+entry)
			d.Press("esc").Lacks("New price", "› "+entry)
			if got := items(d); !slices.Equal(got, []payments.Item{item("Coca", 2000, 1)}) {
				t.Errorf("the sale has %v", got)
			}
		})
	}
}

func TestTheOldPriceIsShownAndKept(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c)), "coca x3").Press("up", "d")
	enter(d, "10%").Sees("1  Coca (was 2 000)", "1 800", "5 400")
	if got := stored(t, c); !slices.Equal(got, []payments.Item{reduced("Coca", 1800, 2000, 3)}) {
		t.Errorf("on disk is %v", got)
	}
	t.Run("when there is more of it", func(t *testing.T) {
		d.Press("up").Sees("Coca  1 800 Ar (was 2 000)").Press("+").Sees("1  Coca (was 2 000)", "7 200")
	})
	t.Run("when it is corrected", func(t *testing.T) {
		d.Press("enter").Sees("› Coca 1800 x4").Press("backspace").Type("2").Press("enter").Sees("1  Coca (was 2 000)", "charges 3 600")
	})
	t.Run("an article that is typed below its price", func(t *testing.T) {
		enter(d, "eclair 4000").Sees("2  Éclair (was 4 500)")
	})
	t.Run("an article that is corrected below its price", func(t *testing.T) {
		enter(d, "A1").Press("up", "enter", "ctrl+u")
		enter(d, "Coca 1L 5000").Sees("3  Coca 1L (was 6 000)")
	})
	t.Run("and it goes into the order", func(t *testing.T) {
		enter(d, "", "")
		terms := charged(d)[0].Terms
		if got := terms.Items[0]; got != reduced("Coca", 1800, 2000, 2) {
			t.Errorf("charged is %v", got)
		}
	})
}

func TestANoteToTheCustomer(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c)), "Vary 3500").Type("Sav").Press("ctrl+n")
	d.Sees("A note to the customer").Lacks("› Sav")
	t.Run("enter keeps it, shows it and puts it on disk", func(t *testing.T) {
		enter(d, "Ho an'i Rina 3500").Sees("Note: Ho an'i Rina 3500", "› Sav", "1  Vary")
		if sales, _ := c.Sales(t.Context(), "T1"); len(sales) != 1 || sales[0].Description != "Ho an'i Rina 3500" {
			t.Errorf("on disk is %+v", sales)
		}
	})
	t.Run("esc leaves it as it was", func(t *testing.T) {
		d.Press("ctrl+n").Sees("› Ho an'i Rina 3500").Type("!!").Press("esc").Sees("Note: Ho an'i Rina 3500", "› Sav").Lacks("!!")
	})
	t.Run("on a chosen line, too", func(t *testing.T) {
		d.Press("up", "ctrl+n").Sees("› Ho an'i Rina 3500").Press("esc")
	})
	t.Run("it is the order's description", func(t *testing.T) {
		d.Press("esc", "enter", "enter")
		if got := charged(d)[0].Terms.Description; got != "Ho an'i Rina 3500" {
			t.Errorf("the description is %q", got)
		}
	})
	t.Run("alone it is kept over a restart", func(t *testing.T) {
		c := open(t)
		enter(drive(t, desk(t, c)).Press("ctrl+n"), "Rina")
		drive(t, desk(t, c)).Sees("Note: Rina", "The previous sale is back.")
	})
}

func TestTheEntryLineJudgesWhileItIsTyped(t *testing.T) {
	for name, c := range map[string]struct{ entry, says string }{
		"N41 dots":                {"Savony 2.000", "Write the price without a dot or comma"},
		"N41 a discount":          {"10%", "Type the full price first"},
		"N41 no price":            {"xyz", "The price is missing, as in: xyz 3500"},
		"N41 a quantity before":   {"3 eclair", "→ Éclair · 3 × 4 500 Ar = 13 500 Ar"},
		"N42 the last line twice": {"x2", "→ Vary · 2 × 3 500 Ar = 7 000 Ar"},
		"N42 once more":           {"+", "→ Vary · 1 × 3 500 Ar"},
		"N43 a very low price":    {"12", "Vary stock"},
		"N43 a low free amount":   {"49", "→ Free amount · 1 × 49 Ar ! an unusual price"},
		"N43 a high one":          {"Tany 10000001", "10 000 001 Ar ! an unusual price"},
	} {
		t.Run(name, func(t *testing.T) {
			enter(drive(t, desk(t, open(t))), "Vary 3500").Type(c.entry).Sees("› "+c.entry, c.says)
		})
	}
	t.Run("N42 the last line is sold again", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500", "x2", "+")
		if got := items(d); !slices.Equal(got, []payments.Item{item("Vary", 3500, 4)}) {
			t.Errorf("the sale has %v", got)
		}
	})
	t.Run("N43 an unusual price is said once more when it is sold", func(t *testing.T) {
		enter(drive(t, desk(t, open(t))), "Savony 49").Sees("! 49 Ar is an unusual price.")
		enter(drive(t, desk(t, open(t))), "Savony 50").Lacks("unusual")
	})
	t.Run("N39 an undo says what it undid", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500", "Coca 2000", "Vary 3500")
		d.Press("ctrl+z").Sees("Undone: Vary", "+ 1  Vary").Press("ctrl+z").Sees("Undone: Coca").Lacks("2  Coca")
		d.Press("esc", "enter").Sees("Type what the customer takes").Press("ctrl+z").Sees("Undone: Vary", "1  Vary")
	})
}
