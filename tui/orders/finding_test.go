package orders_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// asksWhy is the first row of the question about a refund that was made in the merchant area.
const asksWhy = "T1-20261121-GT-0001 (9 000 Ar): how much was given back in the merchant area"

func (s *till) paid() *till {
	s.Pay(s.Charge("S1"))
	return s.Enter().Keys("enter")
}

// refund records a refund of a paid order, and opens the order's details.
func (s *till) refund() *till {
	s.paid().Keys("b", "2").Type("broken")
	return s.Keys("enter")
}

func TestAPaidOrderIsRefundedWithAnAmountAndAReason(t *testing.T) {
	t.Run("the reason is in the time line", func(t *testing.T) {
		s := open(t).paid()
		s.Sees("b money back")
		s.Keys("b", "2").Sees(asksWhy, "Esc   back     Enter   records").Fits()
		s.Keys("enter", " ", "enter").Sees(asksWhy)
		if s.Find("T1-20261121-GT-0001").Refunds.Sum() != 0 {
			t.Fatal("a refund was recorded without a reason")
		}
		s.Type("9 000").Press("enter").Sees("Add the reason after the amount.").Press("esc", "b", "2")
		s.Type("Why? y u o refunded!")
		s.Keys("backspace", "enter").Sees("REFUNDED", "by T1", "21/11 12:00", "Why? y u o refunded").Lacks(asksWhy)
		order := s.Find("T1-20261121-GT-0001")
		if refund, _ := order.LastRefund(); refund.Note != "Why? y u o refunded" || refund.By != shoptest.Till || order.Refunds != (payments.Refunds{Area: 9000}) {
			t.Errorf("got the refund %+v", refund)
		}
		if !order.Paid() || order.Status != payments.StatusSuccess || order.Finding != nil {
			t.Error("the refund changed the order's payment")
		}
	})
	t.Run("a part leaves the order paid", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "2").Type("4000 broken")
		s.Keys("enter").Sees("✓ PAID", "Refunded −4 000 Ar #2 by T1", "T1-20261121-GT-0001: 4 000 Ar given back, 4 000 Ar so far").Lacks("from the drawer", "found paid")
		s.Keys("b", "1").Type("5500 too much").Press("enter").Sees("Type an amount of at most 5 000 Ar").Press("esc", "b", "1")
		s.Type("1000 cold").Press("enter").Sees("✓ PAID", "−5 000", "Refunded −1 000 Ar in cash from the drawer #3 by T1")
		s.Keys("b", "2").Sees("Given back so far: 5 000 Ar.", "as in: #2 mistake").Type("#2 a mistake")
		s.Keys("enter").Sees("✓ PAID", "−1 000", "Refunds taken back +4 000 Ar #4 by T1")
		s.Keys("b", "2").Type("#2 again").Press("enter").Sees("no refund of this sale with this number can be taken back")
		s.Keys("esc").Sees("−1 000 Ar")
	})
	t.Run("of an order to check, it says that it was paid", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "1").Lacks("This also records that it was paid.").Press("esc")
		s.Fail(s.Find("T1-20261121-GT-0001"), "Remboursé")
		s.Look().Keys("b", "1").Sees("This also records that it was paid.").Type("broken")
		s.Keys("enter").Sees("◇ REFUNDED", "MARKED PAID by T1")
	})
	t.Run("while an event contradicts the payment, it hides nothing", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "1").Type("4000 broken")
		s.Fail(s.Find("T1-20261121-GT-0001"), "Remboursé")
		s.Keys("enter")
		if order := s.Find("T1-20261121-GT-0001"); !order.NeedsAttention(s.Now()) || order.Finding != nil || order.Refunds.Sum() != 0 {
			t.Errorf("the cashier saw PAID, and recorded %+v and %+v", order.Finding, order.Refunds)
		}
	})
	t.Run("cash of an order that was then found unpaid is corrected", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "1").Type("broken").Press("enter").Sees("◇ REFUNDED", "b money back")
		s.Keys("u").Type("not there").Press("enter").Sees("◇ MARKED UNPAID")
		s.Keys("b").Lacks("Money back: how?").Sees("as in: #2 mistake").Type("#2 a mistake") // There is only one way.
		s.Keys("enter").Sees("◇ MARKED UNPAID").Lacks("b money back")
	})
	t.Run("a refund at another till closes the question", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "1").Type("3000 wet rice")
		s.Refund("T1-20261121-GT-0001", 4000, true)
		s.Look().Sees("−4 000").Lacks("› 3000")
	})
	t.Run("Esc cancels", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "2").Type("refunded").Press("esc").Lacks(asksWhy).Sees("✓ PAID")
		s.Keys("b", "2").Sees(asksWhy).Lacks("› refunded").Press("esc", "esc", "esc")
		s.Left(1)
		tuitest.Equal(t, s.Find("T1-20261121-GT-0001").Refunds.Sum(), 0, "refunds")
	})
	t.Run("a new outcome closes the question", func(t *testing.T) {
		s := open(t).paid()
		s.Keys("b", "2").Type("9000 refunded")
		s.Fail(s.Find("T1-20261121-GT-0001"), "Remboursé")
		s.Look().Sees("! CHECK").Lacks(asksWhy, "› 9000")
		s.Keys("u").Sees("T1-20261121-GT-0001 is proven paid (9 000 Ar). Why should it not count?").Type("not in the merchant area")
		s.Keys("enter").Sees("◇ MARKED UNPAID")
	})
	t.Run("so does a payment that leaves the order to check", func(t *testing.T) {
		s := open(t)
		short := shoptest.Event(s.Charge("S1"), payments.PaymentSuccess, "")
		short.Amount = payments.AmountValue(8000)
		s.Hear(short)
		s.Enter().Keys("enter", "u").Type("8000 is not 9000")
		s.Pay(s.Find("T1-20261121-GT-0001"))
		s.Look().Sees("! CHECK").Lacks("› 8000").Press("enter")
		if s.Find("T1-20261121-GT-0001").Finding != nil {
			t.Error("a finding hides an unseen payment")
		}
	})
	t.Run("a shop with cashiers asks for a PIN after the reason", func(t *testing.T) {
		s := open(t).hire().paid()
		s.Keys("b", "2").Type("9000 broken").Press("enter").Sees("Who answers for this?")
		s.Keys("down").digits(shoptest.SoasPIN).Keys("enter").Sees("Refunded −9 000 Ar #2 by Soa", "Reason: broken")
	})
}

