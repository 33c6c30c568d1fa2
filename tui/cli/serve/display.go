package serve

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/display"
)

// displayOptions are the flags of "display".
type displayOptions struct {
	demo bool
	web  string
	lan  lanFlags
}

// displayAddress is where the customer's page is served when only the network
// is named.
const displayAddress = "127.0.0.1:8790"

func (a *app) displayCommand() *cobra.Command {
	var options displayOptions
	command := &cobra.Command{
		Use:   "display",
		Short: "Show the customer's own screen, in a second terminal or as a web page",
		Long: "Show the customer's own screen beside a running console: the lines as they are added, the code with its\n" +
			"countdown, and the outcome. It shows the customer of the moment alone, and changes nothing.\n\n" +
			"In a second terminal it fills the terminal. With --web it serves a page instead, for a tablet or a second\n" +
			"monitor; with --lan the page can be opened in the local network. Whoever opens it sees what the customer sees.",
		Example: "  till display --till T1\n  till display --web 127.0.0.1:8790\n  till display --lan",
		Args:    cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			settings, err := a.Settings()
			if err != nil {
				return err
			}
			return a.display(command.Context(), settings, options)
		},
	}
	flags := command.Flags()
	flags.BoolVar(&options.demo, "demo", false, "the screen of the demo's console")
	flags.StringVar(&options.web, "web", "", "serve the screen as a web page on this `ADDRESS`; port 0 picks one")
	options.lan.flags(flags)
	return command
}

// display shows the customer's screen until ctx ends.
func (a *app) display(ctx context.Context, settings settings.Settings, options displayOptions) (err error) {
	if options.demo {
		settings.Files.Database = settings.Files.Demo
	}
	shop, err := a.OpenDisplay(ctx, settings, cli.NewLogger(io.Discard))
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	counter := settings.Counter
	language := a.language(counter.Language)
	texts, err := i18n.Load(assets.Locales, language)
	if err != nil {
		return err
	}
	config := display.Config{
		Source: shop.Service, Till: counter.Till, Shop: counter.Shop, Demo: options.demo, Test: settings.Account.Test(), Texts: texts, Language: language,
	}
	if options.web != "" || options.lan.wide() {
		return a.displayPage(ctx, config, options)
	}
	for _, end := range []any{a.In, a.Out} {
		if file, ok := end.(*os.File); ok && !term.IsTerminal(int(file.Fd())) {
			return errNoTerminal
		}
	}
	return display.Run(ctx, config, display.Terminal{
		Theme: tui.ThemeFor(a.Out, a.Env, counter.Theme), Input: a.In, Output: a.Out,
	})
}

// displayPage serves the customer's screen as a page until ctx ends.
func (a *app) displayPage(ctx context.Context, config display.Config, options displayOptions) error {
	handler, err := display.Handler(ctx, config)
	if err != nil {
		return err
	}
	address := options.web
	if address == "" {
		address = displayAddress
	}
	served, err := bindListeners(ctx, address, options.lan)
	if err != nil {
		return err
	}
	defer served.close()
	public, err := served.public(ctx, options.lan)
	if err != nil {
		return err
	}
	if public == "" {
		public = served.local.url()
	}
	a.Tell("the customer's screen is at %s", public)
	parts := served.parts(handler)
	return cli.RunAll(ctx, parts[0], parts[1:]...)
}
