package webhook

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// young is how long a connection may wait with its request before it can
	// be closed to make room. Who connects to send an event sends it at once.
	young = 100 * time.Millisecond
	// patience is the pause between two looks for room.
	patience = 10 * time.Millisecond
)

// listener bounds the open connections. Unlike a plain semaphore it is not
// held up by connections on which nothing happens: at the limit it closes the
// one that has waited longest for a request or the rest of one. A connection
// whose request is being answered is never closed, but where all are busy those
// that get their answer are asked to leave, so that everybody has a turn.
type listener struct {
	net.Listener
	limit  int
	closed chan struct{}
	once   sync.Once
	fault  error         // Of closing.
	left   chan struct{} // One slot: a connection was closed.

	mu      sync.Mutex
	open    map[net.Conn]*place
	crowded bool // A connection waits for room.
}

// place is what a listener knows of an open connection.
type place struct {
	listener *listener
	since    time.Time // When it began to wait; zero while it is being answered.
}

func newListener(bound net.Listener, limit int) *listener {
	return &listener{
		Listener: bound, limit: limit, closed: make(chan struct{}), left: make(chan struct{}, 1),
		open: make(map[net.Conn]*place),
	}
}

// Accept returns the next connection once there is room for it.
func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for !l.admit(conn) {
		select {
		case <-l.closed:
			_ = conn.Close()
			return nil, net.ErrClosed
		case <-l.left:
		case <-time.After(patience):
		}
	}
	return conn, nil
}

// Close stops accepting. Closing again does nothing.
func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.fault = l.Listener.Close()
	})
	return l.fault
}

// note follows what a connection does.
func (l *listener) note(conn net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateActive, http.StateIdle:
		if at := l.open[conn]; at != nil {
			at.mark(state == http.StateIdle)
		}
	case http.StateClosed, http.StateHijacked:
		delete(l.open, conn)
		select {
		case l.left <- struct{}{}:
		default:
		}
	}
}

// placeKey is the context key of a connection's place.
type placeKey struct{}

// placed returns the context of a connection, for wait and wanted.
func (l *listener) placed(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := l.open[conn]; at != nil {
		return context.WithValue(ctx, placeKey{}, at)
	}
	return ctx // It was closed to make room.
}

// wait says whether the request's handler waits for the rest of the request,
// and so whether its connection may be closed to make room.
func wait(ctx context.Context, waits bool) {
	if at, ok := ctx.Value(placeKey{}).(*place); ok {
		at.listener.mu.Lock()
		defer at.listener.mu.Unlock()
		at.mark(waits)
	}
}

// wanted tells whether another connection waits for the place of the request's.
func wanted(ctx context.Context) bool {
	at, ok := ctx.Value(placeKey{}).(*place)
	if !ok {
		return false
	}
	at.listener.mu.Lock()
	defer at.listener.mu.Unlock()
	return at.listener.crowded
}

// mark notes whether the connection waits from now on. The caller has the
// listener's lock.
func (p *place) mark(waits bool) {
	p.since = time.Time{}
	if waits {
		p.since = time.Now()
	}
}

// admit tells whether there is room for one more connection, after closing the
// one that has waited longest when that is needed and allowed, and counts it.
func (l *listener) admit(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.limit {
		oldest := l.oldest()
		if l.crowded = oldest == nil; l.crowded {
			return false
		}
		l.drop(oldest)
	}
	l.open[conn], l.crowded = &place{listener: l, since: time.Now()}, false
	return true
}

// oldest is the connection that has waited longest of those that may be closed;
// nil when there is none.
func (l *listener) oldest() (oldest net.Conn) {
	for conn, at := range l.open {
		if at.waits() && (oldest == nil || at.since.Before(l.open[oldest].since)) {
			oldest = conn
		}
	}
	return oldest
}

// closeWaiting closes every connection that waits for a request or its rest.
func (l *listener) closeWaiting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn, at := range l.open {
		if at.waits() {
			l.drop(conn)
		}
	}
}

// waits tells whether the connection has waited long enough to be closed.
func (p *place) waits() bool { return !p.since.IsZero() && time.Since(p.since) >= young }

func (l *listener) drop(conn net.Conn) {
	delete(l.open, conn)
	_ = conn.Close()
}
