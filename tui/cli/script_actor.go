package cli

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/tui"
)

// actor plays a script: it is the cashier at the keyboard, the customers with
// their phones, and what goes wrong in the payment service.
type actor struct {
	press   tui.Press
	shop    *payments.Service
	service *sandbox.Sandbox
	pace    float64
	till    string
	made    []string // The references of the script's orders, in their order.
	last    string   // The reference that was noted last, by an earlier script too.
}

// step is one thing that an actor does. It returns an error when ctx ends
// before it is done, or the store fails.
type step func(ctx context.Context, a *actor) error

// How long the pauses are at the pace of people who watch.
const (
	stroke = 70 * time.Millisecond  // Between two characters.
	beat   = 800 * time.Millisecond // Before a key that matters.
	glance = 2 * time.Second        // At what is soon understood.
	gaze   = 4 * time.Second        // At what is new.
	// wakeUp is how often an actor looks whether something came that no key
	// waits for; it has no pace.
	wakeUp = 20 * time.Millisecond
	// seen is how long an acknowledgement may take until it is tried again: it
	// may have been for an outcome that another one has followed.
	seen = time.Second
)

// play does the steps in their order, after no fault of an earlier script.
func (a *actor) play(ctx context.Context, steps []step) error {
	a.made = nil
	a.service.SetFaults(sandbox.Faults{})
	return all(steps)(ctx, a)
}

// wait lets time pass, and returns ctx's error when ctx ends before.
func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// look is a pause in which people see what came.
func look(pause time.Duration) step {
	return func(ctx context.Context, a *actor) error {
		return wait(ctx, time.Duration(float64(pause)*a.pace))
	}
}

// keys presses keys of a screen, each after a beat.
func keys(screen tui.Screen, names ...string) step {
	return func(ctx context.Context, a *actor) error {
		for _, name := range names {
			if err := look(beat)(ctx, a); err != nil {
				return err
			}
			if err := a.press(ctx, screen, name); err != nil {
				return err
			}
		}
		return nil
	}
}

// types types characters into the entry line.
func types(text string) step {
	return func(ctx context.Context, a *actor) error {
		for _, character := range text {
			if err := look(stroke)(ctx, a); err != nil {
				return err
			}
			if err := a.press(ctx, tui.Selling, string(character)); err != nil {
				return err
			}
		}
		return nil
	}
}

// line enters a line of the sale.
func line(text string) step { return all([]step{types(text), keys(tui.Selling, "enter")}) }

// charge asks for the payment of the sale, and sees how the order call ended.
func charge() step { return all([]step{keys(tui.Selling, "enter", "enter"), ordered}) }

// ordered notes the order that was made last, once its call has ended.
func ordered(ctx context.Context, a *actor) error {
	for {
		orders, err := a.shop.Orders(ctx, payments.Query{Till: a.till, Limit: 1})
		if err != nil {
			return err
		}
		if len(orders) > 0 && orders[0].Status != payments.StatusCreating && orders[0].Reference != a.last {
			a.last = orders[0].Reference
			a.made = append(a.made, a.last)
			return nil
		}
		if err := wait(ctx, wakeUp); err != nil {
			return err
		}
	}
}

// order reads one of the script's orders anew; the first is 0.
func (a *actor) order(ctx context.Context, number int) (payments.Order, error) {
	order, _, err := a.shop.Order(ctx, a.made[number])
	return order, err
}

// becomes waits until an order has a verdict.
func becomes(number int, verdict payments.Verdict) step {
	return func(ctx context.Context, a *actor) error {
		for {
			order, err := a.order(ctx, number)
			if err != nil || order.Verdict(payments.Conditions{}, a.shop.Now()) == verdict {
				return err
			}
			if err := wait(ctx, wakeUp); err != nil {
				return err
			}
		}
	}
}

// done acknowledges the outcome of an order that is on the screen.
func done(number int) step {
	return func(ctx context.Context, a *actor) error {
		for {
			if err := keys(tui.Paying, "enter")(ctx, a); err != nil {
				return err
			}
			for range seen / wakeUp {
				order, err := a.order(ctx, number)
				if err != nil || order.Facts.Acknowledged {
					return err
				}
				if err := wait(ctx, wakeUp); err != nil {
					return err
				}
			}
		}
	}
}

// customer is what the customer of an order does on the phone, wherever the
// cashier is.
func customer(number int, kind payments.EventKind) step {
	return func(ctx context.Context, a *actor) error {
		order, err := a.order(ctx, number)
		if err != nil {
			return err
		}
		if err := a.service.Act(ctx, order.OrderReference, kind); err != nil {
			return fmt.Errorf("act as the customer: %w", err)
		}
		return nil
	}
}

// callFaults sets what goes wrong with the order call from now on.
func callFaults(faults sandbox.CallFaults) step {
	return func(_ context.Context, a *actor) error {
		a.service.SetFaults(sandbox.Faults{Call: faults})
		return nil
	}
}

// eventFaults sets what goes wrong with the events of an order.
func eventFaults(number int, faults sandbox.EventFaults) step {
	return func(ctx context.Context, a *actor) error {
		order, err := a.order(ctx, number)
		if err != nil {
			return err
		}
		return a.service.SetOrderFaults(order.OrderReference, faults)
	}
}

// all makes one step of several.
func all(steps []step) step {
	return func(ctx context.Context, a *actor) error {
		for _, step := range steps {
			if err := step(ctx, a); err != nil {
				return err
			}
		}
		return nil
	}
}
