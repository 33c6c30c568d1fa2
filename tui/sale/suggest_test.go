package sale_test

import (
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
)

func TestMatchingArticlesAreOfferedWhileTyping(t *testing.T) {
	for text, sees := range map[string][]string{
		"3*co":     {"  + Coca  ", "  + Coca 1L", "A1     6 000 Ar", "Matching articles: 2."},
		"stock x2": {"2 × Vary stock  3 000", "Enter adds"},
		"12":       {"Vary stock  3 000", "Enter adds"},
	} {
		drive(t, desk(t, open(t).Store())).Type(text).Sees(sees...).Fits()
	}
	drive(t, desk(t, open(t).Store())).Type("co 500").Lacks("+ Coca", "Matching").Press("ctrl+u").Type("xyz").Lacks("Matching", "+ Vary")
}

func TestMatchingArticlesHaveMoreRoomThanFavourites(t *testing.T) {
	c := open(t)
	var juices []payments.Article
	for i, label := range []string{"Juice 1", "Juice 2", "Juice 3", "Juice 4"} {
		juices = append(juices, payments.Article{Label: label, UnitPrice: 500, Favourite: i + 3})
	}
	tuitest.Must(t, c.AddArticles(t.Context(), juices))
	drive(t, desk(t, c.Store())).Sees("Alt 6").Type("juice").Sees("Matching articles: 4.", "+ Juice 1", "+ Juice 4").Fits().
		Press("esc").Sees("Alt 6")
}

func TestTilesShowTheFavouriteThatTabChooses(t *testing.T) {
	c := open(t)
	for _, article := range []payments.Article{{Label: "Koba", UnitPrice: 1000, Favourite: 4}, {Label: "Savony", UnitPrice: 1200, Favourite: 9}} {
		tuitest.Must(t, c.AddArticles(t.Context(), []payments.Article{article}))
	}
	d := drive(t, desk(t, c.Store())).Press("tab").Sees("┏━ Alt 1", "Type what the customer takes").Lacks("Matching articles", "Alt 9")
	d.Press("shift+tab", "shift+tab").Sees("┏━ Alt 9", "Type what the customer takes").Lacks("Matching articles", "Alt 1 ").Fits()
	for _, size := range [][2]int{{160, 45}, {200, 60}} {
		drive(t, desk(t, c.Store())).Resize(size[0], size[1]).Press("tab", "shift+tab", "shift+tab").Sees("┏━ Alt 9").Lacks("Matching articles").Fits()
	}
	// In a window without tiles, there is a list.
	drive(t, desk(t, c.Store())).Resize(60, 12).Press("tab").Sees("Matching articles: 4.", "› + Coca")
}

func TestAMatchingArticleIsChosen(t *testing.T) {
	coca, litre := []payments.Item{item("Coca", 2000, 1)}, []payments.Item{item("Coca 1L", 6000, 1)}
	for name, c := range map[string]struct {
		play func(d *tuitest.Driver)
		want []payments.Item
	}{
		"down, tab, up and shift+tab cycle": {func(d *tuitest.Driver) {
			d.Press("down").Sees("› + Coca  ").Press("tab").Sees("› + Coca 1L").Press("down").Lacks("› +").Press("up").Sees("› + Coca 1L", "› co")
			d.Press("shift+tab").Sees("› + Coca  ").Press("up").Lacks("› +").Press("up", "enter").Lacks("› +", "› co")
		}, litre},
		"with its quantity": {func(d *tuitest.Driver) { d.Type(" x3").Press("tab", "enter") }, []payments.Item{item("Coca", 2000, 3)}},
		"esc cancels the choice, then clears the text": {func(d *tuitest.Driver) {
			d.Press("tab", "esc").Sees("› co", "Matching articles").Lacks("› +").Press("esc").Lacks("› co", "Matching")
		}, nil},
		"another letter cancels the choice": {func(d *tuitest.Driver) {
			d.Press("tab", "tab").Type("c").Sees("Matching").Lacks("› +").Type("az").Lacks("› +", "Matching")
		}, nil},
		"the whole name needs no choice": {func(d *tuitest.Driver) { d.Type("ca").Press("enter") }, coca},
		"several matches need a choice, and the text stays": {func(d *tuitest.Driver) {
			d.Press("enter").Sees("Several articles match: Coca, Coca 1L (↓ or Tab chooses)", "› co", "  + Coca 1L").Press("down", "enter")
		}, coca},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t).Store())).Type("co")
			c.play(d)
			sells(t, d, c.want...)
		})
	}
	d := enter(drive(t, desk(t, open(t).Store())), "Tany 999999999999").Type("coca").Press("tab", "enter").Sees("The amount is too large.", "› coca", "› + Coca  ")
	d.Press("ctrl+u").Type("xyz").Press("up").Sees("› 1  Tany", "› xyz") // If no article matches, the key up chooses a line of the sale.
}

