package sale_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheScreenLooksAsItDid(t *testing.T) {
	states := map[string]func(d *tuitest.Driver){
		"empty":    func(*tuitest.Driver) {},
		"lines":    func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Menaka ampalaza 1L 12500", "1500") },
		"typing":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("Menaka 20") },
		"fitting":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("2*a") },
		"picking":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("co").Press("tab", "down") },
		"coded":    func(d *tuitest.Driver) { d.Type("12") },
		"merged":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 500", "Vary 3500") },
		"choosing": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "up") },
		"editing":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "enter") },
		"reducing": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "up", "d").Type("10%") },
		"reduced": func(d *tuitest.Driver) {
			enter(d, "Menaka ampalaza avy any Vatomandry 12500 x2", "Coca 1500", "Vary 3500")
			enter(d.Press("up", "up", "up", "d"), "10%")
		},
		"regret": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 1500").Press("up") },
		"noting": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Press("ctrl+n").Type("Misaotra, ho an'i Rina") },
		"noted": func(d *tuitest.Driver) {
			enter(enter(d, "Vary 3500 x2").Press("ctrl+n"), "Misaotra, ho an'i Rina sy ny ankohonany rehetra, ao ambonin'ny tsena")
		},
		"naming":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Send(hold) },
		"held":          func(d *tuitest.Driver) { enter(enter(d, "Vary 3500 x2").Send(hold), "") },
		"resuming":      func(d *tuitest.Driver) { three(d).Press("down") },
		"dropping":      func(d *tuitest.Driver) { three(d).Press("delete") },
		"dropping-sale": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("esc") },
		"dropped":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Press("esc", "enter") },
		"asking":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000", "") },
		"cash":          func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab", "alt+5") },
		"card":          func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab", "tab") },
		"rest":          func(d *tuitest.Driver) { enter(enter(d, "Vary 12500", "").Press("tab"), "5000") },
		"begun":         func(*tuitest.Driver) {},
		"fault":         func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony") },
		"pieces":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 1200 2") },
		"several":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "vary") },
		"unknown":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "6111000000018") },
		"long": func(d *tuitest.Driver) {
			for n := range 30 {
				enter(d, fmt.Sprintf("Vary%d 3500 x2", n))
			}
			enter(d, strings.Repeat("a name ", 18)+"999999999 x99")
			d.Type("a").Press("shift+tab")
		},
	}
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states)), Beside: 2,
		Wide: []string{"cash", "lines", "picking"},
		Data: []string{"Misaotra, ho an'i Rina sy ny ankohonany rehetra"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			shop := open(t)
			tenders := []drawer.Tender{drawer.TenderCash}
			switch state {
			case "card", "rest":
				tenders = append(tenders, drawer.TenderCard)
			case "begun":
				begun(t, shop)
			}
			d := drive(t, offering(t, shop.Store(), language, unhurried(), styles, tenders...))
			states[state](d)
			return d
		},
	}.Test(t)
}

// begun stores an unfinished sale that the customer has paid in part.
func begun(t *testing.T, shop *shoptest.Counter) {
	t.Helper()
	terms := shoptest.Terms("begun", payments.Item{Label: "Vary", UnitPrice: 12_500, Quantity: 1})
	tuitest.Must(t, shop.SaveSale(t.Context(), payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items}))
	terms.Part.Amount = 5000
	_, err := shop.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
}

// three puts three sales on hold and opens the list of held sales.
func three(d *tuitest.Driver) *tuitest.Driver {
	for _, name := range []string{"", "Rina, ny lehilahy manana satroka mena", "3"} {
		enter(enter(d, "Vary 3500 x2", "Coca 2000").Send(hold), name)
	}
	return d.Send(hold)
}
