package serve

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/display"
	"checkout/till/tui/theme"
)

func (a *app) displayCommand() *cobra.Command {
	var demo bool
	var web, lan string
	command := &cobra.Command{
		Use:     "display",
		Example: "  till display --till T1\n  till display --web 127.0.0.1:8790\n  till display --lan",
	}
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		if demo {
			settings.Files.Database = settings.Files.Demo
			settings.Counter.Shop = cmp.Or(settings.Counter.Shop, demoShop)
		}
		page := web != "" || lan != ""
		if err := a.OnTerminal(); err != nil && !page {
			return errors.New(a.Texts.Shell.DisplayTerminal)
		}
		need := cli.Need{Lazy: cli.ListenPatience, Drafts: true}
		return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
			counter := settings.Counter
			if !demo {
				a.Say("%s", a.Texts.Office.ScreenOf.With(counter.Till))
			}
			config := display.Config{
				Service: shop.Service, Till: counter.Till, Shop: counter.Shop, Demo: demo,
				Test: settings.Account.Test(), Reach: shop.Reach, Texts: a.Texts,
			}
			var behind []cli.Part
			if !demo && !storage.IsPostgres(settings.Files.Database) { // With a server, the database tells whether a listener runs.
				behind = append(behind, shop.WatchReach)
			}
			if !page {
				front := func(ctx context.Context) error {
					return display.Run(ctx, config, theme.ForTerminal(a.Out, a.Env, theme.Mode(counter.Theme)), a.In, a.Out)
				}
				return cli.RunAll(ctx, front, behind...)
			}
			served, err := a.bindListeners(ctx, "--web", cmp.Or(web, "127.0.0.1:8790"), lan)
			if err != nil {
				return err
			}
			defer served.close()
			a.Tell("%s", a.Texts.Office.Screen.With(cmp.Or(served.public, served.url())))
			parts := served.parts(display.Handler(config))
			return cli.RunAll(ctx, parts[0], append(behind, parts[1:]...)...)
		})
	})
	flags := command.Flags()
	flags.BoolVar(&demo, "demo", false, "")
	flags.StringVar(&web, "web", "", "")
	lanFlag(flags, &lan)
	return command
}
