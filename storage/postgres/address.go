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

// parse reads an address. Its errors hold nothing of it, for it may hold a
// password anywhere.
func parse(address string) (*pgx.ConnConfig, error) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(address), "://")
	address = strings.ToLower(scheme) + "://" + rest
	config, err := pgx.ParseConfig(address)
	if err == nil && sslMode(address) == "" && !local(config) {
		config, err = pgx.ParseConfig(withVerification(address))
	}
	if err != nil {
		return nil, fmt.Errorf("%w%s", ErrAddress, reason(err))
	}
	// Then a part of the password passes for something else.
	if strings.Contains(config.Host+config.Database, "@") {
		return nil, fmt.Errorf("%w, and in a password %%40 for @, %%3A for : and %%2F for a slash", ErrAddress)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "till"
	}
	config.RuntimeParams["client_encoding"] = "UTF8"
	return config, nil
}

// verified is the mode of TLS in which the server's certificate is checked, its
// name included.
const verified = "verify-full"

// sslMode returns the mode of TLS that an address or the environment asks for,
// empty for none.
func sslMode(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return cmp.Or(parsed.Query().Get("sslmode"), os.Getenv("PGSSLMODE"))
}

// withVerification returns an address with the mode [verified]: the driver's
// default falls back to plain text where the server, or a man in the middle,
// declines TLS.
func withVerification(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address // The driver has read it: this does not happen.
	}
	query := parsed.Query()
	query.Set("sslmode", verified)
	before, _, _ := strings.Cut(address, "?")
	return before + "?" + query.Encode()
}

// Connection is how a store reaches its server.
type Connection struct {
	Local   bool          // The server is on this machine, by a socket or by loopback.
	SSLMode string        // That of libpq, as in verify-full; it does not matter where the server is local.
	Polls   bool          // Changes are polled: a pooler in between drops notifications.
	Skew    time.Duration // By how much the server's clock is ahead of this machine's, as measured last.
}

// Readable tells whether a man in the middle could read or change the traffic: it
// is not encrypted, or the server's certificate is not verified.
func (c Connection) Readable() bool { return !c.Local && c.SSLMode != verified }

// local tells whether all hosts of an address are this machine: sockets and
// loopback.
func local(config *pgx.ConnConfig) bool {
	hosts := []string{config.Host}
	for _, fallback := range config.Fallbacks {
		hosts = append(hosts, fallback.Host)
	}
	return !slices.ContainsFunc(hosts, func(host string) bool {
		address := net.ParseIP(host)
		return !strings.HasPrefix(host, "/") && host != "localhost" && (address == nil || !address.IsLoopback())
	})
}

// reason is the part of a parse error that is safe to show: an error of a file
// that the address names, and no part of the address.
func reason(err error) string {
	if file, is := errors.AsType[*fs.PathError](err); is {
		return ": " + file.Error()
	}
	return ""
}

// name is a database's name for people: its servers and its name, without
// credentials and options.
func name(config *pgx.ConnConfig) string {
	hosts := []string{host(config.Host, config.Port)}
	for _, fallback := range config.Fallbacks {
		if other := host(fallback.Host, fallback.Port); other != hosts[len(hosts)-1] {
			hosts = append(hosts, other)
		}
	}
	return "postgres://" + strings.Join(hosts, ",") + "/" + config.Database
}

func host(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return url.PathEscape(host)
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
