package pay_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAnOutcomeAppearsByItselfAndStays(t *testing.T) {
	cases := map[string]struct {
		kind payments.EventKind
		want []string
	}{
		"paid":     {payments.PaymentSuccess, []string{"✓ PAID", "Enter  next sale"}},
		"canceled": {payments.PaymentCanceled, []string{"✗ NOT PAID: cancelled", "The customer cancelled."}},
		"expired":  {payments.PaymentExpired, []string{"✗ NOT PAID: expired", "The time is over."}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.charge()
			s.Press("l")
			s.Hear(shoptest.Event(order, c.kind, "Solde insuffisant"))
			s.Look().noCode()
			s.Press("enter", "esc", "n", "s", "l", "c", "x", "enter")
			s.left(0).made(1).called(1).acknowledged(order, false)
			s.Advance(counter.Grace - time.Millisecond)
			s.Press("enter")
			s.left(0)
			s.After(time.Hour).Sees(c.want...).Sees("9 000 Ar", order.Reference).Lacks("Reason:")
			s.Press("enter")
			s.left(1).acknowledged(order, true)
		})
	}
}

// The customer has paid a part of the sale in cash.
func TestAnUnpaidRestDoesNotSayThatNothingIsPaid(t *testing.T) {
	s := open(t)
	order, err := s.Checkout(t.Context(), s.SellPart(shoptest.Terms("S1"), 3000))
	tuitest.Must(t, err)
	s.desk.Show(order)
	s.Settle()
	s.Fail(order, "Solde insuffisant")
	s.Look().Sees("The rest is not paid.").Lacks("Nothing")
	s.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
	s.Look().Sees("The time is over. The rest is not paid.").Lacks("Nothing")
}

func TestAnOutcomeDoesNotMoveWhenItsKeysAppear(t *testing.T) {
	for name, happens := range map[string]func(s *till){
		"paid":    func(s *till) { s.Pay(s.charge()) },
		"unknown": func(s *till) { s.Reply(shoptest.Silence()); s.charge() },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			happens(s)
			before := strings.Split(s.Look().Lacks("Enter").View(), "\n")
			after := strings.Split(s.grace().Sees("Enter").View(), "\n")
			for i, row := range before {
				if strings.Trim(row, "▒ ") != "" && after[i] != row {
					t.Errorf("row %d was %q and is %q", i, row, after[i])
				}
			}
		})
	}
}

func TestARefusedCustomerCanTryAgainUntilTheOrderEnds(t *testing.T) {
	for name, ends := range map[string]func(s *till, order payments.Order){
		"over": func(s *till, _ payments.Order) { s.After(10 * time.Minute) },
		"given up": func(s *till, order payments.Order) {
			if _, err := s.Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{}); err != nil {
				t.Error(err)
			}
		},
	} {
		s := open(t)
		order := s.charge()
		s.Fail(order, "")
		s.Look().shows(order)
		ends(s, order)
		s.Look().noCode().Sees("✗ NOT PAID: refused").Lacks("try again")
		t.Log(name)
	}
}

func TestASaleWhoseOrderIsBeingCreatedSaysSo(t *testing.T) {
	s := open(t)
	terms := shoptest.Terms("S9")
	terms.Reference = "elsewhere"
	order, err := payments.NewOrder(terms, s.Now())
	if err == nil {
		err = s.database.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
	}
	if err != nil {
		t.Error(err)
	}
	s.charges(shoptest.Terms("S9")).Sees("An order of this sale is being created.")
}

func TestLeavingAnOrderToCheckDoesNotAsk(t *testing.T) {
	s := open(t)
	event := shoptest.Event(s.charge(), payments.PaymentSuccess, "")
	event.Amount = payments.AmountValue(8999)
	s.Hear(event)
	s.Look().grace().Sees("! CHECK").Press("enter").Lacks("can still be paid")
	s.left(1)
}

func TestTypingAtAnOutcomeAsksForEnterFirst(t *testing.T) {
	s := open(t)
	order := s.charge()
	s.Pay(order)
	s.Look().grace().Press("v").Sees("✓ PAID", "Press Enter first, then type the next sale.").Press("enter")
	s.left(1)
}

func TestOnlyTheOutcomeThatWasReadIsAcknowledged(t *testing.T) {
	t.Run("a payment arrives just before the key", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Fail(order, "")
		s.Look().grace().Sees("Payment refused")
		s.Pay(order) // The screen has not read the payment yet.
		s.Press("enter").Sees("Its link can be paid until").Press("enter").Sees("✓ PAID").Press("enter")
		s.left(0).acknowledged(order, false)
		s.grace().Press("enter")
		s.left(1)
	})
	t.Run("a contradicting event arrives just before the key", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Pay(order)
		s.Look().grace()
		s.Fail(order, "trop tard")
		s.Look().Sees("! CHECK", "Do not ask for money again").Lacks("NOT PAID", "✓").Press("enter")
		s.left(0)
		s.grace().Press("n")
		s.made(1)
	})
}

