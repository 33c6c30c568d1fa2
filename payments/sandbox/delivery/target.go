package delivery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrTarget says that events are not sent to an address. The sandbox sends to
// this machine, and to addresses of the local network that are written as
// numbers; whatever else must be allowed by name.
var ErrTarget = errors.New("events go to this machine and the local network only; allow any other host by its name")

// dialTimeout is how long a connection to the webhook address may take.
const dialTimeout = 5 * time.Second

// Targets is the allow-list of where events may be sent, beside this machine and
// addresses of the local network.
type Targets struct {
	Allowed  []string      // Host names and addresses.
	Resolver *net.Resolver // The machine's own when nil.
}

// Check refuses a webhook address that can be judged without a name service:
// one that is no http address, or a number that is not local. The form
// ::ffff:127.0.0.1 of an address is refused, as it serves only to get past
// such checks.
func (t Targets) Check(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" || parsed.User != nil {
		return fmt.Errorf("%w: the webhook address must begin with http:// or https://", ErrTarget)
	}
	ip, err := netip.ParseAddr(parsed.Hostname())
	if err == nil && !t.allows(parsed.Hostname()) && (ip.Is4In6() || !local(parsed.Hostname(), ip)) {
		return fmt.Errorf("%w: %s", ErrTarget, ip)
	}
	return nil
}

// Names returns the host of a webhook address, and whether it may be sent to as
// far as can be told without a name service.
func (t Targets) Names(address string) (host string, allowed bool) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	host = parsed.Hostname()
	_, err = netip.ParseAddr(host)
	return host, err == nil || strings.EqualFold(host, "localhost") || t.allows(host)
}

func (t Targets) allows(host string) bool {
	return slices.ContainsFunc(t.Allowed, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// dial connects to a host once the address that it resolved to is checked.
func (t Targets) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: dialTimeout, Resolver: t.Resolver}
	if !t.allows(host) {
		dialer.Control = func(_, resolved string, _ syscall.RawConn) error {
			endpoint, err := netip.ParseAddrPort(resolved)
			if err != nil || !local(host, endpoint.Addr().Unmap()) {
				return fmt.Errorf("%w: %s", ErrTarget, resolved)
			}
			return nil
		}
	}
	return dialer.DialContext(ctx, network, address)
}

// local tells whether a host may be sent to at an address: "localhost" and
// loopback addresses on loopback, and private addresses when the host is
// written as one. A name that merely resolves to one of these does not, for
// whoever owns the name may have pointed it there. All else is refused: an
// address that only carries one of these within it, one of the link, and the
// unspecified one, by which a machine may reach itself.
func local(host string, ip netip.Addr) bool {
	if _, err := netip.ParseAddr(host); err != nil {
		return strings.EqualFold(host, "localhost") && ip.IsLoopback()
	}
	// A private address by which the machines of a cloud are told their secrets;
	// its other one is an address of the link.
	metadata := netip.MustParseAddr("fd00:ec2::254")
	return ip.IsLoopback() || ip.IsPrivate() && ip.WithZone("") != metadata
}

// Transport returns an HTTP transport without a proxy that checks the address of
// every connection.
func (t Targets) Transport() *http.Transport {
	return &http.Transport{
		DialContext:            t.dial,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: 16 << 10,
		MaxIdleConnsPerHost:    maxInFlight,
		IdleConnTimeout:        30 * time.Second,
		DisableCompression:     true,
	}
}
