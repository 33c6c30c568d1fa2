package sale_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func taken(d *tuitest.Driver) (sales []drawer.CounterSale) {
	for _, fact := range shoptest.Received[counter.TookCash](alone(d)) {
		sales = append(sales, fact.Sale)
	}
	return sales
}

func TestTheCashQuestionShowsTheChange(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 12500").Press("enter", "tab")
	d.Sees("Cash", "To pay", "Alt 5", "20 000", "return 7 500", "Enter takes the cash", "Esc mobile money").Lacks("Change")
	d.Sees("Type what the customer gives.", "Enter alone: the exact sum")
	d.Press("alt+5").Sees("To pay", "Change", "5 000 + 2 000 + 500", "given 20 000 Ar").Lacks("Type what the customer gives.")
	d.Press("ctrl+u").Type("16500").Sees("2 × 2 000")
	t.Run("too little is named", func(t *testing.T) {
		d.Press("ctrl+u", "1", "2", "enter").Sees("12 Ar of 12 500 Ar given in cash. How is the rest paid, 12 488 Ar?").Press("esc")
		tuitest.Equal(t, len(taken(d)), 0, "cash sales")
	})
	t.Run("esc goes back to the charge by a link", func(t *testing.T) {
		d.Press("esc").Sees("Charge 12 500 Ar?").Press("tab").Sees("To pay")
	})
	t.Run("a small window names the change", func(t *testing.T) {
		d.Resize(40, 13).Sees("Cash for 12 500 Ar: how much is given?").Type("20 000").Sees("Change: 7 500 Ar")
		d.Press("ctrl+u").Type("12000").Sees("Missing: 500 Ar", "Enter asks about the rest").Fits().Press("ctrl+u").Resize(80, 21)
	})
	t.Run("a letter begins the next line", func(t *testing.T) {
		d.Press("1", "c").Sees("› c").Lacks("To pay")
		sells(t, d, item("Vary", 12_500, 1))
	})
}

func TestTabGoesThroughTheTenders(t *testing.T) {
	d := drive(t, tendering(t, open(t).Store(), drawer.TenderCash, drawer.TenderCard))
	enter(d, "Vary 12500").Press("enter", "tab").Sees("Cash", "To pay", "Tab card").Press("tab")
	d.Sees("12 500 Ar by card: accepted on the terminal?", "Enter yes, accepted", "Tab cash", "Esc mobile money").Lacks("To pay")
	d.Press("tab").Sees("To pay").Press("tab").Sees("by card").Press("esc").Sees("Charge 12 500 Ar?")
	t.Run("a letter begins the next article and records nothing", func(t *testing.T) {
		d.Press("tab", "tab").Sees("by card").Press("y").Lacks("by card").Sees("› y").Press("esc")
		tuitest.Equal(t, len(taken(d)), 0, "cash sales")
	})
	t.Run("enter records the card", func(t *testing.T) {
		d.Press("enter", "tab", "tab", "enter")
		if sales := taken(d); len(sales) != 1 || sales[0].Tender() != drawer.TenderCard || sales[0].Amount != 12_500 {
			t.Errorf("got %+v", sales)
		}
	})
}

func TestATenderIsOfferedOnlyIfTheShopHasIt(t *testing.T) {
	d := drive(t, tendering(t, open(t).Store()))
	enter(d, "Vary 12500").Press("enter").Sees("Charge 12 500 Ar?", "Enter mobile money").Lacks("Tab").Press("tab").Sees("Charge 12 500 Ar?")
}

