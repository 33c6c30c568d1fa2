package postgres

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// shortPause is the first pause before a reconnection, and longPause the longest.
	shortPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// renewEvery is how long a connection may receive nothing before follow replaces it: a connection
	// may be lost without an error.
	renewEvery = time.Minute
)

// follow is a [sqlstore.FollowFunc] that uses LISTEN. It reconnects with exponential backoff.
func (s *Store) follow(ctx context.Context, committed func(sequence int64)) {
	pause := shortPause
	missed := false
	for ctx.Err() == nil {
		if s.listen(ctx, missed, committed) {
			pause = shortPause
			missed = true
		}
		wait(ctx, pause)
		pause = min(2*pause, longPause)
	}
}

// listen opens one connection and calls committed for each notification. If missed is true, it
// first calls committed(0), because earlier notifications may have been lost. listen returns when
// the connection is lost or receives nothing for [renewEvery]. Behind a pooler, which drops
// notifications, listen only waits for renewEvery. used reports whether the connection worked.
func (s *Store) listen(ctx context.Context, missed bool, committed func(sequence int64)) (used bool) {
	conn, err := pgx.ConnectConfig(ctx, s.dialer.config.Copy())
	if err != nil {
		return false
	}
	defer func() {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(leaving) // Ignore the error: the connection is discarded.
	}()
	pooled, err := s.dialer.inspect(ctx, conn)
	if err != nil {
		return false
	}
	s.polls.Store(pooled)
	if pooled {
		wait(ctx, renewEvery)
		return true
	}
	if _, err := conn.Exec(ctx, "LISTEN till_change"); err != nil {
		return false
	}
	if missed {
		committed(0)
	}
	for {
		waiting, cancel := context.WithTimeout(ctx, renewEvery)
		notification, err := conn.WaitForNotification(waiting)
		cancel()
		if err != nil {
			return true
		}
		// A payload that is not a number was not sent by this program; the next poll finds the change.
		if sequence, err := strconv.ParseInt(notification.Payload, 10, 64); err == nil {
			committed(sequence)
		}
	}
}

func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
