package serve

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/pay"
)

// How long the pauses are at the pace of people who watch.
const (
	stroke = 70 * time.Millisecond  // Between two characters.
	beat   = 800 * time.Millisecond // Before a key.
	glance = 2 * time.Second        // At what is soon understood.
	gaze   = 4 * time.Second        // At what is new.
)

// step is a part of a script: what the cashier types, or what the customer or
// the service does.
type step func(ctx context.Context, p *player)

// scripts are the demos that play by themselves, by their names. What they type
// is among the articles of the demo.
func scripts() map[string][]step {
	waits := press(glance, tea.KeyEsc, tea.KeyEnter)
	return map[string][]step{
		// Two sales that are paid at once.
		"happy": {sale("Vary 3500x2", "201"), paid(0), sale("2*romaz", "koba", "800"), paid(1)},
		// Three customers who take their time, and pay out of turn while the fourth is
		// being served.
		"busy": {
			sale("2*romaz"), waits, sale("4*koba", "203"), waits, sale("101", "3*mofo"), waits,
			press(glance, tea.KeyF4), press(gaze, tea.KeyEsc),
			enter("2*eau"), write(0, "ravi"), pays(1), write(glance, "toto"), press(0, tea.KeyEnter),
			press(glance, tea.KeyF2), done(1), pays(2), pays(0),
			press(gaze, tea.KeyF2), done(0), press(0, tea.KeyF2), done(2), charge(), paid(3),
		},
		// What can go wrong, and what the cashier sees of it: the service refuses the
		// order, the customer's first try fails, a link runs out and is paid all the
		// same, less is paid, everything is said three times.
		"trouble": {
			refuses("Compte marchand suspendu"), sale("Vary 3500x2"), done(0), refuses(""), charge(),
			write(glance, "f"), write(gaze, ""), paid(1),
			sale("2*ravi"), events(2, sandbox.EventFaults{Then: payments.PaymentSuccess}), write(glance, "e"),
			becomes(2, payments.VerdictCheck), done(2), foundPaid(),
			sale("3*koba"), events(3, sandbox.EventFaults{AmountOff: -500}), write(glance, "p"),
			becomes(3, payments.VerdictCheck), done(3), foundPaid(),
			sale("kafe"), events(4, sandbox.EventFaults{Copies: 2}), paid(4),
			press(glance, tea.KeyF3, tea.KeyEnter), press(gaze, tea.KeyEsc, tea.KeyEsc),
		},
	}
}

// sequence makes one step of several.
func sequence(steps ...step) step {
	return func(ctx context.Context, p *player) {
		for _, step := range steps {
			step(ctx, p)
		}
	}
}

func press(pause time.Duration, keys ...tea.KeyType) step {
	return func(ctx context.Context, p *player) {
		p.wait(ctx, pause)
		for _, key := range keys {
			p.wait(ctx, beat)
			p.press(ctx, tea.KeyMsg{Type: key})
		}
	}
}

func write(pause time.Duration, text string) step {
	return func(ctx context.Context, p *player) {
		p.wait(ctx, pause)
		for _, character := range text {
			p.sleep(ctx, time.Duration(float64(stroke)*p.pace))
			p.press(ctx, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{character}})
		}
	}
}

// enter types lines of a sale.
func enter(lines ...string) step {
	var steps []step
	for _, line := range lines {
		steps = append(steps, write(beat, line), press(0, tea.KeyEnter))
	}
	return sequence(steps...)
}

// sale enters lines and charges them.
func sale(lines ...string) step { return sequence(enter(lines...), charge()) }

// charge charges the sale, and notes the order once its call has ended.
func charge() step {
	return sequence(press(0, tea.KeyEnter, tea.KeyEnter), func(ctx context.Context, p *player) {
		p.until(ctx, func() (bool, error) {
			orders, err := p.shop.Orders(ctx, payments.Query{Till: p.till, Limit: 1})
			if err != nil || len(orders) == 0 || orders[0].Status == payments.StatusCreating || orders[0].Reference == p.last {
				return false, err
			}
			p.last = orders[0].Reference
			p.made = append(p.made, p.last)
			return true, nil
		})
	})
}

// paid is the customer of the demo who pays the order on the screen, and the
// cashier who sees it.
func paid(number int) step {
	return sequence(write(gaze, "p"), becomes(number, payments.VerdictPaid), done(number))
}

// done acknowledges the outcome of an order, after its grace. Where the console
// asks whether that is meant, it is.
func done(number int) step {
	const patience = 2 * time.Second
	return func(ctx context.Context, p *player) {
		p.wait(ctx, gaze)
		var pressed time.Time
		p.until(ctx, func() (bool, error) {
			order, _, err := p.shop.Order(ctx, p.made[number])
			seen := order.Facts.Acknowledged && !pressed.IsZero() // One that was refused is from the beginning.
			if err == nil && !seen && time.Since(pressed) > patience {
				p.press(ctx, tea.KeyMsg{Type: tea.KeyEnter})
				pressed = time.Now()
			}
			return seen, err
		})
	}
}

// foundPaid is a cashier who looks in the merchant area, and records that the
// newest order is paid.
func foundPaid() step {
	return sequence(press(glance, tea.KeyF3, tea.KeyEnter), write(glance, "y"),
		press(beat, tea.KeyEnter), press(glance, tea.KeyEsc, tea.KeyEsc))
}

