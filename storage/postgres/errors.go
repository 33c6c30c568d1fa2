package postgres

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"checkout/till/storage/internal/sqlstore"
)

// Errors of [Open], apart from those of the schema.
var (
	ErrAddress = errors.New("this is no address of a PostgreSQL database: " +
		"write it like postgres://user:password@host:5432/database?sslmode=verify-full, " +
		"and in a password %25 for %, %40 for @, %3A for : and %2F for a slash")
	ErrNoDatabase  = errors.New("the address names no database of the server: write the name at its end, as in postgres://user@host/till")
	ErrUnreachable = errors.New("the database server cannot be reached")
	// ErrRefused is returned if the server answers, but refuses the connection: because of the
	// user, the password or the database, for example.
	ErrRefused = errors.New("the database server refuses the connection")
	ErrCrowded = errors.New("the database server has no connection left: raise max_connections or the user's limit, or put a pooler in between")
	// ErrUntrusted is returned if the server has no certificate that can be verified, or declines
	// TLS.
	ErrUntrusted = errors.New("the database server does not prove who it is: give it a certificate for its name, " +
		"and name its issuer with sslrootcert in the address (another sslmode there lets whoever is on the way change payments)")
	// ErrStandby is returned for a server that is a read-only replica.
	ErrStandby = errors.New("the database server is a standby: name the primary, " +
		"or all of them with target_session_attrs=read-write")
	// ErrUnsafe is returned for a server with a setting that may lose committed data.
	ErrUnsafe = errors.New("the database server would lose payments in a power cut")
	ErrTooOld = errors.New("the database server is too old: till needs PostgreSQL 13 or later")
	// ErrEncoding is returned for a database that cannot store every text.
	ErrEncoding = errors.New("the database is not in UTF-8: make one with CREATE DATABASE … ENCODING 'UTF8'")
	// ErrOwner is returned if the tables are missing or older, and the user may not create or update
	// them.
	ErrOwner = errors.New("the database has no tables of till, or older ones, and this user may not make or update them: run till database update as its owner")
	// ErrNameTaken is returned if another console uses the till's name, or a name with the same code.
	ErrNameTaken = errors.New("another console of this shop has the same name, in its letters A to Z and digits: give each till a name of its own " +
		"(till in the settings). Where that console was cut off without being ended, try again in half a minute")
	ErrForeign = errors.New("the database holds tables of another program: give till a database or a schema of its own")
)

const (
	closed           = "55000" // The database does not accept connections.
	forbidden        = "42501"
	lockNotAvailable = "55P03"
)

// meaning says whether an error of the server is transient, and what an operator can do.
type meaning struct {
	away   bool // The error is transient: it may end without a change of an address, a right or a setting.
	advice string
}

// meaningOf returns the meaning of an error of the server by the longest matching prefix of its
// SQLSTATE. It returns false for an error that concerns only one statement.
func meaningOf(err error) (found meaning, fault bool) {
	meanings := map[string]meaning{
		"08":      {away: true}, // The connection failed.
		"28":      {advice: "look at the user and the password in the address (% is written %25), and at the server's pg_hba.conf"},
		"3D":      {advice: "make it with CREATE DATABASE"},
		"53":      {away: true}, // No disk space, memory or connection left.
		"53100":   {away: true, advice: "make room on the server's disk"},
		closed:    {away: true, advice: "its administrator has closed it, for example to restore a backup: ask which database the settings must name"},
		"57P":     {away: true}, // Shutdown, crash or start of the server; not a statement timeout.
		"58":      {},           // System error outside PostgreSQL.
		"F0":      {},           // Error in the server's configuration files.
		"XX":      {},           // Internal error, or damaged data.
		"25006":   {},           // A write in a read-only transaction: default_transaction_read_only is on, or the server is a standby.
		forbidden: {advice: "the user needs rights on till's tables, and to make them the first time"},
		"42P01":   {}, // The tables are missing.
		"42704":   {advice: "leave this parameter out of the address, because PostgreSQL does not know it"},
	}
	code := state(err)
	for length := len(code); length > 0 && !fault; length-- {
		found, fault = meanings[code[:length]]
	}
	return found, fault
}

// state returns the SQLSTATE of the server's error, or "" for any other error.
func state(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return ""
}

// connectError wraps a failure to connect in [ErrCrowded], [ErrRefused], [ErrUntrusted] or
// [ErrUnreachable]. It returns any other error unchanged, also one for which unfit is true.
func connectError(err error) error {
	if _, is := errors.AsType[*pgconn.ConnectError](err); !is || errors.Is(err, context.Canceled) {
		return err
	}
	switch state(err) {
	case "":
	case "53300":
		return fmt.Errorf("%w (%w)", ErrCrowded, err)
	default:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if unfit(err) {
		return err
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	// Compare the text: the driver has no error type for a server that declines TLS.
	if untrusted || strings.Contains(err.Error(), "server refused TLS connection") {
		return fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	return unreachableError{err}
}

type unreachableError struct{ cause error }

// Error returns the text of [ErrUnreachable] and the lines of the cause. It leaves out consecutive
// repetitions: pgx reports the attempts with and without TLS in one line each.
func (e unreachableError) Error() string {
	return ErrUnreachable.Error() + ": " + strings.Join(slices.Compact(strings.Split(e.cause.Error(), "\n")), "\n")
}

func (e unreachableError) Unwrap() []error { return []error{ErrUnreachable, e.cause} }

// broken reports whether an error means that a connection was lost or could not be opened.
func broken(err error) bool {
	if failure, is := errors.AsType[*pgconn.PgError](err); is {
		return failure.Severity == "FATAL" || failure.Severity == "PANIC"
	}
	if _, is := errors.AsType[*pgconn.ConnectError](err); is {
		return !errors.Is(err, context.Canceled)
	}
	if sqlstore.IsAny(err, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed) {
		return true
	}
	// Exclude dial and listen: a connection that could not be opened is a ConnectError, handled above.
	failure, network := errors.AsType[*net.OpError](err)
	return network && failure.Op != "dial" && failure.Op != "listen" || pgconn.SafeToRetry(err)
}

// unfit reports whether an error means that the server answers, but that the store cannot use it.
func unfit(err error) bool {
	_, old := errors.AsType[*sqlstore.OldSchemaError](err)
	return old || sqlstore.IsAny(err, ErrStandby, ErrUnsafe, ErrTooOld, ErrEncoding, ErrOwner, ErrForeign, ErrNameTaken, sqlstore.ErrNewerSchema)
}

// Away reports whether an error of [Open] is transient: it may end without a change of an address,
// a right or a setting.
func Away(err error) bool {
	if state(err) != "" {
		found, _ := meaningOf(err)
		return found.away
	}
	return !errors.Is(err, ErrUntrusted) && (broken(err) || errors.Is(err, ErrUnreachable) || errors.Is(err, ErrStandby))
}

// Closed reports whether the server's administrator has closed the database for connections.
func Closed(err error) bool { return state(err) == closed && errors.Is(err, ErrRefused) }

// Forbidden reports whether err says that the user lacks a right for a change or a read.
func Forbidden(err error) bool { return state(err) == forbidden && !errors.Is(err, ErrOwner) }

// advise adds a hint to an error of the server: what an operator can do.
func advise(err error) error {
	if code := state(err); code == "42P07" || code == "42723" { // A table or function with this name exists already.
		return fmt.Errorf("%w (%w)", ErrForeign, err)
	}
	if found, _ := meaningOf(err); found.advice != "" && !errors.Is(err, ErrOwner) {
		return fmt.Errorf("%w: %s", err, found.advice)
	}
	return err
}
