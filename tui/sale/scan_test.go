package sale_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

const varyGasy = "6111000000017"

// scan types a code and passes it to Scan, as the console does.
func scan(d *tuitest.Driver, code string) *tuitest.Driver {
	d.Type(code)
	return d.Send(func(m sale.Model) sale.Model {
		m, _ = m.Scan(keyboard.Scan{Code: code, Typed: code}, false)
		return m
	})
}

func TestAScannedArticleIsAddedInEveryMode(t *testing.T) {
	vary := item("Vary gasy", 3500, 1)
	coca := item("Coca", 2000, 1)
	cases := map[string]struct {
		reach func(d *tuitest.Driver)
		code  string
		want  []payments.Item
		sees  []string
	}{
		"an empty line": {func(*tuitest.Driver) {}, varyGasy, []payments.Item{vary}, []string{"› "}},
		"a quantity": {
			func(d *tuitest.Driver) { d.Type("3*") }, varyGasy, []payments.Item{item("Vary gasy", 3500, 3)}, []string{"› ", "Added: 3 × Vary gasy, 10 500 Ar"},
		},
		"half a label, which stays": {
			func(d *tuitest.Driver) { d.Type("Savony ") }, varyGasy, []payments.Item{vary}, []string{"› Savony", "Added: Vary gasy, 3 500 Ar"},
		},
		"a chosen line": {
			func(d *tuitest.Driver) { enter(d, "coca").Press("up") }, varyGasy, []payments.Item{coca, vary}, nil,
		},
		"a correction, which stays open": {
			func(d *tuitest.Driver) { enter(d, "coca").Press("up", "enter") }, varyGasy, []payments.Item{coca, vary}, []string{"› Coca 2000", "Added"},
		},
		"a note, which stays open": {
			func(d *tuitest.Driver) { d.Press("ctrl+n").Type("Rina") }, varyGasy, []payments.Item{vary}, []string{"› Rina", "Added"},
		},
		"a discount, which is no quantity": {
			func(d *tuitest.Driver) { enter(d, "coca").Press("up", "d").Type("50") }, varyGasy, []payments.Item{coca, vary}, []string{"› 50", "Added"},
		},
		"a note with a number, which is no quantity": {
			func(d *tuitest.Driver) { d.Press("ctrl+n").Type("3") }, varyGasy, []payments.Item{vary}, []string{"› 3", "Added"},
		},
		"a name to hold the sale by": {
			func(d *tuitest.Driver) { enter(d, "coca").Send(hold).Type("Rina") }, varyGasy, []payments.Item{coca, vary}, []string{"› Rina"},
		},
		"the charge question, which is closed": {
			func(d *tuitest.Driver) { enter(d, "coca", "") }, varyGasy, []payments.Item{coca, vary}, []string{"› ", "charges 5 500"},
		},
		"the list of held sales": {
			func(d *tuitest.Driver) { enter(d, "coca").Send(hold).Press("enter").Send(hold) }, varyGasy, []payments.Item{vary}, []string{"Vary gasy"},
		},
		"a second time": {
			func(d *tuitest.Driver) { scan(d, varyGasy).Type("Sav") }, varyGasy, []payments.Item{item("Vary gasy", 3500, 2)}, []string{"Vary gasy: now 2", "› Sav"},
		},
		"an unknown code after half a label": {
			func(d *tuitest.Driver) { d.Type("Savony ") }, "6111000000018", nil, []string{"› Savony", "No article has the code 6111000000018."},
		},
		"an unknown code in an empty line": {func(*tuitest.Driver) {}, "6111000000018", nil, []string{"›  ", "No article has the code"}},
		"the rest of a scan with a pause": {
			func(d *tuitest.Driver) { d.Type("Savony 61110") }, "00000017", []payments.Item{vary}, []string{"› Savony"},
		},
		"an entry":                     {func(*tuitest.Driver) {}, "Savony 1200", []payments.Item{item("Savony", 1200, 1)}, []string{"Added: Savony, 1 200 Ar"}},
		"an unknown name, which stays": {func(*tuitest.Driver) {}, "Savony", nil, []string{"› Savony", "price"}},
		"an unknown code at the charge question": {
			func(d *tuitest.Driver) { enter(d, "coca", "") }, "6111000000018", []payments.Item{coca}, []string{"No article has the code"},
		},
		"an amount that is too large": {
			func(d *tuitest.Driver) { enter(d, "Tany 999999999999").Type("Sav") }, varyGasy,
			[]payments.Item{item("Tany", 999999999999, 1)},
			[]string{"The amount is too large.", "› Sav"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t).Store()))
			c.reach(d)
			scan(d, c.code).Sees(c.sees...).Lacks("Charge")
			sells(t, d, c.want...)
			tuitest.Equal(t, len(charged(d)), 0, "charges")
		})
	}
}

func TestAScanAtTheCodeIsMentionedOnceTheScreenOpens(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	d.Send(func(m sale.Model) sale.Model {
		m, _ = m.Scan(keyboard.Scan{Code: varyGasy}, true)
		return m
	})
	d.Send(live.Entered{}).Sees("For the next customer: Vary gasy").Send(live.Entered{}).Lacks("For the next customer")
}

func TestANewArticleFitsTheTextThatIsBeingTyped(t *testing.T) {
	c := open(t)
	d := drive(t, desk(t, c.Store())).Type("kaf").Lacks("Kafe")
	tuitest.Must(t, c.AddArticles(t.Context(), []payments.Article{{Label: "Kafe", UnitPrice: 800}}))
	d.Send(does((*counter.Counter).ArticlesChanged)).Sees("Kafe  800", "Enter adds")
}

func TestAnEntryWaitsUntilTheCatalogueIsRead(t *testing.T) {
	tests := []struct {
		name, entry, then string
		breaks            bool
		want              []payments.Item
		says              string
	}{
		{name: "an article", entry: "vary g", want: []payments.Item{item("Vary gasy", 3500, 1)}},
		{name: "a code", entry: "6111000000017", want: []payments.Item{item("Vary gasy", 3500, 1)}},
		{name: "an unknown article", entry: "mofo", says: "No price is known"},
		{name: "a catalogue that cannot be read", entry: "vary g", breaks: true, says: "No price is known"},
		{name: "an entry that was changed meanwhile", entry: "vary g", then: "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := open(t)
			d := enter(slowly(t, desk(t, c.Store()), reads), test.entry).Sees("› " + test.entry).Lacks("missing")
			if test.breaks {
				c.Break()
			}
			d.Type(test.then).Send(shoptest.Release{}).Sees(test.says)
			sells(t, d, test.want...)
			if test.says == "" {
				d.Lacks("missing")
			}
		})
	}
}

func TestScansWaitUntilTheCatalogueIsRead(t *testing.T) {
	d := slowly(t, desk(t, open(t).Store()), reads)
	scan(scan(d, varyGasy), varyGasy).Lacks("No article")
	d.Send(shoptest.Release{}).Sees("Vary gasy")
	sells(t, d, item("Vary gasy", 3500, 2))
}
