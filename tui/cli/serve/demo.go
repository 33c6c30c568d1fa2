package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
)

type demoOptions struct {
	lan      string
	expires  time.Duration
	scenario string
	script   scriptOptions
	welcome  string // The settings file to name in a welcome; blank for none.
}

// demoAddress is where the demo's pages are, so that the codes of an earlier run
// lead to them.
const demoAddress = "127.0.0.1:8791"

func (a *app) demoCommand() *cobra.Command {
	var options demoOptions
	command := &cobra.Command{
		Use: "demo",
		PreRunE: func(command *cobra.Command, _ []string) error {
			if err := cmp.Or(a.checkLifetime(options.expires), options.script.check(command)); err != nil {
				return err
			}
			if a.Given("database") {
				return cli.Misused("%s", a.Texts.Office.OwnBase)
			}
			return nil
		},
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			if options.script.name != "" {
				if settings.Counter.Plain {
					return cli.Misused("a script plays the screens: leave --plain out")
				}
				folder, err := os.MkdirTemp("", "till-demo-")
				if err != nil {
					return fmt.Errorf("make a database for the script: %w", err)
				}
				defer func() { _ = os.RemoveAll(folder) }()
				settings.Files.Demo = filepath.Join(folder, "demo.db")
			}
			return a.demo(ctx, settings, options)
		}),
	}
	flags := command.Flags()
	lanFlag(flags, &options.lan)
	flags.DurationVar(&options.expires, "expires", sandbox.DefaultLifetime, "")
	var scenarios []string
	for _, scenario := range sandbox.Scenarios() {
		scenarios = append(scenarios, scenario.Name)
	}
	a.scenarioFlag(command, &options.scenario, strings.Join(scenarios, ", "))
	a.scriptFlags(command, &options.script)
	return command
}

func (a *app) demo(ctx context.Context, settings settings.Settings, options demoOptions) error {
	served, err := a.bindListeners(ctx, "--lan", demoAddress, options.lan)
	if err != nil { // Another demo runs.
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
	data := strings.TrimSuffix(settings.Files.Demo, ".db") + "-service.json"
	if _, err := os.Stat(settings.Files.Demo); errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(data) // It would refuse the references of its orders.
	}
	need := cli.Need{Caller: client, Console: true, Alone: true}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		if err := stockDemo(ctx, shop.Service); err != nil {
			return err
		}
		if err := shop.Recover(ctx); err != nil {
			return err
		}
		listener, err := shop.Listen(ctx, nil)
		if err != nil {
			return err
		}
		service, err := sandbox.New(a.sandboxConfig(settings, sandbox.Config{
			WebhookURL: listener.URL, PublicURL: served.public, Lifetime: options.expires, Logger: shop.Logger,
			Data: data,
		}))
		if err != nil {
			return err
		}
		scenario, _ := sandbox.FindScenario(options.scenario) // Without a name nothing goes wrong.
		service.SetFaults(scenario.Faults)
		front, err := a.front(shop, client, tui.Demo{
			Customer: service.Act, Address: served.public, Welcome: options.welcome, Script: options.script.player(shop, service),
		})
		if err != nil {
			return err
		}
		a.sayDemo(served, options.expires)
		// The service stops first: it ends the replies that it holds back.
		parts := append(shop.BehindConsole(), served.parts(server.New(service))...)
		return cli.RunAll(ctx, front, append(parts, service.Run)...)
	})
}

// sayDemo says what stands beside the console, before it takes the terminal.
func (a *app) sayDemo(served listeners, lifetime time.Duration) {
	words := a.Texts.Office
	if served.public != "" {
		a.Say("%s", words.Phones.With(served.public))
	}
	a.Say("%s", words.Dashboard.With(served.url()))
	a.sayRounded(a.Say, lifetime)
}

// demoShop is the name of the demo's shop where the settings have none.
const demoShop = "Épicerie Tantely"

// demoSettings are the shop's settings with a database of the demo's and an
// account of the sandbox: nothing of the real account is left in them, and the
// secrets are new at each start.
func demoSettings(settings settings.Settings, address string) settings.Settings {
	settings.Account.BaseURL = address
	settings.Account.AccessToken = payments.NewSecret(payments.TokenPrefix + "demo_" + rand.Text())
	settings.Account.CheckoutHosts = nil
	settings.Webhook.Secrets = []payments.Secret{payments.NewSecret("whsec_demo_" + rand.Text())}
	settings.Webhook.Listen = "127.0.0.1:0"
	settings.Webhook.PublicURL = ""
	settings.Files.Database = settings.Files.Demo
	settings.Files.Outbox = ""
	settings.Counter.Shop = cmp.Or(settings.Counter.Shop, demoShop)
	return settings
}

func stockDemo(ctx context.Context, service *payments.Service) error {
	articles, err := service.Articles(ctx)
	if err != nil || len(articles) > 0 {
		return err
	}
	_, err = service.SaveArticles(ctx, []payments.Article{
		{Label: "Vary sy laoka", UnitPrice: 3500, Code: "101", Favourite: 1},
		{Label: "Romazava", UnitPrice: 7000, Code: "102", Favourite: 2},
		{Label: "Ravitoto", UnitPrice: 8000, Code: "103", Favourite: 3},
		{Label: "Mofo gasy", UnitPrice: 300, Code: "104", Favourite: 7},
		{Label: "Koba", UnitPrice: 1000, Code: "105", Favourite: 8},
		{Label: "Coca", UnitPrice: 2000, Code: "201", Favourite: 4},
		{Label: "Eau vive", UnitPrice: 2500, Code: "202", Favourite: 5},
		{Label: "Kafe", UnitPrice: 800, Code: "203", Favourite: 6},
		{Label: "Savony", UnitPrice: 1200, Code: "301", Favourite: 9},
	})
	return err
}
