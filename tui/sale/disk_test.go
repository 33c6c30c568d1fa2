package sale_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/sale"
)

func TestSalesAreBackAfterARestart(t *testing.T) {
	c := open(t)
	first := enter(drive(t, desk(t, c.Store())), "Savony 500")
	enter(first.Send(hold), "Rina")
	enter(first, "Vary 3500 x2", "Coca 2000").Press("up", "+")
	again := drive(t, desk(t, c.Store())).Sees("The previous sale is back.", " 2  Coca", "charges 11 000")
	if before, after := alone(first).Screen.Cart().Sale.ID, alone(again).Screen.Cart().Sale.ID; before != after {
		t.Errorf("the sale was called %s and is called %s", before, after)
	}
	again.Type("S").Lacks("The previous sale").Press("esc", "ctrl+z").Sees("charges 11 000")
	again.Send(reset, hold).Sees("› Rina").Press("enter").Sees("1  Savony")
}

func TestADiskThatFailsIsSaidAndNothingIsLost(t *testing.T) {
	const fault = "It could not be written to disk."
	c := open(t)
	d := drive(t, desk(t, c.Store()))
	c.Break()
	drive(t, desk(t, c.Store())).Sees(fault)
	enter(d, "Vary 3500").Sees(" 1  Vary", "charges 3 500", fault)
	c.Mend()
	enter(d, "Coca 2000").Lacks(fault)
	if got := stored(t, c); len(got) != 2 {
		t.Errorf("on disk is %v, want both lines", got)
	}
	d.Press("enter")
	c.Break()
	d.Press("enter").Sees(fault, "charges 5 500").Lacks("Charge")
	if got := charged(d); len(got) != 0 {
		t.Errorf("charged %v, which is not on disk", got)
	}
	c.Mend()
	if got := charged(d.Press("enter", "enter")); len(got) != 1 {
		t.Errorf("charged %v, want it once", got)
	}
}

func TestAnOlderStateNeverLandsOnANewerOne(t *testing.T) {
	at := &drawer{}
	s := slow{screen: desk(t, at)}
	for _, entry := range []string{"Vary 1", "Vary 2", "Vary 3"} {
		s.enter(entry)
	}
	if len(s.cmds) != 1 {
		t.Fatalf("%d writes are under way, want one", len(s.cmds))
	}
	s.next()
	if len(s.cmds) != 1 || len(at.kept.Items) != 1 {
		t.Fatalf("after the first write %d are under way and %v is on disk", len(s.cmds), at.kept.Items)
	}
	s.next()
	if len(s.cmds) != 0 || at.saves != 2 || len(at.kept.Items) != 3 {
		t.Fatalf("%d writes put %v on disk, %d more to come", at.saves, at.kept.Items, len(s.cmds))
	}
}

func TestHoldingEnterChargesOnce(t *testing.T) {
	hold := func(s *slow) {
		for range 20 {
			s.press(tea.KeyEnter)
		}
	}
	t.Run("O12 while the sale is written, and while the charge is on its way", func(t *testing.T) {
		s := slow{screen: desk(t, &drawer{})}
		s.enter("Vary 3500")
		hold(&s)
		s.next() // The line's write; the charge waits for its own.
		hold(&s)
		s.next()
		if len(s.cmds) != 1 {
			t.Fatalf("%d commands are under way, want the charge alone", len(s.cmds))
		}
		hold(&s)
		s.send(tea.KeyMsg{Type: tea.KeyCtrlZ})
		if len(s.cmds) != 1 {
			t.Fatalf("%d commands are under way, want the charge alone", len(s.cmds))
		}
		msg, ok := s.next().(sale.ChargeRequested)
		if !ok || len(msg.Terms.Items) != 1 || len(s.cmds) != 0 {
			t.Errorf("charged %+v, and %d commands follow", msg, len(s.cmds))
		}
	})
	t.Run("O12 the charge has all lines, be their write still under way", func(t *testing.T) {
		at := &drawer{}
		s := slow{screen: desk(t, at)}
		s.enter("Vary 3500")
		s.enter("Coca 2000")
		hold(&s)
		for len(s.cmds) > 0 {
			if msg, ok := s.next().(sale.ChargeRequested); ok && (len(msg.Terms.Items) != 2 || len(at.kept.Items) != 2) {
				t.Errorf("charged %v while %v was on disk", msg.Terms.Items, at.kept.Items)
			}
		}
	})
}
