package sale_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/sale"
)

func TestASaleThatHadBeenChargedIsOver(t *testing.T) {
	charged := func(sales ...payments.Sale) func(sale.Model) (sale.Model, tea.Cmd) {
		return func(m sale.Model) (sale.Model, tea.Cmd) { return m.Charged(sales) }
	}
	t.Run("when it is on the screen as it was charged; what was typed stays", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Type("Sav")
		d.Send(charged(alone(d).Screen.Sale())).Sees("Type what the customer takes", "› Sav").Lacks("Vary")
	})
	t.Run("also while a line is corrected", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Press("up", "enter").Sees("› Vary 3500")
		d.Send(charged(alone(d).Screen.Sale())).Sees("Type what the customer takes").Lacks("Vary 3500 x")
	})
	t.Run("when it is held, and its list is open", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500")
		before := alone(d).Screen.Sale()
		d.Send(hold).Press("enter").Send(hold).Sees("Held sales").Press("delete").Send(charged(before)).Lacks("Held sales")
		if held := alone(d).Screen.Held(); held != 0 {
			t.Errorf("%d sales are held", held)
		}
	})
}
