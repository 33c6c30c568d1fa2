package serve

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"checkout/till/payments/webhook"
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
		RunE: func(command *cobra.Command, _ []string) error {
			settings, err := a.Settings()
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
	if _, err := cli.CurrentSecret(settings); err != nil {
		return err
	}
	socket, err := a.handedSocket()
	if err != nil {
		return fmt.Errorf("take the socket of systemd: %w", err)
	}
	lock, err := storage.Lock(settings.Files.Database)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Release() }()
	logger := cli.NewLogger(a.Err)
	shop, err := a.OpenShop(ctx, settings, cli.Need{Logger: logger, Lazy: cli.ListenPatience})
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	// At a server the till of this name may be another program's, and its calls
	// under way. In a file the lock keeps that program out.
	if !storage.Served(settings.Files.Database) {
		if err := shop.Recover(ctx); err != nil {
			return err
		}
	}
	if socket == nil {
		socket, err = webhook.Bind(ctx, settings.Webhook.Listen)
	}
	if err != nil {
		return err
	}
	defer func() { _ = socket.Close() }() // Its server may have done it.
	listener, err := shop.ListenAt(ctx, socket, webhook.Config{Logger: logger})
	if err != nil {
		return err
	}
	defer shop.SayLeft(logger)
	a.Tell("listening on %s", listener.URL(settings))
	return cli.RunAll(ctx, listener.Serve, shop.Background()...)
}

// handedSocket returns the socket that systemd bound and handed over
// (LISTEN_FDS), nil when there is none. Between two runs of the program nobody
// else can listen there then.
func (a *app) handedSocket() (net.Listener, error) {
	const first = 3 // After standard error.
	if a.Env("LISTEN_PID") != strconv.Itoa(os.Getpid()) || a.Env("LISTEN_FDS") != "1" {
		return nil, nil
	}
	file := os.NewFile(first, "LISTEN_FDS")
	defer func() { _ = file.Close() }() // The listener has a descriptor of its own.
	return net.FileListener(file)
}
