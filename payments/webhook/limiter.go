package webhook

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// minAge is how long a connection may make no progress before it can be closed. It is
	// short, because a client sends its event immediately after connecting.
	minAge       = 100 * time.Millisecond
	retryPause   = 10 * time.Millisecond
	crowdedAfter = 2 * time.Second // How long new connections must find the limit reached until [Server.Crowded] reports it.
	crowdedGap   = time.Second     // Longest pause between two connections that find the limit reached; after a longer one, crowdedAfter starts again.
)

// limiter limits the open connections of a listener. At the limit, it closes the connection that
// has made no progress for the longest time, so that the next event need not wait until a
// connection times out. It spares trusted connections, and those with an event that is being
// stored.
type limiter struct {
	net.Listener
	limit int

	mu      sync.Mutex
	open    map[net.Conn]*slot
	fullAt  time.Time // When a new connection last found the limit reached.
	fullFor time.Time // Start of the current series of such connections, with pauses of at most crowdedGap.
}

// slot is the state of an open connection. The limiter's mutex guards it.
type slot struct {
	limiter  *limiter
	progress time.Time // When the connection was accepted or last changed its state.
	trusted  bool      // Whether the sender of the current request has proved that it knows a secret.
	held     bool      // Whether an event from the connection is being stored or answered.
}

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

// admit adds a connection if there is room for it, and reports whether there was. At the limit, it
// first closes the idle connection that has made no progress for the longest time and is not
// trusted.
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
			if slot.idle(now) && !slot.trusted && (oldest == nil || slot.progress.Before(l.open[oldest].progress)) {
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

// closeIdle closes idle connections until ctx ends. Otherwise, a server that stops would wait for
// them.
func (l *limiter) closeIdle(ctx context.Context) {
	again := time.NewTicker(minAge)
	defer again.Stop()
	for {
		select {
		case <-again.C:
			l.closeIdleAt(time.Now())
		case <-ctx.Done():
			return
		}
	}
}

func (l *limiter) closeIdleAt(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn, slot := range l.open {
		if slot.idle(now) {
			delete(l.open, conn)
			_ = conn.Close()
		}
	}
}

func (s *slot) idle(now time.Time) bool { return !s.held && now.Sub(s.progress) >= minAge }

// note is the server's ConnState hook: it records the progress of a connection.
func (l *limiter) note(conn net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch slot := l.open[conn]; {
	case state == http.StateClosed, state == http.StateHijacked:
		delete(l.open, conn)
	case slot != nil:
		slot.held = false
		slot.trusted = false
		slot.progress = time.Now()
	}
}

type slotKey struct{}

// withSlot is the server's ConnContext hook: it adds a connection's slot to the context, for
// [hold] and [Trust].
func (l *limiter) withSlot(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return context.WithValue(ctx, slotKey{}, l.open[conn])
}

// Trust protects the request's connection from being closed to make room, until the answer is sent.
// A handler calls Trust when the sender has proved that it knows a secret, such as a valid
// signature. For a connection of another server than [Server], Trust does nothing.
func Trust(ctx context.Context) {
	if slot, _ := ctx.Value(slotKey{}).(*slot); slot != nil {
		slot.limiter.mu.Lock()
		defer slot.limiter.mu.Unlock()
		slot.trusted = true
	}
}

// hold protects a connection like [Trust] while an event is being stored. A server that stops waits
// for the event.
func hold(ctx context.Context) {
	if slot, _ := ctx.Value(slotKey{}).(*slot); slot != nil {
		slot.limiter.mu.Lock()
		defer slot.limiter.mu.Unlock()
		slot.held = true
	}
}
