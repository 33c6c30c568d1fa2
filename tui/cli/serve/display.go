package serve

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/display"
	"checkout/till/tui/theme"
)

type displayOptions struct {
	demo bool
	web  string
	lan  string
}

// displayAddress is where the customer's page is served when only the network
// is named.
const displayAddress = "127.0.0.1:8790"

func (a *app) displayCommand() *cobra.Command {
	var options displayOptions
	command := &cobra.Command{
		Use:     "display",
		Example: "  till display --till T1\n  till display --web 127.0.0.1:8790\n  till display --lan",
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			return a.display(ctx, settings, options)
		}),
	}
	flags := command.Flags()
	flags.BoolVar(&options.demo, "demo", false, "")
	flags.StringVar(&options.web, "web", "", "")
	lanFlag(flags, &options.lan)
	return command
}

func (a *app) display(ctx context.Context, settings settings.Settings, options displayOptions) error {
	if options.demo {
		settings.Files.Database = settings.Files.Demo
		settings.Counter.Shop = cmp.Or(settings.Counter.Shop, demoShop)
	}
	page := options.web != "" || options.lan != ""
	if err := a.OnTerminal(); err != nil && !page {
		return errors.New(a.Texts.Shell.DisplayTerminal)
	}
	need := cli.Need{Lazy: cli.ListenPatience, Drafts: true}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		counter := settings.Counter
		config := display.Config{
			Source: shop.Service, Till: counter.Till, Shop: counter.Shop, Demo: options.demo,
			Test: settings.Account.Test(), Texts: a.Texts, Language: a.Language,
		}
		if page {
			return a.displayPage(ctx, config, options)
		}
		return display.Run(ctx, config, theme.ForTerminal(a.Out, a.Env, theme.Mode(counter.Theme)), a.In, a.Out)
	})
}

func (a *app) displayPage(ctx context.Context, config display.Config, options displayOptions) error {
	served, err := a.bindListeners(ctx, "--web", cmp.Or(options.web, displayAddress), options.lan)
	if err != nil {
		return err
	}
	defer served.close()
	a.Tell("%s", a.Texts.Office.Screen.With(cmp.Or(served.public, served.url())))
	parts := served.parts(display.Handler(config))
	return cli.RunAll(ctx, parts[0], parts[1:]...)
}