func TestOrderCallsWithoutALink(t *testing.T) {
	t.Run("it is not sent again while payments cannot be seen", func(t *testing.T) {
		s := open(t)
		s.Reply(shoptest.Unreachable())
		s.charge()
		s.Reach = payments.ReachUnconfirmed
		s.Look().Press("s")
		s.Reach = payments.ReachNotListening
		s.Press("s").Sees("No payment can be seen")
		s.called(2)
	})
	t.Run("leaving an order that was not sent does not ask", func(t *testing.T) {
		s := open(t)
		s.Reply(shoptest.Unreachable())
		s.charge()
		s.Press("esc")
		s.left(1)
	})
	t.Run("the store fails before the call", func(t *testing.T) {
		s := open(t)
		s.Hold()
		s.begin()
		s.Break()
		s.Release().noCode().Sees("It could not be written to disk.")
		s.called(0)
		s.Press("n", "s", "enter").Press("esc")
		s.left(1)
	})
	t.Run("the disk has no room for an order", func(t *testing.T) {
		s := open(t)
		s.Fill()
		s.begin().noCode().Sees("NO ORDER", "The disk is nearly full, so no order was made.", "Free some space").Lacks("WAITING")
		s.called(0)
		s.Mend()
		s.charge()
		s.shows(s.newest())
	})
	t.Run("another till sent the same order again", func(t *testing.T) {
		s := open(t)
		s.Reply(shoptest.Unreachable())
		order := s.charge()
		s.Reply(s.Accept)
		terms := shoptest.Terms("S1")
		terms.Reference = order.Reference
		_, err := s.Checkout(t.Context(), terms)
		tuitest.Must(t, err)
		s.Press("s").Sees("This order was already sent").Lacks("disk")
		s.shows(s.newest())
		s.called(2)
	})
	t.Run("the store fails after the call", func(t *testing.T) {
		s := open(t)
		s.Reply(func(order payments.Order) (payments.Created, error) {
			s.Break()
			return s.Accept(order)
		})
		s.begin().Look().noCode().Sees("? UNKNOWN", "It could not be written to disk.")
		s.Mend()
		s.Look().noCode().Sees("? UNKNOWN").Lacks("SENDING")
		tuitest.Equal(t, len(s.accepted()), 0, "accepted orders")
	})
}

func TestAPaidSaleCannotBePaidAgain(t *testing.T) {
	start := func(t *testing.T) (s *till, first, second payments.Order) {
		s = open(t)
		first = s.charge()
		s.Press("n", "enter")
		return s, first, s.Look().newest()
	}
	t.Run("the code disappears when the earlier order is paid", func(t *testing.T) {
		s, first, second := start(t)
		s.shows(second)
		s.Pay(first)
		s.Look().noCode().Sees("◇ PAID OTHERWISE", "Another order of this sale is paid.").Press("l", "c", "n")
		s.noCode()
		s.made(2)
		tuitest.Equal(t, len(s.copied), 0, "copied links")
		s.grace().Press("esc")
		s.left(1)
	})
	t.Run("the code stays hidden after the payment was acknowledged", func(t *testing.T) {
		s, first, second := start(t)
		s.Pay(second)
		s.Look().grace().Press("enter")
		s.Look().reopen(first).Look().noCode().Sees("Another order of this sale is paid.").Press("n", "l")
		s.After(time.Minute).noCode()
		s.made(2)
	})
	t.Run("the code of an earlier order is hidden until the order is read", func(t *testing.T) {
		s, first, _ := start(t)
		s.Hold()
		s.reopen(first).Look().noCode().Sees("… WAITING")
		s.Release().shows(first).Sees("10:00")
	})
	t.Run("the code is hidden while the store cannot be read", func(t *testing.T) {
		s, first, _ := start(t)
		s.Break()
		s.reopen(first).noCode()
		s.Mend()
		s.noCode()
		s.Look().shows(first)
	})
}

func TestAPaidOrderOpensNoPageAndReturnsNoLines(t *testing.T) {
	s := open(t)
	s.Pay(s.charge())
	s.Look().grace()
	s.Press("o", "r")
	s.noCode().Sees("✓ PAID").Lacks("browser")
}

