package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// shortPause is the first pause before a reconnection, and longPause the longest.
	shortPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// renewEvery is how long a connection may receive nothing before it is replaced: it may
	// be lost without an error.
	renewEvery = time.Minute
)

// follow sends a value to changes for each notification (LISTEN) of another process's change, until
// ctx ends. It reconnects with exponential backoff. After a reconnection it sends true once,
// because notifications may have been lost.
func (s *Store) follow(ctx context.Context, changes chan<- bool) {
	pause := shortPause
	missed := false
	for ctx.Err() == nil {
		if s.listen(ctx, missed, changes) {
			pause = shortPause
			missed = true
		}
		wait(ctx, pause)
		pause = min(2*pause, longPause)
	}
}

// listen opens one connection. It first sends the parameter missed to changes: whether
// notifications may have been lost before. Then it sends false for each notification, except those
// of this store's own changes. It returns when the connection is lost or receives nothing for
// [renewEvery], and reports whether the connection was usable.
func (s *Store) listen(ctx context.Context, missed bool, changes chan<- bool) (used bool) {
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
	for {
		select {
		case changes <- missed:
		case <-ctx.Done():
			return true
		}
		missed = false
		for own := true; own; {
			waiting, cancel := context.WithTimeout(ctx, renewEvery)
			notification, err := conn.WaitForNotification(waiting)
			cancel()
			if err != nil {
				return true
			}
			own = notification.PID == s.dialer.writer.Load()
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
