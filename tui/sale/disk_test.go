package sale_test

import "testing"

func TestAWriteErrorIsShownAndNoLineIsLost(t *testing.T) {
	const fault = "It could not be written to disk."
	c := open(t)
	d := drive(t, desk(t, c.Store()))
	c.Break()
	drive(t, desk(t, c.Store())).Sees("The saved sales could not be read.")
	enter(d, "Vary 3500").Sees(" 1  Vary", "charges 3 500", fault)
	c.Mend()
	enter(d, "Coca 2000").Lacks(fault)
	if got := stored(t, c); len(got) != 2 {
		t.Errorf("got the stored lines %v, want both", got)
	}
}
