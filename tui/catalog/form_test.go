package catalog_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/catalog"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAnArticleIsAdded(t *testing.T) {
	mofo := payments.Article{Label: "Mofo gasy", UnitPrice: 300, Code: "6111000000055"}
	for name, add := range map[string]func(s *till){
		"field by field, with Enter": func(s *till) {
			s.Keys("ctrl+n").Type("Mofo gasy").Press("enter").Type("300").Press("enter").Type("6111000000055").Press("enter", "enter")
		},
		"with keys between the fields": func(s *till) {
			s.Keys("insert").Type("Mofo gasy").Press("tab").Type("0 300").Press("down", "x", "backspace").Type("6111000000055").Press("ctrl+s")
		},
		"with a name from the filter": func(s *till) {
			s.Type("Mofo gasy").Press("enter").Type("300").Press("enter").Type("6111000000055").Press("enter", "enter")
		},
		"with a scanned code": func(s *till) {
			s.scan("6111000000055").Sees("New article", "6111000000055")
			s.Type("Mofo gasy").Press("enter").Type("300").Press("enter", "enter", "enter")
		},
		"last field first": func(s *till) {
			s.Keys("ctrl+n", "shift+tab", "up").Type("6111000000055").Press("up").Type("300").Press("up").Type("Mofo gasy").Press("ctrl+s")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, shop()...)
			add(s)
			s.has(mofo).Sees("Saved: Mofo gasy", "6 of 6", "›      Mofo gasy")
			s.changed(1)
		})
	}
}

func TestAnArticleIsChanged(t *testing.T) {
	s := open(t, shop()...)
	before := s.stored("Koba")
	s.Type("koba").Press("enter")
	s.Sees("Change: Koba", "500")
	s.Keys("ctrl+u").Type("Koba be").Press("enter", "ctrl+u").Type("1 500").Press("enter").Type("77").Press("enter", "enter")
	s.has(payments.Article{Label: "Koba be", UnitPrice: 1500, Code: "77", Favourite: 1}).Sees("Saved: Koba be", "1 of 5")
	tuitest.Equal(t, s.stored("Koba be").ID, before.ID, "the ID")
}

func TestASavedArticleIsShownInSpiteOfTheFilter(t *testing.T) {
	s := open(t, shop()...)
	s.Type("koba").Press("enter", "ctrl+u")
	s.Type("Mofo").Press("ctrl+s")
	s.Sees("5 of 5", "› 1    Mofo")
}

func TestAnInvalidArticleKeepsTheForm(t *testing.T) {
	for name, tt := range map[string]struct {
		label, price, code string
		says, at           string
	}{
		"no name":                 {"", "500", "1", "Type the article's name.", "› Name"},
		"no price":                {"Mofo", "", "1", "The price must be a whole number above", "› Price"},
		"a price with a fraction": {"Mofo", "3,50", "1", "The price must be a whole number above", "› Price"},
		"a code of two words":     {"Mofo", "500", "6 1", "A code has no spaces and at most 64 characters.", "› Code"},
		"a name that is taken":    {"Koba", "500", "1", "There is already an article Koba", "› Name"},
		"a code that is taken":    {"Mofo", "500", "5449000000996", "Coca already has this code", "› Code"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, shop()...)
			s.Keys("ctrl+n")
			for _, text := range []string{tt.label, tt.price, tt.code} {
				s.Type(text).Press("tab")
			}
			s.Keys("ctrl+s").Sees(tt.says, tt.at, tt.label, tt.price, tt.code)
			s.Keys("esc").Sees("Discard what you typed?", "Esc   goes on     Enter   discards it")
			s.Keys("esc").Sees(tt.at, tt.label, tt.price, tt.code).Lacks("Discard")
			s.Enter().Sees(tt.at, tt.label)
			s.Keys("esc", "enter").Sees("5 of 5")
			s.changed(0)
		})
	}
}

