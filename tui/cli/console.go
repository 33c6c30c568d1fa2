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

func (a *app) consoleCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "till",
		Short: "The checkout console of a shop counter",
		Long: "The checkout console of a shop counter, with the webhook listener inside.\n" +
			"Without base_url and access_token it opens the demo.\n" +
			"With --plain it only adds lines, for screen readers, dumb terminals and pipes.",
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
		return a.demo(command.Context(), settings, demoOptions{welcome: a.underHome(settings.Files.Settings)})
	}
	return a.console(command.Context(), settings)
}

// console runs the console of the shop until the cashier leaves.
func (a *app) console(ctx context.Context, settings settings.Settings) error {
	client, err := newClient(settings)
	if err != nil {
		return err
	}
	if _, err := currentSecret(settings); err != nil {
		return err // Told before the terminal is taken.
	}
	stage, err := a.stage(settings)
	if err != nil {
		return err
	}
	defer stage.close()
	stage.reach = client.Reach
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

// counter opens the shop and runs its console, which listens at a bound address.
func (a *app) counter(
	ctx context.Context, settings settings.Settings, client *gateway.Client, bound net.Listener, stage *stage,
) (err error) {
	shop, err := a.openCounter(ctx, settings, client, stage.logger)
	if err != nil {
		return unlessLeft(err)
	}
	defer shop.close(&err)
	if err := shop.recover(ctx); err != nil {
		return unlessLeft(err)
	}
	listener, err := shop.listenAt(ctx, bound, webhook.Config{Logger: stage.logger})
	if err != nil {
		return err
	}
	front, err := stage.front(a, shop, listener)
	if err != nil {
		return err
	}
	return runAll(ctx, front, append(shop.behind(), listener.serveQuietly(stage.logger))...)
}
