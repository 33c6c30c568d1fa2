package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNameTaken says that another console has the name.
var ErrNameTaken = errors.New("another console of this shop has the same name: give each till a name of its own " +
	"(till in the settings). Where that console was cut off without being ended, try again in half a minute")

// claimEvery is how often it is seen to that a name is still held.
const claimEvery = 5 * time.Second

// claimClass tells till's locks from others in the same database.
const claimClass = 1953066092

// Claim is a till's name, held by one console at a time.
type Claim struct {
	leave context.CancelFunc
	left  chan struct{}
}

// ClaimName takes a name for a console until [Claim.Release], or returns
// [ErrNameTaken]. The server gives it back when the connection is lost, by half a
// minute later when nothing is heard any more; it is then taken again as soon as
// that can be done. While the server cannot be reached nobody is refused, and
// behind a pooler that gives each transaction another connection nobody ever is.
func ClaimName(ctx context.Context, address, name string) (*Claim, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	held, err := claim(ctx, config, name)
	waiting, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	for errors.Is(err, ErrNameTaken) && waiting.Err() == nil { // It may just have ended.
		wait(waiting, shortPause)
		held, err = claim(ctx, config, name)
	}
	if errors.Is(err, ErrNameTaken) {
		return nil, fmt.Errorf("begin as %q: %w", name, err)
	}
	staying, leave := context.WithCancel(context.WithoutCancel(ctx))
	c := &Claim{leave: leave, left: make(chan struct{})}
	go func() {
		defer close(c.left)
		keep(staying, config, name, held)
	}()
	return c, nil
}

// Release gives the name back.
func (c *Claim) Release() {
	c.leave()
	<-c.left
}

// keep holds a name, and takes it anew when the connection was lost.
func keep(ctx context.Context, config *pgx.ConnConfig, name string, held *pgx.Conn) {
	for {
		wait(ctx, claimEvery)
		if ctx.Err() != nil {
			break
		}
		if held != nil {
			if _, err := say(ctx, held, "SELECT 1"); err == nil {
				continue
			}
			leave(ctx, held)
		}
		held, _ = claim(ctx, config, name) // The next time, if not now.
	}
	if held != nil {
		leave(ctx, held)
	}
}

// claim takes a name on a connection of its own.
func claim(ctx context.Context, config *pgx.ConnConfig, name string) (*pgx.Conn, error) {
	held, err := pgx.ConnectConfig(ctx, config.Copy())
	if err != nil {
		return nil, connectError(err)
	}
	taken, err := take(ctx, held, name)
	if err != nil || !taken {
		leave(ctx, held)
		if err == nil {
			err = ErrNameTaken
		}
		return nil, err
	}
	return held, nil
}

// take takes a name on a connection; a pooler's would keep it for ever.
func take(ctx context.Context, held *pgx.Conn, name string) (taken bool, err error) {
	process, err := say(ctx, held, "SELECT pg_backend_pid()")
	if err != nil {
		return false, err
	}
	if process != strconv.FormatUint(uint64(held.PgConn().PID()), 10) {
		return false, errors.New("a pooler stands in between")
	}
	// Of a console that lost its power the server hears nothing.
	const alive = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
	if _, err := say(ctx, held, alive); err != nil {
		return false, err
	}
	text, err := say(ctx, held, fmt.Sprintf("SELECT pg_try_advisory_lock(%d, %d)", claimClass, number(name)))
	return text == "t", err
}

// number is a name's as the server locks it. Names that differ in case alone
// are one: people would confuse them.
func number(name string) int32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(strings.ToLower(name))) // A hash never fails.
	return int32(sum.Sum32())                       //nolint:gosec // All bits count, and no sign.
}
