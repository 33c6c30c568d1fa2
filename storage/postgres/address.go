package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// connectTimeout is how long connecting to one server may take when the address
// does not say.
const connectTimeout = 3 * time.Second

// verified is the mode of TLS in which the server's certificate is checked, its
// name included.
const verified = "verify-full"

// parse reads an address, and returns the mode of TLS that it asks for. Its errors
// hold nothing of it, for it may hold a password anywhere.
func parse(address string) (config *pgx.ConnConfig, mode string, err error) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(address), "://")
	address = strings.ToLower(scheme) + "://" + rest
	config, err = pgx.ParseConfig(address)
	if parsed, bad := url.Parse(address); err == nil && bad == nil {
		query := parsed.Query()
		mode = cmp.Or(query.Get("sslmode"), os.Getenv("PGSSLMODE"))
		if mode == "" && !local(config) {
			// The driver's default falls back to plain text where the server, or a man in the
			// middle, declines TLS.
			query.Set("sslmode", verified)
			before, _, _ := strings.Cut(address, "?")
			config, err = pgx.ParseConfig(before + "?" + query.Encode())
		}
	}
	if file, is := errors.AsType[*fs.PathError](err); is { // Of one that the address names; it holds no other part.
		return nil, "", fmt.Errorf("%w: %w", ErrAddress, file)
	}
	if err != nil {
		return nil, "", ErrAddress
	}
	// Then a part of the password passes for something else.
	if strings.Contains(config.Host+config.Database, "@") {
		return nil, "", fmt.Errorf("%w, and in a password %%40 for @, %%3A for : and %%2F for a slash", ErrAddress)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "till"
	}
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // A pooler in between loses what is prepared under a name.
	return config, cmp.Or(mode, verified), nil
}

// Connection is how a store reaches its server.
type Connection struct {
	Local   bool   // The server is on this machine, by a socket or by loopback.
	SSLMode string // That of libpq, as in verify-full; it does not matter where the server is local.
	Polls   bool   // Changes are polled: a pooler in between drops notifications.
	// Skew is by how much the server's clock is ahead of this machine's, as measured
	// last, before each transaction; zero before the first one.
	Skew  time.Duration
	Heard time.Time // When the server answered last, by this machine's clock; zero before the first time.
	Fault error     // Why the database cannot be used now; nil when it can.
}

// Readable tells whether a man in the middle could read or change the traffic: it
// is not encrypted, or the server's certificate is not verified.
func (c Connection) Readable() bool { return !c.Local && c.SSLMode != verified }

// hosts returns the hosts of an address, with their ports; a socket's folder has
// none.
func hosts(config *pgx.ConnConfig) []string {
	name := func(host string, port uint16) string {
		if strings.HasPrefix(host, "/") {
			return host
		}
		return net.JoinHostPort(host, strconv.Itoa(int(port)))
	}
	all := []string{name(config.Host, config.Port)}
	for _, fallback := range config.Fallbacks {
		all = append(all, name(fallback.Host, fallback.Port))
	}
	return slices.Compact(all)
}

// local tells whether all hosts of an address are this machine: sockets and
// loopback.
func local(config *pgx.ConnConfig) bool {
	return !slices.ContainsFunc(hosts(config), func(name string) bool {
		host, _, err := net.SplitHostPort(name)
		address := net.ParseIP(host)
		return err == nil && host != "localhost" && (address == nil || !address.IsLoopback())
	})
}

// name is a database's name for people: its servers and its name, without
// credentials and options.
func name(config *pgx.ConnConfig) string {
	return "postgres://" + strings.ReplaceAll(strings.Join(hosts(config), ","), "/", "%2F") + "/" + config.Database
}
