package sqlite

import (
	"context"
	"database/sql"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// follower looks for the changes of other processes.
type follower struct {
	pool  *sql.DB
	every time.Duration
	guard *guard
}

// follow calls found with the change sequence whenever the file changed, until
// ctx ends. It reads the file's version first, which costs no disk access. A
// database that cannot be read is tried again at the next look.
func (f follower) follow(ctx context.Context, found func(sequence int64, origin string)) {
	for ctx.Err() == nil {
		if conn, err := f.pool.Conn(ctx); err == nil {
			f.look(ctx, conn, found)
			conn.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(sqlstore.Beat(f.every)):
		}
	}
}

// look looks at each beat until ctx ends or the connection fails. A version
// means something on its own connection only, so the first look always tells.
func (f follower) look(ctx context.Context, conn *sql.Conn, found func(sequence int64, origin string)) {
	// The query takes microseconds; to be able to end it costs more.
	whole := context.WithoutCancel(ctx)
	ask, err := conn.PrepareContext(whole, "PRAGMA data_version")
	if err != nil {
		return
	}
	defer ask.Close()
	seen := int64(-1)
	for {
		if f.guard.Look() != nil {
			return
		}
		var version, sequence int64
		if err := ask.QueryRowContext(whole).Scan(&version); err != nil {
			return
		}
		if version != seen {
			const query = "SELECT value FROM meta WHERE key = 'change_seq'"
			if err := conn.QueryRowContext(ctx, query).Scan(&sequence); err != nil {
				return
			}
			seen = version
			found(sequence, "") // It is one file: the guard sees to it.
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sqlstore.Beat(f.every)):
		}
	}
}
