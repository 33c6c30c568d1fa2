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

// site is an address on which the sandbox is served.
type site struct{ listener net.Listener }

// bind takes an address.
func bind(ctx context.Context, address string) (*site, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w (is another program there? --listen names another address)", cli.Shown(address), err)
	}
	return &site{listener}, nil
}

// address returns HOST:PORT.
func (s *site) address() string { return s.listener.Addr().String() }

// url returns the site's address for a browser.
func (s *site) url() string { return "http://" + s.address() }

// nearURL returns the site's address for this machine, also where it is served
// by every address.
func (s *site) nearURL() string {
	host, port, err := net.SplitHostPort(s.address())
	if ip, parsed := netip.ParseAddr(host); err == nil && parsed == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// close gives the address back; it may be called after serve.
func (s *site) close() { _ = s.listener.Close() }

// maxSandboxConnections is above what a load test opens: at the limit a request
// that is slow on purpose would be cut off.
const maxSandboxConnections = 1024

// serve answers requests until ctx ends, then finishes those under way. There
// is no limit to the time of an answer: a fault of the sandbox may be to be
// slow.
func (s *site) serve(ctx context.Context, handler http.Handler) error {
	limits := webhook.DefaultLimits()
	limits.Write, limits.Connections = 0, maxSandboxConnections
	return webhook.NewServer(s.listener, handler, limits, slog.New(slog.DiscardHandler)).Serve(ctx)
}

// sites are where a sandbox is served: for programs, and in the local network
// when a phone shall open the page.
type sites struct {
	local *site
	lan   *site // Nil when local is enough.
}

// reach says from where a hosted page can be opened.
type reach struct {
	lan   bool
	which string // The interface or address, when one was chosen.
}

// flags adds the flags that set it.
func (r *reach) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&r.lan, "lan", false, "serve the hosted page in the local network, so that a phone can open it")
	flags.StringVar(&r.which, "interface", "",
		"--lan by the network of this `NAME_OR_ADDRESS`, where till does not choose the right one")
}

// wide tells whether the local network shall reach the page.
func (r reach) wide() bool { return r.lan || r.which != "" }

// bindSites takes the address, and for a phone the same port in the local
// network. An address that is in the network already serves phones too.
func bindSites(ctx context.Context, address string, reach reach) (sites, error) {
	host, port, err := net.SplitHostPort(address)
	ip, parsed := netip.ParseAddr(host)
	alone := parsed == nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
	everywhere := host == "" || parsed == nil && ip.IsUnspecified()
	if err == nil && reach.wide() && !alone && !everywhere {
		return sites{}, cli.Misused("the address is one of the network already: leave --lan and --interface out")
	}
	local, err := bind(ctx, address)
	if err != nil || !reach.wide() || everywhere {
		return sites{local: local}, err
	}
	outside, err := lanAddress(ctx, reach.which)
	if err != nil || outside.IsLoopback() {
		if err != nil {
			local.close()
		}
		return sites{local: local}, err
	}
	lan, err := bind(ctx, net.JoinHostPort(outside.String(), port))
	if err != nil {
		local.close()
		return sites{}, err
	}
	return sites{local, lan}, nil
}

// public returns what links begin with, and nothing where they follow whoever
// calls.
func (s sites) public(ctx context.Context, reach reach) (string, error) {
	if s.lan != nil {
		return s.lan.url(), nil
	}
	return publicAddress(ctx, s.local.address(), reach.which)
}

func (s sites) close() {
	s.local.close()
	if s.lan != nil {
		s.lan.close()
	}
}

// parts serve the sandbox on every site.
func (s sites) parts(service http.Handler) []cli.Part {
	parts := []cli.Part{func(ctx context.Context) error { return s.local.serve(ctx, service) }}
	if s.lan != nil {
		parts = append(parts, func(ctx context.Context) error { return s.lan.serve(ctx, service) })
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
