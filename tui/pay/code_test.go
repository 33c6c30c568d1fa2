package pay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAnOrderIsSentAndItsCodeShown(t *testing.T) {
	s := open(t)
	s.Hold()
	s.begin().Look().Sees("Asking the payment service", "0 s", "9 000 Ar", "✓  The sale is saved.", "at most 30 s", "next customer").Lacks("WAITING", "SENDING")
	s.Press("enter", "n", "s", "l", "c").Sees("Asking the payment service")
	s.left(0).called(0)
	if s.desk.Stage() != counter.Sending {
		t.Fatal("a key had an effect while the order was being sent")
	}
	s.Release().Sees("… WAITING", "9 000 Ar", "2 × Vary, Coca", "An SMS is no proof.", "on pay.example.mg", "10:00")
	order := s.newest()
	tuitest.Equal(t, order.OrderReference, "REF_700001", "the service's reference")
	tuitest.Equal(t, order.Status, payments.StatusPending, "the status")
	s.shows(order).Look().shows(order).Sees("10:00")
	tuitest.Equal(t, s.accepted(), []string{order.Sale}, "the accepted sales")
	if s.desk.Stage() == counter.Sending || s.desk.Shown().Order.Reference != order.Reference {
		t.Error("the screen does not know which order it shows")
	}
}

func TestTheLinksTimeIsCountedDown(t *testing.T) {
	s := open(t)
	s.Reply(func(order payments.Order) (payments.Created, error) {
		s.Advance(1500 * time.Millisecond) // The service answers after 1.5 s.
		return s.Accept(order)
	})
	s.begin().Look().Sees("9:59")
	s.After(7*time.Minute + 500*time.Millisecond).Sees("2:58")
	order := s.newest()
	s.After(2*time.Minute+57*time.Second).shows(order).Sees("0:01", "soon over")
	s.After(time.Second).noCode().Sees("TIME OVER, waiting for the service").Lacks("Time left", "NOT PAID", "expired")
	tuitest.Equal(t, s.Find(order.Reference).Status, payments.StatusPending, "the status")
	t.Run("an event after the end of the link still counts", func(t *testing.T) {
		s.Pay(order)
		s.Look().Sees("✓ PAID").Lacks("CHECK")
	})
}

// The test's clock has no monotonic reading, so the screen can use only the wall clock.
func TestAnExpiredCodeStaysHiddenWhenTheClockIsSetBack(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.After(10 * time.Minute)
	s.reopen(order).noCode()
	s.After(-5 * time.Minute).noCode()
}

func TestAnOutcomeClosesTheQuestionForAnotherOrder(t *testing.T) {
	s := open(t)
	order := s.charge()
	s.Press("n")
	s.Pay(order)
	s.Look().Sees("✓ PAID").Lacks("12:10").Press("enter")
	s.made(1).left(0)
}

func TestTheLinkIsShownNextToTheCodeAndCopied(t *testing.T) {
	s := open(t)
	order := s.charge()
	s.Press("l").Sees("10:00", order.Link.URL[:30]).Lacks("The code needs", "An SMS")
	s.shows(order).Press("l").Lacks(order.Link.URL[:30]).Press("c").Sees("Sent to the terminal's clipboard.")
	s.After(time.Second).Press("c")
	tuitest.Equal(t, s.copied, []string{order.Link.URL, order.Link.URL}, "the copied texts")
}

func TestACodeIsShownCompletelyOrNotAtAll(t *testing.T) {
	for _, length := range []int{30, 78, 154, 600} {
		t.Run(fmt.Sprintf("a link of %d bytes", length), func(t *testing.T) {
			s := open(t)
			s.Reply(func(order payments.Order) (payments.Created, error) {
				created, err := s.Accept(order)
				created.CheckoutURL = "https://pay.example.mg/"
				for n := 0; len(created.CheckoutURL) < length; n++ {
					created.CheckoutURL += string("0123456789abcdefghijklmnopqrstuvwxyz"[n*n*7%36])
				}
				return created, err
			})
			order := s.charge()
			for _, width := range []int{20, 40, 50, 66, 80, 120, 200} {
				for _, height := range []int{5, 12, 20, 24, 31, 40, 60} {
					s.Resize(width, height)
					checkCode(t, s, order, width, height)
				}
			}
		})
	}
}

