package orders_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAnOpenOrderIsUpdated(t *testing.T) {
	s := open(t)
	order := s.Fail(s.Charge("S1"), "Solde insuffisant")
	s.Enter().Keys("enter").Sees("✗ NOT PAID: refused", "Reason: Solde insuffisant", "Paid at           —")
	s.Pay(order)
	s.Look().Sees("✓ PAID").Lacks("Paid at           —", "Reason:")
	s.Fail(order, "autre")
	s.Look().Sees("! CHECK", "Do not ask for money again", "Reason: autre")
}

func TestALongOrderScrolls(t *testing.T) {
	s := open(t)
	items := make([]payments.Item, 40)
	for i := range items {
		items[i] = shoptest.Coca()
	}
	s.Fail(s.Charge("S1", items...), "Solde insuffisant")
	s.Enter().Keys("enter").Sees("T1-20261121-GT-0001", "NOT PAID").Lacks("Link until").Fits()
	s.Keys("down").Lacks("NOT PAID").Fits()
	s.Keys("up")
	for range 60 {
		s.Press("down")
	}
	s.Sees("Link until", "Refused").Lacks("NOT PAID").Fits()
	s.Press("u").Sees("NOT paid?").Press("esc")
	s.Resize(80, 60).Sees("T1-20261121-GT-0001", "Link until").Fits()
	s.Resize(80, 21)
	s.Keys("down", "up", "up").Sees("T1-20261121-GT-0001")
	s.Keys("down", "esc", "enter").Sees("T1-20261121-GT-0001")
}

func TestALateAnswerOpensNoOrder(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.Enter().Hold().Keys("enter", "esc")
	s.Left(1)
	s.Release().Lacks("Link until")
	s.Enter().Keys("enter").Sees("Link until")
	s.Hold().Look().Keys("esc")
	s.Release().Lacks("Link until").Sees("History")
}

func TestAFindingIsRecordedAfterAQuestion(t *testing.T) {
	cases := map[string]struct {
		key, question, answers, reason, verdict string
		want                                    payments.Verdict
	}{
		"paid":   {"y", "that T1-20261121-GT-0001 is PAID?", "Esc   back     Enter   records", "", "◆ MARKED PAID", payments.VerdictMarkedPaid},
		"unpaid": {"u", "The service reported a payment. Type what you saw there instead.", "Esc   back     Enter   records", "looked", "◇ MARKED UNPAID", payments.VerdictMarkedUnpaid},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			event := shoptest.Event(s.Charge("S1"), payments.PaymentSuccess, "")
			event.Amount = payments.AmountValue(8500)
			s.Hear(event)
			s.Enter().Keys("enter").Sees("! CHECK", "Paid, the service says: 8 500 Ar").Press(c.key).Sees(c.question, c.answers)
			s.Keys("x", "tab", "m", "down").Sees(c.question).Press("esc").Lacks(c.question)
			if s.Find("T1-20261121-GT-0001").Finding != nil {
				t.Fatal("a finding was recorded without a yes")
			}
			s.Keys(c.key).Type(c.reason)
			s.Keys("enter").Sees(c.verdict, "by T1", "Recorded: "+c.verdict).Lacks(c.question, "! CHECK")
			order := s.Find("T1-20261121-GT-0001")
			if got := order.Verdict(payments.Conditions{}, s.Now()); got != c.want || order.Status != payments.StatusSuccess {
				t.Errorf("got the verdict %s and the status %s", got, order.Status)
			}
		})
	}
	t.Run("a store error is shown until Esc, which stays in the order", func(t *testing.T) {
		s := open(t)
		s.Fail(s.Charge("S1"), "")
		s.Enter().Keys("enter", "u")
		s.Break()
		s.Keys("enter").Sees("It could not be written to disk.").Press("down").Lacks("written to disk")
		s.Keys("u", "enter").Sees("It could not be written to disk.").Press("esc").Sees("NOT PAID", "Link until").Lacks("written to disk")
	})
}

