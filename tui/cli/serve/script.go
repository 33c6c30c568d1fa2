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

type wait int

const (
	noWait       wait = iota
	perCharacter      // Pause between two characters of a text.
	perKey            // Pause before a key.
	shortPause        // Pause on a screen that the viewer knows.
	longPause         // Pause on a new screen.
)

// times returns the usual length of a pause, which the caller multiplies by the pace, and the
// minimum at any pace. The minimum lets the console draw.
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

// step is a part of a script. Its error ends the script.
type step func(ctx context.Context, p *player) error

type player struct {
	send    func(key tea.KeyMsg)
	shop    *cli.Shop
	service *sandbox.Sandbox
	pace    float64
	made    []payments.Order // Orders of this round, each as it was at the end of its order call.
}

// play plays a script. It logs the error unless ctx has ended.
func (p *player) play(ctx context.Context, script step) error {
	err := script(ctx, p)
	if err != nil && ctx.Err() == nil {
		p.shop.Logger.Error("the script stopped", slog.String(cli.LogFailure, err.Error()))
	}
	return err
}

func scripts() map[string][]step {
	waits := keys(shortPause, "esc", "enter")
	return map[string][]step{
		// Two sales are paid immediately.
		"happy": {sale("Vary 3500x2", "201"), paid(0), sale("2*romaz", "koba", "800"), paid(1)},
		// Three customers pay late and out of order, while the cashier serves a fourth one.
		"busy": {
			sale("2*romaz"), waits, sale("4*koba", "203"), waits, sale("101", "3*mofo"), waits,
			keys(shortPause, "F4"), keys(longPause, "esc"),
			keys(perKey, "2*eau", "enter", "ravi"), pays(1), keys(shortPause, "toto"), keys(noWait, "enter"),
			keys(shortPause, "F2"), done(1), pays(2), pays(0),
			keys(longPause, "F2"), done(0), keys(noWait, "F2"), done(2), charge(), paid(3),
		},
		// Five failures: a refused order, a failed payment that then succeeds, a payment after the
		// link's end, a wrong amount, and events that arrive three times.
		"trouble": {
			refuses("Compte marchand suspendu"), sale("Vary 3500x2"), done(0), refuses(""), charge(),
			keys(shortPause, "f"), pause(longPause), paid(1),
			sale("2*ravi"), events(2, sandbox.EventFaults{Then: payments.PaymentSuccess}), keys(shortPause, "e"),
			becomes(2, payments.VerdictCheck), done(2), foundPaid(2),
			sale("3*koba"), events(3, sandbox.EventFaults{AmountOff: -500}), keys(shortPause, "p"),
			becomes(3, payments.VerdictCheck), done(3), foundPaid(3),
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

func pause(w wait) step {
	return func(ctx context.Context, p *player) error {
		usual, least := w.times()
		cli.Sleep(ctx, max(time.Duration(float64(usual)*p.pace), least))
		return ctx.Err()
	}
}

// keys returns a step that presses keys. Each string is the name of a key, or a text to type.
func keys(before wait, pressed ...string) step {
	named := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "F2": tea.KeyF2, "F3": tea.KeyF3, "F4": tea.KeyF4}
	steps := []step{pause(before)}
	for _, name := range pressed {
		if key, is := named[name]; is {
			steps = append(steps, pause(perKey), press(tea.KeyMsg{Type: key}))
			continue
		}
		for _, character := range name {
			steps = append(steps, pause(perCharacter), press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{character}}))
		}
	}
	return sequence(steps...)
}

func press(key tea.KeyMsg) step {
	return func(_ context.Context, p *player) error {
		p.send(key)
		return nil
	}
}

func sale(lines ...string) step {
	var steps []step
	for _, line := range lines {
		steps = append(steps, keys(perKey, line, "enter"))
	}
	return sequence(append(steps, charge())...)
}

// charge returns a step that charges the sale, and keeps the order when its order call has ended.
func charge() step {
	return func(ctx context.Context, p *player) error {
		before, err := p.newest(ctx)
		if err != nil {
			return err
		}
		return sequence(keys(noWait, "enter"), pause(perKey), enterUntil(func(ctx context.Context, p *player) (bool, error) {
			order, err := p.newest(ctx)
			if err != nil || order.Reference == before.Reference || order.Status == payments.StatusCreating {
				return false, err
			}
			p.made = append(p.made, order)
			return true, nil
		}))(ctx, p)
	}
}

