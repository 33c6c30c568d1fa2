package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

const (
	// oldest is the server_version_num of PostgreSQL 13, the oldest supported version.
	oldest = 130000
	// answerLimit is the timeout of a network read or write. It is a little longer than
	// statementLimit, so that the server can report a slow statement first.
	answerLimit = 5500 * time.Millisecond
	// nameLimit is how long a console waits for the lock of a till's name. An earlier console that
	// still has the lock can end meanwhile.
	nameLimit = 2 * time.Second
)

// dialer opens connections. It refuses a server that may lose committed transactions.
type dialer struct {
	config *pgx.ConnConfig
	clock  *clock
	till   string         // The name that the write connection locks; may be empty.
	answer time.Duration  // The timeout of each read and write; 0 for no timeout.
	writer *atomic.Uint32 // PID of the server process of the last write connection.
}

func newDialer(config *pgx.ConnConfig) dialer {
	own := &clock{now: time.Now, logger: slog.New(slog.DiscardHandler)}
	return dialer{config: config, clock: own, writer: &atomic.Uint32{}}
}

type limitedConn struct {
	net.Conn
	limit time.Duration
}

func (c limitedConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if err != nil {
		_ = c.Close() // Close the network connection: otherwise, the driver would send a terminate message and wait for an answer.
	}
	return n, err
}

func (c limitedConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// open returns a pool of at most size connections, which are opened at their first use. If writes
// is true, the pool is for changes, and its connections lock the till's name; through a pooler they
// lock nothing.
func (d dialer) open(size int, writes bool) *sql.DB {
	config := d.config.Copy()
	if dial := config.DialFunc; d.answer > 0 {
		config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return limitedConn{conn, d.answer}, nil
		}
	}
	accept := func(ctx context.Context, conn *pgx.Conn) error {
		pooled, err := d.inspect(ctx, conn)
		if err == nil && writes && d.till != "" && !pooled {
			err = d.holdName(ctx, conn)
		}
		if err == nil && writes && !pooled {
			d.writer.Store(conn.PgConn().PID())
			conn.PgConn().CustomData()[keyNames] = make(map[string]string)
		}
		return err
	}
	unasked := func(context.Context, stdlib.ShouldPingParams) bool { return false }
	pool := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(accept), stdlib.OptionShouldPing(unasked))
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}

// inspect runs the statement of check on a new connection. pooled reports whether a pooler is
// between the till and the server. With a pooler, the process that runs the statement has another
// PID than the connection got at its beginning.
func (d dialer) inspect(ctx context.Context, conn *pgx.Conn) (pooled bool, err error) {
	// A server that accepts the connection but does not answer counts as unreachable.
	ctx, cancel := context.WithTimeout(ctx, d.config.ConnectTimeout)
	defer cancel()
	var process int64
	check := d.check(&process)
	_, err = check.Row(conn.QueryRow(ctx, check.Text, pgx.QueryExecModeSimpleProtocol).Scan)
	return err == nil && process != int64(conn.PgConn().PID()), err
}

// check returns a statement that each transaction of a store begins with. The statement sets the
// transaction's limits, because a pooler may use different server connections for two transactions.
// Row updates d.clock and sets *process to the PID of the server process. Row returns an error for
// a standby, and for a server with an unsupported version, encoding or setting.
func (d dialer) check(process *int64) *sqlstore.Statement {
	settings := fmt.Sprintf(`SELECT current_setting('server_version_num')::bigint, pg_backend_pid()::bigint,
		current_setting('server_encoding'), pg_is_in_recovery(), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
		current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
		set_config('statement_timeout', '%d', true) || set_config('lock_timeout', '%d', true)
		|| set_config('idle_in_transaction_session_timeout', '%d', true)`,
		statementLimit.Milliseconds(), turnLimit.Milliseconds(), idleLimit.Milliseconds())
	asked := d.clock.now()
	return &sqlstore.Statement{What: "check the server", Text: settings, Row: func(scan func(...any) error) (bool, error) {
		var version, microseconds int64
		var encoding, fsync, fullPages, synchronous, limits string
		var standby bool
		err := scan(&version, process, &encoding, &standby, &microseconds, &fsync, &fullPages, &synchronous, &limits)
		if err != nil {
			return false, err
		}
		d.clock.measure(asked, microseconds)
		switch {
		case fsync == "off":
			err = unsafeSetting("fsync")
		case fullPages == "off":
			err = unsafeSetting("full_page_writes")
		case synchronous == "off":
			err = unsafeSetting("synchronous_commit")
		case version < oldest:
			err = ErrTooOld
		case encoding != "UTF8":
			err = ErrEncoding
		case standby:
			err = ErrStandby
		}
		return false, err
	}}
}

