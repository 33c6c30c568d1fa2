package cli

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
)

func (a *App) consoleCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "till",
		Short: "The checkout console of a shop counter",
		Long: "The checkout console of a shop counter, with the webhook listener inside.\n" +
			"Without base_url and access_token it opens the demo.\n" +
			"With --plain it only adds lines, for screen readers, dumb terminals and pipes.",
		Args: NoArguments,
		RunE: a.runConsole,
	}
	a.prepare(root)
	return root
}

// runConsole opens the shop's console, or the demo where there is no account.
func (a *App) runConsole(command *cobra.Command, _ []string) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	if settings.Account.BaseURL == "" && settings.Account.AccessToken.Empty() {
		return a.demo(command.Context(), settings, demoOptions{welcome: a.underHome(settings.Files.Settings)})
	}
	return a.console(command.Context(), settings)
}

// console runs the console of the shop until the cashier leaves.
func (a *App) console(ctx context.Context, settings settings.Settings) error {
	client, err := NewClient(settings)
	if err != nil {
		return err
	}
	listens := settings.Webhook.Listens
	if _, err := CurrentSecret(settings); listens && err != nil {
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
func (a *App) counter(
	ctx context.Context, settings settings.Settings, client *gateway.Client, bound net.Listener, stage *stage,
) (err error) {
	shop, err := a.openCounter(ctx, settings, client, stage.logger)
	if err != nil {
		return unlessLeft(err)
	}
	defer shop.close(&err)
	if err := shop.Recover(ctx); err != nil {
		return unlessLeft(err)
	}
	var listener *Listener
	if bound != nil {
		if listener, err = shop.listenAt(ctx, bound, webhook.Config{Logger: stage.logger}); err != nil {
			return err
		}
	}
	front, err := stage.front(a, shop, listener)
	if err != nil {
		return err
	}
	parts := shop.behind()
	if listener != nil {
		parts = append(parts, listener.serveQuietly(stage.logger))
	}
	return RunAll(ctx, front, parts...)
}