func TestACustomerPaysAPartAndTheRestInAnotherWay(t *testing.T) {
	d := drive(t, tendering(t, open(t).Store(), drawer.TenderCash, drawer.TenderCard))
	enter(d, "Vary 20000").Press("enter", "tab").Type("5000").Press("enter")
	d.Sees("5 000 Ar of 20 000 Ar given in cash. How is the rest paid, 15 000 Ar?", "Enter mobile money", "Tab card", "Esc back")
	if sales := taken(d); len(sales) != 0 {
		t.Fatalf("recorded before the second answer: %+v", sales)
	}
	t.Run("esc goes back to the cash and records nothing", func(t *testing.T) {
		d.Press("esc").Sees("To pay", "20 000", "Nothing was recorded. Give the 5 000 Ar back, or charge again.").Type("5000").Press("enter").Sees("How is the rest paid")
	})
	t.Run("a letter says that nothing is recorded", func(t *testing.T) {
		d.Type("v").Sees("Nothing was recorded. Give the 5 000 Ar back, or charge again.")
		d.Press("backspace", "enter", "tab").Type("5000").Press("enter").Sees("How is the rest paid").Lacks("Nothing was recorded")
	})
	t.Run("esc at another tender keeps the part", func(t *testing.T) {
		d.Press("tab").Sees("15 000 Ar by card: accepted on the terminal?", "Esc mobile money").Press("esc")
		d.Sees("5 000 Ar of 20 000 Ar given in cash. How is the rest paid, 15 000 Ar?", "Enter mobile money", "Tab card", "Esc back").Lacks("Charge 20 000 Ar?")
	})
	t.Run("esc at the cash for the rest keeps the part and drops the typed sum", func(t *testing.T) {
		d.Press("tab", "tab").Sees("To pay").Type("7000").Press("esc").Sees("How is the rest paid, 15 000 Ar?").Lacks("7000")
	})
	d.Press("tab").Sees("15 000 Ar by card: accepted on the terminal?").Press("enter")
	sales := taken(d)
	if len(sales) != 1 || sales[0].Amount != 15_000 || sales[0].Total != 20_000 || sales[0].RestOf == "" || sales[0].Description != "rest" {
		t.Errorf("got %+v", sales)
	}
	sells(t, d)
}

func TestAPartKeepsTheSaleOpenAndItsLinesAsTheyAre(t *testing.T) {
	shop := open(t)
	d := drive(t, desk(t, shop.Store()))
	enter(d, "Vary 20000")
	shop.SellPart(alone(d).Screen.Counter.Cart().Terms(), 5000)
	again := drive(t, desk(t, shop.Store()))
	again.Sees("5 000 Ar paid, 15 000 Ar to pay")
	enter(again, "Coca 2000").Sees("A part of this sale is paid").Press("ctrl+u")
	again.Press("enter").Sees("Charge 15 000 Ar?").Press("esc")
}

func TestNoTextOfANarrowSaleIsCut(t *testing.T) {
	for width := 44; width <= 120; width += 4 {
		d := drive(t, desk(t, open(t).Store())).Resize(width, 30).Sees("barcode").Lacks("…")
		enter(d, "Vary 12500", "").Press("tab").Sees("Alt 4", "7 500").Lacks("…").Fits()
	}
	drive(t, desk(t, open(t).Store())).Resize(40, 13).Press("tab").Sees("Matching articles: 2").Lacks("Tab chooses").Fits()
}

func TestTheHeadingsOfTheLinesStandApart(t *testing.T) {
	d := enter(drive(t, with(t, open(t).Store(), "mg", unhurried(), theme.Plain())), "Vary 12500")
	for width := 44; width <= 120; width++ {
		d.Resize(width, 24).Lacks("VidinyFitambarany")
	}
}

// TestTheChangeIsLargerThanTheTotal checks the large digits in the question how much cash the
// customer gives. Their place must not depend on the typed text, and a narrow window has only the
// digits of the change.
func TestTheChangeIsLargerThanTheTotal(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 12500").Press("enter", "tab")
	word := func(view, text string) int {
		return slices.IndexFunc(strings.Split(view, "\n"), func(row string) bool { return strings.Contains(row, text) })
	}
	wide := d.Resize(120, 34).Press("alt+5").View()
	if !strings.Contains(wide, "▄█▄ █▄▄▄  ▄▄▄█ █▄▄█ █▄▄█ Ar") || !strings.Contains(wide, "██      ▀████▀  ▀████▀  ▀████▀ Ar") {
		t.Errorf("the total is not small or the change is not large\n%s", wide)
	}
	if small := d.Press("ctrl+u").View(); word(small, "5 000 + 2 000") >= 0 || word(small, "To pay") != word(wide, "To pay") {
		t.Errorf("the question moves\n%s\n%s", wide, small)
	}
	d.Resize(50, 28).Sees("To pay").Lacks("Change")
	narrow := d.Press("alt+5").View()
	tuitest.Contains(t, narrow, "To pay: 12 500 Ar", "  Change", "██      ▀████▀  ▀████▀  ▀████▀ Ar")
}

