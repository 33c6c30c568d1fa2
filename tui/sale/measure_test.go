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
	if got := items(d); !slices.Equal(got, []payments.Item{rice(label), rice(label)}) {
		t.Errorf("the sale has %+v", got)
	}
}

func TestAMeasuredLineIsCorrectedByAnEntry(t *testing.T) {
	d := enter(market(t, "en"), "vary mena x1.2").Press("up")
	d.Press("+").Sees("Enter corrects it").Press("-").Sees("Enter corrects it")
	d.Press("enter").Sees("› Vary mena 2500 x1.2").Press("enter")
	if got := items(d); !slices.Equal(got, []payments.Item{rice("Vary mena 1.2 kg")}) {
		t.Errorf("an unchanged correction gives %+v", got)
	}
	enter(d.Press("up", "d"), "2700")
	d.Sees("(was 3 000)", "1.2 kg", "2 500", "2 700").Press("up", "enter", "enter")
	want := rice("Vary mena 1.2 kg")
	want.UnitPrice, want.ListPrice = 2700, 3000
	if got := items(d); !slices.Equal(got, []payments.Item{want}) {
		t.Errorf("after a discount and an unchanged correction the sale has %+v", got)
	}
	enter(d.Press("up", "d"), "3000")
	if got := items(d); !slices.Equal(got, []payments.Item{rice("Vary mena 1.2 kg")}) {
		t.Errorf("without the discount the sale has %+v", got)
	}
	d.Press("up", "enter", "backspace", "backspace", "backspace").Type("0.75").Press("enter").Sees("0.75 kg", "1 875")
}

func TestAWeightWithoutAPriceIsRefused(t *testing.T) {
	enter(market(t, "en"), "Savony 1 x0.4").Sees("› Savony 1 x0.4", "The price rounds to zero")
	enter(market(t, "fr"), "vary mena x1,2345").Sees("Trois décimales au plus")
}
