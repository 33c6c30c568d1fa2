package gateway

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// lookupPatience is the timeout of a dial by host name, including the DNS look-up, if the address
// of an earlier connection is known. After the timeout, the dialer tries that address.
const lookupPatience = 2 * time.Second

// dialer connects to one host. If a dial by host name is slow or fails, the dialer uses the address
// of the last connection.
type dialer struct {
	net.Dialer

	last atomic.Pointer[string] // Address of the last connection, as IP:port; nil at the start and after a failure.
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	last := d.last.Load()
	limit := payments.CallTimeout
	if last != nil {
		limit = lookupPatience
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	conn, err := d.DialContext(limited, network, address)
	if err != nil && last != nil {
		conn, err = d.DialContext(ctx, network, *last)
	}
	if err != nil {
		d.last.Store(nil) // So the next dial has the full timeout for the look-up.
		return nil, err   //nolint:wrapcheck // net/http wraps the error.
	}
	reached := conn.RemoteAddr().String()
	d.last.Store(&reached)
	return conn, nil
}

// proxy returns the proxy for an https address, as net/http reads it from HTTPS_PROXY and NO_PROXY.
// Plain http uses no proxy.
func proxy(request *http.Request) (*url.URL, error) {
	if request.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // For net/http, a nil URL without an error means no proxy.
	}
	return http.ProxyFromEnvironment(request)
}

// proxied returns an error that wraps [payments.ErrProxy] if the proxy refuses to connect to the
// service.
func proxied(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusOK {
		return nil
	}
	return payments.Reason{Fault: payments.ErrProxy, Detail: clean.Text(response.Status, payments.MaxShownWidth)}
}
