package postgres

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// The backoff of reconnecting.
	shortPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// noticeLimit is the timeout of the test notification.
	noticeLimit = 2 * time.Second
	// pollOnly is the interval of polling where notifications do not arrive.
	pollOnly = time.Second
)

// readSequence reads the change sequence and its origin: the database's OID and
// the server's start time. After a failover the origin differs, even where a
// pooler hides the server.
const readSequence = `SELECT value || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
	|| ' ' || extract(epoch FROM pg_postmaster_start_time()) FROM meta WHERE key = 'change_seq'`

// follower receives the changes of other processes by LISTEN and NOTIFY.
type follower struct {
	dialer dialer
	every  time.Duration // The interval of polling, for the origin.
	polls  atomic.Bool   // Notifications do not arrive: it only polls.
}

// follow calls observed with the change sequence at each notification until ctx
// ends. It reconnects with exponential backoff.
func (f *follower) follow(ctx context.Context, observed func(sequence int64, origin string)) {
	for pause := shortPause; ctx.Err() == nil; pause = min(2*pause, longPause) {
		if f.listen(ctx, observed) {
			pause = shortPause
		}
		wait(ctx, pause)
	}
}

// listen follows on one connection until that is lost, and returns whether it
// could be used at all. It listens before it reads: what is committed after the
// reading is notified.
func (f *follower) listen(ctx context.Context, observed func(sequence int64, origin string)) (used bool) {
	conn, pooled, err := f.dialer.connect(ctx)
	if err != nil {
		return false
	}
	defer closeConn(ctx, conn)
	if _, err := query(ctx, conn, "LISTEN till_change"); err != nil {
		return false
	}
	every := f.every
	f.polls.Store(pooled && !f.notified(ctx, conn))
	if f.polls.Load() {
		every = min(every, pollOnly)
	}
	for {
		text, err := query(ctx, conn, readSequence)
		if err != nil {
			return used
		}
		number, origin, _ := strings.Cut(text, " ")
		sequence, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return used
		}
		used = true
		observed(sequence, origin)
		if !waitForNotice(ctx, conn, every) && (conn.IsClosed() || ctx.Err() != nil) {
			return used
		}
	}
}

// notified tests whether a notification from another connection arrives. A pooler
// in transaction mode drops LISTEN.
func (f *follower) notified(ctx context.Context, conn *pgx.Conn) bool {
	channel := "till_" + rand.Text()
	if _, err := query(ctx, conn, `LISTEN "`+channel+`"`); err != nil {
		return false
	}
	other, _, err := f.dialer.connect(ctx)
	if err != nil {
		return false
	}
	defer closeConn(ctx, other)
	if _, err := query(ctx, other, `NOTIFY "`+channel+`"`); err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, noticeLimit)
	defer cancel()
	for {
		notice, err := conn.WaitForNotification(ctx)
		if err != nil {
			return false
		}
		if notice.Channel == channel {
			return true
		}
	}
}

// waitForNotice waits for a notification, and drains those that have arrived. It
// is false after a timeout.
func waitForNotice(ctx context.Context, conn *pgx.Conn, while time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, while)
	_, err := conn.WaitForNotification(waiting)
	cancel()
	for more := err; more == nil; {
		_, more = conn.WaitForNotification(waiting) // It is over: only what has come is taken.
	}
	return err == nil
}

// query runs a statement without parameters and returns the only value of its
// result, if it has one.
func query(ctx context.Context, conn *pgx.Conn, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	results, err := conn.PgConn().Exec(ctx, text).ReadAll()
	if len(results) != 1 || len(results[0].Rows) != 1 {
		return "", err
	}
	return string(results[0].Rows[0][0]), err
}

func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
