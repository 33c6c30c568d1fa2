package plain_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/plain"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestASaleIsEnteredAndCorrected(t *testing.T) {
	for name, c := range map[string]struct {
		typed []string
		says  []string
		items string
	}{
		"an article by letters":                 {[]string{"coc"}, []string{"1: Coca, 2 000 Ar\n", "Total 2 000 Ar"}, "1 Coca 2000/0"},
		"an article by its code":                {[]string{"5449000000996 x3"}, []string{"1: Coca, 3 at 2 000 Ar, total 6 000 Ar"}, "3 Coca 2000/0"},
		"an article with the name of a command": {[]string{"note"}, []string{"1: Note, 500 Ar"}, "1 Note 500/0"},
		"a label with the name of a command":    {[]string{"1*Link 700"}, []string{"1: Link, 700 Ar"}, "1 Link 700/0"},
		"an argument to a command without arguments": {
			[]string{"coca", "total 500"},
			[]string{"total takes no argument", "1*total 500"},
			"1 Coca 2000/0",
		},
		"cash that is no sum":            {[]string{"coca", "cash x"}, []string{"whole number"}, "1 Coca 2000/0"},
		"no price":                       {[]string{"coca", "Savony"}, []string{"No price is known"}, "1 Coca 2000/0"},
		"too long an entry":              {[]string{strings.Repeat("label ", 30) + "3500"}, []string{"The entry is too long."}, ""},
		"another quantity":               {[]string{"coca", "edit 1 x4"}, []string{"1: Coca, 4 at"}, "4 Coca 2000/0"},
		"another price":                  {[]string{"coca x2", "edit 1 2500"}, []string{"2 at 2 500 Ar"}, "2 Coca 2500/0"},
		"another label":                  {[]string{"Savony 1200 x2", "edit 1 Savon mena"}, []string{"1: Savon mena, 2 at"}, "2 Savon mena 1200/0"},
		"another weight":                 {[]string{"Vary 2500x1,2", "edit 1 x0.75"}, []string{"1: Vary 0.75 at 2 500 Ar, total 1 875 Ar"}, "1 Vary 0.75 1875/0"},
		"another line":                   {[]string{"coca", "e 1 Riz 100"}, []string{"1: Riz, 100 Ar"}, "1 Riz 100/0"},
		"a line to correct, as an entry": {[]string{"coca", "edit"}, []string{"Line 1 is: Coca 2000"}, "1 Coca 2000/0"},
		"an invalid correction":          {[]string{"coca", "edit 1 x0"}, []string{"The quantity must be"}, "1 Coca 2000/0"},
		"a correction with a too large total": {
			[]string{"coca", "Riz 1000000000000", "edit 1 x1000000000"},
			[]string{"too large", "too large"},
			"1 Coca 2000/0",
		},
		"a missing line":        {[]string{"coca", "edit 2 x3", "remove no"}, []string{"There is no line 2.", "There is no line no."}, "1 Coca 2000/0"},
		"a removed line":        {[]string{"coca", "Riz 100", "remove 1"}, []string{"Removed: Coca", "Total 100 Ar"}, "1 Riz 100/0"},
		"the last line removed": {[]string{"coca", "Riz 100", "r"}, []string{"Removed: Riz", "Total 2 000 Ar"}, "1 Coca 2000/0"},
		"an undo":               {[]string{"coca", "r", "u"}, []string{"Removed", "1: Coca, 2 000 Ar"}, "1 Coca 2000/0"},
		"nothing to undo":       {[]string{"undo"}, []string{"There is nothing to undo."}, ""},
		"a discount":            {[]string{"coca", "discount 1 10%"}, []string{"1: Coca, 1 800 Ar (was 2 000 Ar)"}, "1 Coca 1800/2000"},
		"a discount on the whole sale": {
			[]string{"coca", "Vary 3000", "-10 %"}, []string{"500 Ar off: now 4 500 Ar"}, "1 Coca 1800/2000, 1 Vary 2700/3000",
		},
		"a discount on an empty sale": {[]string{"-500"}, []string{"A discount on the whole sale"}, ""},
		"several amounts": {
			[]string{"1500+2000"}, []string{"1: Free amount, 1 500 Ar", "2: Free amount, 2 000 Ar", "Total 3 500 Ar"}, "1 Free amount 1500/0, 1 Free amount 2000/0",
		},
		"an article sold by weight": {
			[]string{"tomate", "750", "750 g"},
			[]string{"Tomate: how many kg? Type 0.75 or 750 g", "Which one? Type 750 g or 750 kg", "1: Tomate 0.75 kg at 4 000 Ar, total 3 000 Ar"},
			"1 Tomate 0.75 kg 3000/0",
		},
		"an article sold by weight, left out": {[]string{"tomate", "", "tomate", "no"}, []string{"how many kg?", "Nothing was done.", "how many kg?", "Nothing was done."}, ""},
		"another entry in place of a weight":  {[]string{"tomate", "coca"}, []string{"how many kg?", "Nothing was done.", "1: Coca"}, "1 Coca 2000/0"},
		"another weight in grams":             {[]string{"2kg tomate", "edit 1 750 g"}, []string{"1: Tomate 2 kg", "1: Tomate 0.75 kg"}, "1 Tomate 0.75 kg 3000/0"},
		"a discount above the price":          {[]string{"coca", "d 1 2100"}, []string{"The command edit changes the price."}, "1 Coca 2000/0"},
		"a note":                              {[]string{"coca", "n Table 4", "lines"}, []string{"Note: Table 4", "Note: Table 4", "Coca"}, "1 Coca 2000/0"},
		"a note shown again":                  {[]string{"n Table 4", "n"}, []string{"Note: Table 4", "Note: Table 4"}, ""},
		"a note removed":                      {[]string{"n Table 4", "n -", "coca", "lines"}, []string{"Note: Table 4", "The sale is empty.", "Total"}, "1 Coca 2000/0"},
		"an empty sale":                       {[]string{"lines", "", "charge", "hold"}, []string{"The sale is empty.", "The sale is empty.", "The sale is empty.", "The sale is empty."}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := open(t).types(c.typed...).sees(c.says...).tick()
			tuitest.Equal(t, at.items(), c.items, "the sale")
		})
	}
}

