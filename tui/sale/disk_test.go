package sale_test

import "testing"

func TestSalesAreRestoredAfterARestart(t *testing.T) {
	c := open(t)
	first := enter(drive(t, desk(t, c.Store())), "Savony 500")
	enter(first.Send(hold), "Rina")
	enter(first, "Vary 3500 x2", "Coca 2000").Press("up", "+")
	again := drive(t, desk(t, c.Store())).Sees("The previous sale is back.", " 2  Coca", "charges 11 000")
	if before, after := alone(first).Screen.Counter.Cart().Sale.ID, alone(again).Screen.Counter.Cart().Sale.ID; before != after {
		t.Errorf("the sale's ID was %s and is %s", before, after)
	}
	again.Type("S").Lacks("The previous sale").Press("esc", "ctrl+z").Sees("charges 11 000")
	again.Send(reset, hold).Sees("› Rina").Press("enter").Sees("1  Savony")
}

func TestAWriteErrorIsShownAndNoLineIsLost(t *testing.T) {
	const fault = "It could not be written to disk."
	c := open(t)
	d := drive(t, desk(t, c.Store()))
	c.Break()
	drive(t, desk(t, c.Store())).Sees(fault)
	enter(d, "Vary 3500").Sees(" 1  Vary", "charges 3 500", fault)
	c.Mend()
	enter(d, "Coca 2000").Lacks(fault)
	if got := stored(t, c); len(got) != 2 {
		t.Errorf("got the stored lines %v, want both", got)
	}
}
