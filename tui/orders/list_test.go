package orders_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheFirstListShowsTheOrdersToCheck(t *testing.T) {
	t.Run("without orders", func(t *testing.T) {
		s := open(t).Enter()
		s.Sees("History · Tab To check", "No order yet.").Press("tab").Sees("Nothing to check.")
		s.Press("down", "up", "enter", "tab", "enter").Sees("No order yet.")
	})
	t.Run("with several tills its own orders come first, then all orders", func(t *testing.T) {
		s := standing(t, "en", theme.Plain(), true)
		s.Charge("S1")
		_, err := s.Service.Checkout(t.Context(), payments.Terms{
			Till: "T9", Items: []payments.Item{{Label: "Coca", UnitPrice: 1200, Quantity: 1}},
		})
		tuitest.Must(t, err)
		s.Enter().Sees(shoptest.Till+" · Tab History", "T1 0001").Lacks("T9")
		s.Press("tab").Sees("T1 0001", "T9 0001").Press("tab").Sees("Nothing to check.").Press("tab").
			Sees("T1 0001").Lacks("T9")
	})
	t.Run("orders without a problem are only in the history", func(t *testing.T) {
		s := open(t)
		s.Pay(s.Charge("S1"))
		s.Fail(s.Charge("S2"), "")
		s.Enter().Sees(
			"  Time   Outcome", "Articles", "  Today mobile money: 1 sale · 9 000 Ar ───",
			"› 12:00  ✗ NOT PAID", "  12:00  ✓ PAID",
		).Press("tab").Sees("Nothing to check.").Lacks("PAID")
	})
	t.Run("the reason of the chosen order is explained", func(t *testing.T) {
		s := open(t)
		first := s.Charge("S1")
		s.Pay(s.Charge("S2"))
		s.Fail(s.Pay(first), "")
		s.lose()
		s.Look().Enter().Sees("› 21/11 12:00  ? UNKNOWN", "0003", "  21/11 12:00  ! CHECK", "0001",
			"It is not known whether the service has this order.").Lacks("0002", "Do not ask").Fits()
		s.Keys("down").Sees("› 21/11 12:00  ! CHECK", "Do not ask for money again").Lacks("It is not known")
		s.Resize(40, 6).Sees("› 12:00  ! CHECK").Fits()
	})
	t.Run("an acknowledged order stays until a person resolves it", func(t *testing.T) {
		s := open(t)
		order := s.Fail(s.Pay(s.Charge("S1")), "")
		_, err := s.Acknowledge(t.Context(), order.Reference, payments.VerdictCheck, payments.Conditions{})
		tuitest.Must(t, err)
		s.Look().Enter().Sees("› 21/11 12:00  ! CHECK").Press("enter", "y", "enter")
		s.Look().Sees("◆ MARKED PAID").Press("esc").Sees("Nothing to check.").Lacks("CHECK")
	})
	t.Run("an overdue order appears with the clock", func(t *testing.T) {
		s := open(t)
		order := s.Charge("S1")
		s.Look().Enter().Keys("tab").Sees("Nothing to check.")
		s.Advance(10*time.Minute + payments.LinkGrace + time.Second)
		s.Send(counter.Picture{Now: s.Now(), Overview: payments.Overview{Open: []payments.Order{order}}})
		s.Sees("› 21/11 12:00  … TIME OVER", "The time is over and no answer came from the service.")
	})
	t.Run("a late page of another list is dropped", func(t *testing.T) {
		s := open(t)
		s.Pay(s.Charge("S1"))
		s.Enter().Hold().Keys("tab", "tab")
		s.Release().Sees("History", "✓ PAID")
		s.Hold().Keys("tab")
		s.Keys("tab", "tab").Release().Sees("Nothing to check.").Lacks("PAID")
	})
}

func TestAListShowsThePositionOfTheCursor(t *testing.T) {
	s := open(t)
	for range 60 {
		s.Charge("S1", shoptest.Coca())
	}
	s.Resize(80, 8)
	s.Enter().Sees("1 of 50+").Fits()
	s.Keys("pgdown").Sees("7 of 50+").Press("end").Sees("of 60").Press("home").Sees("1 of 60")
	s.Resize(80, 80).Lacks("of 60")
}

