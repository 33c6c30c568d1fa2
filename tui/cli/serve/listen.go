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
	"github.com/spf13/pflag"

	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

func (a *app) listen(ctx context.Context, settings settings.Settings, _ []string) error {
	if _, err := cli.CurrentSecret(settings); err != nil {
		return err
	}
	// systemd keeps its socket open while the listener restarts, so that no other program takes the
	// port.
	handed, err := activation.Listeners()
	if err != nil {
		return fmt.Errorf("take the socket of systemd: %w", err)
	}
	need := cli.Need{Logger: cli.NewLogger(a.Err, settings.Log), Lazy: cli.ListenPatience}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		if err := shop.LockAndRecover(ctx); err != nil {
			return err
		}
		listener, err := shop.Listen(ctx, append(handed, nil)[0])
		if err != nil {
			return err
		}
		defer shop.LogLeft()
		a.Tell("listening on %s", listener.URL) // The URL has the real port, even if the setting is port 0.
		return cli.RunAll(ctx, listener.Serve, append(shop.Background, notifySystemd(listener.URL))...)
	})
}

// notifySystemd returns a part that tells systemd (Type=notify) that the server at url accepts
// requests. With WatchdogSec, the part notifies the watchdog after each reply from url.
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
			if _, err := gateway.Visit(visiting, time.Now, url); err == nil { // Any reply shows that the server works.
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

// lanFlag adds the flag --lan for an address of this machine in the local network. The flag without
// a value means the source address of outgoing connections.
func lanFlag(flags *pflag.FlagSet, lan *string) {
	flags.StringVar(lan, "lan", "", "")
	flags.Lookup("lan").NoOptDefVal = "auto"
}

type listeners struct {
	bound  []net.Listener // Sockets for the flag's address and, with --lan, for the local network.
	public string         // Address at the beginning of links; if blank, links use the host of the request.
}

// bindListeners binds an address. If it is a loopback address, --lan also binds the same port in
// the local network, for phones.
func (a *app) bindListeners(ctx context.Context, flag, address, lan string) (listeners, error) {
	if err := settings.Check("listen", address); err != nil {
		return listeners{}, cli.Misused("%s", a.Texts.Frame.Labelled.With(flag, a.Problem(err)))
	}
	local, err := webhook.Bind(ctx, address)
	if err != nil {
		return listeners{}, err
	}
	l := listeners{bound: []net.Listener{local}}
	own, err := netip.ParseAddrPort(local.Addr().String())
	at, loopback := own, own.Addr().IsLoopback()
	if loopback && lan == "" {
		return l, nil
	}
	if err == nil && (loopback || at.Addr().IsUnspecified()) {
		at, err = lanAddress(ctx, lan, at.Port())
	}
	if err == nil && loopback && at != own {
		if local, err = webhook.Bind(ctx, at.String()); err == nil {
			l.bound = append(l.bound, local)
		}
	}
	switch {
	case err == nil:
		l.public = "http://" + at.String()
	case lan != "": // Without --lan, the error only leaves the public address blank.
		l.close()
		return listeners{}, err
	}
	return l, nil
}

// lanAddress returns the chosen address with a port. If chosen is blank or "auto", lanAddress takes
// the source address of outgoing connections from a UDP socket, which sends no packet.
func lanAddress(ctx context.Context, chosen string, port uint16) (netip.AddrPort, error) {
	if chosen != "auto" && chosen != "" {
		address, err := netip.ParseAddr(chosen)
		if err != nil {
			return netip.AddrPort{}, cli.Misused("--lan: %q is no address: write it as in --lan=192.168.1.20", cli.CleanLabel(chosen))
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

func (l listeners) url() string { return "http://" + cli.Reachable(l.bound[0].Addr().String()) }

// close ignores errors, because a server may have closed its listener already.
func (l listeners) close() {
	for _, bound := range l.bound {
		_ = bound.Close()
	}
}

// sandbox returns a part that serves the sandbox on every address. It parses the templates of the
// pages when it runs, so that the first frame of the demo does not wait for them.
func (l listeners) sandbox(service *sandbox.Sandbox) cli.Part {
	return func(ctx context.Context) error {
		parts := l.parts(server.New(service))
		return cli.RunAll(ctx, parts[0], parts[1:]...)
	}
}

// parts returns parts that serve a handler on every address. Replies have no time limit, because
// the sandbox can delay them. The limit of connections is high, because a server at its limit
// closes connections that wait for a reply.
func (l listeners) parts(handler http.Handler) []cli.Part {
	limits := webhook.DefaultLimits()
	limits.Write, limits.Connections = 0, 1024
	var parts []cli.Part
	for _, bound := range l.bound {
		parts = append(parts, webhook.NewServer(bound, handler, limits, slog.New(slog.DiscardHandler)).Serve)
	}
	return parts
}
