package catalog_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/tuitest"
)

func TestArticlesAreFoundAsOneTypes(t *testing.T) {
	for name, tt := range map[string]struct {
		typed       string
		sees, lacks []string
	}{
		"letters within the name":      {"gas", []string{"1 of 5", "Vary gasy"}, []string{"Vary stock", "Coca"}},
		"capitals do not matter":       {"VARY", []string{"2 of 5", "Vary gasy", "Vary stock"}, []string{"Coca"}},
		"accents do not matter":        {"cafe", []string{"1 of 5", "Café moulu"}, nil},
		"several words, in any order":  {"stock va", []string{"1 of 5", "Vary stock"}, []string{"gasy"}},
		"a code's beginning":           {"6111", []string{"2 of 5", "Café moulu", "Vary gasy"}, []string{"Coca"}},
		"a code's end is no beginning": {"0996", []string{"0 of 5", "No article matches. Enter adds 0996."}, nil},
		"nothing fits":                 {"mofo", []string{"0 of 5", "No article matches. Enter adds mofo."}, []string{"Coca"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, shop()...)
			s.Type(tt.typed).Sees(tt.sees...).Lacks(tt.lacks...)
			s.Keys("esc").Sees("5 of 5")
		})
	}
}

func TestTypingPutsTheCursorOnTheFirstArticleFound(t *testing.T) {
	s := open(t, many(100)...)
	s.Keys("end").Sees("›      Entana 0099").Type("00").Sees("›      Entana 0000")
}

func TestTheCursorStaysOnItsArticle(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "down", "down").Sees("›      Vary gasy")
	tuitest.Must(t, s.SaveArticles(t.Context(), []payments.Article{{Label: "Akoho", UnitPrice: 9000}}))
	s.Look().Sees("Akoho", "›      Vary gasy", "6 of 6")
	tuitest.Must(t, s.DropArticle(t.Context(), s.stored("Vary gasy").ID))
	s.Look().Sees("5 of 5", "›").Lacks("Vary gasy")
}

func TestNobodyReadsTheArticlesUnseen(t *testing.T) {
	s := open(t, shop()...)
	if s.Keys("esc"); s.Closed() != 1 {
		t.Fatalf("left %d times", s.Closed())
	}
	s.Send(live.Exited{})
	s.Hold().Look()
	if len(s.Kept) != 0 {
		t.Error("they are read while nobody looks")
	}
	s.Enter().Look()
	if len(s.Kept) != 1 {
		t.Errorf("%d readings are under way, want one", len(s.Kept))
	}
	s.Release().Sees("5 of 5")
}

func TestEscEmptiesTheFilterAndThenLeaves(t *testing.T) {
	s := open(t, shop()...)
	s.Type("vary").Press("esc")
	if s.Sees("5 of 5"); s.Closed() != 0 {
		t.Error("it left with the filter")
	}
	if s.Keys("esc"); s.Closed() != 1 {
		t.Error("it did not leave")
	}
	s.Type("x")
	s.Enter().Sees("5 of 5").Lacks("Find: x")
}

func TestAFavouriteHasItsKey(t *testing.T) {
	s := open(t, shop()...)
	s.Type("gasy").Press("alt+1")
	s.Sees("Vary gasy is favourite 1.")
	if s.stored("Vary gasy").Favourite != 1 || s.stored("Koba").Favourite != 0 {
		t.Error("the place did not change hands")
	}
	s.Keys("alt+1")
	s.Keys("alt+0").Sees("Vary gasy is no longer a favourite.")
	if told := len(s.changes()); told != 2 {
		t.Errorf("told of %d changes, want 2", told)
	}
}

func TestAnArticleIsDeletedAfterAQuestion(t *testing.T) {
	s := open(t, shop()...)
	s.Type("coca").Press("delete")
	s.Sees("Delete Coca? Orders keep their lines.", "Enter yes · Esc no")
	s.Keys("esc").Sees("1 of 5").Lacks("Delete")
	s.Keys("delete", "enter").Sees("Deleted: Coca", "0 of 4")
	if got := s.stored("Coca"); got.ID != "" {
		t.Errorf("%+v is still there", got)
	}
}

func TestTheQuestionIsAboutWhatWasChosen(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "delete").Sees("Delete Coca?")
	tuitest.Must(t, s.DropArticle(t.Context(), s.stored("Coca").ID))
	s.Look().Sees("Delete Coca?")
	if s.Keys("enter"); s.stored("Koba").ID == "" || s.stored("Café moulu").ID == "" {
		t.Error("another article was deleted")
	}
}

func TestAScannerAnswersNoQuestion(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "delete")
	s.scan("6111000000017").Sees("Change: Vary gasy")
	if s.stored("Coca").ID == "" {
		t.Error("its Enter deleted an article")
	}
}

func TestADiskThatFailsIsSaid(t *testing.T) {
	s := open(t, shop()...)
	s.Break()
	s.Keys("alt+3").Sees("It could not be written to disk.")
	s.Keys("delete", "enter").Sees("It could not be written to disk.", "5 of 5")
	s.Send(counter.Picture{Now: s.Now(), Changed: true}).Sees("THE DATABASE CANNOT BE USED")
	s.Mend()
	s.Keys("alt+3").Sees("is favourite 3")
}