// unsafeSetting returns the error for a setting that is off. Without that setting, a power cut could
// lose or corrupt committed data.
func unsafeSetting(name string) error {
	return fmt.Errorf("%w: its setting %s is off: turn it on, at the server, and for till's user and database", ErrUnsafe, name)
}

// lockClass is the first key of the advisory locks of the tills' names, and the only key of the
// advisory lock for changes.
const lockClass = 1953066092

// holdName takes the advisory lock of the till's code on a connection, or returns [ErrNameTaken].
// The server releases the lock when the connection ends; keepalives detect a lost connection within
// half a minute. holdName first terminates the previous write connection of this process, in case
// the server considers it still alive.
func (d dialer) holdName(ctx context.Context, conn *pgx.Conn) error {
	name := fnv.New32a()
	_, _ = name.Write([]byte(payments.TillCode(d.till))) // The key is the till's code, because two tills with the same code would issue the same numbers.
	text := fmt.Sprintf(`SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
		SELECT pg_terminate_backend(pid) FROM pg_locks
			WHERE locktype = 'advisory' AND classid = %[1]d AND objid = %[2]d AND pid = %[3]d;
		BEGIN; SET LOCAL lock_timeout = %[4]d; SELECT pg_advisory_lock(%[1]d, %[5]d); COMMIT`,
		lockClass, name.Sum32(), d.writer.Load(), nameLimit.Milliseconds(), int32(name.Sum32())) //nolint:gosec // All bits are kept; the sign does not matter.
	_, err := conn.Exec(ctx, text)
	if state(err) == lockNotAvailable {
		return fmt.Errorf("begin as %q: %w", d.till, ErrNameTaken)
	}
	return err
}

// OpenEndpoint opens a database that has till's tables, to verify or copy it. It uses one
// connection without time limits. The caller closes the pool. The errors are those of [Open], and
// [sqlstore.ErrNoSchema] or [sqlstore.ErrOlderSchema] for tables that Open would create or update.
func OpenEndpoint(ctx context.Context, address string) (sqlstore.Endpoint, error) {
	config, _, err := parse(address)
	if err != nil {
		return sqlstore.Endpoint{}, err
	}
	endpoint := sqlstore.Endpoint{Name: name(config), Pool: newDialer(config).open(1, false), Dialect: patient()}
	if err := sqlstore.CheckSchema(ctx, endpoint.Pool, endpoint.Dialect); err != nil {
		_ = endpoint.Pool.Close()
		return endpoint, fmt.Errorf("open the database %s: %w", endpoint.Name, endpoint.Dialect.Advise(err))
	}
	return endpoint, nil
}

// Now returns the time of the server's clock.
func Now(ctx context.Context, database sqlstore.Endpoint) (time.Time, error) {
	var milliseconds int64
	err := database.Pool.QueryRowContext(ctx, `SELECT `+serverNow).Scan(&milliseconds)
	if err != nil {
		err = fmt.Errorf("read the clock of the database %s: %w", database.Name, database.Dialect.Advise(err))
	}
	return time.UnixMilli(milliseconds), err
}

// Users returns the number of other connections that processes of till have to a database. It finds
// them by application_name.
func Users(ctx context.Context, address string) (count int, err error) {
	config, _, err := parse(address)
	if err != nil {
		return 0, err
	}
	pool := newDialer(config).open(1, false)
	defer pool.Close()
	const users = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`
	// The server may still list the connections of a program that has just ended, so ask again for
	// a while.
	for range 20 {
		if err := pool.QueryRowContext(ctx, users).Scan(&count); err != nil {
			return 0, fmt.Errorf("ask who uses the database %s: %w", name(config), advise(connectError(err)))
		}
		if count == 0 {
			break
		}
		wait(ctx, shortPause)
	}
	return count, nil
}
