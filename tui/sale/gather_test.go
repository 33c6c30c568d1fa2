package sale_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest/counter"
)

// gathered tells the screen what came of the gathering.
func gathered(done payments.Gathered) func(sale.Model) (sale.Model, tea.Cmd) {
	return func(m sale.Model) (sale.Model, tea.Cmd) { return m.Gathered(done) }
}

// found is a sale that came from the shop's database.
func found(id, name string) payments.Gathered {
	return payments.Gathered{Found: []payments.Sale{{
		ID: id, Till: counter.Till, Name: name, UpdatedAt: counter.Opening().Add(-time.Hour),
		Items: []payments.Item{{Label: "Savony", UnitPrice: 500, Quantity: 1}},
	}}}
}

func TestASaleThatWasFoundIsThere(t *testing.T) {
	t.Run("on the screen when nothing else is", func(t *testing.T) {
		d := drive(t, desk(t, open(t))).Type("Va").Send(gathered(found("S1", "")))
		d.Sees("1 Savony", "Total  500 Ar", "> Va")
		d.Send(gathered(found("S1", ""))).Sees("Total  500 Ar")
		if held := alone(d).Screen.Held(); held != 0 {
			t.Errorf("%d sales are held", held)
		}
	})
	t.Run("among those that are held when one is entered", func(t *testing.T) {
		c := open(t)
		d := enter(drive(t, desk(t, c)), "Vary 3500").Send(gathered(found("S1", "")), gathered(found("S2", "Rina")))
		d.Send(gathered(found("S1", ""))).Sees("1 Vary", "Total  3 500 Ar")
		if held := alone(d).Screen.Held(); held != 2 {
			t.Errorf("%d sales are held", held)
		}
		expect(t, c, "", "1") // The one that had a name was written by who found it.
	})
}

func TestASaleThatHadBeenChargedIsOver(t *testing.T) {
	charged := func(sales ...payments.Sale) func(sale.Model) (sale.Model, tea.Cmd) {
		return gathered(payments.Gathered{Closed: sales})
	}
	t.Run("when it is on the screen as it was charged; what was typed stays", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Type("Sav")
		d.Send(charged(alone(d).Screen.Sale())).Sees("A new sale", "> Sav").Lacks("Vary")
	})
	t.Run("also while a line is corrected", func(t *testing.T) {
		d := enter(drive(t, desk(t, open(t))), "Vary 3500").Press("up", "enter").Sees("> Vary 3500")
		d.Send(charged(alone(d).Screen.Sale())).Sees("A new sale").Lacks("Vary 3500 x")
	})
	t.Run("and stays with the lines that it has besides", func(t *testing.T) {
		c := open(t)
		d := enter(drive(t, desk(t, c)), "Vary 3500")
		before := alone(d).Screen.Sale()
		enter(d, "Coca 2000").Send(charged(before)).Sees("Total  5 500 Ar")
		if lines := stored(t, c); len(lines) != 2 {
			t.Errorf("on disk are %+v", lines)
		}
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