func TestTheHintsTellWhatEnterDoes(t *testing.T) {
	s := open(t, shop()...)
	enter := func() string {
		keys := s.Model().(shoptest.Harness[catalog.Model]).Screen.ShortHelp()
		return keys[0].Help().Key + " " + keys[0].Help().Desc
	}
	s.Keys("ctrl+n")
	for _, want := range []string{"enter next field", "enter next field", "enter next field", "enter save"} {
		tuitest.Equal(t, enter(), want, "the first hint in\n%s", s.View())
		s.Keys("tab")
	}
	s.Keys("shift+tab").Type("6111000000055").Press("enter").Sees("Type the article's name.")
}

func TestAnUntouchedArticleIsLeftWithoutAQuestion(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("enter", "esc").Sees("5 of 5")
	s.Keys("enter", "ctrl+s").Sees("5 of 5").Lacks("Saved")
	s.Keys("ctrl+n", "esc").Sees("5 of 5")
	s.changed(0)
}

func TestAPasteSubmitsNothing(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("ctrl+n").Paste("Mofo\n300\n")
	s.Sees("New article", "Mofo 300")
	s.changed(0)
}

func TestAWriteErrorKeepsTheForm(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("ctrl+n").Type("Mofo").Press("tab").Type("300")
	s.Break()
	s.Keys("ctrl+s").Sees("It could not be written to disk.", "Mofo", "300")
	s.Mend()
	s.Keys("ctrl+s").Sees("Saved: Mofo")
}

func TestAListReadBeforeAWriteIsDropped(t *testing.T) {
	s := open(t, shop()...)
	s.Hold().Look()
	s.Keys("alt+3")
	if len(s.Kept) != 2 {
		t.Fatalf("got %d running commands, want a read and a write", len(s.Kept))
	}
	reading, write := s.Kept[0](), s.Kept[1]()
	s.Kept = nil
	s.Send(write)
	s.Send(reading)
	s.Release().Sees("› 3    Café moulu")
}

func TestAnArticleHasAUnit(t *testing.T) {
	s := open(t, shop()...)
	s.Type("koba").Press("enter", "up").Type("cl").Press("enter").Sees("The unit is kg, l or m", "› Unit (kg, l, m)", "cl")
	s.Keys("ctrl+u").Type("KG").Press("enter").Sees("Saved: Koba")
	s.has(payments.Article{Label: "Koba", UnitPrice: 500, Unit: "kg", Favourite: 1})
	s.Press("enter", "up", "ctrl+u").Type("litre").Press("enter").Sees("Saved: Koba")
	s.has(payments.Article{Label: "Koba", UnitPrice: 500, Unit: "l", Favourite: 1})
	s.Press("enter", "up", "ctrl+u").Type("kilo").Press("enter").Sees("Saved: Koba")
	s.Press("enter").Sees("kg").Type(" be").Press("ctrl+s").Sees("Saved: Koba be")
	s.has(payments.Article{Label: "Koba be", UnitPrice: 500, Unit: "kg", Favourite: 1})
}

// Another till changes the price while the article is shown here, and the screen has not read it.
func TestAChangeKeepsWhatAnotherTillHasChanged(t *testing.T) {
	reprice := func(s *till, label string) {
		change := payments.ArticleChange{From: s.stored(label), To: s.stored(label)}
		change.To.UnitPrice = 900
		tuitest.Must(t, s.ChangeArticles(t.Context(), []payments.ArticleChange{change}))
	}
	t.Run("of the label", func(t *testing.T) {
		s := open(t, shop()...)
		s.Type("koba").Press("enter").Type(" be")
		reprice(s, "Koba")
		s.Keys("enter", "enter", "enter", "enter")
		s.has(payments.Article{Label: "Koba be", UnitPrice: 900, Favourite: 1})
	})
	t.Run("of the favourite", func(t *testing.T) {
		s := open(t, shop()...)
		s.Type("koba")
		reprice(s, "Koba")
		s.Keys("alt+3")
		s.has(payments.Article{Label: "Koba", UnitPrice: 900, Favourite: 3})
	})
}
