package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/tui"
	"checkout/till/tui/theme"
)

func (a *app) consoleCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "till",
		Short: "The checkout console of a shop counter",
		Long: "The checkout console of a shop counter, with the webhook listener inside.\n" +
			"Without base_url and access_token it opens the demo.",
		Args: noArguments,
		RunE: a.runConsole,
	}
	a.prepare(root)
	return root
}

// runConsole opens the shop's console, or the demo where there is no account.
func (a *app) runConsole(command *cobra.Command, _ []string) error {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	if settings.Account.BaseURL == "" && settings.Account.AccessToken.Empty() {
		return a.demo(command.Context(), settings, demoOptions{})
	}
	return a.console(command.Context(), settings)
}

// console runs the console of the shop until the cashier leaves.
func (a *app) console(ctx context.Context, settings storage.Settings) (err error) {
	client, err := newClient(settings)
	if err != nil {
		return err
	}
	lock, err := storage.Lock(settings.Files.Database)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Release() }()
	logger, file, err := consoleLog(settings)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	shop, err := a.openShop(ctx, settings, client)
	if err != nil {
		return err
	}
	defer shop.close(&err)
	listener, err := shop.listen(ctx, webhook.Config{Logger: logger})
	if err != nil {
		return err
	}
	config := a.consoleConfig(shop, listener)
	return runAll(ctx, show(config), listener.serveQuietly(logger))
}

// errNoTerminal says that the console was started where nobody can see it.
var errNoTerminal = errors.New("the console needs a terminal: to receive webhooks on a server run till listen")

// show returns the console as the front of everything else.
func show(config tui.Config) part {
	return func(ctx context.Context) error {
		for _, end := range []any{config.Input, config.Output} {
			if file, ok := end.(*os.File); ok && !term.IsTerminal(int(file.Fd())) {
				return errNoTerminal
			}
		}
		return tui.Run(ctx, config)
	}
}

// consoleLog opens the console's log.
func consoleLog(settings storage.Settings) (*slog.Logger, io.Closer, error) {
	file, err := openLog(settings.Files.Log)
	if err != nil {
		return nil, nil, errors.Join(errors.New("open the log"), err)
	}
	return newLogger(file), file, nil
}

// consoleConfig says what the console shows and how.
func (a *app) consoleConfig(shop *shop, listener *listener) tui.Config {
	counter := shop.settings.Counter
	// The settings have checked the name.
	mode, _ := theme.ParseMode(counter.Theme)
	return tui.Config{
		Service: shop.service, Till: counter.Till, Shop: counter.Shop,
		Locales: assets.Locales, Language: a.language(counter.Language),
		Theme: theme.ForTerminal(a.Out, a.Env, mode), Sound: counter.Sound,
		Health: listener.health, Zone: time.Local, Input: a.In, Output: a.Out,
	}
}

// language returns the language of the console: the setting's, or the
// locale's.
func (a *app) language(setting string) string {
	if setting != "" {
		return setting
	}
	return i18n.Choose(a.Env("LC_ALL"), a.Env("LC_MESSAGES"), a.Env("LANG"))
}
