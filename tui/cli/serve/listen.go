package serve

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

func (a *app) listenCommand() *cobra.Command {
	return &cobra.Command{
		Use: "listen",
		Long: "Receive webhooks without a console, for a server or a service manager.\n" +
			"A socket that systemd hands over (a .socket unit) goes before listen: while the program is not running,\n" +
			"nobody else can bind the port then and get the events with their signature.",
		Args: a.Arguments(),
		RunE: a.WithSettings(a.listen),
	}
}

// listen receives webhooks until ctx ends. The address is printed, for port 0
// picks one.
func (a *app) listen(ctx context.Context, settings settings.Settings, _ []string) error {
	if _, err := cli.CurrentSecret(settings); err != nil {
		return err
	}
	socket, err := a.handedSocket()
	if err != nil {
		return fmt.Errorf("take the socket of systemd: %w", err)
	}
	need := cli.Need{Logger: cli.NewLogger(a.Err), Lazy: cli.ListenPatience, Alone: true}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		// At a server the till of this name may be another program's, and its calls
		// under way. In a file the lock keeps that program out.
		if !storage.Served(settings.Files.Database) {
			if err := shop.Recover(ctx); err != nil {
				return err
			}
		}
		listener, err := shop.Listen(ctx, socket)
		if err != nil {
			return err
		}
		defer shop.LogLeft()
		a.Tell("listening on %s", listener.URL)
		return cli.RunAll(ctx, listener.Serve, append(shop.Background(), notifySystemd(listener.URL))...)
	})
}
