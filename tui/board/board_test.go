package board_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/board"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheBoardShowsWaitingOrders(t *testing.T) {
	s := open(t)
	s.Enter().Sees("Waiting", "No payment is awaited.").Press("down", "enter", "1", "pgdown", "end")
	s.Charge("S1")
	s.Advance(9 * time.Minute)
	s.Charge("S2", shoptest.Coca())
	s.Look().Sees("Waiting", "2 · 11 000 Ar",
		"›   1  9 000 Ar  ━━──────────────────  1:00", "2 × Vary, Coca",
		"    2  2 000 Ar  ━━━━━━━━━━━━━━━━━━━━ 10:00", "T1-20261121-GT-0001").Fits()
	s.Advance(31 * time.Second)
	s.Look().Sees("soon over  0:29", "9:29")
	s.Advance(29 * time.Second)
	s.Look().Sees("… TIME OVER").Lacks("waiting for the service")
}

func TestAnOtherOrderOfAPaidSaleIsNotAwaited(t *testing.T) {
	s := open(t)
	s.Charge("S1")
	paid := s.Pay(s.Charge("S1"))
	s.Look().Sees("›   1  9 000 Ar  ✓ PAID", paid.Reference).Lacks("1 · 9 000 Ar")
	s.Charge("S2", shoptest.Coca())
	s.Look().Sees("1 · 2 000 Ar", "    2  2 000 Ar").Lacks("    3 ")
}

func TestTheChosenOrderStaysChosen(t *testing.T) {
	s := open(t)
	first, second, third := s.Charge("S1"), s.Charge("S2", shoptest.Coca()), s.Charge("S3")
	s.Enter().Keys("down", "down")
	t.Run("an outcome takes the place of the time left", func(t *testing.T) {
		s.Pay(second)
		s.Fail(first, "Solde insuffisant")
		s.Look().Sees("    1  9 000 Ar  ✗ NOT PAID: refused", "    2  2 000 Ar  ✓ PAID", "›   3")
	})
	t.Run("an acknowledged order leaves", func(t *testing.T) {
		_, err := s.Acknowledge(t.Context(), first.Reference, payments.VerdictNotPaid, payments.Conditions{})
		tuitest.Must(t, err)
		s.Look().Sees("›   3", third.Reference, "    2  2 000 Ar  ✓ PAID").Lacks("NOT PAID")
	})
	t.Run("a new order comes at the end, with the number that is free", func(t *testing.T) {
		s.Charge("S4", shoptest.Coca())
		s.Look().Sees("    2  2 000 Ar  ✓ PAID", "›   3", "    1  2 000 Ar  ━━━━━━━━━━━━━━━━━━━━ 10:00")
	})
	t.Run("an order that comes back is placed by its age", func(t *testing.T) {
		s.Pay(first)
		s.Look().Sees("    4  9 000 Ar  ! CHECK", "›   3")
		s.Enter().Sees("›   4  9 000 Ar  ! CHECK")
	})
	t.Run("Enter opens the chosen order", func(t *testing.T) {
		s.Keys("3", "enter")
		chosen := shoptest.Received[live.Chosen](s.Harness())
		if len(chosen) != 1 || chosen[0].Order.Reference != third.Reference {
			t.Errorf("got the chosen orders %+v, want %s", chosen, third.Reference)
		}
	})
	t.Run("Esc goes back", func(t *testing.T) {
		s.Keys("esc")
		s.Left(1)
	})
}

func TestADigitChoosesAnOrder(t *testing.T) {
	s := open(t).many(23).Enter()
	for _, step := range []struct{ key, want string }{{"7", "7"}, {"2", "2"}, {"0", "2"}, {"9", "9"}} {
		tuitest.Equal(t, s.Keys(step.key).number(), step.want, "after %s", step.key)
	}
	t.Run("pasted digits are ignored", func(t *testing.T) {
		s.Keys("home").Paste("12")
		tuitest.Equal(t, s.number(), "1", "the number")
	})
}

func TestTwoHundredOrdersScroll(t *testing.T) {
	s := open(t).many(200).Enter()
	for _, step := range []struct{ key, want string }{{"pgdown", "18"}, {"end", "200"}, {"up", "199"}, {"pgup", "182"}, {"home", "1"}} {
		tuitest.Equal(t, s.Keys(step.key).number(), step.want, "after %s", step.key)
	}
	s.Keys("end").Resize(80, 8).Sees("› 200").Resize(30, 3).Sees("› 200").Fits()
	s.Resize(80, 40).Sees("› 200").Fits()
}

