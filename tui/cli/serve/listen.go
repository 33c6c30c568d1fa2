package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"

	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

func (a *app) listenCommand() *cobra.Command {
	return &cobra.Command{Use: "listen", RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		if _, err := cli.CurrentSecret(settings); err != nil {
			return err
		}
		// Between two runs of the program nobody else can listen at systemd's socket.
		handed, err := activation.Listeners()
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
			listener, err := shop.Listen(ctx, append(handed, nil)[0])
			if err != nil {
				return err
			}
			defer shop.LogLeft()
			a.Tell("listening on %s", listener.URL) // Port 0 picks one.
			return cli.RunAll(ctx, listener.Serve, append(shop.Background, notifySystemd(listener.URL))...)
		})
	})}
}

// notifySystemd returns a part that tells systemd (Type=notify) that the
// listener at url takes requests. A unit with WatchdogSec is told so again
// twice in that time, each time after the listener answered a request.
func notifySystemd(url string) cli.Part {
	return func(ctx context.Context) error {
		if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
			return fmt.Errorf("notify systemd: %w", err)
		}
		limit, err := daemon.SdWatchdogEnabled(false)
		if err != nil {
			return fmt.Errorf("read WATCHDOG_USEC: %w", err)
		}
		if limit == 0 {
			<-ctx.Done()
			return nil
		}
		beat := time.Tick(limit / 2)
		for {
			visiting, cancel := context.WithTimeout(ctx, limit/2)
			if _, err := gateway.Visit(visiting, time.Now, url); err == nil { // Whatever it replies.
				_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog)
			}
			cancel()
			select {
			case <-ctx.Done():
				return nil
			case <-beat:
			}
		}
	}
}
