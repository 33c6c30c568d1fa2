package serve

import (
	"context"
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

// flags adds the flags of the scripts.
func (o *scriptOptions) flags(command *cobra.Command) {
	names := scriptNames()
	flags := command.Flags()
	flags.StringVar(&o.name, "script", "",
		"the demo plays by itself, in a database that is deleted afterwards, the script `NAME`: "+strings.Join(names, ", "))
	flags.BoolVar(&o.loop, "loop", false, "play the script again and again")
	flags.Float64Var(&o.pace, "pace", 1, "how long the pauses of the script are: 0.5 is twice as fast, 2 half as fast")
	cli.Complete(command, "script", names...)
}

// check refuses what cannot be played.
func (o scriptOptions) check(command *cobra.Command) error {
	given := command.Flags().Changed
	_, known := scripts()[o.name]
	switch {
	case o.name == "" && (given("script") || given("loop") || given("pace")):
		return cli.Misused("--script: name one of %s", strings.Join(scriptNames(), ", "))
	case o.name == "":
		return nil
	case !known:
		return cli.Misused("--script: %q is none of %s", cli.Shown(o.name), strings.Join(scriptNames(), ", "))
	case !(o.pace >= minPace && o.pace <= maxPace): // Nor what is no number.
		return cli.Misused("--pace: give a number from %v to %v", minPace, float64(maxPace))
	case given("scenario"):
		return cli.Misused("a script brings its own faults: leave --scenario out")
	}
	return nil
}

// scriptNames returns the names of the scripts, sorted.
func scriptNames() []string { return slices.Sorted(maps.Keys(scripts())) }

// temporary gives the settings a database for one run, which remove deletes.
func temporary(settings settings.Settings) (_ settings.Settings, remove func(), err error) {
	folder, err := os.MkdirTemp("", "till-demo-")
	if err != nil {
		return settings, nil, err
	}
	settings.Files.Demo = filepath.Join(folder, "demo.db")
	return settings, func() { _ = os.RemoveAll(folder) }, nil
}

// player plays a script on the console.
type player struct {
	press   func(key tea.KeyMsg)
	shop    *payments.Service
	service *sandbox.Sandbox
	till    string
	pace    float64
	made    []string // The references of the script's orders, in their order.
	last    string   // The newest one, of an earlier round too.
}

// player returns what plays the script, and nil when the person does.
func (o scriptOptions) player(shop *cli.Shop, service *sandbox.Sandbox, logger *slog.Logger) tui.Script {
	if o.name == "" {
		return nil
	}
	return func(ctx context.Context, press func(tea.KeyMsg)) {
		p := &player{press: press, shop: shop.Service, service: service, pace: o.pace, till: shop.Settings.Counter.Till}
		for {
			err := p.play(ctx, scripts()[o.name])
			if err != nil && ctx.Err() == nil {
				logger.Error("the script stopped", slog.String(cli.LogFailure, err.Error()))
			}
			if err != nil || !o.loop {
				return
			}
		}
	}
}

// play does the steps, after no fault of an earlier script. It returns an error
// when ctx ends, or the store fails.
func (p *player) play(ctx context.Context, steps []step) error {
	p.made = nil
	p.service.SetFaults(sandbox.Faults{})
	if err := p.wait(ctx, glance); err != nil {
		return err
	}
	for _, step := range steps {
		if err := p.step(ctx, step); err != nil {
			return err
		}
	}
	return p.wait(ctx, gaze)
}

func (p *player) step(ctx context.Context, step step) error {
	if step.pause > 0 {
		if err := p.wait(ctx, step.pause); err != nil {
			return err
		}
	}
	for _, character := range step.text {
		if err := sleep(ctx, time.Duration(float64(stroke)*p.pace)); err != nil {
			return err
		}
		p.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{character}})
	}
	for _, key := range step.keys {
		if err := p.wait(ctx, beat); err != nil {
			return err
		}
		p.press(tea.KeyMsg{Type: key})
	}
	if step.does == nil {
		return nil
	}
	return step.does(ctx, p)
}

// wait lets a pause of the script pass: at least as long as the console needs to
// show what came, and as it takes no key for an outcome that is new.
func (p *player) wait(ctx context.Context, pause time.Duration) error {
	const showing = 200 * time.Millisecond
	least := showing
	if pause == gaze {
		least += pay.Grace
	}
	return sleep(ctx, max(time.Duration(float64(pause)*p.pace), least))
}

// sleep returns ctx's error when ctx ends before the time is over.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// until waits until something is so.
func until(ctx context.Context, is func() (bool, error)) error {
	const poll = 20 * time.Millisecond
	for {
		if so, err := is(); so || err != nil {
			return err
		}
		if err := sleep(ctx, poll); err != nil {
			return err
		}
	}
}

// order reads one of the script's orders; the first is 0.
func (p *player) order(ctx context.Context, number int) (payments.Order, error) {
	order, _, err := p.shop.Order(ctx, p.made[number])
	return order, err
}