func TestVerdictsAreUnknownWhileTheStoreIsDown(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.Enter()
	s.Send(counter.Picture{Now: s.Now(), Overview: payments.Overview{Open: []payments.Order{order}}, Reach: payments.ReachStoreDown})
	s.Sees("? UNKNOWN").Lacks("━")
}

func TestTheFooterNamesTheEnabledKeys(t *testing.T) {
	s := open(t)
	offers := func(want string) {
		t.Helper()
		tuitest.Equal(t, shoptest.Footer(s.Harness().Screen.ShortHelp()), want, "the keys")
	}
	offers("esc back, ")
	s.many(2).Enter()
	offers("enter open, n new code, 1-9 choose, esc back, ")
	s.many(30).Look()
	offers("enter open, n new code, 1-9 choose, esc back, pgup/dn turn pages, ")
}

func TestTheDemoPlaysTheCustomerOfTheChosenOrder(t *testing.T) {
	for _, width := range []int{80, 160} { // At the first width, the board is a list; at the second, it has cards.
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			s := open(t)
			var acted []string
			play := func(_ context.Context, orderReference string, kind payments.EventKind) error {
				if kind == payments.PaymentExpired {
					return errors.New("gone")
				}
				acted = append(acted, orderReference+" "+string(kind))
				return nil
			}
			first, second := s.Charge("S1"), s.Charge("S2", shoptest.Coca())
			s.Resize(width, 40)
			s.Enter().Lacks("p pays").Press("p")
			s.Send(func(m board.Model) (board.Model, tea.Cmd) {
				m.Run, m.Customer = s.Run, play
				return m, nil
			})
			s.Keys("2").Sees("p pays", "f fails", "x cancels", "e expires")
			s.Resize(40, 13).Sees("p pays  f fails  x cancels").Lacks("…", "cancels  e", "cancels e").Resize(80, 22)
			s.Keys("e").Sees("The demo could not do that").Lacks("p pays")
			s.Keys("2").Sees("p pays").Lacks("could not").Press("p")
			s.Pay(second)
			s.Look().Lacks("p pays", "could not")
			if rows := strings.Split(s.View(), "\n"); width == 160 && slices.ContainsFunc(rows, func(row string) bool { return strings.TrimSpace(row) == "" }) {
				t.Errorf("the chosen outcome leaves a hole\n%s", s.View())
			}
			s.Press("p").Sees("could not").Press("1", "x").Lacks("could not")
			want := []string{second.OrderReference + " payment.success", first.OrderReference + " payment.canceled"}
			tuitest.Equal(t, acted, want, "the acts")
		})
	}
}

func TestAnUnseenOutcomeFillsItsCard(t *testing.T) {
	s := open(t)
	paid := s.Charge("S1")
	s.Charge("S2", shoptest.Coca())
	s.Pay(paid)
	s.Resize(160, 40)
	s.Enter().Look()
	rows := strings.Split(ansi.Strip(s.View()), "\n")
	if !strings.HasPrefix(rows[0], "┏━ 1 ━") || strings.Count(rows[0], "✓ PAID ") != 2 || !strings.Contains(rows[0], "╭─ 1 · "+paid.Reference) {
		t.Errorf("got the first row %q, want the card and the chosen order", rows[0])
	}
	if !strings.HasPrefix(rows[9], "╭─ 2 ─") {
		t.Errorf("got the row %q, want the second card", rows[9])
	}
	s.Sees("in 0 s · REF_700001 · 12:00")
}

