package sale_test

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
)

func TestArticlesThatFitAreOfferedWhileLettersAreTyped(t *testing.T) {
	cases := map[string]struct {
		entry string
		sees  []string
		lacks []string
	}{
		"letters":               {"co", []string{"  + Coca  ", "  + Coca 1L", "A1     6 000 Ar", "Matching articles: 2."}, nil},
		"a quantity before":     {"3*co", []string{"  + Coca 1L"}, nil},
		"a quantity behind":     {"co x3", []string{"  + Coca 1L"}, nil},
		"a quantity on its way": {"co x", []string{"  + Coca 1L"}, nil},
		"letters that name one": {"stock x2", []string{"2 × Vary stock  3 000  enter adds"}, nil},
		"a code":                {"12", []string{"Vary stock  3 000  enter adds"}, nil},
		"a price":               {"co 500", nil, []string{"+ Coca", "Matching"}},
		"a bare price":          {"150", nil, []string{"  + Eau 150"}},
		"what nothing fits":     {"xyz", nil, []string{"Matching", "+ Vary"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			drive(t, desk(t, open(t))).Type(c.entry).Sees(c.sees...).Lacks(c.lacks...).Fits()
		})
	}
}

func TestAnArticleThatFitsIsChosen(t *testing.T) {
	start := func(t *testing.T) *tuitest.Driver { return drive(t, desk(t, open(t))).Type("co") }
	takes := func(t *testing.T, d *tuitest.Driver, want ...payments.Item) {
		t.Helper()
		if got := items(d); !slices.Equal(got, want) {
			t.Errorf("the sale has %v, want %v", got, want)
		}
	}
	t.Run("down, tab and their opposites go round", func(t *testing.T) {
		d := start(t)
		for _, step := range []struct{ key, chosen string }{
			{"down", "› + Coca  "},
			{"tab", "› + Coca 1L"},
			{"down", "Matching articles"},
			{"up", "› + Coca 1L"},
			{"shift+tab", "› + Coca  "},
			{"up", "Matching articles"},
			{"up", "› + Coca 1L"},
		} {
			d.Press(step.key).Sees(step.chosen, "› co")
		}
		d.Press("enter")
		takes(t, d, item("Coca 1L", 6000, 1))
		d.Lacks("› +", "› co")
	})
	t.Run("with its quantity", func(t *testing.T) {
		d := start(t).Type(" x3").Press("tab", "enter")
		takes(t, d, item("Coca", 2000, 3))
	})
	t.Run("esc gives the choice up, and then the text", func(t *testing.T) {
		d := start(t).Press("tab", "esc").Sees("› co", "Matching articles").Lacks("› +")
		d.Press("esc").Lacks("› co", "Matching")
	})
	t.Run("another letter gives the choice up unless it still fits", func(t *testing.T) {
		d := start(t).Press("tab", "tab").Type("c").Sees("› + Coca 1L")
		d.Type("a").Sees("› + Coca 1L").Type("z").Lacks("› +", "Matching")
	})
	t.Run("the whole name needs no choice", func(t *testing.T) {
		takes(t, start(t).Type("ca").Press("enter"), item("Coca", 2000, 1))
	})
	t.Run("several are not decided, and what was typed stays", func(t *testing.T) {
		d := start(t).Press("enter").Sees("Several articles match: Coca, Coca 1L (↓ or Tab chooses)", "› co", "  + Coca 1L")
		takes(t, d)
		takes(t, d.Press("down", "enter"), item("Coca", 2000, 1))
	})
	t.Run("a total that would be too large leaves all as it was", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Tany 999999999999").Type("coca").Press("tab", "enter")
		d.Sees("The amount is too large.", "› coca", "› + Coca  ")
	})
	t.Run("without any that fits up chooses a line of the sale", func(t *testing.T) {
		enter(drive(t, desk(t, open(t))), "Vary 3500").Type("xyz").Press("up").Sees("› 1  Vary", "› xyz")
	})
}

func TestWhatIsTypedIsSeenAsTheLineThatItStandsFor(t *testing.T) {
	cases := map[string]struct {
		entry string
		sees  []string
		lacks []string
	}{
		"a number before is a part of the label": {"2 riz 3500", []string{"→ 2 riz · 1 × 3 500 Ar"}, []string{"="}},
		"a quantity before":                      {"2x riz 3500", []string{"→ riz · 2 × 3 500 Ar = 7 000 Ar"}, nil},
		"a free amount":                          {"2 201", []string{"→ Free amount · 1 × 2 201 Ar"}, nil},
		"an article at another price":            {"coca 1500 x2", []string{"→ Coca · 2 × 1 500 Ar = 3 000 Ar"}, nil},
		"no price yet":                           {"riz", nil, []string{"→"}},
		"what is not understood":                 {"Riz 3500 2", nil, []string{"→"}},
		"a wide label":                           {strings.Repeat("label ", 18) + "3500 x2", []string{"… · 2 × 3 500 Ar = 7 000 Ar"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t))).Type(c.entry).Sees(c.sees...).Lacks(c.lacks...).Fits()
			d.Press("ctrl+u").Lacks("→")
		})
	}
	t.Run("until it is sold, and behind what else is to be said", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Type("riz 3500").Sees("→ riz")
		d.Send(warn("Fire!")).Sees("Fire!").Lacks("→")
		d.Type("x2").Sees("→ riz · 2").Press("enter").Lacks("→").Press("up", "d").Type("10").Lacks("→")
	})
	t.Run("in a small window, where nothing moves", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Resize(30, 3)
		before := strings.Count(d.View(), "\n")
		d.Type("menaka ampalaza 12500x2").Sees("→", "= 25 000 Ar", "3 500 Ar").Fits()
		if after := strings.Count(d.View(), "\n"); after != before {
			t.Errorf("%d rows have become %d:\n%s", before+1, after+1, d.View())
		}
	})
}