func TestAnEventThatMatchesALostOrderIsProposed(t *testing.T) {
	t.Run("a person confirms", func(t *testing.T) {
		s := open(t)
		lost := s.lose()
		s.orphan(lost, "REF_\x1b[2J900")
		s.Enter().Keys("enter").Sees(
			"? UNKNOWN", "An event without an order matches this one:",
		)
		s.Keys("m").Sees("Is the service's order REF_[2J900 this order?", "Enter   records").Press("esc")
		if got := s.Find(lost.Reference).Status; got != payments.StatusUnknown {
			t.Fatalf("without a yes got the status %s, want unknown", got)
		}
		s.Keys("m", "enter").Sees("✓ PAID", "Service           REF_[2J900").Lacks("matches this one")
		s.Look().Fits()
	})
	t.Run("an event with another amount is not proposed", func(t *testing.T) {
		s := open(t)
		lost := s.lose()
		lost.Amount++
		s.orphan(lost, "REF_900")
		s.Enter().Keys("enter").Sees("? UNKNOWN").Lacks("matches this one").Press("m").Lacks("this order?")
	})
	t.Run("once the call of another program counts as interrupted", func(t *testing.T) {
		s := open(t)
		crashed := shoptest.New(t, s.Store())
		crashed.Reply(func(order payments.Order) (payments.Created, error) {
			crashed.Break()
			return crashed.Accept(order)
		})
		s.orphan(crashed.Charge("S1"), "REF_900")
		s.Enter().Keys("/").Keys("enter", "enter").Sees("SENDING").Lacks("matches this one")
		s.Advance(payments.CallLimit + time.Second)
		read, err := s.Service.Overview(t.Context(), shoptest.Till, s.Now(), 200)
		tuitest.Must(t, err)
		s.Send(counter.Picture{Now: s.Now()}.Take(read, s.Now())).Sees("? UNKNOWN", "matches this one") // Nothing has changed in the store.
	})
	t.Run("an event that was matched elsewhere is not proposed", func(t *testing.T) {
		s := open(t)
		lost := s.lose()
		s.orphan(lost, "REF_900")
		s.Enter().Keys("enter", "m")
		tuitest.Must(t, s.Match(t.Context(), lost.Reference, "REF_900", staff.Identity{}))
		s.Look().Sees("✓ PAID").Lacks("this order?")
	})
}

func TestTheFooterNamesTheEnabledKeys(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.Enter()
	s.offers("enter open, / search, tab To check, esc back, ")
	s.Keys("enter")
	s.offers("p receipt, b money back, esc back, ")
	s.Keys("tab").Sees("Link until")
	s.Fail(s.Find("T1-20261121-GT-0001"), "")
	s.Look().Sees("! CHECK")
	s.offers("y found paid, u unpaid, b money back, esc back, ")
}

func TestTheKeyThatSettlesADisputeIsFirst(t *testing.T) {
	for name, order := range map[string]struct {
		happened func(s *till)
		want     string
	}{
		"a waiting order":                      {func(s *till) { s.Charge("S1") }, "y"},
		"a failed order":                       {func(s *till) { s.Fail(s.Charge("S1"), "") }, "y"},
		"a lost order with an unmatched event": {func(s *till) { s.orphan(s.lose(), "REF_900") }, "m"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order.happened(s)
			if s.Enter().Keys("enter"); !strings.HasPrefix(s.footer(), order.want+" ") {
				t.Errorf("the keys are %q, want %q first\n%s", s.footer(), order.want, s.View())
			}
		})
	}
}

func TestAMatchAndAReviewNeedAPINInAShopWithCashiers(t *testing.T) {
	t.Run("a match", func(t *testing.T) {
		s := open(t).hire()
		lost := s.lose()
		s.orphan(lost, "REF_900")
		s.Enter().Keys("enter", "m", "enter").Sees("PIN")
		if s.Find(lost.Reference).OrderReference != "" {
			t.Fatal("the order was matched without a PIN")
		}
		s.digits("0007").Keys("enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		tuitest.Equal(t, s.Find(lost.Reference).OrderReference, "REF_900", "the matched order")
	})
	t.Run("a review of a payment without order", func(t *testing.T) {
		s := open(t).hire()
		s.paidElsewhere("REF_800001", 4000).Enter().Keys("s", "enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		if s.Look(); strings.Contains(s.View(), "REF_800001") {
			t.Error("the payment is still listed after its review")
		}
	})
}

func TestAFindingAboutAnOutdatedStateIsNotRecorded(t *testing.T) {
	s := open(t)
	order := s.Fail(s.Charge("S1"), "")
	s.Enter().Keys("enter", "u")
	s.Pay(order) // The screen has not read this payment yet.
	s.Keys("enter").Sees("The order has changed in the meantime", "✓ PAID")
	tuitest.Equal(t, s.Find(order.Reference).Verdict(payments.Conditions{}, s.Now()), payments.VerdictPaid, "the verdict")
}
