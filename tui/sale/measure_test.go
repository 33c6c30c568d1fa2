package sale_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// market returns the screen in a language. The shop has an article that is sold by weight.
func market(t *testing.T, language string) *tuitest.Driver {
	t.Helper()
	c := open(t)
	tuitest.Must(t, c.AddArticles(t.Context(), []payments.Article{
		{Label: "Vary mena", UnitPrice: 2500, Unit: "kg", Code: "777", Favourite: 2}, {Label: "Menaka", UnitPrice: 6000, Unit: "l"},
	}))
	return drive(t, with(t, c.Store(), language, unhurried(), theme.Plain()))
}

func rice(label string) payments.Item {
	return payments.Item{
		Label: label, UnitPrice: 3000, Quantity: 1,
		Measure: payments.Measure{Article: "Vary mena", Thousandths: 1200, Unit: "kg", Price: 2500},
	}
}

func TestAWeighedArticleIsOneLineOfTheSale(t *testing.T) {
	d := market(t, "fr")
	d.Type("1,2*vary m").Sees("1,2 kg Vary mena  2 500")
	d.Press("enter").Sees("Qté ", "Vary mena", "1,2 kg     2 500         3 000", "1 ligne", "1,2 kg")
	d.Type("mofo 9000x0.333").Sees("→ mofo · 0,333 × 9 000 Ar = 2 997 Ar").Press("enter")
	enter(d, "menaka x0,5", "Coca x3").Sees("0,333 × ", "0,5 l ", "3 × ", "4 lignes", "4 articles · 1,2 kg · 0,5 l")
	enter(d, "vary mena 2500x1.2").Sees("5 lignes", "4 articles · 2,4 kg · 0,5 l")
	if got := items(d); got[0] != rice("Vary mena 1,2 kg") || got[4] != got[0] {
		t.Errorf("the sale has %+v", got)
	}
}

func TestTheServiceGetsAMeasureAsOneUnit(t *testing.T) {
	for language, label := range map[string]string{"en": "Vary mena 1.2 kg", "fr": "Vary mena 1,2 kg", "mg": "Vary mena 1,2 kg"} {
		d := enter(market(t, language), "vary mena x1.2", "").Press("enter")
		sent := charged(d)
		if len(sent) != 1 || !slices.Equal(sent[0].Terms.Items, []payments.Item{rice(label)}) {
			t.Errorf("%s: the charge is %+v, want %s", language, sent, label)
		}
	}
}

func TestAFavouriteAndAScanTakeAMeasure(t *testing.T) {
	d := market(t, "en").Type("1.2*").Press("alt+2").Sees("1.2 kg")
	scan(d.Type("x1,2"), "777").Sees("Added: Vary mena 1.2 kg, 3 000 Ar")
	label := "Vary mena 1.2 kg"
	sells(t, d, rice(label), rice(label))
}

func TestAMeasuredLineIsCorrectedByAnEntry(t *testing.T) {
	d := enter(market(t, "en"), "vary mena x1.2").Press("up")
	d.Press("+").Sees("Enter corrects it").Press("-").Sees("Enter corrects it")
	d.Press("enter").Sees("› Vary mena 2500 x1.2").Press("enter")
	sells(t, d, rice("Vary mena 1.2 kg"))
	enter(d.Press("up", "d"), "2700")
	d.Sees("(was 3 000)", "1.2 kg", "2 500", "2 700").Press("up", "enter", "enter")
	want := rice("Vary mena 1.2 kg")
	want.UnitPrice, want.ListPrice = 2700, 3000
	sells(t, d, want)
	enter(d.Press("up", "d"), "3000")
	sells(t, d, rice("Vary mena 1.2 kg"))
	d.Press("up", "enter", "backspace", "backspace", "backspace").Type("0.75").Press("enter").Sees("0.75 kg", "1 875")
}

func TestAWeightWithoutAPriceIsRefused(t *testing.T) {
	enter(market(t, "en"), "Savony 1 x0.4").Sees("› Savony 1 x0.4", "The price rounds to zero")
	enter(market(t, "fr"), "vary mena x1,2345").Sees("Trois décimales au plus")
}

