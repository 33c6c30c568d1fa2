package orders_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func (s *till) seek(text string) *till {
	s.t.Helper()
	return s.Keys("/").write(text)
}

// write types a text, one character at a time.
func (s *till) write(text string) *till {
	s.t.Helper()
	for _, r := range text {
		s.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return s
}

// days creates orders on three days: one on the first day, two on the next, and one today.
func days(s *till) {
	s.Charge("S1", shoptest.Vary())
	s.Advance(24 * time.Hour)
	s.Charge("S2", shoptest.Coca())
	s.Charge("S3", payments.Item{Label: "1/2 Akoho", UnitPrice: 8000, Quantity: 1})
	s.Advance(24 * time.Hour)
	s.Charge("S4", shoptest.Vary())
	s.Look()
}

func TestTheHistoryIsSearchedWhileTyping(t *testing.T) {
	type search struct {
		name, text string
		found      []string
	}
	for _, c := range tuitest.Some(3, []search{
		{"by an article", "vary", []string{"0001", "0001"}},
		{"by a part of it, in any case", "OCA", []string{"0001"}},
		{"by a reference", "20261122-gt-0002", []string{"0002"}},
		{"by a day", "21/11", []string{"0001"}},
		{"by a day with its year", "22/11/2026", []string{"0002", "0001"}},
		{"by today", "today", []string{"0001"}},
		{"by yesterday, in any language", "omaly", []string{"0002", "0001"}},
		{"by an article on a day", "yesterday coca", []string{"0001"}},
		{"a fraction next to a word is not a day", "1/2 akoho", []string{"0002"}},
		{"by an amount", "2000", []string{"0001"}},
		{"by an amount with its blank", "7 000", []string{"0001", "0001"}},
		{"by an amount on a day", "yesterday 8000", []string{"0002"}},
		{"another amount", "7001", nil},
		{"a day without orders", "20/11/2026", nil},
		{"an unknown article", "xyz", nil},
		{"wildcards of SQL", "%", nil},
	}) {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			days(s)
			s.Enter().Keys("tab").seek(c.text).Sees("History", "Find: "+c.text).Fits()
			if c.found == nil {
				s.Sees("Nothing found.").Lacks("12:00")
				return
			}
			s.Keys("enter")
			s.lists(c.found...)
			s.Keys("down").on(c.found[len(c.found)-1])
		})
	}
}

func TestTheSearchLeadsToAnOrderAndBack(t *testing.T) {
	s := open(t)
	days(s)
	s.Enter().Keys("tab", "/").Sees("Find: ", "article, amount, number").Lacks("No order").
		Press("c")
	s.write("oca").Sees("Yesterday", "› 12:00").Lacks("0002", "Today")
	s.Keys("enter").Sees("Find: coca", "Yesterday", "› 12:00").Lacks("Link until").Press("enter")
	s.Sees("Link until").Lacks("Find:").Press("/", "esc")
	s.Sees("Find: coca", "Yesterday", "› 12:00").Lacks("Today").Press("/")
	s.Keys("backspace", "backspace", "backspace", "backspace").Sees("Today", "Saturday")
	s.write("vary").Lacks("Yesterday").Press("esc")
	s.Sees("Today", "› 12:00", "Yesterday", "Saturday").Lacks("Find:")
	s.seek("coca").Keys("enter", "esc").Sees("Today").Lacks("Find:")
	s.Left(0).Keys("esc").Left(1)
}

func TestTheSearchIsOpenedFromEveryList(t *testing.T) {
	s := standing(t, "en", theme.Plain(), true)
	days(s)
	s.Fail(s.Pay(s.Charge("S9", shoptest.Vary())), "")
	s.Enter().Sees("! CHECK", "Do not ask for money again")
	s.seek("coca").Sees("Yesterday", "› 12:00").Lacks("! CHECK", "Do not ask").Press("enter", "tab")
	s.Lacks("Find:").Sees("! CHECK", "Do not ask").Press("tab")
	s.seek("coca").Keys("esc", "tab", "tab").Lacks("Find:").Sees("Yesterday")
	s.Keys("/", "enter").Lacks("Find:").Sees("Yesterday", "Today")
}

func TestSearchResultsArePagedAndUpdated(t *testing.T) {
	s := busy(t, 120)
	s.Charge("S1", shoptest.Vary())
	s.Resize(80, 6)
	s.Enter().seek("coca").Sees("0120").Lacks("0121")
	s.Keys("down").Sees("0119").Press("up", "enter")
	s.lists(past(120)...)
	s.Sees("0001")
	s.Charge("S1", shoptest.Vary())
	s.Charge("S1", shoptest.Coca())
	s.Look().Sees("0002")
	for range 130 {
		s.Press("up")
	}
	s.Sees("0123", "0120").Lacks("0122", "0121")
}

