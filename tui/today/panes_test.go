package today_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheDayFitsEveryWindow(t *testing.T) {
	reached := tuitest.Forms{}
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		outcomes, articles := "─ "+texts.Today.Outcomes+" ─", "─ "+texts.Catalog.Title+" ─"
		parts := []string{
			outcomes, articles, "─ " + texts.Today.Hours + " ─", "─ " + texts.Account.Drawer + " ─", "─ " + texts.Today.Last + " ─",
			texts.Account.Out, texts.Account.Expected,
		}
		for _, state := range []string{"drawer", "busy"} {
			if state == "busy" && language != "en" {
				continue
			}
			s := dressed(t, language, theme.Plain())
			states()[state](s)
			draw := func(width, height int) string { return s.Resize(width, height).Fits().View() }
			tuitest.Windows(t, []int{20, 59, 80, 103, 200}, draw, func(view string) []string {
				if !strings.Contains(view, outcomes) {
					reached["a text that scrolls"] = true
					return nil
				}
				large := regexp.MustCompile(`(?m)^│   (  )*▄█+`).MatchString(view)
				reached[fmt.Sprintf("large figures %t, moves %t, articles %t", large, strings.Contains(view, texts.Account.Out), strings.Contains(view, articles))] = true
				return tuitest.Among(view, parts...)
			})
		}
	}
	reached.Want(t,
		"large figures true, moves true, articles true", "large figures false, moves true, articles true",
		"large figures false, moves true, articles false", "a text that scrolls",
	)
}

func TestNoSumOfTheDrawerLacksARow(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	states()["drawer"](s)
	for height := 20; height <= 60; height += 2 {
		view := s.Resize(100, height).View()
		all := strings.Contains(view, "Float") && strings.Contains(view, "Voids") && strings.Contains(view, "Refunds   ") && strings.Contains(view, "Paid out")
		if some := strings.Contains(view, "Float") || strings.Contains(view, "Paid out"); some && !all && strings.Contains(view, "By outcome ─") {
			t.Errorf("%d rows show only some moves of the drawer\n%s", height, view)
		}
		if !strings.Contains(view, "─ Drawer ─") && strings.Contains(view, "By outcome ─") || height == 28 && !all {
			t.Errorf("%d rows lack the drawer or its moves\n%s", height, view)
		}
	}
}

func TestTheLastOutcomesNextToTheArticlesHaveABorder(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	states()["busy"](s)
	s.Resize(100, 28).Sees("╭─ Last outcomes ─").Fits()
}

func TestAQuestionAboutTheDrawerHasAPane(t *testing.T) {
	for _, language := range tuitest.Languages() {
		s := dressed(t, language, theme.Plain())
		states()["drawer"](s)
		s.Keys("c")
		texts := i18n.Load(language)
		for _, size := range [][2]int{{40, 15}, {50, 30}, {60, 20}, {80, 24}, {100, 30}, {120, 32}, {120, 33}, {120, 34}, {120, 35}, {120, 36}, {200, 60}} {
			view := s.Resize(size[0], size[1]-2).Sees(texts.Account.Closes, texts.Account.NotYet).Fits().View()
			for row := range strings.SplitSeq(view, "\n") {
				_, isAnswer := strings.CutPrefix(strings.Trim(row, "│ "), texts.KeyNames.Of("esc")+"   "+texts.Account.NotYet)
				if isAnswer && strings.HasPrefix(row, "│") != (size[0] >= 60) {
					t.Errorf("%s at %v: the answers are not in a pane\n%s", language, size, view)
				}
			}
			_, below, found := strings.Cut(view, "─ "+texts.Account.TitleClose+" ─")
			if !found {
				t.Errorf("%s at %v: the question has no title\n%s", language, size, view)
			}
			if first := strings.Split(below, "\n")[1]; size[1] >= 30 && size[0] >= 80 && strings.Trim(first, "│ ") != "" {
				t.Errorf("%s at %v: the question touches its border\n%s", language, size, view)
			}
		}
	}
}

