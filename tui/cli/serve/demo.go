package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/sample"
	"checkout/till/payments/secret"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
)

type demoOptions struct {
	lan      string
	expires  time.Duration
	scenario string
	script   string // Name of the script that presses the keys; blank if a person uses the demo.
	loop     bool
	empty    bool    // Whether the demo starts without a sample day.
	pace     float64 // Factor for the script's pauses; with 1, viewers can follow.
	welcome  string  // Settings file that the welcome text names; blank for no such text.
}

func (a *app) demoCommand() *cobra.Command {
	const minPace, maxPace = 0.1, 10.0
	var options demoOptions
	command := &cobra.Command{Use: "demo"}
	command.PreRunE = func(*cobra.Command, []string) error {
		switch {
		case options.script != "" && !(options.pace >= minPace && options.pace <= maxPace): // Also refuses NaN.
			return cli.Misused("--pace: give a number from %v to %v", minPace, maxPace)
		case options.script != "" && options.scenario != "":
			return cli.Misused("a script brings its own faults: leave --scenario out")
		case a.Given("database"):
			return cli.Misused("%s", a.Texts.Office.OwnBase)
		}
		return a.checkLifetime(options.expires)
	}
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		if options.script != "" {
			if settings.Counter.Plain {
				return cli.Misused("a script plays the screens: leave --plain out")
			}
			remove, err := moveDemo(&settings)
			if err != nil {
				return err
			}
			defer remove()
		}
		return a.demo(ctx, settings, options)
	})
	flags := command.Flags()
	lanFlag(flags, &options.lan)
	flags.DurationVar(&options.expires, "expires", sandbox.DefaultLifetime, "")
	flags.BoolVar(&options.empty, "empty", false, "")
	flags.BoolVar(&options.loop, "loop", false, "")
	flags.Float64Var(&options.pace, "pace", 1, "")
	a.scenarioFlag(command, &options.scenario, "")
	a.Choice(command, &options.script, "script", "", append(slices.Sorted(maps.Keys(scripts())), blackoutScript)...)
	return command
}

func (a *app) demo(ctx context.Context, settings settings.Settings, options demoOptions) error {
	// Use the same port at each start, so that a dashboard in a browser continues to work.
	served, err := a.bindListeners(ctx, "--lan", "127.0.0.1:8791", options.lan)
	if err != nil { // Another demo may use the port, so take a free one.
		served, err = a.bindListeners(ctx, "--lan", "127.0.0.1:0", options.lan)
	}
	if err != nil {
		return err
	}
	defer served.close()
	settings = demoSettings(settings, served.url())
	client, err := cli.NewClient(settings)
	if err != nil {
		return err
	}
	unlock, err := a.removeDemo(&settings)
	if err != nil {
		return err
	}
	if options.script == blackoutScript {
		unlock() // The console itself locks the database at each of its starts.
		return a.blackout(ctx, settings, options, served, client)
	}
	defer unlock()
	start := sample.Now(a.Now())
	return a.WithShop(ctx, settings, cli.Need{Caller: client, Console: true, Ahead: start.Sub(a.Now())}, func(ctx context.Context, shop *cli.Shop) error {
		if err := shop.Service.AddArticles(ctx, sample.Articles()); err != nil {
			return err
		}
		listener, err := shop.Listen(ctx, nil)
		if err != nil {
			return err
		}
		service, err := a.newSandbox(settings, options.scenario, sandbox.Config{
			WebhookURL: listener.URL, PublicURL: served.public, Lifetime: options.expires, Logger: shop.Logger, Now: shop.Now,
			Reasons: a.Texts.Failures,
		})
		if err != nil {
			return err
		}
		if !options.empty {
			day := sample.Day{
				Till: settings.Counter.Till, Reached: start, Sandbox: service, Address: cmp.Or(served.public, served.url()),
				Settled: options.script != "", // A script needs a shop without other waiting orders.
			}
			if err := day.Fill(ctx, shop.Store()); err != nil {
				return err
			}
		}
		front, err := a.front(shop, client, tui.Demo{
			Customer: service.Act, Sample: !options.empty && options.script == "", Address: served.public, Welcome: options.welcome, Script: options.player(shop, service),
		})
		if err != nil {
			return err
		}
		// Print these lines only in line mode: the screens of the console would hide them.
		if settings.Counter.Plain {
			if served.public != "" {
				a.Say("%s", a.Texts.Office.Phones.With(served.public))
			}
			a.Say("%s", a.Texts.Office.Dashboard.With(served.url()))
		}
		a.sayRounded(a.Say, options.expires)
		// RunAll stops the sandbox before the servers. That ends its delayed replies, for which the
		// servers would otherwise wait.
		return cli.RunAll(ctx, front, append(shop.BehindConsole(), served.sandbox(service), service.Run)...)
	})
}

const demoShop = "Épicerie Tantely"

// demoSettings returns the settings for the demo. They contain neither the token nor a webhook
// secret of the real account.
func demoSettings(settings settings.Settings, address string) settings.Settings {
	settings.Account.BaseURL = address
	settings.Account.AccessToken = secret.New(payments.TokenPrefix + "demo_" + rand.Text())
	settings.Account.CheckoutHosts = nil
	settings.Webhook.Secrets = []secret.Text{secret.New("whsec_demo_" + rand.Text())}
	settings.Webhook.Listen = "127.0.0.1:0"
	settings.Webhook.PublicURL = ""
	settings.Webhook.Relay = ""
	settings.Webhook.RelayKey = secret.Text{}
	settings.Files.Database = settings.Files.Demo
	settings.Files.Outbox = ""
	settings.Counter.Tenders = allTenders()
	settings.Counter.Shop = cmp.Or(settings.Counter.Shop, demoShop)
	return settings
}

func moveDemo(settings *settings.Settings) (remove func(), err error) {
	folder, err := os.MkdirTemp("", "till-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a database for the demo: %w", err)
	}
	settings.Files.Demo = filepath.Join(folder, "demo.db")
	settings.Files.Database = settings.Files.Demo
	return func() { _ = os.RemoveAll(folder) }, nil
}

func allTenders() (names []string) {
	for _, way := range drawer.Ways() {
		names = append(names, string(way.Tender))
	}
	return names
}

// removeDemo removes the database of an earlier demo and locks its path. If another demo uses that
// database, this demo gets a new one, which unlock deletes. If the demo needs a terminal and there
// is none, removeDemo returns an error before it removes anything.
func (a *app) removeDemo(settings *settings.Settings) (unlock func(), err error) {
	if err := a.OnTerminal(); err != nil && !settings.Counter.Plain {
		return nil, err
	}
	unlock, err = storage.Lock(settings.Files.Demo)
	if errors.As(err, new(*storage.LockedError)) {
		return moveDemo(settings)
	}
	if err != nil {
		return nil, err
	}
	database := settings.Files.Demo
	for _, file := range []string{database, database + "-wal", database + "-shm"} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			unlock()
			return nil, fmt.Errorf("begin a new demo: %w", err)
		}
	}
	return unlock, nil
}