// checkCode fails the test unless the screen shows the order's QR code. If the window is too small
// for the code, the screen must show the link and the window size that the code needs; in a very
// small window, the verdict is enough.
func checkCode(t *testing.T, s *till, order payments.Order, width, height int) {
	t.Helper()
	s.Fits()
	code, err := s.Screen().Code()
	if err == nil {
		if text, err := code.Text(); err != nil || text != order.Link.URL {
			t.Errorf("in %dx%d the code contains %q, %v\n%s", width, height, text, err, s.Screen())
		}
		return
	}
	if !errors.Is(err, tuitest.ErrNoCode) {
		t.Errorf("in %dx%d: %v\n%s", width, height, err, s.Screen())
	}
	text := strings.Join(strings.Fields(s.Screen().String()), " ")
	_, said, found := strings.Cut(text, "needs a window of ")
	if width < 40 || height < 12 {
		if !strings.Contains(text, "WAITING") {
			t.Errorf("in %dx%d the verdict is missing\n%s", width, height, s.Screen())
		}
		return
	}
	var columns, rows int
	if _, err := fmt.Sscanf(said, "%d×%d", &columns, &rows); !found || err != nil {
		t.Fatalf("in %dx%d both the code and its window size are missing\n%s", width, height, s.Screen())
	}
	if width >= columns && height >= rows {
		t.Errorf("in %dx%d the code is missing, but the screen says that %dx%d is enough", width, height, columns, rows)
	}
	if !strings.Contains(strings.ReplaceAll(text, " ", ""), order.Link.URL[:60%len(order.Link.URL)]) {
		t.Errorf("in %dx%d the link is missing\n%s", width, height, s.Screen())
	}
}

func TestACodeIsShownOnlyWhilePaymentsCanBeSeen(t *testing.T) {
	cases := map[string]struct {
		blind func(s *till)
		sees  func(s *till)
	}{
		"the listener is down": {
			func(s *till) { s.Reach = payments.ReachNotListening }, func(s *till) { s.Reach = payments.ReachListens },
		},
		"the store fails": {func(s *till) { s.Break() }, func(s *till) { s.Mend() }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.charge()
			c.blind(s)
			s.Look().noCode().Sees("? UNKNOWN", "so no code is shown").Press("l", "c", "enter")
			s.noCode().left(0)
			tuitest.Equal(t, len(s.copied), 0, "copied links")
			c.sees(s)
			s.Look().shows(order).Lacks("UNKNOWN")
		})
	}
	t.Run("outcomes are unknown while the database is down", func(t *testing.T) {
		s := open(t)
		s.Pay(s.charge())
		s.Reach = payments.ReachStoreDown
		s.Look().Sees("? UNKNOWN").Lacks("PAID")
		s.Reach = payments.ReachListens
		s.After(time.Hour).Sees("✓ PAID").Press("enter")
		s.left(0)
		s.grace().Press("enter")
		s.left(1)
	})
}

func TestInTheDemoKeysPlayTheCustomer(t *testing.T) {
	s := dressed(t, "en", true, theme.Plain())
	order := s.charge()
	s.shows(order).Sees("DEMO", "you are the customer", "p  pays", "f  fails")
	s.Press("p", "f", "x", "e").Sees("The demo could not do that").Lacks("is over")
	want := "REF_700001 payment.success,REF_700001 payment.failed,REF_700001 payment.canceled,REF_700001 payment.expired"
	tuitest.Equal(t, strings.Join(s.acted, ","), want, "the acts")
	s.Resize(45, 40).Sees("DEMO")
	s.Pay(order)
	s.Look().Sees("DEMO").Resize(80, 24).Sees("DEMO: no real money").Lacks("you are the customer").Press("p")
	tuitest.Equal(t, len(s.acted), 4, "acts after the payment")
}

// The demo goes on after a refusal, also where the words are below the code.
func TestTheDemosKeysStayAfterARefusal(t *testing.T) {
	s := dressed(t, "en", true, theme.Plain())
	order := s.charge()
	s.Resize(50, 30)
	s.shows(order).Sees("p pays", "e expires", "Wait for the screen PAID")
	aired := func() {
		t.Helper()
		rows := strings.Split(ansi.Strip(s.View()), "\n")
		if at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "p pays") }); strings.TrimSpace(rows[at-1]) != "" {
			t.Errorf("no blank row is above the demo's keys\n%s", s.View())
		}
		next := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Time left") || strings.Contains(row, "✗ Solde") })
		if strings.TrimSpace(rows[next-1]+rows[next-2]) != "" { // One of them is the edge of the code.
			t.Errorf("no blank row is below the code\n%s", s.View())
		}
	}
	aired()
	s.Fail(order, "Solde insuffisant")
	s.Look().Sees("✗ Solde insuffisant", "An SMS is no proof", "p pays", "f fails").Fits()
	aired()
}

