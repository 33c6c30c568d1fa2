package tui_test

import (
	"testing"

	"checkout/till/tui/pay"
)

func TestTheLinesOfAnOrderComeBackToBeCorrected(t *testing.T) {
	t.Run("while its link can be paid, after a question", func(t *testing.T) {
		c := open(t)
		first := c.charge()
		c.press("r").Sees("The link can still be paid until", "Correct its lines", "Enter yes · Esc no")
		c.press("esc").Sees("… WAITING", "9 000 Ar")
		c.press("r", "enter").Sees("Its lines are back", "1 Vary", "2 Coca", "Total  9 000 Ar", "1 waiting")
		at(t, c.Counter).Sees("1 Vary", "2 Coca", "Total  9 000 Ar")
		c.press("up", "+", "esc").enter("", "").Sees("… WAITING", "11 000 Ar")
		second := c.newest()
		if second.Sale != first.Sale || second.Reference == first.Reference {
			t.Errorf("the orders are %+v and %+v: not two of one sale", first, second)
		}
		c.Pay(second)
		c.wake().Sees("✓ PAID", "11 000 Ar")
		c.after(pay.Grace).press("enter").Sees("A new sale.")
		c.Pay(first)
		c.wake().Sees("! CHECK")
	})
	t.Run("after a refusal, which is seen then", func(t *testing.T) {
		c := open(t)
		c.Fail(c.charge(), "Solde insuffisant")
		c.wake().after(pay.Grace).Sees("✗ NOT PAID: refused")
		c.press("r", "enter").wake().Sees("Its lines are back", "Total  9 000 Ar").Lacks("F2 shows it")
	})
	t.Run("beside a sale that was begun meanwhile", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.serve().enter("Savony 1200").press("f4", "enter").Sees("… WAITING")
		c.press("r", "enter").Sees("Its lines are held as 1", "1 Savony", "Total  1 200 Ar", "1 held")
	})
	t.Run("but not of one that is paid", func(t *testing.T) {
		c := open(t)
		c.Pay(c.charge())
		c.wake().after(pay.Grace).Lacks("correct the lines")
		c.press("r").Sees("✓ PAID").Lacks("Its lines are back")
	})
}
