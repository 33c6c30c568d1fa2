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
// whose request is being answered is never closed.
type listener struct {
	net.Listener
	limit  int
	closed chan struct{}
	once   sync.Once
	fault  error // Of closing.

	mu   sync.Mutex
	open map[net.Conn]time.Time // Since when it waits; zero while it is being answered.
}

func newListener(bound net.Listener, limit int) *listener {
	return &listener{
		Listener: bound, limit: limit, closed: make(chan struct{}),
		open: make(map[net.Conn]time.Time),
	}
}

// Accept returns the next connection once there is room for it.
func (l *listener) Accept() (net.Conn, error) {
	for !l.makeRoom() {
		select {
		case <-l.closed:
			return nil, net.ErrClosed
		case <-time.After(patience):
		}
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = time.Now()
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
		l.mark(conn, state == http.StateIdle)
	case http.StateClosed, http.StateHijacked:
		delete(l.open, conn)
	}
}

// waitKey is the context key of a connection's wait function.
type waitKey struct{}

// wait says whether the request's handler waits for the rest of the request,
// and so whether its connection may be closed to make room.
func wait(ctx context.Context, waits bool) {
	if note, ok := ctx.Value(waitKey{}).(func(bool)); ok {
		note(waits)
	}
}

// waitable returns the context of a connection, for wait.
func (l *listener) waitable(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, waitKey{}, func(waits bool) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.mark(conn, waits)
	})
}

// mark notes whether a connection waits from now on. The caller has the lock.
func (l *listener) mark(conn net.Conn, waits bool) {
	if _, known := l.open[conn]; !known {
		return
	}
	l.open[conn] = time.Time{}
	if waits {
		l.open[conn] = time.Now()
	}
}

// makeRoom tells whether there is room for one more connection, after closing
// the one that has waited longest when that is needed and allowed.
func (l *listener) makeRoom() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) < l.limit {
		return true
	}
	var oldest net.Conn
	for conn, since := range l.open {
		if l.waiting(conn) && (oldest == nil || since.Before(l.open[oldest])) {
			oldest = conn
		}
	}
	if oldest == nil {
		return false
	}
	l.drop(oldest)
	return true
}

// closeWaiting closes every connection that waits for a request or its rest.
func (l *listener) closeWaiting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.open {
		if l.waiting(conn) {
			l.drop(conn)
		}
	}
}

// waiting tells whether a connection has waited long enough to be closed.
func (l *listener) waiting(conn net.Conn) bool {
	since := l.open[conn]
	return !since.IsZero() && time.Since(since) >= young
}

func (l *listener) drop(conn net.Conn) {
	delete(l.open, conn)
	_ = conn.Close()
}
