package sandbox

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

// ErrTarget says that events are not sent to an address.
var ErrTarget = errors.New("events go to this machine only; allow any other host by its name")

// dialTimeout is how long a connection to the webhook address may take.
const dialTimeout = 5 * time.Second

// Targets is the allow-list of where events may be sent: host names and addresses,
// beside localhost and loopback addresses.
type Targets []string

// Check returns [ErrTarget] for a webhook address that is no http address, or
// whose host may not be sent to. A name that is not allowed may not, wherever it
// leads today. The form ::ffff:127.0.0.1 of an address serves only to get past
// such checks.
func (t Targets) Check(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" || parsed.User != nil {
		return fmt.Errorf("%w: the webhook address must begin with http:// or https://", ErrTarget)
	}
	host := parsed.Hostname()
	ip, err := netip.ParseAddr(host)
	if t.allow(host) || strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() && !ip.Is4In6() {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrTarget, host)
}

func (t Targets) allow(host string) bool {
	return slices.ContainsFunc(t, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// Transport returns an HTTP transport without a proxy that checks the address of
// every connection once the host is resolved.
func (t Targets) Transport() *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			dialer := &net.Dialer{Timeout: dialTimeout}
			if !t.allow(host) {
				dialer.Control = func(_, resolved string, _ syscall.RawConn) error {
					endpoint, err := netip.ParseAddrPort(resolved)
					if err != nil || !endpoint.Addr().Unmap().IsLoopback() {
						return fmt.Errorf("%w: %s", ErrTarget, resolved)
					}
					return nil
				}
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: 16 << 10,
		IdleConnTimeout:        30 * time.Second,
		DisableCompression:     true,
	}
}