// enterUntil returns a step that presses Enter until holds returns true or an error. A slow console
// ignores an Enter shortly after another one, so Enter is repeated after a while.
func enterUntil(holds func(ctx context.Context, p *player) (bool, error)) step {
	const retry = 2 * time.Second
	return func(ctx context.Context, p *player) error {
		var pressed time.Time
		return until(func(ctx context.Context, p *player) (bool, error) {
			if !pressed.IsZero() {
				if done, err := holds(ctx, p); done || err != nil {
					return done, err
				}
			}
			if time.Since(pressed) > retry {
				p.send(tea.KeyMsg{Type: tea.KeyEnter})
				pressed = time.Now()
			}
			return false, nil
		})(ctx, p)
	}
}

func (p *player) newest(ctx context.Context) (payments.Order, error) {
	orders, err := p.shop.Service.Orders(ctx, payments.Query{Till: p.shop.Settings.Counter.Till, Limit: 1})
	return append(orders, payments.Order{})[0], err
}

func until(holds func(ctx context.Context, p *player) (bool, error)) step {
	const poll = 20 * time.Millisecond
	return func(ctx context.Context, p *player) error {
		for {
			if done, err := holds(ctx, p); done || err != nil {
				return err
			}
			if !cli.Sleep(ctx, poll) {
				return ctx.Err()
			}
		}
	}
}

// paid returns a step that pays the order on the screen and acknowledges the outcome. Here and
// below, number is an index of [player.made].
func paid(number int) step {
	return sequence(keys(longPause, "p"), becomes(number, payments.VerdictPaid), done(number))
}

// done returns a step that acknowledges the outcome of an order. It presses Enter at least once: a
// refused order is stored as acknowledged, but its screen waits for Enter.
func done(number int) step {
	return sequence(pause(longPause), enterUntil(func(ctx context.Context, p *player) (bool, error) {
		order, _, err := p.shop.Service.Order(ctx, p.made[number].Reference)
		return order.Facts.Acknowledged, err
	}))
}

// foundPaid returns a step that marks the newest order as paid, like a cashier who has found the
// payment in the merchant area. A slow console may miss the keys, so the step repeats them.
func foundPaid(number int) step {
	marks := sequence(keys(shortPause, "F3", "enter"), keys(shortPause, "y"), keys(perKey, "enter"), keys(shortPause, "esc", "esc"))
	return until(func(ctx context.Context, p *player) (bool, error) {
		marked, err := p.has(ctx, number, payments.VerdictMarkedPaid)
		if marked || err != nil {
			return marked, err
		}
		return false, marks(ctx, p)
	})
}

func becomes(number int, verdict payments.Verdict) step {
	return until(func(ctx context.Context, p *player) (bool, error) { return p.has(ctx, number, verdict) })
}

func (p *player) has(ctx context.Context, number int, verdict payments.Verdict) (bool, error) {
	order, _, err := p.shop.Service.Order(ctx, p.made[number].Reference)
	return order.Verdict(payments.Conditions{}, p.shop.Now()) == verdict, err
}

// pays returns a step in which a customer pays an order on the phone, without the console.
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

// refuses returns a step that makes the sandbox refuse all further orders. A blank reason ends
// that.
func refuses(reason string) step {
	return func(_ context.Context, p *player) error {
		p.service.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Refuse: reason}})
		return nil
	}
}

// player returns a function that plays the script o.script, or nil for a blank script.
func (o demoOptions) player(shop *cli.Shop, service *sandbox.Sandbox) tui.Script {
	if o.script == "" {
		return nil
	}
	round := sequence(refuses(""), pause(shortPause), sequence(scripts()[o.script]...), pause(longPause))
	return func(ctx context.Context, send func(tea.KeyMsg)) {
		p := &player{send: send, shop: shop, service: service, pace: o.pace}
		for p.play(ctx, round) == nil && o.loop {
			p.made = nil
		}
	}
}
