package storage

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// ErrPostgres is returned by [Backup], [Restore] and other functions that support only database
// files: for a PostgreSQL database, use the server's own tools.
var ErrPostgres = errors.New("a PostgreSQL database is copied with the server's own tools: " +
	"pg_dump --format=custom writes a copy of one moment, also while tills run, and pg_restore brings it back")

// ErrVisible is returned for an address with a password on a command line.
var ErrVisible = errors.New("a command line is visible to every user of the machine: " +
	"put the address into the settings file or into TILL_DATABASE, or the password into a password file (~/.pgpass)")

// ErrAddress is returned for a text that is not a database address. The error does not contain the
// text, because the text may contain a password.
var ErrAddress = errors.New("the database is a file or a PostgreSQL server: write its address as postgres://user@host/name")

// IsPostgres reports whether an address begins with postgres:// or postgresql://.
func IsPostgres(address string) bool {
	scheme, _, found := strings.Cut(strings.TrimSpace(address), "://")
	return found && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// CheckAddress validates and normalizes the address of a database: postgres://… or the path of a
// file. It returns [ErrAddress] for a blank text, for other URLs and for connection strings: the
// last two may contain passwords, and would be shown as the names of files.
func CheckAddress(value string) (string, error) {
	address := strings.TrimSpace(value)
	scheme, rest, is := strings.Cut(address, "://")
	// Find a connection string of libpq, which consists of words like host=localhost.
	parameters := slices.ContainsFunc(strings.Fields(address), func(word string) bool {
		name, _, found := strings.Cut(strings.ToLower(word), "=")
		return found && slices.Contains([]string{"", "host", "hostaddr", "port", "user", "password", "dbname", "service", "sslmode"}, name)
	})
	switch {
	case IsPostgres(address):
		return strings.ToLower(scheme) + "://" + rest, nil
	case address == "", is, strings.HasPrefix(strings.ToLower(address), "postgres:"), parameters:
		return "", ErrAddress
	}
	return address, nil
}

// ErrCrowded is returned if a server has no free connection.
var ErrCrowded = postgres.ErrCrowded

// Closed reports whether err says that an administrator of the server has closed the database to
// connections.
func Closed(err error) bool { return postgres.Closed(err) }

// Forbidden reports whether err says that the database user lacks a right for a change or a read.
func Forbidden(err error) bool { return postgres.Forbidden(err) }

// Name returns the display name of the database at an address: the path of a file, or the servers and
// the name of the database, without credentials.
func Name(address string) (string, error) {
	if IsPostgres(address) {
		return postgres.Name(address)
	}
	return address, nil
}

// Away reports whether an error of [Open] is transient; see [postgres.Away].
func Away(err error) bool { return postgres.Away(err) }

// Connection is the state of a store's connection to its server.
type Connection = postgres.Connection

// ConnectionOf returns a store's connection to its PostgreSQL server. For a file it returns false
// and a Connection with only the clock skew, see [sqlite.Store.Ahead].
func ConnectionOf(store Store) (Connection, bool) {
	switch store := store.(type) {
	case *postgres.Store:
		return store.Connection(), true
	case *sqlite.Store:
		return Connection{Skew: store.Ahead()}, false
	}
	return Connection{}, false
}

// SignLife records in a server's database, every few seconds until ctx ends, that a listener runs.
// At the end it removes the record. Until ctx ends, SignLife calls failed with each error. For a
// database in a file it does nothing.
func SignLife(ctx context.Context, store Store, listener string, failed func(error)) {
	served, is := store.(*postgres.Store)
	if !is {
		return
	}
	ticks := time.NewTicker(signEvery)
	defer ticks.Stop()
	for {
		if err := limited(ctx, served.SignOfLife, listener); err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
			_ = limited(context.WithoutCancel(ctx), served.EndSigns, listener) // If the server is unavailable, the record stays and gets old.
			return
		case <-ticks.C:
		}
	}
}

// signEvery is the time between two records of SignLife, and the time limit for each.
const signEvery = 3 * time.Second

func limited(ctx context.Context, sign func(context.Context, string) error, listener string) error {
	ctx, cancel := context.WithTimeout(ctx, signEvery)
	defer cancel()
	return sign(ctx, listener)
}

// CheckVisible returns [ErrVisible] if an address on a command line contains a password, or may
// contain one because it is malformed.
func CheckVisible(address string) error {
	if !IsPostgres(address) {
		return nil
	}
	parsed, err := url.Parse(address)
	if err != nil || strings.Count(address, "@") > 1 {
		return ErrVisible // The address is malformed, so any part of it may be a password.
	}
	_, hidden := parsed.User.Password()
	if hidden || parsed.Query().Has("password") {
		return ErrVisible
	}
	return nil
}

// Roles returns the SQL that grants the listener, the tills and the owner of a PostgreSQL
// database their rights.
func Roles() string { return postgres.Roles() }
