package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

func (a *app) listenCommand() *cobra.Command {
	return &cobra.Command{Use: "listen", RunE: a.WithSettings(a.listen)}
}

func (a *app) listen(ctx context.Context, settings settings.Settings, _ []string) error {
	if _, err := cli.CurrentSecret(settings); err != nil {
		return err
	}
	// Between two runs of the program nobody else can listen at systemd's socket.
	handed, err := activation.Listeners()
	if err != nil {
		return fmt.Errorf("take the socket of systemd: %w", err)
	}
	need := cli.Need{Logger: cli.NewLogger(a.Err), Lazy: cli.ListenPatience}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		// At a server the till of this name may be another program's, and its calls
		// under way.
		if !storage.Served(settings.Files.Database) {
			if err := shop.Claim(ctx); err != nil {
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

// lanFlag adds --lan, which may name an address of this machine. Alone it is the one
// with which the machine calls others.
func lanFlag(flags *pflag.FlagSet, lan *string) {
	flags.StringVar(lan, "lan", "", "")
	flags.Lookup("lan").NoOptDefVal = "auto"
}

// listeners are the bound addresses on which a page is served.
type listeners struct {
	bound  []net.Listener // The one that was named; with --lan also one in the network.
	public string         // What links begin with; blank where they follow whoever calls.
}

// bindListeners takes the address that a flag names, and for a phone the same port
// in the local network. An address that is in the network already serves phones too.
func (a *app) bindListeners(ctx context.Context, flag, address, lan string) (listeners, error) {
	if err := settings.Check("listen", address); err != nil {
		return listeners{}, cli.Misused("%s", a.Texts.Frame.Labelled.With(flag, a.Problem(err)))
	}
	local, err := webhook.Bind(ctx, address)
	if err != nil {
		return listeners{}, err
	}
	l := listeners{bound: []net.Listener{local}}
	at, err := netip.ParseAddrPort(local.Addr().String())
	loopback := at.Addr().IsLoopback()
	if loopback && lan == "" {
		return l, nil
	}
	if err == nil && (loopback || at.Addr().IsUnspecified()) {
		at, err = lanAddress(ctx, lan, at.Port())
	}
	if err == nil && loopback {
		if local, err = webhook.Bind(ctx, at.String()); err == nil {
			l.bound = append(l.bound, local)
		}
	}
	switch {
	case err == nil:
		l.public = "http://" + at.String()
	case lan != "": // Without it nobody asked for a phone.
		l.close()
		return listeners{}, err
	}
	return l, nil
}

// lanAddress returns the address with which this machine calls others, or the one
// that was chosen, with a port. Nothing is sent: connecting UDP only looks the way
// up. The address is one of documentation.
func lanAddress(ctx context.Context, chosen string, port uint16) (netip.AddrPort, error) {
	if chosen != "auto" && chosen != "" {
		address, err := netip.ParseAddr(chosen)
		if err != nil {
			return netip.AddrPort{}, cli.Misused("--lan: %q is no address: write it as in --lan=192.168.1.20", cli.Shown(chosen))
		}
		return netip.AddrPortFrom(address, port), nil
	}
	way, err := new(net.Dialer).DialContext(ctx, "udp4", "192.0.2.1:9")
	if err != nil {
		return netip.AddrPort{}, errors.New("this machine has no way into a network: connect it, or name the address " +
			"that it has there, as in --lan=192.168.1.20")
	}
	defer func() { _ = way.Close() }()
	own, err := netip.ParseAddrPort(way.LocalAddr().String())
	return netip.AddrPortFrom(own.Addr(), port), err
}

// url returns the address for this machine's browser.
func (l listeners) url() string { return "http://" + cli.Reachable(l.bound[0].Addr().String()) }

// close gives the addresses back; their servers may have done it.
func (l listeners) close() {
	for _, bound := range l.bound {
		_ = bound.Close()
	}
}

// parts serve a handler on every address until their context ends. There is no
// limit to the time of an answer: a fault of the sandbox may be to be slow. At the
// limit of the connections it would be cut off, so that is above what a load test opens.
func (l listeners) parts(handler http.Handler) []cli.Part {
	limits := webhook.DefaultLimits()
	limits.Write, limits.Connections = 0, 1024
	var parts []cli.Part
	for _, bound := range l.bound {
		parts = append(parts, webhook.NewServer(bound, handler, limits, slog.New(slog.DiscardHandler)).Serve)
	}
	return parts
}
