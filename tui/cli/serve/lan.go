package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// lanFlags say from where a page can be opened.
type lanFlags struct {
	lan   bool
	which string // The interface or address, when one was chosen.
}

func (f *lanFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.lan, "lan", false, "")
	flags.StringVar(&f.which, "interface", "", "")
}

func (f lanFlags) wide() bool { return f.lan || f.which != "" }

// listeners are the bound addresses on which a page is served: for this machine,
// and in the local network when a phone shall open it.
type listeners struct {
	local, lan net.Listener // lan is nil when local is enough.
}

// bindListeners takes the address that a flag names, and for a phone the same
// port in the local network. An address that is in the network already serves
// phones too.
func bindListeners(ctx context.Context, flag, address string, lan lanFlags) (l listeners, err error) {
	host, port, err := net.SplitHostPort(address)
	if _, noNumber := strconv.ParseUint(port, 10, 16); err != nil || noNumber != nil {
		problem := fmt.Errorf("%q is no address to listen on: write HOST:PORT, as in 127.0.0.1:8790", cli.Shown(address))
		return l, &settings.ValueError{Where: flag, Rule: "listen", Problem: problem}
	}
	ip, parsed := netip.ParseAddr(host)
	everywhere := host == "" || parsed == nil && ip.IsUnspecified()
	alone := parsed == nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
	if lan.wide() && !alone && !everywhere {
		return l, cli.Misused("the address is one of the network already: leave --lan and --interface out")
	}
	if l.local, err = cli.Bind(ctx, flag, address); err != nil || !lan.wide() || everywhere {
		return l, err
	}
	outside, err := lanAddress(ctx, lan.which)
	if err == nil && !outside.IsLoopback() {
		l.lan, err = cli.Bind(ctx, flag, net.JoinHostPort(outside.String(), port))
	}
	if err != nil {
		l.close()
	}
	return l, err
}

// url returns the address for this machine's browser.
func (l listeners) url() string {
	host, port, err := net.SplitHostPort(l.local.Addr().String())
	if ip, parsed := netip.ParseAddr(host); err == nil && parsed == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// public returns what links begin with: nothing on loopback, where they follow
// whoever calls, and the machine's own address when a phone may come.
func (l listeners) public(ctx context.Context, lan lanFlags) (string, error) {
	if l.lan != nil {
		return "http://" + l.lan.Addr().String(), nil
	}
	bound, err := netip.ParseAddrPort(l.local.Addr().String())
	if err != nil || bound.Addr().IsLoopback() {
		return "", err
	}
	if bound.Addr().IsUnspecified() {
		chosen, err := lanAddress(ctx, lan.which)
		if err != nil {
			return "", err
		}
		bound = netip.AddrPortFrom(chosen, bound.Port())
	}
	return "http://" + bound.String(), nil
}

// close gives the addresses back; their servers may have done it.
func (l listeners) close() {
	_ = l.local.Close()
	if l.lan != nil {
		_ = l.lan.Close()
	}
}

// maxSandboxConnections is above what a load test opens: at the limit a request
// that is slow on purpose would be cut off.
const maxSandboxConnections = 1024

// parts serve a handler on every address until their context ends. There is no
// limit to the time of an answer: a fault of the sandbox may be to be slow.
func (l listeners) parts(handler http.Handler) []cli.Part {
	limits := webhook.DefaultLimits()
	limits.Write, limits.Connections = 0, maxSandboxConnections
	var parts []cli.Part
	for _, listener := range []net.Listener{l.local, l.lan} {
		if listener != nil {
			parts = append(parts, webhook.NewServer(listener, handler, limits, slog.New(slog.DiscardHandler)).Serve)
		}
	}
	return parts
}
