package cli

import (
	"context"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

// scriptOptions are the flags of a demo that plays by itself.
type scriptOptions struct {
	name string // Empty: the person plays.
	loop bool
	pace float64 // How long pauses are: 1 is for people who watch.
}

// The bounds of a pace.
const (
	minPace = 0.01
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
	complete(command, "script", names...)
}

// check refuses what cannot be played.
func (o scriptOptions) check(command *cobra.Command) error {
	given := command.Flags().Changed
	_, known := scripts()[o.name]
	switch {
	case o.name == "" && (given("script") || given("loop") || given("pace")):
		return misused("--script: name one of %s", strings.Join(scriptNames(), ", "))
	case o.name == "":
		return nil
	case !known:
		return misused("--script: %q is none of %s", shown(o.name), strings.Join(scriptNames(), ", "))
	case !(o.pace >= minPace && o.pace <= maxPace): // Nor what is no number.
		return misused("--pace: give a number from %v to %v", minPace, float64(maxPace))
	case given("scenario"):
		return misused("a script brings its own faults: leave --scenario out")
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

// player returns who plays the script, and nil when the person does.
func (o scriptOptions) player(shop *shop, service *sandbox.Sandbox, logger *slog.Logger) tui.Player {
	if o.name == "" {
		return nil
	}
	return func(ctx context.Context, press tui.Press) {
		actor := &actor{press: press, shop: shop.service, service: service, pace: o.pace, till: shop.settings.Counter.Till}
		for {
			err := actor.play(ctx, scripts()[o.name])
			if err != nil && ctx.Err() == nil {
				logger.Error("the script stopped", slog.String(logFailure, err.Error()))
			}
			if err != nil || !o.loop {
				return
			}
		}
	}
}
