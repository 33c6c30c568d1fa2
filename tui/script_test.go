package tui_test

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/tuitest/counter"
)

func phones(c *console) { c.config.Address = "http://192.168.1.20:41234" }

// plays gives the console a script that presses no key; tests press them.
func plays(c *console) { c.config.Script = func(context.Context, func(tea.KeyMsg)) {} }

func TestTheDemoSaysWherePhonesFindIt(t *testing.T) {
	c := open(t, demo, phones)
	c.Sees("Phones: http://192.168.1.20:41234", "DEMO: no real money", "Type what the customer takes")
	c.press("f3").Sees("Phones: http").Press("esc")
	c.Resize(20, 10).Sees("Phones: http://192").Fits().Resize(80, 24)
	t.Run("but what a cashier must know comes first", func(t *testing.T) {
		c.Pay(c.Charge("S1", counter.Coca()))
		c.wake().Sees("✓ PAID", "F2  Show").Lacks("Phones")
		c = open(t, demo, phones)
		c.health.Refused = 1
		c.Sees("Webhooks refused").Lacks("Phones")
	})
}
