package today_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func states() map[string]func(s *till) {
	drawer := func(s *till) {
		fates(s)
		s.Advance(5 * time.Hour)
		s.Enter().Keys("f").types("50 000").Keys("enter", "m").types("51400").Keys("enter")
	}
	return map[string]func(s *till){
		"drawer": drawer,
		"slip":   func(s *till) { drawer(s); s.Keys("x") },
		"empty":  func(s *till) { s.Enter() },
		"busy":   func(s *till) { trade(s); s.Enter() },
		"former": func(s *till) { trade(s); s.Advance(24 * time.Hour); s.Enter().Keys("left") },
	}
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states())), Beside: 2,
		Wide: []string{"busy", "drawer"},
		Data: []string{"Solde insuffisant"}, Yields: []string{"account.key_float", "account.key_in", "account.key_out", "account.key_slip", "account.key_export", "today.to_check"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := dressed(t, language, styles)
			states()[state](s)
			return s.Driver
		},
	}.Test(t)
}

func TestTheArrowsShowEarlierDays(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.After(24*time.Hour).Enter().Sees("Takings today", "Sunday 22 November", "0 sales", "the day before 64 500 Ar")
	s.Keys("left").Sees("Saturday 21 November", "7 sales · 9 214 Ar a sale").Lacks("Takings today").Press("right", "right")
	s.Sees("Takings today", "Sunday 22 November").Press("esc")
	s.Left(1)
	s.Keys("tab")
	tuitest.Equal(t, len(shoptest.Received[live.OrderWanted](s.Harness())), 1, "requests of the list by Tab")
}

func TestThePaneShowsTheTakingsByHour(t *testing.T) {
	for name, tt := range map[string]struct {
		begins time.Duration  // Time from midnight to the beginning of a day.
		opens  time.Duration  // Time from noon to the first payment.
		prices []money.Ariary // The amounts of one payment in each hour.
		want   string
	}{
		"an early hour is shown":          {0, 13 * time.Hour, []money.Ariary{9000}, `(?m)^│ +1 +2 +3 +4 +5 +6 +│$`},
		"an unusual hour is cut":          {0, 0, []money.Ariary{3500, 3500, 3500, 900_000}, `(?m)^│.*▲▲ .*$(?s:.*█){12}`},
		"the hour in which a day begins":  {4*time.Hour + 30*time.Minute, 16 * time.Hour, []money.Ariary{9000}, `(?m)^│.* 3 +4 +│$`},
		"a low hour does not cut another": {0, 0, []money.Ariary{93_000, 800}, `^[^▲]*$`},
	} {
		t.Run(name, func(t *testing.T) {
			s := dressed(t, "en", theme.Plain())
			s.DayBegins = tt.begins
			s.Advance(tt.opens)
			for _, price := range tt.prices {
				s.Pay(s.Charge("", payments.Item{Label: "Gadona", UnitPrice: price, Quantity: 1}))
				s.Advance(time.Hour)
			}
			s.Advance(-time.Hour)
			s.After(time.Second)
			if pane := s.Harness().Screen.Report().Pane(42, 25); !regexp.MustCompile(tt.want).MatchString(pane) {
				t.Errorf("the pane does not match %s:\n%s", tt.want, pane)
			}
		})
	}
}

func TestALowPaneShowsOutcomesInsteadOfTheHours(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.After(time.Second)
	for height, want := range map[int]int{17: 6, 25: 8} {
		if got := len(regexp.MustCompile(`\d\d:\d\d `).FindAllString(s.Harness().Screen.Report().Pane(42, height), -1)); got < want {
			t.Errorf("%d rows: %d outcomes, want at least %d", height, got, want)
		}
	}
}

func TestASmallWindowScrollsTheWholeDay(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.Enter().Resize(40, 12).Sees("64 500 Ar", "7 sales").Fits()
	for _, part := range []string{"By outcome", "✗ NOT PAID", "Last outcomes", "14:00  ✓ PAID", "By hour", "Articles", "Menaka 1 L"} {
		for range 60 {
			if strings.Contains(s.View(), part) {
				break
			}
			s.Keys("down").Fits()
		}
		s.Sees(part)
	}
	s.Keys("home").Sees("7 sales").Resize(40, 3).Fits()
}

func TestNoTextIsCutInTheSmallestWindowWithPanes(t *testing.T) {
	for language, says := range map[string][]string{
		"en": {"9 000 Ar of it to check", "Tab to check"},
		"fr": {"7 ventes", "à vérifier", "Tab à vérifier"},
		"mg": {"varotra 7", "Tab"},
	} {
		s := dressed(t, language, theme.Plain())
		trade(s)
		s.Enter().Resize(100, 28).Sees(append(says, " 8  9  10 ", " 15 ")...).Fits()
	}
}

func TestAmountsOfTenDigitsDoNotTouchTheirBars(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	for range 3 {
		s.Pay(s.Charge("", payments.Item{Label: "Omby", UnitPrice: 99_999_999, Quantity: 99}))
	}
	s.Enter().Resize(120, 34)
	tuitest.Equal(t, regexp.MustCompile(`[━─]\d`).FindString(s.View()), "", "a bar that touches an amount")
	s.Sees("✓ PAID 9 899 999 901 ")
}

func TestTheArticlesAreBlankUntilTheyWereRead(t *testing.T) {
	s := dressed(t, "en", theme.Plain()) // A screen that is not open reads only the takings.
	s.Sees("0 sales", "Articles").Lacks("Nothing was sold.")
	tuitest.Contains(t, s.Harness().Screen.Report().Pane(42, 25), "No outcome yet.")
	s.Enter().Sees("Nothing was sold.")
}

func TestAWideWindowCutsNoOutcome(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	long := payments.Item{Label: "Romazava sy vary mena ary lasary karaoty", UnitPrice: 7000, Quantity: 2}
	s.Fail(s.Charge("", long, shoptest.Coca()), "Solde insuffisant")
	s.Advance(10 * time.Minute)
	s.Enter().Resize(160, 43)
	s.Sees("2 × "+long.Label+", Coca · Solde insuffisant", "0001  │").Fits()
}

func TestEachRefusalHasItsReasonOrNone(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.Fail(s.Charge("", shoptest.Vary(), shoptest.Coca()), "Solde insuffisant")
	s.Advance(time.Minute)
	s.Fail(s.Charge("", shoptest.Coca()), "Refusé par le client")
	s.Enter()
	last := func(width int, rows ...string) {
		t.Helper()
		for _, row := range rows {
			tuitest.Contains(t, s.Harness().Screen.Report().Last(width, 8), row)
		}
	}
	last(80, "  2 000   Coca · Refusé par le client ", "  9 000   2 × Vary, Coca · Solde insuffisant ", "  0001  │")
	last(70, "  2 000   Coca · Refusé par le client      0002  │", "  9 000   2 × Vary +1 · Solde insuffisant  0001  │")
	last(69, "  2 000   Coca                            0002  │", "  9 000   2 × Vary, Coca                  0001  │")
	last(50, "  2 000   Coca       ", "  9 000   2 × Vary +1")
	last(40, "✗ NOT PAID  2 000  Coca     ", "✗ NOT PAID  9 000  2 × Vary +1")
}
