package sale_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest"
)

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
			if got := items(d)[before:]; !slices.Equal(got, []payments.Item{rice("Vary mena 1.2 kg")}) {
				t.Errorf("the sale has %+v", got)
			}
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
	if len(items(d)) != 0 {
		t.Errorf("the sale has %+v", items(d))
	}
	enter(d.Type("Savony 12").Press("alt+2").Press("esc").Sees("› Savony 12"), "00").Sees("Savony", "1 200")
}

func TestAScanDoesNotReplaceTheArticleThatNeedsAWeight(t *testing.T) {
	d := market(t, "en")
	scan(scan(d, "777"), varyGasy).Sees("First the weight or measure of Vary mena.")
	enter(d, "1.2")
	if got := items(d); !slices.Equal(got, []payments.Item{rice("Vary mena 1.2 kg")}) {
		t.Errorf("the sale has %+v", got)
	}
}

func TestAPastedArticleThatNeedsAWeightStaysInTheEntryLine(t *testing.T) {
	d := market(t, "en").Paste("coca\nvary mena\n750").Sees("› vary mena 750")
	if got := items(d); !slices.Equal(got, []payments.Item{item("Coca", 2000, 1)}) {
		t.Errorf("the sale has %+v", got)
	}
}

func TestAnEntryAddsSeveralAmounts(t *testing.T) {
	d := drive(t, desk(t, open(t).Store())).Type("1500+2000").Sees("→ 2 lines · 3 500 Ar").Press("enter")
	want := []payments.Item{item("Free amount", 1500, 1), item("Free amount", 2000, 1)}
	if got := items(d); !slices.Equal(got, want) {
		t.Errorf("the sale has %+v", got)
	}
	d.Press("ctrl+z").Sees("As before")
	if got := items(d); len(got) != 0 {
		t.Errorf("one undo leaves %+v", got)
	}
}

func TestADiscountWithoutAChosenLineIsForTheWholeSale(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3000", "coca")
	d.Type("-10 %").Sees("500 Ar off: now 4 500 Ar", "Enter discount").Press("enter").Sees("500 Ar off: now 4 500 Ar", "(was 3 000)", "(was 2 000)")
	want := []payments.Item{item("Vary", 2700, 1), item("Coca", 1800, 1)}
	want[0].ListPrice, want[1].ListPrice = 3000, 2000
	if got := items(d); !slices.Equal(got, want) {
		t.Errorf("the sale has %+v", got)
	}
	enter(d, "-4500").Sees("must be above zero").Press("esc")
	enter(d, "-500").Sees("500 Ar off: now 4 000 Ar").Press("ctrl+z")
	if got := items(d); !slices.Equal(got, want) {
		t.Errorf("after undo the sale has %+v", got)
	}
	enter(drive(t, desk(t, open(t).Store())), "-500").Sees("A discount on the whole sale", "› -500")
}

func TestASmallNumberAsADiscountIsAskedAbout(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "coca").Press("up", "d")
	enter(d, "10").Sees("Which one? Type 10% or 10 Ar").Type("%").Press("enter").Sees("1 800")
}

func TestRemovingALineSaysSo(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "coca", "Vary 3500").Press("up", "up", "delete")
	d.Sees("Removed: Coca").Press("delete").Sees("Removed: Vary")
}
