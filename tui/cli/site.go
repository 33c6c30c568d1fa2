package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"checkout/till/payments/webhook"
)

// site is an address on which the sandbox is served.
type site struct{ listener net.Listener }

// bind takes an address.
func bind(ctx context.Context, address string) (*site, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w (is another program there? --listen names another address)", shown(address), err)
	}
	return &site{listener}, nil
}

// address returns HOST:PORT.
func (s *site) address() string { return s.listener.Addr().String() }

// url returns the site's address for a browser.
func (s *site) url() string { return "http://" + s.address() }

// close gives the address back; it may be called after serve.
func (s *site) close() { _ = s.listener.Close() }

// serve answers requests until ctx ends, then finishes those under way. There
// is no limit to the time of an answer: a fault of the sandbox may be to be
// slow.
func (s *site) serve(ctx context.Context, handler http.Handler) error {
	limits := webhook.DefaultLimits()
	limits.Write = 0
	return webhook.NewServer(s.listener, handler, webhook.WithLimits(limits)).Serve(ctx)
}

// lanAddress returns the address by which other machines of the local network
// reach this one: that of the way out, or else the first private one.
func lanAddress(ctx context.Context) (string, error) {
	// Nothing is sent: connecting UDP only looks the way up. The address is
	// one of documentation, which nobody has.
	const elsewhere = "192.0.2.1:9"
	var dialer net.Dialer
	if way, err := dialer.DialContext(ctx, "udp4", elsewhere); err == nil {
		defer func() { _ = way.Close() }()
		if own, ok := way.LocalAddr().(*net.UDPAddr); ok && !own.IP.IsLoopback() {
			return own.IP.String(), nil
		}
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("look for the machine's network address: %w", err)
	}
	for _, address := range addresses {
		own, ok := address.(*net.IPNet)
		if ok && own.IP.To4() != nil && own.IP.IsPrivate() {
			return own.IP.String(), nil
		}
	}
	return "", errors.New("this machine has no address in a local network: connect it, or leave --lan out")
}
