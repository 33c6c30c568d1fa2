package serve

import (
	"context"
	"log/slog"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/counter"
)

// wait is why a script pauses.
type wait int

const (
	noWait       wait = iota
	perCharacter      // Between two characters of a text.
	perKey            // Before a key.
	shortPause        // At a screen that was seen before.
	longPause         // At a new screen.
)

// times returns how long a wait is at pace 1, and its minimum at any pace: until the
// console has drawn the screen, and after an outcome until it takes keys ([counter.Grace]).
func (w wait) times() (usual, least time.Duration) {
	const drawn = 200 * time.Millisecond
	switch w {
	case perCharacter:
		return 70 * time.Millisecond, 0
	case perKey:
		return 800 * time.Millisecond, drawn
	case shortPause:
		return 2 * time.Second, drawn
	case longPause:
		return 4 * time.Second, drawn + counter.Grace
	}
	return 0, 0
}

// step is a part of a script: what the cashier types, or what the customer or
// the service does. An error ends the script.
type step func(ctx context.Context, p *player) error

type player struct {
	send    func(key tea.KeyMsg)
	shop    *payments.Service
	service *sandbox.Sandbox
	till    string
	pace    float64
	made    []payments.Order // In this round, as they were when their calls had ended.
	last    string           // The reference of the newest one, of any round.
}

// scripts are the demos that play by themselves, by their names. What they type
// is among the articles of the demo.
func scripts() map[string][]step {
	waits := keys(shortPause, "esc", "enter")
	return map[string][]step{
		// Two sales that are paid at once.
		"happy": {sale("Vary 3500x2", "201"), paid(0), sale("2*romaz", "koba", "800"), paid(1)},
		// Three customers who take their time, and pay out of turn while the fourth is
		// being served.
		"busy": {
			sale("2*romaz"), waits, sale("4*koba", "203"), waits, sale("101", "3*mofo"), waits,
			keys(shortPause, "F4"), keys(longPause, "esc"),
			keys(perKey, "2*eau", "enter", "ravi"), pays(1), keys(shortPause, "toto"), keys(noWait, "enter"),
			keys(shortPause, "F2"), done(1), pays(2), pays(0),
			keys(longPause, "F2"), done(0), keys(noWait, "F2"), done(2), charge(), paid(3),
		},
		// What can go wrong, and what the cashier sees of it: the service refuses the
		// order, the customer's first try fails, a link runs out and is paid all the
		// same, less is paid, everything is said three times.
		"trouble": {
			refuses("Compte marchand suspendu"), sale("Vary 3500x2"), done(0), refuses(""), charge(),
			keys(shortPause, "f"), pause(longPause), paid(1),
			sale("2*ravi"), events(2, sandbox.EventFaults{Then: payments.PaymentSuccess}), keys(shortPause, "e"),
			becomes(2, payments.VerdictCheck), done(2), foundPaid(),
			sale("3*koba"), events(3, sandbox.EventFaults{AmountOff: -500}), keys(shortPause, "p"),
			becomes(3, payments.VerdictCheck), done(3), foundPaid(),
			sale("kafe"), events(4, sandbox.EventFaults{Copies: 2}), paid(4),
			keys(shortPause, "F3", "enter"), keys(longPause, "esc", "esc"),
		},
	}
}