func TestANewOutcomeIsMarkedForTenSeconds(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.Pay(s.Charge("S6", shoptest.Vary()))
	marked := func() [2]int {
		report := s.Look().Harness().Screen.Report()
		return [2]int{strings.Count(report.Pane(42, 25), "+ ✓ PAID"), strings.Count(report.Last(118, 12), "+ ✓ PAID")}
	}
	tuitest.Equal(t, marked(), [2]int{1, 1}, "the marked rows")
	s.Advance(10 * time.Second)
	tuitest.Equal(t, marked(), [2]int{}, "the marked rows")
}

func TestAQuestionOrASlipLeavesTheDayVisible(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	states()["drawer"](s)
	s.Resize(120, 34)
	s.Keys("x")
	s.Sees("Takings today", "By outcome", "By hour", "X: not closed yet").Fits().Press("esc")
	s.Resize(200, 58)
	s.Keys("m")
	view := s.Sees("Takings today", "Drawer", "Last outcomes", "Count the drawer").Fits().View()
	if !strings.Contains(view, "│"+strings.Repeat(" ", 40)) || strings.Contains(view, "│ How much") {
		t.Errorf("the question is not in the middle of its pane\n%s", view)
	}
	s.Resize(80, 22).Sees("Count the drawer").Lacks("Last outcomes").Fits()
}

func TestTheKeysOfTheDayAreInSight(t *testing.T) {
	for _, language := range tuitest.Languages() {
		s := dressed(t, language, theme.Plain())
		states()["drawer"](s)
		texts := i18n.Load(language)
		for _, size := range [][2]int{{80, 22}, {100, 28}, {120, 34}, {160, 43}, {200, 58}} {
			s.Resize(size[0], size[1]).Sees("←/→ "+texts.Today.OtherDay, "e "+texts.Account.KeyExport, texts.KeyNames.Of("esc")+" "+texts.Keys.Back).Fits()
		}
	}
}

func TestTheLastOutcomesCountEachPart(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	for _, sale := range []string{"S1", "S2", "S3", "S4"} {
		s.TakeInParts(sale, drawer.TenderCash)
	}
	s.Enter()
	tuitest.Contains(t, s.Look().Harness().Screen.Report().Last(118, 8), " of 8")
	narrow := strings.Split(s.Harness().Screen.Report().Last(50, 8), "\n")
	if strings.TrimSpace(narrow[7]) != "" || !strings.Contains(narrow[6], "Ar") && !strings.Contains(narrow[6], "CASH") {
		t.Errorf("the last row does not stay blank without a lower border\n%s", strings.Join(narrow, "\n"))
	}
}

// The rest of a sale is no second sale, so its count is zero. Its amount still has a row.
func TestAVoidedRestAndALateRestHaveARow(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	wrong := s.TakeInParts("S1", drawer.TenderCard)
	s.Enter().Sees("¤ CARD      0", "7 500")
	s.Void(wrong.Number)
	terms := shoptest.Terms("S1", payments.Item{Label: "Menaka", UnitPrice: 12_500, Quantity: 1})
	terms.Part = payments.Part{Amount: 7_500, Taken: 5_000, RestOf: wrong.RestOf, Label: "Rest of 12 500 Ar"}
	order, err := s.Checkout(t.Context(), terms)
	tuitest.Must(t, err)
	came := s.Now().Add(time.Minute)
	s.After(24 * time.Hour)
	_, err = s.ReceiveLate(t.Context(), shoptest.Event(order, payments.PaymentSuccess, ""), nil, came)
	tuitest.Must(t, err)
	s.Enter().Keys("left").Sees("¤ VOIDED    0", "−7 500", "Came later  0")
}

// The rest of a sale of the day before is the only money of the day.
func TestADayWithNothingButARestHasBarsAndIsTheDayBefore(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	rest := s.SellPart(shoptest.Terms("S1", payments.Item{Label: "Menaka", UnitPrice: 12_500, Quantity: 1}), 5_000)
	s.Advance(24 * time.Hour)
	s.Sell(rest, shoptest.Cash())
	tuitest.Contains(t, s.After(time.Second).Harness().Screen.Report().Pane(42, 30), "most: 12 h, 7 500")
	s.After(24 * time.Hour).Enter().Sees("the day before 7 500 Ar")
}

func TestADayThatIsBeingReadHasNoFiguresOfAnotherDay(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.Enter().Sees("most: 13 h", "Menaka")
	s.Hold().Keys("left").Lacks("most:", "Menaka")
	s.Release().Keys("right").Sees("most:")
}
