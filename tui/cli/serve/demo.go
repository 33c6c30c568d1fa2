package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
)

// demoOptions are the flags of "demo".
type demoOptions struct {
	lan      lanFlags
	expires  time.Duration
	scenario string
	script   scriptOptions
	welcome  string // The settings file to name in a welcome; blank for none.
}

func (a *app) demoCommand() *cobra.Command {
	options := demoOptions{expires: sandbox.DefaultLifetime}
	command := &cobra.Command{
		Use:  "demo",
		Args: a.Arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			if err := cmp.Or(a.checkLifetime(options.expires), options.script.check(command)); err != nil {
				return err
			}
			if a.Given("database") {
				return cli.Misused("%s", a.Texts.Office.OwnBase)
			}
			settings, err := a.Settings()
			if err != nil {
				return err
			}
			if options.script.name != "" {
				if settings.Counter.Plain {
					return cli.Misused("a script plays the screens: leave --plain out")
				}
				temporary, remove, err := temporary(settings)
				if err != nil {
					return err
				}
				defer remove()
				settings = temporary
			}
			return a.demo(command.Context(), settings, options)
		},
	}
	flags := command.Flags()
	options.lan.flags(flags)
	flags.DurationVar(&options.expires, "expires", options.expires, "")
	scenarioFlag(command, &options.scenario, strings.Join(scenarioNames(), ", "))
	options.script.flags(command)
	return command
}

// demo runs the console, the listener and the sandbox in this process.
func (a *app) demo(ctx context.Context, settings settings.Settings, options demoOptions) (err error) {
	scenario, err := findScenario(options.scenario)
	if err != nil {
		return err
	}
	settings.Files.Database = settings.Files.Demo
	setup, err := a.setUp(settings)
	if err != nil {
		return err
	}
	defer setup.close()
	served, err := bindListeners(ctx, "--interface", "127.0.0.1:0", options.lan)
	if err != nil {
		return err
	}
	defer served.close()
	settings = demoSettings(settings, served.url())
	client, err := cli.NewClient(settings)
	if err != nil {
		return err
	}
	setup.reach = client.Reach
	shop, err := a.OpenShop(ctx, settings, cli.Need{Caller: client})
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	if err := stockDemo(ctx, shop.Service); err != nil {
		return err
	}
	if err := shop.Recover(ctx); err != nil {
		return err
	}
	listener, err := shop.Listen(ctx, webhook.Config{Logger: setup.logger})
	if err != nil {
		return err
	}
	public, err := served.public(ctx, options.lan)
	if err != nil {
		return err
	}
	service, err := a.demoService(settings, public, listener, options, setup.logger)
	if err != nil {
		return err
	}
	service.SetFaults(scenario.Faults)
	setup.demo = tui.Demo{
		Customer: service.Act, Address: public, Welcome: options.welcome,
		Script: options.script.player(shop, service, setup.logger),
	}
	front, err := setup.front(a, shop, listener)
	if err != nil {
		return err
	}
	a.sayDemo(served, public, options.expires)
	// The service stops first: it ends the replies that it holds back.
	parts := append([]cli.Part{listener.ServeQuietly(setup.logger)}, served.parts(server.New(service))...)
	return cli.RunAll(ctx, front, append(parts, service.Run)...)
}

// sayDemo says what stands beside the console, before it takes the terminal.
func (a *app) sayDemo(served listeners, public string, lifetime time.Duration) {
	words := a.Texts.Office
	if public != "" {
		a.Say("%s", words.Phones.With(public))
	}
	a.Say("%s", words.Dashboard.With(served.url()))
	if lifetime%time.Minute != 0 {
		a.Say("%s", words.Rounded.With(lifetime, statedMinutes(lifetime)))
	}
}

// demoSettings are the shop's settings with an account of the sandbox: nothing
// of the real account is left in them, and the secrets are new at each start.
func demoSettings(settings settings.Settings, address string) settings.Settings {
	settings.Account.BaseURL = address
	settings.Account.AccessToken = payments.NewSecret(payments.TokenPrefix + "demo_" + rand.Text())
	settings.Account.CheckoutHosts = nil
	settings.Webhook.Secrets = []payments.Secret{payments.NewSecret("whsec_demo_" + rand.Text())}
	settings.Webhook.Listen = "127.0.0.1:0"
	settings.Webhook.PublicURL = ""
	settings.Files.Spool = ""
	return settings
}

// demoService makes the sandbox of the demo.
func (a *app) demoService(
	settings settings.Settings, public string, listener *cli.Listener, options demoOptions, logger *slog.Logger,
) (*sandbox.Sandbox, error) {
	secret, err := cli.CurrentSecret(settings)
	if err != nil {
		return nil, err
	}
	return sandbox.New(sandbox.Config{
		Token: settings.Account.AccessToken, WebhookSecret: secret, Scheme: cli.Scheme(settings),
		SignatureHeader: settings.Webhook.SignatureHeader, OrderPath: settings.Account.OrderPath,
		WebhookURL: listener.URL(settings), PublicURL: public, Lifetime: options.expires,
		Shop: settings.Counter.Shop, Now: a.Now, Logger: logger,
	})
}

// stockDemo fills the catalogue of the demo when it is empty.
func stockDemo(ctx context.Context, service *payments.Service) error {
	articles, err := service.Articles(ctx)
	if err != nil || len(articles) > 0 {
		return err
	}
	_, err = service.SaveArticles(ctx, demoArticles())
	return err
}

// demoArticles are what the shop of the demo sells.
func demoArticles() []payments.Article {
	return []payments.Article{
		{Label: "Vary sy laoka", UnitPrice: 3500, Code: "101", Favourite: 1},
		{Label: "Romazava", UnitPrice: 7000, Code: "102", Favourite: 2},
		{Label: "Ravitoto", UnitPrice: 8000, Code: "103", Favourite: 3},
		{Label: "Mofo gasy", UnitPrice: 300, Code: "104"},
		{Label: "Koba", UnitPrice: 1000, Code: "105"},
		{Label: "Coca", UnitPrice: 2000, Code: "201", Favourite: 4},
		{Label: "Eau vive", UnitPrice: 2500, Code: "202"},
		{Label: "Kafe", UnitPrice: 800, Code: "203"},
	}
}

func scenarioNames() []string {
	var names []string
	for _, scenario := range sandbox.Scenarios() {
		names = append(names, scenario.Name)
	}
	return names
}