func sequence(steps ...step) step {
	return func(ctx context.Context, p *player) error {
		for _, step := range steps {
			if err := step(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}
}

// pause waits at the player's pace.
func pause(w wait) step {
	return func(ctx context.Context, p *player) error {
		usual, least := w.times()
		return sleep(ctx, max(time.Duration(float64(usual)*p.pace), least))
	}
}

// sleep waits for a time, or until ctx ends.
func sleep(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// keys are what a person presses: keys by their names, and texts.
func keys(before wait, pressed ...string) step {
	named := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "F2": tea.KeyF2, "F3": tea.KeyF3, "F4": tea.KeyF4}
	press := func(key tea.Key) step {
		return func(_ context.Context, p *player) error {
			p.send(tea.KeyMsg(key))
			return nil
		}
	}
	steps := []step{pause(before)}
	for _, name := range pressed {
		if key, is := named[name]; is {
			steps = append(steps, pause(perKey), press(tea.Key{Type: key}))
			continue
		}
		for _, character := range name {
			steps = append(steps, pause(perCharacter), press(tea.Key{Type: tea.KeyRunes, Runes: []rune{character}}))
		}
	}
	return sequence(steps...)
}

func sale(lines ...string) step {
	var steps []step
	for _, line := range lines {
		steps = append(steps, keys(perKey, line, "enter"))
	}
	return sequence(append(steps, charge())...)
}

// charge charges the sale, and notes the order once its call has ended.
func charge() step {
	return sequence(keys(noWait, "enter", "enter"), until(func(ctx context.Context, p *player) (bool, error) {
		orders, err := p.shop.Orders(ctx, payments.Query{Till: p.till, Limit: 1})
		if err != nil || len(orders) == 0 || orders[0].Status == payments.StatusCreating || orders[0].Reference == p.last {
			return false, err
		}
		p.last, p.made = orders[0].Reference, append(p.made, orders[0])
		return true, nil
	}))
}

func until(holds func(ctx context.Context, p *player) (bool, error)) step {
	const poll = 20 * time.Millisecond
	return func(ctx context.Context, p *player) error {
		for {
			if done, err := holds(ctx, p); done || err != nil {
				return err
			}
			if err := sleep(ctx, poll); err != nil {
				return err
			}
		}
	}
}

// paid is the customer of the demo who pays the order on the screen, and the
// cashier who sees it.
func paid(number int) step {
	return sequence(keys(longPause, "p"), becomes(number, payments.VerdictPaid), done(number))
}

// done acknowledges the outcome of an order, after its grace. Where the console
// asks whether that is meant, it is.
func done(number int) step {
	const retry = 2 * time.Second
	return func(ctx context.Context, p *player) error {
		var pressed time.Time
		return sequence(pause(longPause), until(func(ctx context.Context, p *player) (bool, error) {
			order, _, err := p.shop.Order(ctx, p.made[number].Reference)
			seen := order.Facts.Acknowledged && !pressed.IsZero() // One that was refused is from the beginning.
			if err == nil && !seen && time.Since(pressed) > retry {
				p.send(tea.KeyMsg{Type: tea.KeyEnter})
				pressed = time.Now()
			}
			return seen, err
		}))(ctx, p)
	}
}

// foundPaid is a cashier who looks in the merchant area, and records that the
// newest order is paid.
func foundPaid() step {
	return sequence(keys(shortPause, "F3", "enter"), keys(shortPause, "y"),
		keys(perKey, "enter"), keys(shortPause, "esc", "esc"))
}

func becomes(number int, verdict payments.Verdict) step {
	return until(func(ctx context.Context, p *player) (bool, error) {
		order, _, err := p.shop.Order(ctx, p.made[number].Reference)
		return order.Verdict(payments.Conditions{}, p.shop.Now()) == verdict, err
	})
}

// pays is the customer of an order, who pays it on the phone.
func pays(number int) step {
	return sequence(func(ctx context.Context, p *player) error {
		return p.service.Act(ctx, p.made[number].OrderReference, payments.PaymentSuccess)
	}, becomes(number, payments.VerdictPaid))
}

func events(number int, faults sandbox.EventFaults) step {
	return func(_ context.Context, p *player) error {
		return p.service.SetOrderFaults(p.made[number].OrderReference, faults)
	}
}

// refuses has the service refuse orders from now on; for no reason it takes them.
func refuses(reason string) step {
	return func(_ context.Context, p *player) error {
		p.service.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Refuse: reason}})
		return nil
	}
}

// player returns what plays the script, and nil when the person does. A script
// begins without a fault of an earlier one.
func (o demoOptions) player(shop *cli.Shop, service *sandbox.Sandbox) tui.Script {
	if o.script == "" {
		return nil
	}
	round := sequence(refuses(""), pause(shortPause), sequence(scripts()[o.script]...), pause(longPause))
	return func(ctx context.Context, send func(tea.KeyMsg)) {
		p := &player{send: send, shop: shop.Service, service: service, pace: o.pace, till: shop.Settings.Counter.Till}
		for {
			p.made = nil
			err := round(ctx, p)
			if err != nil && ctx.Err() == nil {
				shop.Logger.Error("the script stopped", slog.String(cli.LogFailure, err.Error()))
			}
			if err != nil || !o.loop {
				return
			}
		}
	}
}