func TestSalesAreHeldAndResumedByName(t *testing.T) {
	c := open(t)
	c.types("resume", "coca", "hold Rabe").sees("No sale is held.", "Held as Rabe. A new sale begins.")
	c.types("Riz 100", "hold RABE").sees("Another sale is already held under this name.")
	c.types("hold").sees("Held as 1.")
	c.types("resume").sees("Rabe: lines 1, 2 000 Ar", "1: lines 1, 100 Ar")
	c.types("resume Rado").sees("No sale is held as Rado.")
	c.types("resume rabe").sees("The sale Rabe is back.", "1: Coca, 2 000 Ar")
	c.types("resume 1").sees("There is a sale with lines already")
	c.types("hold").sees("Held as Rabe.")
	c.types("resume rabe").sees("The sale Rabe is back.")
	tuitest.Equal(t, c.tick().items(), "1 Coca 2000/0", "the sale")
}

func TestAnUnsavedSaleIsSavedAtTheEnd(t *testing.T) {
	c := open(t)
	c.Break()
	c.types("coca").sees("It could not be written to disk.")
	c.Mend()
	c.stop()
	c.ends()
	again := at(t, c.Counter)
	again.paper.read = 0
	again.sees("The previous sale is back.", "1: Coca")
}

func TestHelpNamesEveryCommandInEveryLanguage(t *testing.T) {
	customer := func(context.Context, string, payments.EventKind) error { return nil }
	for _, code := range []string{"en", "fr", "mg"} {
		t.Run(code, func(t *testing.T) {
			c := begin(t, shoptest.Open(t), func(config *plain.Config) { config.Customer, config.Texts = customer, i18n.Load(code) })
			c.types("?")
			verbs := i18n.Load(code).Verbs
			c.sees(verbs.Lines, verbs.Charge, verbs.Done, verbs.Quit, verbs.Pay, verbs.Expire)
			for _, text := range []string{verbs.Lines, verbs.Undo, verbs.Waiting, verbs.Check, verbs.Health, verbs.Help} {
				word, _, _ := strings.Cut(text, ",")
				word, _, _ = strings.Cut(word, ":")
				c.types(strings.ToUpper(word)).lacks(i18n.Load(code).Hints.NoPrice.With(strings.ToUpper(word)))
			}
		})
	}
}

