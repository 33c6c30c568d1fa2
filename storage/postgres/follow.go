package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// The first and the longest pause before a reconnection.
	shortPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// renewEvery is how long a connection may receive nothing before it is replaced: it may
	// be lost without an error.
	renewEvery = time.Minute
)

// follow sends to changes for each notification (LISTEN) of another process's change, until
// ctx ends. It also sends for each new connection, because changes may have been missed. It
// reconnects with exponential backoff. The store's polling finds changes that follow
// missed.
func (s *Store) follow(ctx context.Context, changes chan<- bool) {
	pause := shortPause
	missed := false
	for ctx.Err() == nil {
		used, silent := s.listen(ctx, missed, changes)
		if used {
			pause = shortPause
			missed = !silent
		}
		wait(ctx, pause)
		pause = min(2*pause, longPause)
	}
}

// listen opens one connection, and sends to changes once for it and then for each
// notification, except those of this store's own changes. It returns when the connection is lost or silent for too long. used means
// that the connection could be used, silent that it ended because of the silence. missed
// means that changes may have been missed before.
func (s *Store) listen(ctx context.Context, missed bool, changes chan<- bool) (used, silent bool) {
	conn, err := pgx.ConnectConfig(ctx, s.dialer.config.Copy())
	if err != nil {
		return false, false
	}
	defer func() {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(leaving) // Ignore the error: the connection is discarded.
	}()
	pooled, err := s.dialer.inspect(ctx, conn)
	if err != nil {
		return false, false
	}
	s.polls.Store(pooled)
	if pooled {
		wait(ctx, renewEvery)
		return true, true
	}
	if _, err := conn.Exec(ctx, "LISTEN till_change"); err != nil {
		return false, false
	}
	for own := false; ; {
		if !own {
			select {
			case changes <- missed:
			case <-ctx.Done():
				return true, true
			}
		}
		missed = false
		waiting, cancel := context.WithTimeout(ctx, renewEvery)
		notification, err := conn.WaitForNotification(waiting)
		silent = waiting.Err() != nil
		cancel()
		if err != nil {
			return true, silent
		}
		own = notification.PID == s.dialer.writer.Load()
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
