package gateway

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// lookupPatience is how long a dial waits if the address of an earlier connection is known.
const lookupPatience = 2 * time.Second

// dialer connects to one host until the context ends. A slow or failed look-up of its name
// costs little time after the first connection: the dialer then uses the last address.
type dialer struct {
	net.Dialer

	last atomic.Pointer[string] // Address of the last connection, as IP:port; nil if there is none.
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	last := d.last.Load()
	limit := callTimeout
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
		d.last.Store(nil) // The next dial waits for the look-up.
		return nil, err   //nolint:wrapcheck // net/http wraps it.
	}
	reached := conn.RemoteAddr().String()
	d.last.Store(&reached)
	return conn, nil
}
