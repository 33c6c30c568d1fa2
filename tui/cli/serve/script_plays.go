package serve

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// step is one row of a script: a pause, then text and keys of the cashier's, then
// what the customer or the service does.
type step struct {
	pause time.Duration
	text  string
	keys  []tea.KeyType
	does  func(ctx context.Context, p *player) error
}

// How long the pauses are at the pace of people who watch.
const (
	stroke = 70 * time.Millisecond  // Between two characters.
	beat   = 800 * time.Millisecond // Before a key.
	glance = 2 * time.Second        // At what is soon understood.
	gaze   = 4 * time.Second        // At what is new.
)

// scripts are the demos that play by themselves, by their names. What they type
// is among the articles of the demo.
func scripts() map[string][]step {
	return map[string][]step{"happy": happy(), "busy": busy(), "trouble": trouble()}
}

// happy is two sales that are paid at once.
func happy() []step {
	return slices.Concat(
		sale("Vary 3500x2", "201"), paid(0),
		sale("2*romaz", "koba", "800"), paid(1),
	)
}

// busy is three customers who take their time, and pay out of turn while the
// fourth is being served.
func busy() []step {
	waits := step{pause: glance, keys: []tea.KeyType{tea.KeyEsc, tea.KeyEnter}}
	return slices.Concat(
		sale("2*romaz"), []step{waits},
		sale("4*koba", "203"), []step{waits},
		sale("101", "3*mofo"), []step{waits, press(glance, tea.KeyF4), press(gaze, tea.KeyEsc)},

		enter("2*eau"), []step{{text: "ravi", does: customer(1)}, becomes(1, payments.VerdictPaid), {pause: glance, text: "toto"}},
		[]step{press(0, tea.KeyEnter), press(glance, tea.KeyF2)}, done(1),

		[]step{{does: customer(2)}, becomes(2, payments.VerdictPaid), {does: customer(0)}, becomes(0, payments.VerdictPaid)},
		[]step{press(gaze, tea.KeyF2)}, done(0), []step{press(0, tea.KeyF2)}, done(2),
		charge(), paid(3),
	)
}

// trouble is what can go wrong, and what the cashier sees of it.
func trouble() []step {
	return slices.Concat(
		// The service refuses the order; the sale stays, and goes through later.
		[]step{faults(sandbox.CallFaults{Refuse: "Compte marchand suspendu"})},
		sale("Vary 3500x2"), done(0), []step{faults(sandbox.CallFaults{})}, charge(),

		// The customer's first try fails, the second does not.
		[]step{{pause: glance, text: "f"}, {pause: gaze}}, paid(1),

		// The time runs out, and then the service says that it is paid.
		sale("2*ravi"), []step{orderFaults(2, sandbox.EventFaults{Then: payments.PaymentSuccess}), {pause: glance, text: "e"}},
		[]step{becomes(2, payments.VerdictCheck)}, done(2), foundPaid(),

		// The service says that less was paid.
		sale("3*koba"), []step{orderFaults(3, sandbox.EventFaults{AmountOff: -500}), {pause: glance, text: "p"}},
		[]step{becomes(3, payments.VerdictCheck)}, done(3), foundPaid(),

		// The service says everything three times.
		sale("kafe"), []step{orderFaults(4, sandbox.EventFaults{Copies: 2})}, paid(4),
		[]step{press(glance, tea.KeyF3, tea.KeyEnter), press(gaze, tea.KeyEsc, tea.KeyEsc)},
	)
}

func press(pause time.Duration, keys ...tea.KeyType) step { return step{pause: pause, keys: keys} }

// enter types lines of a sale.
func enter(lines ...string) []step {
	var steps []step
	for _, line := range lines {
		steps = append(steps, step{pause: beat, text: line, keys: []tea.KeyType{tea.KeyEnter}})
	}
	return steps
}

// sale enters lines and charges them.
func sale(lines ...string) []step { return append(enter(lines...), charge()...) }

// charge charges the sale, and notes the order once its call has ended.
func charge() []step {
	return []step{{keys: []tea.KeyType{tea.KeyEnter, tea.KeyEnter}, does: func(ctx context.Context, p *player) error {
		return until(ctx, func() (bool, error) {
			orders, err := p.shop.Orders(ctx, payments.Query{Till: p.till, Limit: 1})
			if err != nil || len(orders) == 0 || orders[0].Status == payments.StatusCreating || orders[0].Reference == p.last {
				return false, err
			}
			p.last = orders[0].Reference
			p.made = append(p.made, p.last)
			return true, nil
		})
	}}}
}

// paid is the customer of the demo who pays the order on the screen, and the
// cashier who sees it.
func paid(number int) []step {
	return append([]step{{pause: gaze, text: "p"}, becomes(number, payments.VerdictPaid)}, done(number)...)
}

// done acknowledges the outcome of an order, after its grace. Where the console
// asks whether that is meant, it is.
func done(number int) []step {
	const patience = 2 * time.Second
	return []step{{pause: gaze, does: func(ctx context.Context, p *player) error {
		var pressed time.Time
		return until(ctx, func() (bool, error) {
			order, err := p.order(ctx, number)
			seen := order.Facts.Acknowledged && !pressed.IsZero() // One that was refused is from the beginning.
			if err == nil && !seen && time.Since(pressed) > patience {
				p.press(tea.KeyMsg{Type: tea.KeyEnter})
				pressed = time.Now()
			}
			return seen, err
		})
	}}}
}

// foundPaid is a cashier who looks in the merchant area, and records that the
// newest order is paid.
func foundPaid() []step {
	return []step{
		press(glance, tea.KeyF3, tea.KeyEnter),
		{pause: glance, text: "y"},
		press(beat, tea.KeyEnter), press(glance, tea.KeyEsc, tea.KeyEsc),
	}
}

// becomes waits until an order has a verdict.
func becomes(number int, verdict payments.Verdict) step {
	return step{does: func(ctx context.Context, p *player) error {
		return until(ctx, func() (bool, error) {
			order, err := p.order(ctx, number)
			return order.Verdict(payments.Conditions{}, p.shop.Now()) == verdict, err
		})
	}}
}

// customer is the customer of an order, who pays it on the phone.
func customer(number int) func(ctx context.Context, p *player) error {
	return func(ctx context.Context, p *player) error {
		order, err := p.order(ctx, number)
		if err != nil {
			return err
		}
		if err := p.service.Act(ctx, order.OrderReference, payments.PaymentSuccess); err != nil {
			return fmt.Errorf("act as the customer: %w", err)
		}
		return nil
	}
}

// faults sets what goes wrong with the order call from now on.
func faults(faults sandbox.CallFaults) step {
	return step{does: func(_ context.Context, p *player) error {
		p.service.SetFaults(sandbox.Faults{Call: faults})
		return nil
	}}
}

// orderFaults sets what goes wrong with the events of an order.
func orderFaults(number int, faults sandbox.EventFaults) step {
	return step{does: func(ctx context.Context, p *player) error {
		order, err := p.order(ctx, number)
		if err != nil {
			return err
		}
		return p.service.SetOrderFaults(order.OrderReference, &faults)
	}}
}
