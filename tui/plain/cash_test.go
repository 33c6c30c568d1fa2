package plain_test

import (
	"testing"

	"checkout/till/payments"
)

func TestCashIsTakenInLineMode(t *testing.T) {
	c := open(t)
	c.types("Riz 3500 x2", "cash 5000").sees("2 000 Ar are missing").types("cash x").sees("whole number")
	c.types("cash 10 000").sees("CASH: 7 000 Ar, given 10 000 Ar, change 3 000 Ar. T1-C-000001")
	c.types("total").sees("The sale is empty.")
	c.types("coca", "cash").sees("CASH: 2 000 Ar, given 2 000 Ar, change 0 Ar. T1-C-000002")
	t.Run("also while payments cannot be seen", func(t *testing.T) {
		c.health.Store(&payments.Health{})
		c.tick().types("coca", "charge").sees("Payments cannot be seen").lacks("?").types("cash 5000").sees("change 3 000 Ar. T1-C-000003")
	})
	if calls := len(c.Calls()); calls != 0 {
		t.Errorf("the service was called %d times", calls)
	}
}