func TestOffersNeverHideTheTotalOrTheEntry(t *testing.T) {
	d := drive(t, desk(t, open(t)))
	for _, entry := range []string{"a 1", "b 1", "d 1", "f 1", "g 1", "h 1"} {
		enter(d, entry)
	}
	d.Type("a")
	for height := 3; height < 15; height++ {
		d.Resize(40, height).Fits().Sees("6 Ar", "› a")
	}
	d.Sees("  + Eau 150", "6  h").Resize(40, 8).Sees("  + Bon 2000 Ar").Lacks("  + Eau 150")
	d.Press("up").Sees("› + Eau 150").Resize(40, 3).Sees("Eau 150  700")
}

func TestFavouritesAreOneKeyAway(t *testing.T) {
	d := drive(t, desk(t, open(t))).Sees("1…9 tab favourite")
	d.Press("alt+3").Sees("1  Éclair", "charges 4 500")
	d.Type("Savony 12").Press("alt+1").Sees(" 2  Coca", "› Savony 12")
	d.Type("00").Press("enter").Sees("charges 7 700")
	t.Run("in a quantity that was typed", func(t *testing.T) {
		d.Type("3*").Press("alt+1").Sees("Coca: now 4", "charges 13 700").Lacks("› 3*")
	})
	t.Run("on a chosen line, too", func(t *testing.T) {
		d.Press("up", "alt+1").Sees("Coca: now 5").Lacks("› 2")
	})
	t.Run("a place that is free says so and types nothing", func(t *testing.T) {
		d.Press("alt+7").Sees("There is no favourite 7.").Lacks("› 7")
	})
	t.Run("what is too large says so", func(t *testing.T) {
		enter(d, "Tany 999999980000").Press("alt+3", "alt+3", "alt+3").Sees("The amount is too large.")
	})
	t.Run("in the charge question, which it closes", func(t *testing.T) {
		d.Press("ctrl+z", "enter").Sees("Charge").Press("alt+1").Sees("Coca: now 6").Lacks("Charge")
	})
}

func TestFavouritesNeedNoAlt(t *testing.T) {
	one := []payments.Item{item("Coca", 2000, 1)}
	three := []payments.Item{item("Éclair", 4500, 1)}
	for name, c := range map[string]struct {
		does func(d *tuitest.Driver)
		want []payments.Item
		sees string
	}{
		"N8 by what the key types without shift": {func(d *tuitest.Driver) { d.Press("alt+&") }, one, ""},
		"N8 by another such key":                 {func(d *tuitest.Driver) { d.Press("alt+\"") }, three, ""},
		"N8 by one that nothing is at":           {func(d *tuitest.Driver) { d.Press("alt+ç") }, nil, "There is no favourite 9."},
		"N8 by its digit and tab":                {func(d *tuitest.Driver) { d.Type("3").Press("tab") }, three, "Éclair"},
		"N8 by a digit that nothing is at":       {func(d *tuitest.Driver) { d.Type("7").Press("tab") }, nil, "There is no favourite 7."},
		"N8 by tab from an empty line":           {func(d *tuitest.Driver) { d.Press("tab", "down", "enter") }, three, "Éclair"},
		"a digit goes on as an entry":            {func(d *tuitest.Driver) { d.Type("3*coca").Press("enter") }, []payments.Item{item("Coca", 2000, 3)}, ""},
		"a digit alone is still a price":         {func(d *tuitest.Driver) { d.Type("3").Press("enter") }, []payments.Item{item("Free amount", 3, 1)}, ""},
		"a price and tab are no favourite":       {func(d *tuitest.Driver) { d.Type("35").Press("tab") }, nil, "› 35"},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t)))
			c.does(d)
			if got := items(d.Sees(c.sees)); !slices.Equal(got, c.want) {
				t.Errorf("the sale has %v, want %v", got, c.want)
			}
		})
	}
}

// The driver's key has one step of the model's; a benchmark needs no more.
func BenchmarkAKeyAmongFiveThousandArticles(b *testing.B) {
	screen := sale.New(sale.Config{Desk: &drawer{}, Now: unhurried()}).SetSize(80, 21)
	screen = sale.Stocked(screen, stall(5000))
	keys := []tea.KeyMsg{
		{Type: tea.KeyRunes, Runes: []rune("s")}, {Type: tea.KeyRunes, Runes: []rune("a")}, {Type: tea.KeyBackspace}, {Type: tea.KeyBackspace},
	}
	n := 0
	for b.Loop() {
		screen, _ = screen.Update(keys[n%len(keys)])
		_ = screen.View()
		n++
	}
}
