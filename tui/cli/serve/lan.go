package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/spf13/pflag"

	"checkout/till/payments/webhook"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/network"
)

// httpListener is an address on which the sandbox is served.
type httpListener struct{ listener net.Listener }

// bind takes an address.
func bind(ctx context.Context, address string) (*httpListener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w (is another program there? --listen names another address)", cli.Shown(address), err)
	}
	return &httpListener{listener}, nil
}

// address returns HOST:PORT.
func (l *httpListener) address() string { return l.listener.Addr().String() }

// url returns the listener's address for a browser.
func (l *httpListener) url() string { return "http://" + l.address() }

// nearURL returns the listener's address for this machine, also where it is served
// by every address.
func (l *httpListener) nearURL() string {
	host, port, err := net.SplitHostPort(l.address())
	if ip, parsed := netip.ParseAddr(host); err == nil && parsed == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// close gives the address back; it may be called after serve.
func (l *httpListener) close() { _ = l.listener.Close() }

// maxSandboxConnections is above what a load test opens: at the limit a request
// that is slow on purpose would be cut off.
const maxSandboxConnections = 1024

// serve answers requests until ctx ends, then finishes those under way. There
// is no limit to the time of an answer: a fault of the sandbox may be to be
// slow.
func (l *httpListener) serve(ctx context.Context, handler http.Handler) error {
	limits := webhook.DefaultLimits()
	limits.Write, limits.Connections = 0, maxSandboxConnections
	return webhook.NewServer(l.listener, handler, limits, slog.New(slog.DiscardHandler)).Serve(ctx)
}

// listeners are where a sandbox is served: for programs, and in the local network
// when a phone shall open the page.
type listeners struct {
	local *httpListener
	lan   *httpListener // Nil when local is enough.
}

// lanFlags say from where a hosted page can be opened.
type lanFlags struct {
	lan   bool
	which string // The interface or address, when one was chosen.
}

// flags adds the flags that set it.
func (f *lanFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.lan, "lan", false, "serve the hosted page in the local network, so that a phone can open it")
	flags.StringVar(&f.which, "interface", "",
		"--lan by the network of this `NAME_OR_ADDRESS`, where till does not choose the right one")
}

// wide tells whether the local network shall reach the page.
func (f lanFlags) wide() bool { return f.lan || f.which != "" }

// bindListeners takes the address, and for a phone the same port in the local
// network. An address that is in the network already serves phones too.
func bindListeners(ctx context.Context, address string, flags lanFlags) (listeners, error) {
	host, port, err := net.SplitHostPort(address)
	ip, parsed := netip.ParseAddr(host)
	alone := parsed == nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
	everywhere := host == "" || parsed == nil && ip.IsUnspecified()
	if err == nil && flags.wide() && !alone && !everywhere {
		return listeners{}, cli.Misused("the address is one of the network already: leave --lan and --interface out")
	}
	local, err := bind(ctx, address)
	if err != nil || !flags.wide() || everywhere {
		return listeners{local: local}, err
	}
	outside, err := lanAddress(ctx, flags.which)
	if err != nil || outside.IsLoopback() {
		if err != nil {
			local.close()
		}
		return listeners{local: local}, err
	}
	lan, err := bind(ctx, net.JoinHostPort(outside.String(), port))
	if err != nil {
		local.close()
		return listeners{}, err
	}
	return listeners{local, lan}, nil
}

// public returns what links begin with, and nothing where they follow whoever
// calls.
func (l listeners) public(ctx context.Context, flags lanFlags) (string, error) {
	if l.lan != nil {
		return l.lan.url(), nil
	}
	return publicAddress(ctx, l.local.address(), flags.which)
}

func (l listeners) close() {
	l.local.close()
	if l.lan != nil {
		l.lan.close()
	}
}

// parts serve the sandbox on every listener.
func (l listeners) parts(service http.Handler) []cli.Part {
	parts := []cli.Part{func(ctx context.Context) error { return l.local.serve(ctx, service) }}
	if l.lan != nil {
		parts = append(parts, func(ctx context.Context) error { return l.lan.serve(ctx, service) })
	}
	return parts
}

// publicAddress returns what links begin with: nothing on loopback, where they
// follow whoever calls, and the machine's own address when a phone may come.
func publicAddress(ctx context.Context, bound, wanted string) (string, error) {
	host, port, err := net.SplitHostPort(bound)
	if err != nil {
		return "", err
	}
	address := net.ParseIP(host)
	switch {
	case address.IsLoopback():
		return "", nil
	case address.IsUnspecified():
		chosen, err := lanAddress(ctx, wanted)
		if err != nil {
			return "", err
		}
		host = chosen.String()
	}
	return "http://" + net.JoinHostPort(host, port), nil
}

// lanAddress returns the address by which phones reach this machine.
func lanAddress(ctx context.Context, wanted string) (netip.Addr, error) {
	address, err := network.Address(ctx, wanted)
	if errors.Is(err, network.ErrUnknown) {
		return address, cli.Misused("--interface: %w", err)
	}
	return address, err
}
