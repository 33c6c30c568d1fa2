package today_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/today"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// closings returns the closed days.
func (s *till) closings(t *testing.T) []payments.Closing {
	t.Helper()
	found, err := s.Closings(t.Context(), "2026-11-21", "2026-11-22")
	tuitest.Must(t, err)
	return found
}

func TestClosingADayAsksAndNamesOpenOrders(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.Enter().Keys("c").Sees("Close Saturday 21 November for good?", "7 sales · 64 500 Ar", "still open: 1 ? UNKNOWN, 1 ! CHECK, 1 … WAITING", "Enter   yes").Fits()
	s.Keys("esc", "enter").Lacks("for good?")
	if len(s.closings(t)) > 0 || s.Closed() > 0 {
		t.Fatal("the day was closed without a yes, or the screen was left")
	}
	for _, size := range [][2]int{{80, 22}, {40, 12}, {120, 34}} {
		s.Resize(size[0], size[1]).Press("c").Sees("for good?").Fits().Press("esc")
	}
	s.Keys("c", "enter").Sees("Saturday 21 November closed by "+shoptest.Till+" at till "+shoptest.Till, "till report --date 2026-11-21 --csv").Fits()
	if got := s.closings(t); len(got) != 1 || got[0].Orders != 11 {
		t.Errorf("got the closings %+v, want one with 11 orders", got)
	}
	s.Keys("c").Sees(" · 64 500 Ar").Lacks("for good?", "since then")
	s.Pay(s.Charge("", shoptest.Coca()))
	s.After(time.Second).Sees(" · 64 500 Ar · since then 1 sale 2 000 Ar").Fits()
	s.Advance(24 * time.Hour)
	s.Enter().Lacks("closed by").Press("c")
	s.Sees("Close Sunday 22 November for good?").Lacks("still open").Press("left")
	s.Sees("Close Sunday 22 November for good?")
}

func TestADayClosedByAnotherTillIsShown(t *testing.T) {
	s := dressed(t, "en", theme.Plain()).Enter()
	s.Keys("c")
	if _, err := s.Close(t.Context(), s.Now(), "T2", "Rado", payments.Identity{}); err != nil {
		t.Fatal(err)
	}
	s.Keys("enter").Sees("Saturday 21 November closed by Rado at till T2").Press("esc")
	s.Advance(time.Minute)
	s.Look().Enter()
	if told := shoptest.Received[today.DayClosed](s.Harness()); len(told) != 1 || !strings.Contains(told[0].Says(shoptest.Texts(t, "en")), "Rado") {
		t.Errorf("got the messages %+v, want one by Rado", told)
	}
}

func TestAWriteErrorLeavesTheDayOpen(t *testing.T) {
	s := dressed(t, "en", theme.Plain()).Enter()
	s.Keys("c").Sees("for good?")
	s.Break()
	s.Keys("enter").Sees("could not be written").Lacks("for good?")
}

func TestClosingADayNeedsAPINInAShopWithCashiers(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	if _, err := s.AddCashier(t.Context(), "Hasina", "", payments.NewSecret("4711"), payments.Identity{}); err != nil {
		t.Fatal(err)
	}
	owner := payments.Identity{Name: "Hasina", PIN: payments.NewSecret("4711")}
	if _, err := s.AddCashier(t.Context(), "Soa", "", payments.NewSecret("1357"), owner); err != nil {
		t.Fatal(err)
	}
	s.Enter().Keys("left", "c", "enter", "down").Sees("› Soa")
	s.Keys(strings.Split("1357", "")...).Keys("enter").Sees("Only an owner may do this.", "› Soa")
	s.Keys("esc", "right", "c", "enter").Sees("Who answers for this?", "› Hasina")
	if !s.Harness().Screen.Typing() {
		t.Error("Typing is false at the PIN question")
	}
	s.Keys(strings.Split("4712", "")...).Keys("enter").Sees("The name or the PIN is wrong.")
	s.Keys(strings.Split("4711", "")...).Keys("enter").Sees("closed by Hasina at till " + shoptest.Till)
}
