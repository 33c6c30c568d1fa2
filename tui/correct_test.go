package tui_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/pay"
	"checkout/till/tui/tuitest/counter"
)

func TestTheLinesOfAnOrderComeBackToBeCorrected(t *testing.T) {
	t.Run("while its link can be paid, which is asked about when they are charged", func(t *testing.T) {
		c := open(t)
		first := c.charge()
		c.press("r").Sees("Its lines are back", "1  Vary", "2  Coca", "9 000", "Waiting  1")
		at(t, c.Counter).Sees("1  Vary", "2  Coca", "charges 9 000")
		c.press("up", "+", "esc").enter("", "").Sees("The earlier link can still be paid until 12:10. Make another one?", "11 000 Ar")
		c.press("esc").Sees("charges 11 000")
		c.enter("", "").press("enter").Sees("… WAITING", "11 000 Ar")
		second := c.newest()
		if second.Sale != first.Sale || second.Reference == first.Reference {
			t.Errorf("the orders are %+v and %+v: not two of one sale", first, second)
		}
		c.Pay(second)
		c.wake().Sees("✓ PAID", "11 000 Ar")
		c.after(pay.Grace).press("enter").Sees("Type what the customer takes")
		c.Pay(first)
		c.wake().Sees("! CHECK")
	})
	t.Run("after the customer gave up, which is seen then", func(t *testing.T) {
		c := open(t)
		c.Hear(counter.Event(c.charge(), payments.PaymentExpired, ""))
		c.wake().after(pay.Grace).Sees("✗ NOT PAID: expired")
		c.press("r").wake().Sees("Its lines are back", "2  Coca").Lacks("F2  Show")
	})
	t.Run("beside a sale that was begun meanwhile", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.serve().enter("Savony 1200").press("f4", "enter").Sees("… WAITING")
		c.press("r").Sees("Its lines are held as 1", "1  Savony", "1 200", "Hold  1")
	})
	t.Run("but not of one that is paid", func(t *testing.T) {
		c := open(t)
		c.Pay(c.charge())
		c.wake().after(pay.Grace).Lacks("correct the lines")
		c.press("r").Sees("✓ PAID").Lacks("Its lines are back")
	})
}