// becomes waits until an order has a verdict.
func becomes(number int, verdict payments.Verdict) step {
	return func(ctx context.Context, p *player) {
		p.until(ctx, func() (bool, error) {
			order, _, err := p.shop.Order(ctx, p.made[number])
			return order.Verdict(payments.Conditions{}, p.shop.Now()) == verdict, err
		})
	}
}

// on does something about an order.
func on(number int, does func(ctx context.Context, p *player, order payments.Order) error) step {
	return func(ctx context.Context, p *player) {
		if p.err != nil {
			return
		}
		order, _, err := p.shop.Order(ctx, p.made[number])
		if err == nil {
			err = does(ctx, p, order)
		}
		p.err = err
	}
}

// pays is the customer of an order, who pays it on the phone.
func pays(number int) step {
	return sequence(on(number, func(ctx context.Context, p *player, order payments.Order) error {
		return p.service.Act(ctx, order.OrderReference, payments.PaymentSuccess)
	}), becomes(number, payments.VerdictPaid))
}

// events sets what goes wrong with the events of an order.
func events(number int, faults sandbox.EventFaults) step {
	return on(number, func(_ context.Context, p *player, order payments.Order) error {
		return p.service.SetOrderFaults(order.OrderReference, &faults)
	})
}

// refuses has the service refuse orders from now on; for no reason it takes them.
func refuses(reason string) step {
	return func(_ context.Context, p *player) {
		p.service.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Refuse: reason}})
	}
}

// player plays a script on the console. The first error ends it.
type player struct {
	send    func(key tea.KeyMsg)
	shop    *payments.Service
	service *sandbox.Sandbox
	till    string
	pace    float64
	made    []string // The references of the script's orders, in their order.
	last    string   // The newest one, of an earlier round too.
	err     error
}

func (p *player) press(ctx context.Context, key tea.KeyMsg) {
	if p.err == nil && ctx.Err() == nil {
		p.send(key)
	}
}

// wait lets a pause of the script pass: at least as long as the console needs to
// show what came, and as it takes no key for an outcome that is new.
func (p *player) wait(ctx context.Context, pause time.Duration) {
	const showing = 200 * time.Millisecond
	least := showing
	switch pause {
	case 0:
		return
	case gaze:
		least += pay.Grace
	}
	p.sleep(ctx, max(time.Duration(float64(pause)*p.pace), least))
}

func (p *player) sleep(ctx context.Context, pause time.Duration) {
	if p.err != nil {
		return
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
		p.err = ctx.Err()
	}
}

// until waits until something is so.
func (p *player) until(ctx context.Context, is func() (bool, error)) {
	const poll = 20 * time.Millisecond
	for so := false; !so && p.err == nil; {
		if so, p.err = is(); !so {
			p.sleep(ctx, poll)
		}
	}
}

// scriptOptions are the flags of a demo that plays by itself.
type scriptOptions struct {
	name string // Empty: the person plays.
	loop bool
	pace float64 // How long pauses are: 1 is for people who watch.
}

// The bounds of a pace.
const (
	minPace = 0.1
	maxPace = 10
)

// scriptNames returns the names of the scripts, sorted.
func scriptNames() []string { return slices.Sorted(maps.Keys(scripts())) }

// flags adds the flags of the scripts.
func (o *scriptOptions) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&o.name, "script", "", strings.Join(scriptNames(), ", "))
	flags.BoolVar(&o.loop, "loop", false, "")
	flags.Float64Var(&o.pace, "pace", 1, "")
	cli.Complete(command, "script", scriptNames()...)
}

// check refuses what cannot be played.
func (o scriptOptions) check(command *cobra.Command) error {
	given, names := command.Flags().Changed, strings.Join(scriptNames(), ", ")
	switch {
	case o.name == "" && (given("script") || given("loop") || given("pace")):
		return cli.Misused("--script: name one of %s", names)
	case o.name == "":
		return nil
	case scripts()[o.name] == nil:
		return cli.Misused("--script: %q is not one of %s", cli.Shown(o.name), names)
	case !(o.pace >= minPace && o.pace <= maxPace): // Nor what is no number.
		return cli.Misused("--pace: give a number from %v to %v", minPace, float64(maxPace))
	case given("scenario"):
		return cli.Misused("a script brings its own faults: leave --scenario out")
	}
	return nil
}

// temporary gives the settings a database for one run, which remove deletes.
func temporary(settings settings.Settings) (_ settings.Settings, remove func(), err error) {
	folder, err := os.MkdirTemp("", "till-demo-")
	if err != nil {
		return settings, nil, fmt.Errorf("make a database for the script: %w", err)
	}
	settings.Files.Demo = filepath.Join(folder, "demo.db")
	return settings, func() { _ = os.RemoveAll(folder) }, nil
}

// player returns what plays the script, and nil when the person does. A script
// begins without a fault of an earlier one.
func (o scriptOptions) player(shop *cli.Shop, service *sandbox.Sandbox, logger *slog.Logger) tui.Script {
	if o.name == "" {
		return nil
	}
	return func(ctx context.Context, send func(tea.KeyMsg)) {
		p := &player{send: send, shop: shop.Service, service: service, pace: o.pace, till: shop.Settings.Counter.Till}
		for again := true; again && p.err == nil; again = o.loop {
			p.made = nil
			sequence(slices.Concat([]step{refuses(""), write(glance, "")}, scripts()[o.name], []step{write(gaze, "")})...)(ctx, p)
		}
		if p.err != nil && ctx.Err() == nil {
			logger.Error("the script stopped", slog.String(cli.LogFailure, p.err.Error()))
		}
	}
}