func TestNoTileOfASumIsAloneInARow(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 11000").Press("enter", "tab")
	d.Resize(80, 22).Sees("Type what the customer gives.", "Enter alone: the exact sum")
	for _, width := range []int{40, 60, 80, 120} {
		view := d.Resize(width, 34).View()
		first, _, _ := strings.Cut(view[strings.Index(view, "Alt 1"):], "\n")
		if strings.Contains(first, "Alt 4") != (width >= 60) {
			t.Errorf("%d columns: the first row is %q\n%s", width, first, view)
		}
		says := "return 9 000"
		if width == 60 {
			says = "back 9 000"
		}
		if width >= 60 && (!strings.Contains(view, says) || strings.Contains(view, "…")) {
			t.Errorf("%d columns: %q is missing, or a text is cut\n%s", width, says, view)
		}
	}
}

// A slow database voids the payments of a dropped sale while a line of the sale is chosen, or text
// for it is typed.
func TestASaleIsDroppedLate(t *testing.T) {
	voids := shoptest.Delays[counter.VoidParts]
	for _, keys := range [][]string{{"up"}, {"up", "enter"}, {"up", "d"}, {"ctrl+n"}} {
		c := open(t)
		begun(t, c)
		d := slowly(t, tendering(t, c.Store(), drawer.TenderCash), voids).Press("esc").Sees("Drop").Press("enter")
		d.Press(keys...).Send(shoptest.Release{}).Sees("nothing yet")
		enter(d, "Coca 700").Sees("700")
		sells(t, d, reduced("Coca", 700, 2000, 1))
	}
}

// In a shop with cashiers, a cashier's PIN gives back what was paid of a dropped sale.
func TestAPINGivesBackWhatWasPaidOfADroppedSale(t *testing.T) {
	for name, drops := range map[string]func(d *tuitest.Driver){
		"the current sale": func(d *tuitest.Driver) { d.Press("esc").Sees("Drop").Press("enter") },
		"a held sale":      func(d *tuitest.Driver) { enter(d.Send(hold), "Rabe").Send(hold).Press("delete", "enter") },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			c.Hire()
			begun(t, c)
			d := drive(t, tendering(t, c.Store(), drawer.TenderCash))
			drops(d)
			d.Lacks("could not be written").Sees("Give back 5 000 Ar?").Press("esc").Lacks("Give back")
			paidFor(t, c, 5000)
			drops(d)
			d.Press("enter").Sees("Hasina", "Soa").Type("h1111").Press("enter").Sees("The name or the PIN is wrong.")
			d.Type(shoptest.HasinasPIN).Press("enter").Lacks("Give back").Sees("nothing yet")
			paidFor(t, c, 0)
			expect(t, c)
		})
	}
}

// paidFor fails the test unless the shop has the amount in want for the sale of begun.
func paidFor(t *testing.T, c *shoptest.Counter, want money.Ariary) {
	t.Helper()
	if got, _, err := c.TakenFor(t.Context(), "begun"); err != nil || got != want {
		t.Errorf("%d Ar are taken, %v, want %d", got, err, want)
	}
}

func TestALineIsNotChosenInAnotherSale(t *testing.T) {
	c := open(t)
	order := c.Fail(c.Charge("S1", shoptest.Vary()), "no")
	for _, keys := range [][]string{{"up"}, {"up", "enter"}, {"up", "d"}} {
		d := enter(drive(t, tendering(t, c.Store(), drawer.TenderCard)), "Coca 700", "Savony 1200").Press(keys...)
		d.Send(does(func(c *counter.Counter) {
			c.Wake()
			c.TenderFor(order)
			c.DismissQuestion()
		})).Sees("7 000").Press("down", "enter").Sees("7 000")
	}
}

