package serve

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// Console returns the command that opens the console.
func Console(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "till",
		Short: "The checkout console of a shop counter",
		Long: "The checkout console of a shop counter, with the webhook listener inside.\n" +
			"Without base_url and access_token it opens the demo.\n" +
			"With --plain it only adds lines, for screen readers, dumb terminals and pipes.",
		Args: cli.NoArguments,
		RunE: (&app{a}).runConsole,
	}
}

// runConsole opens the shop's console, or the demo where there is no account.
func (a *app) runConsole(command *cobra.Command, _ []string) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	if settings.Account.BaseURL == "" && settings.Account.AccessToken.Empty() {
		return a.demo(command.Context(), settings, demoOptions{welcome: a.UnderHome(settings.Files.Settings)})
	}
	return a.console(command.Context(), settings)
}

// console runs the console of the shop until the cashier leaves.
func (a *app) console(ctx context.Context, settings settings.Settings) error {
	client, err := cli.NewClient(settings)
	if err != nil {
		return err
	}
	listens := settings.Webhook.Listens
	if _, err := cli.CurrentSecret(settings); listens && err != nil {
		return err // Told before the terminal is taken.
	}
	stage, err := a.stage(settings)
	if err != nil {
		return err
	}
	defer stage.close()
	stage.reach = client.Reach
	if !listens {
		return a.counter(ctx, settings, client, nil, stage)
	}
	bound, err := webhook.Bind(ctx, settings.Webhook.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = bound.Close() }() // Its server may have done it.
	return a.counter(ctx, settings, client, bound, stage)
}

// unlessLeft returns why a shop was not opened: nil when nobody waited for it.
func unlessLeft(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// counter opens the shop and runs its console. It listens at a bound address, or
// nowhere when that is nil: a shop with several tills has its listener elsewhere.
func (a *app) counter(
	ctx context.Context, settings settings.Settings, client *gateway.Client, bound net.Listener, stage *stage,
) (err error) {
	shop, err := a.OpenConsole(ctx, settings, client, stage.logger)
	if err != nil {
		return unlessLeft(err)
	}
	defer shop.Close(&err)
	if err := shop.Recover(ctx); err != nil {
		return unlessLeft(err)
	}
	var listener *cli.Listener
	if bound != nil {
		if listener, err = shop.ListenAt(ctx, bound, webhook.Config{Logger: stage.logger}); err != nil {
			return err
		}
	}
	front, err := stage.front(a, shop, listener)
	if err != nil {
		return err
	}
	parts := shop.Background()
	if listener != nil {
		parts = append(parts, listener.ServeQuietly(stage.logger))
	}
	return cli.RunAll(ctx, front, parts...)
}