// past returns the last digits of the references of count orders, the newest first, as in "0002",
// "0001".
func past(count int) []string {
	var references []string
	for n := count; n > 0; n-- {
		references = append(references, fmt.Sprintf("%04d", n))
	}
	return references
}

// lists moves the cursor down, and fails the test unless the references on the way end in the digits
// want.
func (s *till) lists(want ...string) {
	s.t.Helper()
	var got []string
	for range want {
		got = append(got, under(s))
		s.Press("down")
	}
	tuitest.Equal(s.t, got, want, "the orders")
}

// on fails the test unless the reference in the row with the cursor ends in the digits want.
func (s *till) on(want string) {
	s.t.Helper()
	tuitest.Equal(s.t, under(s), want, "the order under the cursor")
}

// under returns the last digits of the reference in the row with the cursor.
func under(s *till) string {
	_, row, _ := strings.Cut(s.View(), "›")
	row, _, _ = strings.Cut(row, "\n")
	cells := strings.Fields(strings.TrimRight(row, " │┃"))
	if len(cells) == 0 {
		return ""
	}
	return cells[len(cells)-1]
}

// busy returns a till with count refused orders in the history.
func busy(t *testing.T, count int) *till {
	s := open(t)
	s.Reply(shoptest.Refuse("non"))
	for range count {
		s.Charge("S1", shoptest.Coca())
	}
	s.Resize(80, 5)
	return s
}

func TestTheHistoryIsReadPageByPage(t *testing.T) {
	t.Run("all orders are there", func(t *testing.T) {
		s := busy(t, 112).Enter()
		s.lists(past(112)...)
		s.Keys("down", "down").on("0001")
	})
	t.Run("a new order comes on top and the read pages stay", func(t *testing.T) {
		s := busy(t, 70).Enter()
		s.lists(past(70)[:69]...)
		s.Charge("S1")
		s.Look()
		s.on("0001")
		for range 70 {
			s.Press("up")
		}
		s.lists(past(71)...)
	})
	t.Run("a change while a page is read loses no order", func(t *testing.T) {
		s := busy(t, 70).Enter()
		s.lists(past(70)[:40]...)
		s.Hold().Keys("down").Look().Release()
		s.Keys("end").on("0001")
	})
}

func TestTheHistoryShowsTheCurrentState(t *testing.T) {
	t.Run("after a change while another list was open", func(t *testing.T) {
		s := open(t)
		order := s.Charge("S1")
		s.Enter().Sees("… WAITING").Press("tab").Sees("Nothing to check.")
		s.Pay(order)
		s.Look().Keys("tab").Sees("✓ PAID").Lacks("WAITING")
	})
	t.Run("down to the order under the cursor", func(t *testing.T) {
		s := open(t)
		first := s.Fail(s.Charge("S1"), "Solde insuffisant")
		s.Reply(shoptest.Refuse("non"))
		for range 70 {
			s.Charge("S2", shoptest.Coca())
		}
		s.Resize(80, 5)
		s.Enter().Keys(slices.Repeat([]string{"down"}, 70)...).Sees("› 12:00  ✗ NOT PAID", "0001")
		s.Pay(first)
		s.Look().Sees("› 12:00  ✓ PAID").Lacks("NOT PAID")
	})
}

func TestAClosedListReadsNothing(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.Enter().Keys("esc").Send(live.Exited{})
	s.Hold().Look()
	tuitest.Equal(t, len(s.Kept), 0, "commands")
}

func TestAStoreErrorIsShown(t *testing.T) {
	s := open(t)
	order := s.Pay(s.Charge("S1"))
	s.Break()
	s.Enter().Sees("THE DATABASE CANNOT BE USED")
	s.Mend()
	s.Enter().Sees("✓ PAID")
	s.Break()
	s.Press("enter").Sees("THE DATABASE CANNOT BE USED").Lacks("Link until")
	s.Look().Sees("? UNKNOWN").Lacks("✓ PAID")
	s.Mend()
	s.Look().Keys("enter").Sees("✓ PAID", "Link until", order.OrderReference)
}