func TestTheEntryLinePreviewsItsItem(t *testing.T) {
	for text, sees := range map[string]string{
		"2 riz 3500":                             "For a quantity of 2 type riz 3500 x2",
		"2x riz 3500":                            "→ riz · 2 × 3 500 Ar = 7 000 Ar",
		"2 201":                                  "→ Free amount · 1 × 2 201 Ar",
		"coca 1500 x2":                           "→ Coca · 2 × 1 500 Ar = 3 000 Ar",
		strings.Repeat("label ", 18) + "3500 x2": "… · 2 × 3 500 Ar = 7 000 Ar",
	} {
		drive(t, desk(t, open(t).Store())).Type(text).Sees(sees).Fits().Press("ctrl+u").Lacks("→")
	}
	drive(t, desk(t, open(t).Store())).Type("riz").Lacks("→").Type(" 3500 2").Lacks("→")
	t.Run("not after Enter, and not next to a warning", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Type("riz 3500").Sees("→ riz")
		d.Send(warn("Fire!")).Sees("Fire!").Lacks("→")
		d.Type("x2").Sees("→ riz · 2").Lacks("Fire!").Press("enter").Lacks("→").Press("up", "d").Type("10").Lacks("→")
	})
	t.Run("in a small window, without moving other rows", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Resize(30, 3)
		before := strings.Count(d.View(), "\n")
		d.Type("menaka ampalaza 12500x2").Sees("→", "= 25 000 Ar", "3 500 Ar").Fits()
		tuitest.Equal(t, strings.Count(d.View(), "\n"), before, "rows\n%s", d.View())
	})
}

func TestOffersNeverHideTheTotalOrTheEntry(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	for _, entry := range []string{"a 1", "b 1", "d 1", "f 1", "g 1", "h 1"} {
		enter(d, entry+" Ar")
	}
	d.Type("a")
	for height := 3; height < 15; height++ {
		d.Resize(40, height).Fits().Sees("6 Ar", "› a")
	}
	d.Sees("  + Eau 150", "6  h").Resize(40, 8).Sees("  + Bon 2000 Ar").Lacks("  + Eau 150")
	d.Press("up").Sees("› + Eau 150").Resize(40, 3).Sees("Eau 150  700")
}

func TestAltAndADigitAddsAFavourite(t *testing.T) {
	d := drive(t, desk(t, open(t).Store())).Sees("Tab favourite")
	d.Press("alt+3").Sees("1  Éclair", "charges 4 500").Type("Savony 12").Press("alt+1").Sees(" 2  Coca", "› Savony 12")
	d.Type("00").Press("enter").Sees("charges 7 700").Type("3*").Press("alt+1").Sees("Coca: now 4", "charges 13 700").Lacks("› 3*")
	d.Press("up", "alt+1").Sees("Coca: now 5").Lacks("› 2").Press("alt+7").Sees("There is no favourite 7.").Lacks("› 7")
	enter(d, "Tany 999999980000").Press("alt+3", "alt+3", "alt+3").Sees("The amount is too large.")
	d.Press("ctrl+z", "enter").Sees("Charge").Press("alt+1").Sees("Coca: now 6").Lacks("Charge")
}

func TestOtherKeysAddFavouritesAndDigitsDoNot(t *testing.T) {
	one := []payments.Item{item("Coca", 2000, 1)}
	three := []payments.Item{item("Éclair", 4500, 1)}
	for name, c := range map[string]struct {
		does func(d *tuitest.Driver)
		want []payments.Item
		sees string
	}{
		"alt with the first key of a French keyboard": {func(d *tuitest.Driver) { d.Press("alt+&") }, one, ""},
		"alt with the third key of a French keyboard": {func(d *tuitest.Driver) { d.Press("alt+\"") }, three, ""},
		"a key without a favourite":                   {func(d *tuitest.Driver) { d.Press("alt+ç") }, nil, "There is no favourite 9."},
		"tab in an empty line":                        {func(d *tuitest.Driver) { d.Press("tab", "down", "enter") }, three, "Éclair"},
		"a digit without alt begins an entry":         {func(d *tuitest.Driver) { d.Type("3*coca").Press("enter") }, []payments.Item{item("Coca", 2000, 3)}, ""},
		"a digit without alt is a price":              {func(d *tuitest.Driver) { d.Type("3").Press("enter") }, []payments.Item{item("Free amount", 3, 1)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t).Store()))
			c.does(d)
			sells(t, d.Sees(c.sees), c.want...)
		})
	}
}

func TestEscClosesTheListOfArticlesBeforeItDropsTheSale(t *testing.T) {
	reread := does((*counter.Counter).ArticlesChanged)
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Press("tab").Sees("┏━ Alt 1")
	t.Run("the choice stays while the articles are read again", func(*testing.T) {
		d.Send(reread).Sees("┏━ Alt 1")
		d.Press("tab").Send(reread).Sees("┏━ Alt 3").Press("tab").Lacks("┏━").Send(reread).Lacks("┏━")
	})
	d.Press("esc").Lacks("┏━", "Drop this sale")
	d.Press("tab", "esc").Lacks("┏━", "Drop this sale").Press("esc").Sees("Drop this sale")
	t.Run("a chosen match of the typed text stays, too", func(*testing.T) {
		d.Press("esc").Type("co").Press("tab", "tab").Sees("› + Coca 1L").Send(reread).Sees("› + Coca 1L")
	})
}
