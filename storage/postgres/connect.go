package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// How long a statement, the waiting for another process's turn, and a
// transaction that nothing happens in may last: at the server, and a little
// longer here, in case that the server is not heard of any more.
const (
	statementLimit = 5 * time.Second
	turnLimit      = 3 * time.Second
	idleLimit      = 10 * time.Second
	answerLimit    = 5500 * time.Millisecond
)

// oldest is the oldest version of the server that has what till needs.
const oldest = 130000

// connector opens connections and refuses those to a server that may lose what
// it acknowledged.
type connector struct {
	config *pgx.ConnConfig
	clock  *clock        // Takes the server's time; nil where nobody wants it.
	answer time.Duration // How long the server may be silent; 0 for the usual time.
	// patient connections have no limits: bringing the schema forward and
	// examining everything take as long as they take.
	patient bool
}

// openPool returns a pool that keeps its connections.
func (c connector) openPool(size int) *sql.DB {
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}

// Driver returns the driver.
func (connector) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// Connect opens a connection, looks at the server's settings and sets the
// limits.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	made := &conn{connector: c}
	base, err := stdlib.GetConnector(*c.config, stdlib.OptionAfterConnect(made.accept)).Connect(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, discreet(connectError(err), c.config)
	}
	plain, ok := base.(*stdlib.Conn)
	if !ok {
		return nil, errors.New("the driver makes other connections than it says")
	}
	made.Conn = plain
	return made, nil
}

// accept looks at a new connection.
func (c *conn) accept(ctx context.Context, plain *pgx.Conn) error {
	// A server that takes the connection and then says nothing is not there.
	ctx, cancel := context.WithTimeout(ctx, c.connector.config.ConnectTimeout)
	defer cancel()
	found, err := ask(ctx, plain, c.connector.clock)
	if err == nil {
		err = found.check()
	}
	if err != nil {
		return err
	}
	// Between a pooler and the server connections change with each transaction:
	// nothing can be left on them.
	c.pooled = found.process != int64(plain.PgConn().PID())
	types := plain.TypeMap()
	types.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapFlag}, types.TryWrapEncodePlanFuncs...)
	if c.pooled {
		return nil
	}
	_, err = plain.Exec(ctx, c.connector.limits(""))
	return err
}

// limits sets the limits, for the session or with "LOCAL " for a transaction.
func (c connector) limits(scope string) string {
	statement, turn, idle := statementLimit, turnLimit, idleLimit
	if c.patient {
		statement, turn, idle = 0, 0, 0
	}
	return fmt.Sprintf("SET %[1]sstatement_timeout = %[2]d; SET %[1]slock_timeout = %[3]d; "+
		"SET %[1]sidle_in_transaction_session_timeout = %[4]d",
		scope, statement.Milliseconds(), turn.Milliseconds(), idle.Milliseconds())
}

// server is what a server says of itself.
type server struct {
	version, process int64
	safety, encoding string
	standby          bool
}

// readSafety reads the settings on which it rests that nothing is lost, parted
// by blanks, in the order in which [checkSafety] takes them.
const readSafety = "current_setting('fsync') || ' ' || current_setting('full_page_writes') || ' ' || current_setting('synchronous_commit')"

// ask asks a server for what matters, at once and without leaving anything on
// the connection.
func ask(ctx context.Context, plain *pgx.Conn, clock *clock) (found server, err error) {
	const settings = `SELECT current_setting('server_version_num'), pg_backend_pid()::text,
		current_setting('server_encoding'), pg_is_in_recovery()::text, ` + readSafety + `, ` + readClock
	asked := time.Now()
	if clock != nil {
		asked = clock.now()
	}
	results, err := plain.PgConn().Exec(ctx, settings).ReadAll()
	if err != nil {
		return server{}, err
	}
	if len(results) != 1 || len(results[0].Rows) != 1 {
		return server{}, errors.New("the server does not say how it is set")
	}
	var texts []string
	for _, value := range results[0].Rows[0] {
		texts = append(texts, string(value))
	}
	found = server{encoding: texts[2], standby: strings.HasPrefix(texts[3], "t"), safety: texts[4]}
	if found.version, err = strconv.ParseInt(texts[0], 10, 64); err != nil {
		return server{}, err
	}
	if found.process, err = strconv.ParseInt(texts[1], 10, 64); err != nil || clock == nil {
		return found, err
	}
	microseconds, err := strconv.ParseInt(texts[5], 10, 64)
	if err == nil {
		clock.take(asked, microseconds)
	}
	return found, err
}

// check refuses a server on which till cannot keep its word.
func (s server) check() error {
	err := checkSafety(s.safety)
	switch {
	case err != nil:
		return err
	case s.version < oldest:
		return ErrTooOld
	case s.encoding != "UTF8":
		return ErrEncoding
	case s.standby:
		return ErrStandby
	}
	return nil
}

// checkSafety refuses settings with which a power cut loses what was
// acknowledged, or spoils what is stored.
func checkSafety(settings string) error {
	values := strings.Fields(settings)
	for i, name := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		switch {
		case i >= len(values):
			return errors.New("the server does not say how it is set")
		case values[i] == "off":
			return fmt.Errorf("%w: its setting %s is off: turn it on, at the server, and for till's user and database", ErrUnsafe, name)
		}
	}
	return nil
}

// wrapFlag lets a flag be stored as 0 or 1 where a column is a number.
func wrapFlag(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	flag, ok := value.(bool)
	if !ok {
		return nil, nil, false
	}
	return &flagPlan{}, flagNumber(flag), true
}

type flagPlan struct{ next pgtype.EncodePlan }

// SetNext takes the plan for numbers.
func (p *flagPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode writes a flag as a number.
func (p *flagPlan) Encode(value any, buffer []byte) ([]byte, error) {
	flag, ok := value.(bool)
	if !ok {
		return nil, fmt.Errorf("%T is no flag", value)
	}
	return p.next.Encode(flagNumber(flag), buffer)
}

func flagNumber(flag bool) int64 {
	if flag {
		return 1
	}
	return 0
}