func TestTheChosenOrderIsShownInFull(t *testing.T) {
	s := open(t)
	s.Charge("S1")
	s.Advance(time.Minute)
	s.Charge("S2", payments.Item{Label: "Menaka", UnitPrice: 2_000_000, Quantity: 60})
	s.Resize(120, 34)
	s.Enter().Look().Sees("─ 1 · T1-20261121-GT-0001 ─", "2 ×  Vary", "7 000", "1 ×  Coca", "The customer has had the code since 12:00.", "─ Enter open ─")
	s.Keys("down").Sees("─ 2 · T1-20261121-GT-0002 ─", "60 ×  Menaka", "120 000 000", "since 12:01.", "━ 10:00").Lacks("Vary  ")
	var many []payments.Item
	for i := range 30 {
		many = append(many, payments.Item{Label: "Article " + strconv.Itoa(i), UnitPrice: 100, Quantity: 1})
	}
	s.Charge("S3", many...)
	s.Look().Keys("3").Sees("1 ×  Article 0", "more", "The customer has had the code since 12:01.")
}

func TestAPlaceWithoutAnOrderSaysWhatComesThere(t *testing.T) {
	s := open(t)
	first := s.Charge("S1")
	s.Charge("S2")
	s.Resize(120, 34)
	s.Enter().Look().Sees("╭─ 2 ─").Lacks("╭╌ 1 ╌")
	_, err := s.Acknowledge(t.Context(), s.Pay(first).Reference, payments.VerdictPaid, payments.Conditions{})
	tuitest.Must(t, err)
	s.Look().Sees("┏━ 2 ━", "╭╌ 1 ╌", "A code that you leave with Esc waits", "─ 2 · ")
}

func TestCashAndANewCodeAreKeysOfAWaitingOrder(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.Send(func(m board.Model) (board.Model, tea.Cmd) {
		m.Tenders = []drawer.Tender{drawer.TenderCash}
		return m, nil
	})
	s.Enter().Look().Sees("Tab cash", "n new code")
	s.Keys("tab", "n")
	chosen := shoptest.Received[live.Chosen](s.Harness())
	if len(chosen) != 2 || chosen[0].Key.String() != "tab" || chosen[1].Key.String() != "n" || chosen[1].Order.Reference != order.Reference {
		t.Errorf("got the chosen orders %+v, want %s with the keys Tab and n", chosen, order.Reference)
	}
	s.Pay(order)
	s.Look().Sees("Enter open").Lacks("Tab cash", "n new code")
	s.Keys("tab")
	tuitest.Equal(t, len(shoptest.Received[live.Chosen](s.Harness())), 2, "the number of chosen orders")
}

func TestTheChosenRowSaysSinceWhenTheCustomerHasTheCode(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.Charge("S2", shoptest.Coca())
	about := "  " + order.Reference + " · The customer has had the code since 12:00."
	s.Enter().Look().Sees(about)
	s.Resize(50, 27).Sees("  " + order.Reference + " · 2 × Vary, Coca").Lacks("since")
	s.Resize(80, 21)
	s.Pay(order)
	s.Look().Sees(order.Reference + " · paid in 0 s")
}

func TestThePaneKeepsItsHeightWhileOrdersComeAndGo(t *testing.T) {
	s := open(t)
	height := func() int { return s.Look().Harness().Screen.PaneHeight(20) }
	empty := height()
	first := s.Charge("S1")
	s.Charge("S2", shoptest.Coca())
	tuitest.Equal(t, height(), empty, "the height with two orders")
	s.Charge("S3", shoptest.Vary())
	three := height()
	_, err := s.Acknowledge(t.Context(), s.Pay(first).Reference, payments.VerdictPaid, payments.Conditions{})
	tuitest.Must(t, err)
	if got := height(); three <= empty || got != three {
		t.Errorf("got the height %d after an order left, want %d", got, three)
	}
}

// till is the board under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[board.Model, *till]
}

// open starts the board in English. It has the size that it has in a terminal of 80×24.
func open(t *testing.T) *till { return dressed(t, "en", theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	s := &till{}
	s.Counter = shoptest.Open(t)
	return s.Put(s, board.New(live.Console{Theme: styles, Texts: i18n.Load(language), Zone: shoptest.Zone()}, nil), 80, 21).Look()
}

// under returns the text of the row that the cursor is on.
func (s *till) under() string {
	_, row, _ := strings.Cut(s.View(), "›")
	row, _, _ = strings.Cut(row, "\n")
	return strings.TrimSpace(row)
}

func (s *till) number() string {
	number, _, _ := strings.Cut(s.under(), " ")
	return number
}

func (s *till) many(count int) *till {
	for range count {
		s.Charge("", shoptest.Coca())
		s.Advance(time.Second)
	}
	return s
}