// The customer compares the host with what the phone shows.
func TestTheHostIsBesideTheCodeInEveryLanguage(t *testing.T) {
	for _, language := range i18n.Languages() {
		s := dressed(t, language, false, theme.Plain())
		s.charge()
		s.Resize(80, 24).Sees(" pay.example.mg ").Fits()
		s.Resize(50, 30).Sees("2 × Vary, Coca ", " pay.example.mg ").Fits() // Above the code, with what is sold.
	}
}

func TestTheCodeNeverMoves(t *testing.T) {
	for _, language := range i18n.Languages() {
		for _, size := range [][2]int{{50, 30}, {80, 24}, {100, 30}, {160, 50}} {
			s := dressed(t, language, true, theme.Full(theme.Auto))
			s.Resize(size[0], size[1])
			s.charge()
			first, err := s.Screen().Code()
			tuitest.Must(t, err)
			for _, key := range []string{"c", "f9", "f9", "esc", "esc", "n"} {
				code, err := s.Press(key).Fits().Screen().Code()
				if err != nil || code.Col != first.Col || code.Row != first.Row {
					t.Errorf("in %s at %v after %s: the code is not where it was, %v\n%s", language, size, key, err, s.Screen())
				}
			}
			s.Sees(i18n.Load(language).KeyNames.Of("enter"))
		}
	}
}

func TestAQuestionAtTheCodeMovesNoPane(t *testing.T) {
	for _, language := range tuitest.Languages() {
		s := dressed(t, language, true, theme.Plain())
		s.charge()
		borders := func() (at []int) {
			for i, row := range strings.Split(ansi.Strip(s.View()), "\n") {
				if strings.ContainsAny(row, "╭╰") {
					at = append(at, i)
				}
			}
			return at
		}
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			s.Resize(size[0], size[1])
			before := borders()
			for _, asks := range []string{"esc", "n"} {
				s.Press(asks)
				tuitest.Equal(t, borders(), before, "%s at %v after %s: the rows of the borders in\n%s", language, size, asks, s.View())
				s.Press("esc")
			}
		}
	}
}

// While the cash for another sale is recorded, another till makes a code for that sale.
func TestAnObjectionToCashIsAskedAtACode(t *testing.T) {
	s := open(t)
	other := payments.Objection{Kind: payments.SalePayable, Order: s.charge()}
	s.desk.Take(counter.TakeCash{Terms: shoptest.Terms("S2"), Tender: drawer.TenderCash, Err: &other})
	s.Look().Sees("can still be paid", "Enter").Resize(50, 30).Sees("can still be paid", "Enter")
}

func TestTheScreenIsTurnedToTheCustomer(t *testing.T) {
	t.Run("F9 and Esc turn it back without leaving", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		for _, key := range []string{"f9", "esc"} {
			s.Press("f9")
			s.shows(order).Sees("camera").Lacks(order.Reference).Press(key)
			s.shows(order).Sees(order.Reference).Lacks("camera")
		}
		s.left(0)
		s.Press("esc").Sees("waiting until")
	})
	t.Run("a question turns it back to the cashier", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.Press("f9", "n").Sees("Make a new code?").Press("esc").Lacks("Make another one?", "camera")
	})
	t.Run("a paid order thanks the customer, until it is acknowledged", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9")
		s.Pay(order)
		s.Look().Sees("PAID", "9 000 Ar", "Thank you!")
		s.Press("enter").Sees("PAID")
		s.grace().Press("enter")
		s.left(1)
	})
	t.Run("without a code the key does nothing", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.After(10 * time.Minute).Press("f9").Sees("TIME OVER")
	})
}

func TestTheKeysOfACodeKeepTheirPlaces(t *testing.T) {
	for _, width := range []int{80, 120, 160} {
		s := open(t)
		s.Resize(width, 36)
		s.Fail(s.charge(), "Solde insuffisant")
		keys := func() string {
			rows := strings.Split(s.View(), "\n")
			return rows[slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Esc next ─") })]
		}
		before := s.Look()
		if first, then := keys(), before.grace(); first != keys() {
			t.Errorf("%d columns: the keys were %q\n%s", width, first, then.View())
		}
	}
}