func TestAnArticleSoldByWeightAsksForIt(t *testing.T) {
	for name, reach := range map[string]func(d *tuitest.Driver){
		"typed":                 func(d *tuitest.Driver) { enter(d, "vary mena") },
		"by its code":           func(d *tuitest.Driver) { enter(d, "777") },
		"scanned":               func(d *tuitest.Driver) { scan(d, "777") },
		"a favourite":           func(d *tuitest.Driver) { d.Press("alt+2") },
		"chosen in the list":    func(d *tuitest.Driver) { d.Type("vary").Press("tab", "tab", "enter") },
		"scanned during choice": func(d *tuitest.Driver) { enter(d, "coca").Press("up"); scan(d, "777") },
	} {
		t.Run(name, func(t *testing.T) {
			d := market(t, "en")
			reach(d)
			before := len(items(d))
			d.Sees("Vary mena: how many kg? Type 0.75 or 750 g", "Enter adds", "Esc")
			enter(d, "abc").Sees("how many kg?").Press("backspace", "backspace", "backspace", "enter").Sees("how many kg?")
			enter(d.Type("1.2").Sees("→ Vary mena · 1.2 kg × 2 500 Ar = 3 000 Ar"), "").Lacks("how many")
			tuitest.Equal(t, items(d)[before:], []payments.Item{rice("Vary mena 1.2 kg")}, "the new lines")
			d.Type("x").Press("backspace").Sees("›  ")
		})
	}
}

func TestAWeightInGramsIsRead(t *testing.T) {
	d := enter(market(t, "fr"), "vary mena").Sees("Vary mena : combien de kg ? Tapez 0,75 ou 750 g")
	enter(d, "750").Sees("Lequel ? Tapez 750 g ou 750 kg").Type(" g").Press("enter").Sees("0,75 kg     2 500         1 875")
	enter(d, "menaka").Sees("combien de l ? Tapez 0,75 ou 750 ml")
	enter(d, "½").Sees("0,5 l ")
	enter(d, "2 vary mena", "vary mena 2kg").Sees("2 kg     2 500         5 000").Lacks("2 × ")
	enter(d, "200*menaka").Sees("inhabituel")
}

func TestEscLeavesOutTheArticleThatNeedsAWeight(t *testing.T) {
	d := enter(market(t, "en"), "vary mena").Type("2").Press("esc")
	d.Lacks("how many kg? Type 0.75 or 750 g · ")
	sells(t, d)
	enter(d.Type("Savony 12").Press("alt+2").Press("esc").Sees("› Savony 12"), "00").Sees("Savony", "1 200")
}

func TestAScanDoesNotReplaceTheArticleThatNeedsAWeight(t *testing.T) {
	d := market(t, "en")
	scan(scan(d, "777"), varyGasy).Sees("First the weight or measure of Vary mena.")
	enter(d, "1.2")
	sells(t, d, rice("Vary mena 1.2 kg"))
}

func TestAPastedArticleThatNeedsAWeightStaysInTheEntryLine(t *testing.T) {
	d := market(t, "en").Paste("coca\nvary mena\n750").Sees("› vary mena 750")
	sells(t, d, item("Coca", 2000, 1))
}

func TestAnEntryAddsSeveralAmounts(t *testing.T) {
	d := drive(t, desk(t, open(t).Store())).Type("1500+2000").Sees("→ 2 lines · 3 500 Ar").Press("enter")
	want := []payments.Item{item("Free amount", 1500, 1), item("Free amount", 2000, 1)}
	sells(t, d, want...)
	d.Press("ctrl+z").Sees("As before")
	sells(t, d)
}

func TestADiscountWithoutAChosenLineIsForTheWholeSale(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3000", "coca")
	d.Type("-10 %").Sees("500 Ar off: now 4 500 Ar", "Enter discount").Press("enter").Sees("500 Ar off: now 4 500 Ar", "(was 3 000)", "(was 2 000)")
	want := []payments.Item{item("Vary", 2700, 1), item("Coca", 1800, 1)}
	want[0].ListPrice, want[1].ListPrice = 3000, 2000
	sells(t, d, want...)
	enter(d, "-4500").Sees("must be above zero").Press("esc")
	enter(d, "-500").Sees("500 Ar off: now 4 000 Ar").Press("ctrl+z")
	sells(t, d, want...)
	enter(drive(t, desk(t, open(t).Store())), "-500").Sees("A discount on the whole sale", "› -500")
}

func TestASmallNumberAsADiscountIsAskedAbout(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "coca").Press("up", "d")
	enter(d, "10").Sees("Which one? Type 10% or 10 Ar").Type("%").Press("enter").Sees("1 800")
}