func TestAProvenPaymentIsMarkedUnpaidOnlyWithAReason(t *testing.T) {
	s := open(t).paid()
	s.Keys("u").Sees("T1-20261121-GT-0001 is proven paid (9 000 Ar). Why should it not count?", "For a refund, press Esc", "Nothing is sent").Press("enter")
	s.Type("the merchant area has no such payment").Press("enter").Sees("◇ MARKED UNPAID")
	s.Keys("y").Sees("and was marked unpaid. Count it again?").Press("esc").Sees("◇ MARKED UNPAID")
	s.Keys("y", "enter").Sees("◆ MARKED PAID", "MARKED PAID by T1", "MARKED UNPAID by T1", "Reason: ")
	tuitest.Equal(t, s.Find("T1-20261121-GT-0001").Finding.Kind, payments.FoundPaid, "the finding")
}

func TestAReasonIsTypedAsText(t *testing.T) {
	s := open(t).paid()
	typing := func() bool { return s.Harness().Screen.Meaning().Typing }
	if typing() {
		t.Error("Typing is true before the question")
	}
	s.Press("u")
	if !typing() || len(s.Harness().Screen.ShortHelp()) > 0 {
		t.Error("Typing is false, or the footer names keys, during the question")
	}
	s.Resize(30, 21).Fits()
	s.Type("a reason that is longer than the window is wide").Fits()
	s.Sees("window is wide")
}

func TestAQuestionStaysVisibleInANarrowerWindow(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.Resize(120, 33)
	s.Enter().Keys("b", "2").Sees(asksWhy[:40]).Resize(80, 21).Sees(asksWhy[:40]).Fits().Press("esc", "b", "2")
	s.Lacks(asksWhy[:40])
}

func TestTheCodeOfAValidLinkCanBeShownAgain(t *testing.T) {
	offered := func(s *till) bool { return strings.Contains(s.footer(), "show the code") }
	cases := map[string]struct {
		happened func(s *till, order payments.Order)
		want     bool
	}{
		"while it waits":            {func(*till, payments.Order) {}, true},
		"after a refusal":           {func(s *till, order payments.Order) { s.Fail(order, "") }, true},
		"after a cancel":            {func(s *till, order payments.Order) { s.Hear(shoptest.Event(order, payments.PaymentCanceled, "")) }, true},
		"not after it expired":      {func(s *till, order payments.Order) { s.Hear(shoptest.Event(order, payments.PaymentExpired, "")) }, false},
		"not after the link's time": {func(s *till, _ payments.Order) { s.Advance(10 * time.Minute) }, false},
		"not when it is paid":       {func(s *till, order payments.Order) { s.Pay(order) }, false},
		"not when another amount is paid": {func(s *till, order payments.Order) {
			order.Amount++
			s.Pay(order)
		}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.Charge("S1")
			c.happened(s, order)
			s.Enter().Keys("enter").Sees("Link until")
			tuitest.Equal(t, offered(s), c.want, "the code key is enabled")
			s.Press("o")
			if wanted := shoptest.Received[live.CodeWanted](s.Harness()); (len(wanted) == 1 && wanted[0].Order.Reference == order.Reference) != c.want {
				t.Errorf("the code was requested %d times", len(wanted))
			}
		})
	}
	t.Run("not when it is marked paid", func(t *testing.T) {
		s := open(t).failed()
		if s.Keys("y", "enter").Sees("MARKED PAID"); offered(s) {
			t.Error("the code key is enabled")
		}
	})
}

// The keys for the ways to give money back are numbers. After a refund at another till, a number
// may be another way.
func TestARefundAtAnotherTillClosesTheChoiceOfAWay(t *testing.T) {
	s := open(t).paid()
	s.Keys("b").Sees("1   cash from the drawer")
	s.Refund("T1-20261121-GT-0001", 0, false)
	s.Look().Keys("1").Lacks("how much was given back")
}