// TestTypingAtAQuestionClosesIt checks that text typed while a question is open is kept, and that
// Enter after the text does not charge the old total.
func TestTypingAtAQuestionClosesIt(t *testing.T) {
	for name, c := range map[string]struct {
		keys  func(d *tuitest.Driver)
		sees  string
		items int
	}{
		"letters":                              {func(d *tuitest.Driver) { d.Type("coca") }, "› coca", 1},
		"letters and Enter, which adds a line": {func(d *tuitest.Driver) { d.Type("coca").Press("enter") }, "charges 5 500", 2},
		"a blank":                              {func(d *tuitest.Driver) { d.Press(" ").Type("x") }, "› x", 1},
		"a paste":                              {func(d *tuitest.Driver) { d.Paste("coca\n") }, "› coca", 1},
		"a scan of three digits and an Enter":  {func(d *tuitest.Driver) { d.Type("201").Press("enter") }, "charges 3 701", 2},
		"a note":                               {func(d *tuitest.Driver) { d.Press("backspace").Type("n") }, "› n", 1},
	} {
		for question, asks := range map[string]string{"charge": "enter", "drop": "esc"} {
			t.Run(name+", at the "+question+" question", func(t *testing.T) {
				now := shoptest.Opening()
				d := enter(drive(t, on(t, open(t).Store(), func() time.Time { return now })), "Vary 3500").Press(asks).Sees("3 500 Ar?")
				c.keys(d)
				now = now.Add(time.Second)
				d.Send(does((*counter.Counter).Tick))
				d.Lacks("3 500 Ar?").Sees(c.sees)
				if got := len(items(d)); got != c.items || len(charged(d)) != 0 {
					t.Errorf("the sale has %d lines and was charged %d times", got, len(charged(d)))
				}
			})
		}
	}
}

func TestASaleIsDroppedAfterAQuestion(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c.Store())), "Vary 3500 x2", "Coca 2000").Type("Sav")
	d.Press("esc").Lacks("Drop", "› Sav").Press("esc").Sees("Drop this sale, 9 000 Ar?", "keeps it     Enter   drops it")
	d.Press("esc").Sees("charges 9 000").Lacks("Drop this").Press("esc", "enter").Sees("The sale was dropped. Ctrl+Z brings it back.", "nothing yet")
	stores(t, c)
	d.Press("ctrl+z").Sees("2  Coca", "charges 9 000")
	stores(t, c, item("Vary", 3500, 2), item("Coca", 2000, 1))
	t.Run("an empty sale asks no question", func(t *testing.T) {
		drive(t, desk(t, open(t).Store())).Press("esc").Sees("Type what the customer takes").Lacks("Drop")
	})
}

func TestAQuestionBeginsInTheSameColumnWithoutSideBorders(t *testing.T) {
	for _, language := range i18n.Languages() {
		d := drive(t, with(t, open(t).Store(), language, unhurried(), theme.Plain()))
		d.Resize(50, 28)
		texts := i18n.Load(language)
		prompt := texts.Sale.Charge.With(i18n.Money(9_000))
		if view := enter(d, "Vary 7000", "Coca 2000", "").View(); !strings.Contains(view, "\n  "+prompt) || !strings.Contains(view, "\n  ▄████▄") {
			t.Errorf("%s: the question %q does not begin in the third column\n%s", language, prompt, view)
		}
	}
}

func TestASmallWindowAsksWithoutAWarning(t *testing.T) {
	styles := theme.Full(theme.Auto)
	d := drive(t, with(t, open(t).Store(), "en", unhurried(), styles))
	d.Resize(40, 13)
	tuitest.Contains(t, enter(d, "Vary 7000", "").View(), styles.Strong.Render("Charge 7 000 Ar?"))
	tuitest.Contains(t, d.Press("esc", "esc").View(), styles.Danger.Render("Drop this sale, 7 000 Ar?"))
}
