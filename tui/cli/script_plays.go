package cli

import (
	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/tui"
)

// scripts are the demos that play by themselves, by their names. What they type
// is among the articles of the demo.
func scripts() map[string][]step {
	return map[string][]step{"happy": happy(), "busy": busy(), "trouble": trouble()}
}

// happy is two sales that are paid at once.
func happy() []step {
	return []step{
		look(glance),
		line("Vary 3500x2"), line("201"), look(beat),
		charge(), look(gaze),
		keys(tui.Paying, "p"), becomes(0, payments.VerdictPaid), look(gaze), done(0),

		look(glance),
		line("2*romaz"), line("koba"), line("800"), look(beat),
		charge(), look(gaze),
		keys(tui.Paying, "p"), becomes(1, payments.VerdictPaid), look(gaze), done(1),
		look(gaze),
	}
}

// busy is three customers who take their time, and pay out of turn while the
// fourth is being served.
func busy() []step {
	waits := keys(tui.Paying, "esc", "enter")
	return []step{
		look(glance),
		line("2*romaz"), charge(), look(glance), waits,
		line("4*koba"), line("203"), charge(), look(glance), waits,
		line("101"), line("3*mofo"), charge(), look(glance), waits,
		keys(tui.Selling, "f4"), look(gaze), keys(tui.Awaiting, "esc"),

		line("2*eau"), types("ravi"),
		customer(1, payments.PaymentSuccess), becomes(1, payments.VerdictPaid), look(glance),
		types("toto"), keys(tui.Selling, "enter"), look(glance),
		keys(tui.Selling, "f2"), look(glance), done(1),

		customer(2, payments.PaymentSuccess), becomes(2, payments.VerdictPaid),
		customer(0, payments.PaymentSuccess), becomes(0, payments.VerdictPaid), look(gaze),
		keys(tui.Selling, "f2"), look(glance), done(0),
		keys(tui.Selling, "f2"), look(glance), done(2),

		look(beat),
		charge(), look(glance),
		keys(tui.Paying, "p"), becomes(3, payments.VerdictPaid), look(gaze), done(3),
		look(gaze),
	}
}

// trouble is what can go wrong, and what the cashier sees of it.
func trouble() []step {
	return []step{
		// The service refuses the order; the sale stays, and goes through later.
		look(glance),
		callFaults(sandbox.CallFaults{Refuse: "Compte marchand suspendu"}),
		line("Vary 3500x2"), charge(), look(gaze), done(0),
		callFaults(sandbox.CallFaults{}), charge(), look(glance),

		// The customer's first try fails, the second does not.
		keys(tui.Paying, "f"), becomes(1, payments.VerdictNotPaid), look(gaze),
		keys(tui.Paying, "p"), becomes(1, payments.VerdictPaid), look(glance), done(1),

		// The time runs out, and then the service says that it is paid.
		line("2*ravi"), charge(),
		eventFaults(2, sandbox.EventFaults{Then: payments.PaymentSuccess}), look(glance),
		keys(tui.Paying, "e"), becomes(2, payments.VerdictCheck), look(gaze), done(2), foundPaid(),

		// The service says that less was paid.
		line("3*koba"), charge(),
		eventFaults(3, sandbox.EventFaults{AmountOff: -500}), look(glance),
		keys(tui.Paying, "p"), becomes(3, payments.VerdictCheck), look(gaze), done(3), foundPaid(),

		// The service says everything three times.
		line("kafe"), charge(),
		eventFaults(4, sandbox.EventFaults{Copies: 2}), look(glance),
		keys(tui.Paying, "p"), becomes(4, payments.VerdictPaid), look(glance), done(4),
		keys(tui.Selling, "f3"), keys(tui.Listing, "enter"), look(gaze), keys(tui.Listing, "esc", "esc"),
		look(glance),
	}
}

// foundPaid is a cashier who looks in the merchant area and records that the
// newest order is paid.
func foundPaid() step {
	return all([]step{
		keys(tui.Selling, "f3"), keys(tui.Listing, "enter"), look(glance),
		keys(tui.Listing, "y"), look(beat), keys(tui.Listing, "enter"), look(glance),
		keys(tui.Listing, "esc", "esc"),
	})
}
