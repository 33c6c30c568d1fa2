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

	"checkout/till/payments"
)

// connectTimeout is the timeout for connecting to one server, if the address does not set another.
const connectTimeout = 3 * time.Second

// verified is the sslmode that checks the server's certificate and its name.
const verified = "verify-full"

// parse parses an address. mode is the sslmode in the address, else that in PGSSLMODE, else
// verify-full. The errors contain no part of the address except the path of a file: any other part
// may be a password.
func parse(address string) (config *pgx.ConnConfig, mode string, err error) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(address), "://")
	address = strings.ToLower(scheme) + "://" + rest
	config, err = pgx.ParseConfig(address)
	if parsed, bad := url.Parse(address); err == nil && bad == nil {
		query := parsed.Query()
		mode = cmp.Or(query.Get("sslmode"), os.Getenv("PGSSLMODE"))
		if mode == "" && !local(config) {
			// Do not use the driver's default mode: it falls back to plain text if the server, or a
			// man in the middle, declines TLS.
			query.Set("sslmode", verified)
			before, _, _ := strings.Cut(address, "?")
			config, err = pgx.ParseConfig(before + "?" + query.Encode())
		}
	}
	if file, is := errors.AsType[*fs.PathError](err); is { // This error is safe to show.
		return nil, "", fmt.Errorf("%w: %w", ErrAddress, file)
	}
	// If the password has an unescaped @, a part of the password was parsed as the host or the
	// database.
	if err != nil || strings.Contains(config.Host+config.Database, "@") {
		return nil, "", ErrAddress
	}
	if config.Database == "" { // Without a name, the server would use the database with the user's name.
		return nil, "", ErrNoDatabase
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "till"
	}
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // Use no named prepared statements: a transaction-mode pooler would lose them.
	return config, cmp.Or(mode, verified), nil
}

// Connection is the state of a store's connection to its server.
type Connection struct {
	Local   bool   // The server is on this machine: a socket or loopback.
	SSLMode string // TLS mode as in libpq, for example verify-full; has no meaning for a local server.
	Polls   bool   // Changes of other processes are found only by polling, because a pooler between till and server drops notifications.
	// Skew is how far the server's clock is ahead of this machine's. Each transaction measures it at
	// its beginning. It is zero before the first transaction.
	Skew  time.Duration
	Heard time.Time // When the server last answered a poll or a change, by this machine's clock; zero for never.
	Fault error     // Why the database cannot be used now, or nil.
	// Listeners are the listeners that were recorded in the database as running at the last poll,
	// the most recent first.
	Listeners []payments.Listener
}

// Readable reports whether a man in the middle could read or change the traffic: it is not
// encrypted, or the server's certificate and its name are not both verified.
func (c Connection) Readable() bool { return !c.Local && c.SSLMode != verified }

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

// local reports whether all hosts of an address are on this machine: sockets and loopback.
func local(config *pgx.ConnConfig) bool {
	return !slices.ContainsFunc(hosts(config), func(name string) bool {
		host, _, err := net.SplitHostPort(name)
		address := net.ParseIP(host)
		return err == nil && host != "localhost" && (address == nil || !address.IsLoopback())
	})
}

// Name returns the display name of the database at an address: its hosts and its name, without
// credentials and options.
func Name(address string) (string, error) {
	config, _, err := parse(address)
	if err != nil {
		return "", err
	}
	return name(config), nil
}

func name(config *pgx.ConnConfig) string {
	return "postgres://" + strings.ReplaceAll(strings.Join(hosts(config), ","), "/", "%2F") + "/" + config.Database
}
