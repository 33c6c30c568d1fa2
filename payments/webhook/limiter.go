package webhook

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// minAge is how long a connection is left alone after its last progress:
	// who connects to send an event sends it at once.
	minAge = 100 * time.Millisecond
	// retryPause is the pause between two attempts to make room.
	retryPause = 10 * time.Millisecond
	// crowdedAfter is how long connections must have been at the limit to be
	// reported, crowdedGap what may lie between two times at the limit.
	crowdedAfter, crowdedGap = 2 * time.Second, time.Second
)

// limiter bounds the open connections of a listener. At the limit a plain
// semaphore makes the next event wait for the timeouts of the connections
// before it. The limiter closes the connection that has made no progress for
// the longest time instead, unless its event is being stored.
type limiter struct {
	net.Listener
	limit int

	mu      sync.Mutex
	open    map[net.Conn]*slot
	fullAt  time.Time // The last time at the limit,
	fullFor time.Time // and the first one of those without a gap.
}

// slot is the place of an open connection. The limiter's mutex guards it.
type slot struct {
	limiter  *limiter
	progress time.Time // When the connection was accepted, or its state changed last.
	held     bool      // Its event is being stored, or was since then.
}

// Accept returns the next connection once there is room for it.
func (l *limiter) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for !l.admit(conn, time.Now()) {
		<-time.After(retryPause)
	}
	return conn, nil
}

// admit gives a connection a slot and returns whether there was one. At the
// limit it closes the connection without progress for the longest time for it, if
// it may close one.
func (l *limiter) admit(conn net.Conn, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.limit {
		if now.Sub(l.fullAt) > crowdedGap {
			l.fullFor = now
		}
		l.fullAt = now
		var oldest net.Conn
		for conn, slot := range l.open {
			if slot.idle(now) && (oldest == nil || slot.progress.Before(l.open[oldest].progress)) {
				oldest = conn
			}
		}
		if oldest != nil {
			delete(l.open, oldest)
			_ = oldest.Close()
		}
	}
	if len(l.open) >= l.limit {
		return false
	}
	l.open[conn] = &slot{limiter: l, progress: now}
	return true
}

// closeIdle closes the connections without an event that is being stored.
func (l *limiter) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn, slot := range l.open {
		if slot.idle(time.Now()) {
			delete(l.open, conn)
			_ = conn.Close()
		}
	}
}

// idle reports whether the connection may be closed to make room.
func (s *slot) idle(now time.Time) bool { return !s.held && now.Sub(s.progress) >= minAge }

// note follows the states of connections; it is the server's ConnState.
func (l *limiter) note(conn net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch slot := l.open[conn]; {
	case state == http.StateClosed, state == http.StateHijacked:
		delete(l.open, conn)
	case slot != nil:
		slot.held, slot.progress = false, time.Now()
	}
}

// slotKey is the context key of a connection's slot.
type slotKey struct{}

// withSlot is the server's ConnContext: it hands a connection's slot to [hold].
func (l *limiter) withSlot(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return context.WithValue(ctx, slotKey{}, l.open[conn])
}

// hold keeps the request's connection from being closed to make room, until its
// state changes: when the request was answered.
func hold(ctx context.Context) {
	if slot, _ := ctx.Value(slotKey{}).(*slot); slot != nil {
		slot.limiter.mu.Lock()
		defer slot.limiter.mu.Unlock()
		slot.held = true
	}
}