func TestEachWordNamesOneCommand(t *testing.T) {
	for _, code := range []string{"en", "fr", "mg"} {
		means := map[string]string{}
		all := reflect.ValueOf(i18n.Load(code).Verbs)
		for i := range all.NumField() {
			name := all.Type().Field(i).Name
			head, _, _ := strings.Cut(all.Field(i).String(), ":")
			for word := range strings.SplitSeq(strings.TrimSpace(head), ", ") {
				if other := means[word]; other != "" && other != name {
					t.Errorf("%s: %s means %s and %s", code, word, other, name)
				}
				means[word] = name
			}
		}
	}
}

func TestATestAccountIsNamedInTheFirstLine(t *testing.T) {
	c := open(t, func(config *plain.Config) { config.Test = true })
	if !strings.HasPrefix(c.paper.text, "TEST: no real money\n") {
		t.Errorf("the output begins with\n%s", c.paper.text)
	}
}

func TestASaleIsDroppedAfterAQuestion(t *testing.T) {
	c := open(t)
	c.types("Riz 3500 x2", "drop", "no").sees("Drop this sale, 7 000 Ar? yes or no?", "Nothing was done.")
	c.types("drop", "coca").sees("yes or no?", "Nothing was done.", "2: Coca, 2 000 Ar", "Total 9 000 Ar")
	c.types("drop", "yes").sees("The sale is empty.").tick()
	tuitest.Equal(t, c.items(), "", "the stored lines")
	c.types("undo").sees("1: Riz", "Total 9 000 Ar").tick()
	tuitest.Equal(t, c.items(), "2 Riz 3500/0, 1 Coca 2000/0", "the stored lines")
}

// left returns the number of unfinished sales in a store.
func left(t *testing.T, store payments.Store) int {
	t.Helper()
	sales, err := store.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	return len(sales)
}

func TestSalesAreEnteredWhileTheDatabaseIsDown(t *testing.T) {
	shared, disk := shoptest.Database(t), shoptest.Database(t)
	shop := shoptest.New(t, shared, payments.WithDrafts(disk))
	shop.Break()
	c := begin(t, shop, func(config *plain.Config) {
		config.Health = func() payments.Health {
			return payments.Health{
				Listening: true, Shared: true, Heard: shop.Now().Add(-12 * time.Second), Listeners: []payments.Listener{{Name: "server:8788"}},
			}
		}
	})
	c.sees("NO DATABASE: cannot charge, nothing shown is certain")
	c.types("Vary 3500", "charge").sees("Total 3 500 Ar", "nothing can be charged; what is typed is kept on this till")
	c.types("health").sees("NO DATABASE")
	c.Mend()
	c.tick().sees("listens")
	c.types("total").sees("Total 3 500 Ar")
	if left(t, shared) != 0 || left(t, disk) != 1 {
		t.Errorf("got %d sales in the shop's database and %d on the local disk, want 0 and 1", left(t, shared), left(t, disk))
	}
	c.types("charge").sees("Charge 3 500 Ar?").types("yes").sees("WAITING: 3 500 Ar")
	c.types("total").sees("The sale is empty.")
}
