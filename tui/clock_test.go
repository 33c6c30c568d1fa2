package tui_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/counter"
)

// read opens the oldest unseen outcome, acknowledges it, and returns the view with the outcome. If
// the order can still be paid, acknowledging needs a second Enter.
func (c *console) read() string {
	c.t.Helper()
	view := c.press("f2").View()
	c.after(counter.Grace).press("enter")
	if !strings.Contains(c.View(), "Total") {
		c.press("enter")
	}
	c.wake().Sees("Total")
	return view
}

func TestAClockJumpLosesNoPayment(t *testing.T) {
	cases := []struct {
		name  string
		jump  time.Duration
		board string
	}{
		{"forward past the link's end", time.Hour, "… TIME OVER"},
		{"back by an hour", -time.Hour, "10:00"},
	}
	for _, jump := range cases {
		t.Run(jump.name, func(t *testing.T) {
			c := open(t)
			order := c.charge()
			c.serve().after(jump.jump).press("f4").Sees(jump.board).Lacks("70:00").Press("esc")
			c.Pay(order)
			if c.wake().Lacks("NOT PAID"); strings.Contains(c.read(), "NOT PAID") {
				t.Error("a paid order is shown as NOT PAID")
			}
			if !c.newest().Paid() {
				t.Error("the order is not paid")
			}
		})
	}
}
