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
	// The pauses between attempts to listen again.
	shortPause = 100 * time.Millisecond
	longPause  = 5 * time.Second
	// earLimit is how long a notice may take before nobody counts on one.
	earLimit = 2 * time.Second
	// deafPoll is how often who is told nothing reads.
	deafPoll = time.Second
)

// readSequence reads the change sequence, and where: in which database of which
// run of a server. A server that took over from another one was started at
// another moment, also where a pooler hides that it is another one.
// The server's clock stands first.
const readSequence = `SELECT ` + readClock + ` || ' ' || value || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
	|| ' ' || extract(epoch FROM pg_postmaster_start_time()) FROM meta WHERE key = 'change_seq'`

// follower is told of the changes of other processes.
type follower struct {
	config *pgx.ConnConfig
	clock  *clock
	every  time.Duration // How often it reads, whether it was told or not.
	deaf   atomic.Bool   // It is told nothing.
}

// follow calls found with the change sequence whenever somebody changed
// something, until ctx ends. When the connection is lost it is made again,
// after pauses that grow.
func (f *follower) follow(ctx context.Context, found func(sequence int64, origin string)) {
	for pause := shortPause; ctx.Err() == nil; pause = min(2*pause, longPause) {
		if f.listen(ctx, found) {
			pause = shortPause
		}
		wait(ctx, pause)
	}
}

// listen follows on one connection until that is lost, and returns whether it
// could be used at all. It listens first and reads then, so that whatever is
// committed after the reading is told.
func (f *follower) listen(ctx context.Context, found func(sequence int64, origin string)) (used bool) {
	ear, err := pgx.ConnectConfig(ctx, f.config.Copy())
	if err != nil {
		return false
	}
	defer leave(ctx, ear)
	if _, err := say(ctx, ear, "LISTEN till_change"); err != nil {
		return false
	}
	every := f.every
	f.deaf.Store(!f.hears(ctx, ear))
	if f.deaf.Load() {
		every = min(every, deafPoll)
	}
	for {
		asked := f.clock.now()
		text, err := say(ctx, ear, readSequence)
		if err != nil {
			return used
		}
		microseconds, sequence, origin, err := parseSequence(text)
		if err != nil {
			return used
		}
		f.clock.take(asked, microseconds)
		used = true
		found(sequence, origin)
		if !notified(ctx, ear, every) && (ear.IsClosed() || ctx.Err() != nil) {
			return used
		}
	}
}

// parseSequence reads what [readSequence] found.
func parseSequence(text string) (microseconds, sequence int64, origin string, err error) {
	clock, rest, _ := strings.Cut(text, " ")
	number, origin, _ := strings.Cut(rest, " ")
	if microseconds, err = strconv.ParseInt(clock, 10, 64); err == nil {
		sequence, err = strconv.ParseInt(number, 10, 64)
	}
	return microseconds, sequence, origin, err
}

// hears tells whether what is told on another connection is heard on this one.
// On a connection of its own it is; a pooler that gives each transaction
// another one forgets who listened.
func (f *follower) hears(ctx context.Context, ear *pgx.Conn) bool {
	process, err := say(ctx, ear, "SELECT pg_backend_pid()")
	if err != nil || process == strconv.FormatUint(uint64(ear.PgConn().PID()), 10) {
		return err == nil
	}
	channel := "till_" + rand.Text()
	if _, err := say(ctx, ear, `LISTEN "`+channel+`"`); err != nil {
		return false
	}
	mouth, err := pgx.ConnectConfig(ctx, f.config.Copy())
	if err != nil {
		return false
	}
	defer leave(ctx, mouth)
	if _, err := say(ctx, mouth, `NOTIFY "`+channel+`"`); err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, earLimit)
	defer cancel()
	for {
		notice, err := ear.WaitForNotification(ctx)
		if err != nil {
			return false
		}
		if notice.Channel == channel {
			return true
		}
	}
}

// notified waits for a notice, and takes all others that have come. It is false
// when none came for a while.
func notified(ctx context.Context, ear *pgx.Conn, while time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, while)
	_, err := ear.WaitForNotification(waiting)
	cancel()
	for more := err; more == nil; {
		_, more = ear.WaitForNotification(waiting) // It is over: only what has come is taken.
	}
	return err == nil
}

// say runs a statement without parameters and returns the only value of its
// result, if it has one.
func say(ctx context.Context, plain *pgx.Conn, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	results, err := plain.PgConn().Exec(ctx, text).ReadAll()
	return single(results), err
}

// wait lets time pass, until ctx ends.
func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