func TestAReceiptLeavesTheWordTheAmountAndTheKeysOnTheScreen(t *testing.T) {
	s := open(t)
	s.Pay(s.charge())
	s.Look().grace().Press("p")
	for size, want := range map[[2]int][]string{
		{40, 15}:  {"✓ PAID", "9 000 Ar"},
		{60, 20}:  {"█▀▀▀ █▀▀█ █ █  █", "9 000 Ar"},
		{50, 30}:  {"█████▄  ▄████▄  ██  █████▄", "▀████▀  ▀████▀ Ar"},
		{80, 24}:  {"█████▄  ▄████▄  ██  █████▄", "▀████▀  ▀████▀  ▀████▀ Ar"},
		{120, 36}: {"██████████        ████████      ████    ██████████"},
	} {
		s.Resize(size[0], size[1]).Sees(want...).Sees("TOTAL", "next sale", "Esc").Fits()
	}
}

func TestEscAcknowledgesPaidButNoOutcomeToDecideAbout(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(s *till, order payments.Order)
		want    bool
	}{
		"paid":     {func(s *till, order payments.Order) { s.Pay(order) }, true},
		"to check": {func(s *till, order payments.Order) { s.Pay(order); s.Fail(order, "Remboursé") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.charge()
			c.happens(s, order)
			s.Look().Press("esc")
			s.left(0)
			s.grace().Press("esc")
			s.left(1).acknowledged(order, c.want)
		})
	}
}

func TestASaleIsNotCalledPaidAfterItsMoneyWasGivenBack(t *testing.T) {
	s := open(t)
	order := s.charge()
	terms := order.Terms()
	terms.Despite = []payments.ObjectionKind{payments.SalePayable}
	cash := s.Sell(terms, shoptest.Cash())
	s.Look().Sees("This sale was paid at the counter")
	s.Void(cash.Number)
	s.Look().Lacks("This sale was paid", "Another order of this sale is paid")
}

func TestAPaidOrderIsShownAfterAllItsMoneyWasGivenBack(t *testing.T) {
	s := open(t)
	order := s.charge()
	s.Pay(order)
	s.Refund(order.Reference, 0, false)
	s.After(time.Hour).Sees("REFUNDED", order.Reference).Lacks("✓ PAID")
}

// The payment in this test is doubtful: the amount in the event is a JSON string instead of a
// number.
func TestChargingASaleAgainAsksFirst(t *testing.T) {
	doubtful := func(order payments.Order) payments.Event {
		event := shoptest.Event(order, payments.PaymentSuccess, "")
		event.Amount = payments.TextValue("9000")
		return event
	}
	for name, c := range map[string]struct {
		happens func(s *till, order payments.Order)
		says    []string
	}{
		"it is paid": {
			func(s *till, order payments.Order) { s.Pay(order) }, []string{"This sale was paid at 12:00. Charge 9 000 Ar once more?"},
		},
		"its payment is doubtful": {
			func(s *till, order payments.Order) { s.Hear(doubtful(order)) }, []string{"may be paid already", "look in the merchant area"},
		},
		"its link is still valid": {func(*till, payments.Order) {}, []string{"The first can be paid until 12:10."}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			c.happens(s, s.charge())
			s.Look().grace().Press("enter")
			s.charges(shoptest.Terms("S1")).Sees(c.says...).Sees("Esc   back     Enter   new code").Press("x", "n", "esc")
			s.made(1).called(1)
			s.charges(shoptest.Terms("S1")).Press("enter") // This is before the grace period ends.
			s.Look().made(1).grace().Press("enter")
			s.Look().made(2).shows(s.newest())
		})
	}
}

// When a database server fails and another one replaces it, orders and payments may be lost that
// the screen has already shown.
func TestAnOrderMissingFromTheDatabaseIsNotShownAsPaid(t *testing.T) {
	t.Run("it is unknown until the order is back", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Pay(order)
		s.Look().Sees("✓ PAID")
		before := s.takeOver()
		s.Look().noCode().Sees("? UNKNOWN", order.Reference, "The database no longer has this order.").Lacks("✓", "n  new code", "n new code")
		s.grace().Press("n", "s", "l")
		s.called(1)
		s.database.Store = before
		s.Look().Sees("✓ PAID")
		s.takeOver()
		s.Look().grace().Press("enter")
		s.left(1)
	})
	t.Run("an order that lost its payment waits again", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Pay(order)
		s.Look().Sees("✓ PAID")
		s.takeOver()
		err := s.database.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
		tuitest.Must(t, err)
		s.Look().shows(order).Sees("… WAITING")
	})
}

// takeOver replaces the database by an empty one, and returns the old one.
func (s *till) takeOver() (before drawer.Store) {
	s.t.Helper()
	before, s.database.Store = s.database.Store, shoptest.Database(s.t)
	return before
}
