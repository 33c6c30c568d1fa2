package cli

import (
	"context"

	"github.com/spf13/cobra"

	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/settings"
)

func (a *app) listenCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "listen",
		Short: "Receive webhooks without a console, for a server or a service manager",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			settings, err := a.settings()
			if err != nil {
				return err
			}
			return a.listen(command.Context(), settings)
		},
	}
}

// listen receives webhooks until ctx ends. The address is printed, for port 0
// picks one.
func (a *app) listen(ctx context.Context, settings settings.Settings) (err error) {
	if _, err := currentSecret(settings); err != nil {
		return err
	}
	lock, err := storage.Lock(settings.Files.Database)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Release() }()
	logger := newLogger(a.Err)
	shop, err := a.openShopLate(ctx, settings, logger)
	if err != nil {
		return err
	}
	defer shop.close(&err)
	// At a server the till of this name may be another program's, and its calls
	// under way. In a file the lock keeps that program out.
	if !storage.Served(settings.Files.Database) {
		if err := shop.recover(ctx); err != nil {
			return err
		}
	}
	listener, err := shop.listen(ctx, webhook.Config{Logger: logger})
	if err != nil {
		return err
	}
	defer shop.sayLeft(logger)
	a.tell("listening on %s", listener.url(settings))
	return runAll(ctx, listener.serve, shop.behind()...)
}
