package sale_test

import (
	"slices"
	"strings"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// taken returns the cash sales, the oldest first.
func taken(d *tuitest.Driver) (sales []drawer.CounterSale) {
	for _, fact := range shoptest.Received[counter.TookCash](alone(d)) {
		sales = append(sales, fact.Sale)
	}
	return sales
}

func TestTheCashQuestionShowsTheChange(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 12500").Press("enter", "tab")
	d.Sees("Cash", "To pay", "Alt 5", "20 000", "return 7 500", "Enter takes the cash", "Esc mobile money").Lacks("Change")
	d.Press("alt+5").Sees("To pay", "Change", "5 000 + 2 000 + 500")
	t.Run("too little is named", func(t *testing.T) {
		d.Press("ctrl+u", "1", "2", "enter").Sees("12 Ar of 12 500 Ar given in cash. How is the rest paid, 12 488 Ar?").Press("esc")
		if sales := taken(d); len(sales) != 0 {
			t.Errorf("got the cash sales %+v", sales)
		}
	})
	t.Run("esc goes back to the charge by a link", func(t *testing.T) {
		d.Press("esc").Sees("Charge 12 500 Ar?").Press("tab").Sees("To pay")
	})
	t.Run("a small window names the change", func(t *testing.T) {
		d.Resize(40, 13).Sees("Cash for 12 500 Ar: how much is given?").Type("20 000").Sees("Change: 7 500 Ar")
		d.Press("ctrl+u").Type("12000").Sees("Missing: 500 Ar").Fits().Press("ctrl+u").Resize(80, 21)
	})
	t.Run("a letter begins the next line", func(t *testing.T) {
		d.Press("1", "c").Sees("› c").Lacks("To pay")
		if got := items(d); len(got) != 1 {
			t.Errorf("the sale has the lines %v", got)
		}
	})
}

func TestTabGoesThroughTheTenders(t *testing.T) {
	d := drive(t, tendering(t, open(t).Store(), drawer.TenderCash, drawer.TenderCard))
	enter(d, "Vary 12500").Press("enter", "tab").Sees("Cash", "To pay", "Tab card").Press("tab")
	d.Sees("12 500 Ar by card: accepted on the terminal?", "Enter yes, accepted", "Tab cash", "Esc mobile money").Lacks("To pay")
	d.Press("tab").Sees("To pay").Press("tab").Sees("by card").Press("esc").Sees("Charge 12 500 Ar?")
	t.Run("a letter begins the next article and records nothing", func(t *testing.T) {
		d.Press("tab", "tab").Sees("by card").Press("y").Lacks("by card").Sees("› y").Press("esc")
		if sales := taken(d); len(sales) != 0 {
			t.Errorf("got %+v", sales)
		}
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
		d.Press("esc").Sees("To pay", "20 000").Type("5000").Press("enter").Sees("How is the rest paid")
	})
	d.Press("tab").Sees("15 000 Ar by card: accepted on the terminal?").Press("enter")
	sales := taken(d)
	if len(sales) != 1 || sales[0].Amount != 15_000 || sales[0].Total != 20_000 || sales[0].RestOf == "" || sales[0].Description != "rest" {
		t.Errorf("got %+v", sales)
	}
	if got := items(d); len(got) != 0 {
		t.Errorf("the sale still has the lines %v", got)
	}
}

func TestAPartKeepsTheSaleOpenAndItsLinesAsTheyAre(t *testing.T) {
	shop := open(t)
	d := drive(t, desk(t, shop.Store()))
	enter(d, "Vary 20000")
	terms := alone(d).Screen.Counter.Cart().Terms()
	terms.Part.Amount = 5000
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
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
	if !strings.Contains(wide, "▄█▄ █▄▄▄  ▄▄▄█ █▄▄█ █▄▄█ Ar") || !strings.Contains(wide, "██     ▀████▀  ▀████▀  ▀████▀ Ar") {
		t.Errorf("the total is not small or the change is not large\n%s", wide)
	}
	if small := d.Press("ctrl+u").View(); word(small, "5 000 + 2 000") >= 0 || word(small, "To pay") != word(wide, "To pay") {
		t.Errorf("the question moves\n%s\n%s", wide, small)
	}
	d.Resize(50, 28).Sees("To pay").Lacks("Change")
	narrow := d.Press("alt+5").View()
	for _, text := range []string{"To pay: 12 500 Ar", "  Change", "██     ▀████▀  ▀████▀  ▀████▀ Ar"} {
		if !strings.Contains(narrow, text) {
			t.Errorf("%q is missing\n%s", text, narrow)
		}
	}
}

func TestNoTileOfASumIsAloneInARow(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 11000").Press("enter", "tab")
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

func TestTheCashQuestionSaysWhatToTypeAndWhatIsTyped(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 11000").Press("enter", "tab")
	for _, size := range [][2]int{{80, 22}, {120, 34}} {
		d.Resize(size[0], size[1]).Sees("Type what the customer gives.", "Enter alone: the exact sum")
	}
	d.Type("20000")
	for _, size := range [][2]int{{50, 28}, {80, 22}, {120, 34}} {
		d.Resize(size[0], size[1]).Sees("given 20 000 Ar").Lacks("Type what the customer gives.").Fits()
	}
}

// A slow database voids the payments of a dropped sale while a line of the sale is chosen, or text
// for it is typed.
func TestASaleIsDroppedLate(t *testing.T) {
	voids := func(effect counter.Effect) bool {
		_, is := effect.(counter.VoidParts)
		return is
	}
	for _, keys := range [][]string{{"up"}, {"up", "enter"}, {"up", "d"}, {"ctrl+n"}} {
		c := open(t)
		begun(t, c)
		d := slowly(t, tendering(t, c.Store(), drawer.TenderCash), voids).Press("esc").Sees("Drop").Press("enter")
		d.Press(keys...).Send(shoptest.Release{}).Sees("nothing yet")
		enter(d, "Coca 700").Sees("700")
		if got := items(d); len(got) != 1 {
			t.Errorf("after %v the sale has the lines %v", keys, got)
		}
	}
}

func TestALineIsNotChosenInAnotherSale(t *testing.T) {
	c := open(t)
	order := c.Fail(c.Charge("S1", shoptest.Vary()), "no")
	for _, keys := range [][]string{{"up"}, {"up", "enter"}, {"up", "d"}} {
		d := enter(drive(t, tendering(t, c.Store(), drawer.TenderCard)), "Coca 700", "Savony 1200").Press(keys...)
		d.Send(func(m sale.Model) sale.Model {
			m.Counter.Wake()
			m.Counter.TenderFor(order)
			m.Counter.DismissQuestion()
			return m
		}).Sees("7 000").Press("down", "enter").Sees("7 000")
	}
}