func TestTheTakingsOfADayAreNotCut(t *testing.T) {
	s := open(t)
	for range 11 {
		s.Pay(s.Charge(""))
	}
	s.Enter().Resize(80, 21).Sees("Today mobile money: 11 sales · 99 000 Ar").Resize(38, 21).Sees("Today mobile money: 99 000 Ar").Fits()
}

// stranger returns an order that was not created by this shop.
func stranger(reference string, amount money.Ariary) payments.Order {
	return payments.Order{Reference: "X-1", OrderReference: reference, Amount: amount}
}

// paidElsewhere receives a success event for an order that was not created by this shop. Then it
// advances the clock until the payment must be reviewed.
func (s *till) paidElsewhere(reference string, amount money.Ariary) *till {
	s.Hear(shoptest.Event(stranger(reference, amount), payments.PaymentSuccess, ""))
	s.Advance(payments.OrphanGrace)
	return s.Look()
}

func TestAPaymentWithoutOrderIsListedUntilReviewed(t *testing.T) {
	t.Run("s asks, and a yes removes it", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).Enter()
		s.Sees("› 21/11 12:00  ! NO ORDER", "Paid, but it belongs to no order here: 4 000 Ar, REF_800001, 21/11 12:00.").Lacks("Nothing to check.")
		s.Keys("s").Sees("Have you found REF_800001 in the merchant area", "Esc   back     Enter   records").Press("esc")
		s.Sees("Paid, but it belongs to no order here").Lacks("Have you found")
		s.Keys("s", "enter").Look().Sees("Nothing to check.")
		s.Lacks("it belongs to no order here").Press("s")
		s.Lacks("Have you found")
	})
	t.Run("the oldest comes first, and each is reviewed separately", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).paidElsewhere("REF_800002", 5000).Enter()
		s.Sees("4 000 Ar, REF_800001", "  5 000   REF_800002").Press("s")
		s.paidElsewhere("REF_800003", 6000).Sees("Have you found REF_800001")
		s.Keys("enter").Look().Sees("5 000 Ar, REF_800002").Press("s")
		s.Keys("enter").Look().Sees("6 000 Ar, REF_800003").Lacks("REF_800002")
	})
	t.Run("an invalid amount is shown as it was sent", func(t *testing.T) {
		s := open(t)
		event := shoptest.Event(stranger("REF_800001", 1), payments.PaymentSuccess, "")
		event.Amount = payments.TextValue("4000,5\x1b[31m")
		s.Hear(event)
		event.OrderReference, event.Amount = "REF_800002", payments.Value{}
		s.Hear(event)
		s.Advance(payments.OrphanGrace)
		s.Look().Enter().Sees("4000,5[31m, REF_800001").Press("s", "enter")
		s.Look().Sees("nothing, REF_800002")
	})
	t.Run("a store error is shown", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).Enter().Keys("s")
		s.Break()
		s.Keys("enter").Sees("It could not be written to disk.")
		s.Mend()
		s.Keys("down").Sees("it belongs to no order here")
	})
	t.Run("the history does not list it", func(t *testing.T) {
		open(t).paidElsewhere("REF_800001", 4000).Enter().Keys("tab").Sees("No order yet.").Lacks("REF_800001").Press("s")
	})
}

// A question without a name is not protected against text that was typed for another screen, nor
// against an Enter that is held down.
func TestEveryQuestionHasAName(t *testing.T) {
	for name, ask := range map[string]func(s *till){
		"a payment without an order": func(s *till) { s.paidElsewhere("REF_800001", 4000).Enter().Keys("s") },
		"a refund":                   func(s *till) { s.paid().Keys("b", "2") },
		"found unpaid":               func(s *till) { s.paid().Keys("u") },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ask(s)
			if asked := s.Harness().Screen.Meaning().Asked; asked == "" {
				t.Errorf("the question has no name\n%s", s.View())
			}
		})
	}
}

func TestAnOrderToCheckStaysChosenWhenAPaymentWithoutOrderComes(t *testing.T) {
	s := open(t)
	for _, sale := range []string{"S1", "S2"} {
		s.Fail(s.Pay(s.Charge(sale)), "Remboursé")
	}
	s.Look().Enter()
	before := under(s)
	s.paidElsewhere("REF_800001", 4000).Sees("NO ORDER")
	s.on(before)
}