func TestAnAnswerToAnEarlierSearchIsDropped(t *testing.T) {
	s := open(t)
	days(s)
	s.Enter().Keys("tab", "/")
	s.Hold().write("co")
	late := s.Take()
	s.Keys("backspace", "backspace").write("vary")
	for _, cmd := range late { // The next read begins after this command.
		s.Send(cmd())
	}
	s.Sees("Today", "Saturday").Lacks("Yesterday")
	t.Run("Enter waits for the answer", func(t *testing.T) {
		s.Keys("esc", "/").Hold().write("coca").Sees("Today")
		s.Keys("enter", "enter").Release().Sees("Yesterday", "› 12:00").Lacks("Link until", "Today")
		s.Keys("enter").Sees("Link until")
	})
	t.Run("an order that was opened before does not replace the field", func(t *testing.T) {
		s.Keys("esc").Hold().Keys("enter", "/").Release().Sees("Find: coca").Lacks("Link until")
	})
	t.Run("an answer after Esc is ignored", func(t *testing.T) {
		s.Hold().write("x").Keys("esc").Release().Sees("Today", "Yesterday").Lacks("Find:", "Nothing found.")
	})
}

func TestASearchWhileTheStoreIsDown(t *testing.T) {
	s := open(t)
	days(s)
	s.Enter().Keys("tab", "/")
	s.Break()
	s.write("coca").Sees("Find: coca", "THE DATABASE CANNOT BE USED").Lacks("Nothing found.", "12:00", "No order")
	s.Keys("down", "enter").Sees("THE DATABASE CANNOT BE USED").Lacks("Nothing found.", "12:00")
	s.Keys("down").Sees("THE DATABASE CANNOT BE USED").Fits()
	s.Mend()
	s.Look().Sees("Yesterday", "› 12:00").Lacks("THE DATABASE")
	s.Break()
	s.Keys("/").write(" ").write("x").Sees("THE DATABASE CANNOT BE USED")
	s.Mend()
	s.Keys("enter").Sees("Nothing found.").Lacks("THE DATABASE")
}

func TestASearchReadsOneListAtATime(t *testing.T) {
	s := open(t)
	days(s)
	s.Enter()
	s.Hold()
	s.Keys("/").write("vary")
	if reads := len(s.Take()); reads > 2 { // One read when the field was opened, and one for the first letter.
		t.Errorf("%d reads at once", reads)
	}
}

func TestADayOfTheSearchBeginsAsTheShopsDay(t *testing.T) {
	s := open(t)
	s.Service.DayBegins = 4 * time.Hour
	s.Charge("S1", shoptest.Vary())
	s.Advance(13 * time.Hour)
	s.Charge("S2", shoptest.Coca())
	s.Look().Enter().Keys("tab")
	for _, text := range []string{"today", "21/11"} {
		s.seek(text).Sees("Coca", "Vary").Press("esc")
	}
	s.seek("yesterday").Sees("Nothing found.")
}

// TestTheCounterIsSearched searches the cash sales. Without a search, the list contains only those
// of the last seven days.
func TestTheCounterIsSearched(t *testing.T) {
	s := open(t).cash("S1", 900, 0)
	s.Advance(10 * 24 * time.Hour)
	s.cash("S2", 4_400, 0).cash("S3", 12_500, 20_000)
	s.Lend("Rabe", 7000)
	for text, found := range map[string][]string{
		"menaka":      {"000003", "000002"},
		"4400":        {"000002"},
		"4 400":       {"000002"},
		"000003":      {"000003"},
		"rabe":        {"000004"},
		"21/11":       {"000001"},
		"today vary":  {"000004"},
		"21/11 vary":  nil,
		"900":         nil,
		"T1-GT-C-000": {"000004", "000003", "000002"},
	} {
		t.Run(text, func(t *testing.T) {
			s.Enter().Keys("tab")
			s.seek(text).Sees("Counter", "Find: "+text).Fits()
			if found == nil {
				s.Sees("Nothing found in the last 7 days.").Press("esc").Lacks("Find:").Sees("Counter", "3 sales")
				return
			}
			s.Keys("enter")
			s.lists(found...)
			s.Keys("esc").Lacks("Find:").Sees("Counter", "3 sales")
		})
	}
}

func TestTabSearchesAtTheCounterToo(t *testing.T) {
	s := open(t).cash("S1", 4_400, 0)
	s.Pay(s.Charge("S2"))
	s.Enter().seek("4400").Sees("Nothing found by mobile money. Tab searches at the counter.", "Tab Counter").Press("tab")
	s.Sees("Counter", "Find: 4400", "000001").Press("tab").Lacks("Find:")
	t.Run("a shop without sales at the counter has no such list", func(t *testing.T) {
		s := open(t)
		s.Pay(s.Charge("S2"))
		s.Enter().seek("4400").Sees("Nothing found.").Lacks("counter")
	})
}
