package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// DefaultLifetime is how long a link can be paid, as the specification has it.
const DefaultLifetime = 10 * time.Minute

// LinkPrefix begins the path of every link.
const LinkPrefix = "/c/"

// ErrConfig says that a sandbox cannot be made as it was asked for.
var ErrConfig = errors.New("unsound sandbox settings")

// Config is how a merchant is set up with the service.
type Config struct {
	Token         payments.Secret // The only access token that is accepted; begins with TGP_ or TGPT_.
	WebhookSecret payments.Secret // 16 bytes or more.

	Scheme          gateway.Scheme // Static when empty.
	SignatureHeader string         // x-svc-signature when empty.
	OrderPath       string         // The specification's when empty.
	WebhookURL      string         // Empty: events are shown on the dashboard and sent nowhere.
	PublicURL       string         // What links begin with; empty: the host that the order call asked.
	AllowedHosts    []string       // Names of the sandbox beside its addresses; those who use them reach the lab too.
	Lifetime        time.Duration  // Of a link, to 24 h; DefaultLifetime when 0.
	Strict          bool           // Refuses fields of an order that the specification does not have.
	Data            string         // The file that keeps orders and deliveries across a restart; empty: none.

	// Where the customer is sent afterwards; empty: the page shows the outcome.
	SuccessURL, CancelURL, FailureURL string

	Shop    string         // The merchant's name on the page.
	Now     payments.Clock // time.Now when nil.
	Logger  *slog.Logger   // Discards when nil.
	Observe func(Activity) // A callback for each activity, one at a time; it must not block. May be nil.

	Retry      Retry             // Which deliveries are retried; RetryAll when empty.
	Targets    Targets           // Where events may go beside this machine.
	Transport  http.RoundTripper // Sends the events; when nil, one that connects to Targets alone.
	AnswerTime time.Duration     // How long a customer's phone takes to answer; 4 s when 0.
}

func (c Config) withDefaults() Config {
	c.Scheme = cmp.Or(c.Scheme, gateway.Static)
	c.SignatureHeader = cmp.Or(c.SignatureHeader, "x-svc-signature")
	c.OrderPath = cmp.Or(c.OrderPath, gateway.DefaultOrderPath)
	c.Lifetime = cmp.Or(c.Lifetime, DefaultLifetime)
	c.Shop = payments.Clean(c.Shop, payments.MaxLabelWidth)
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	c.Retry = cmp.Or(c.Retry, RetryAll)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.AnswerTime = cmp.Or(c.AnswerTime, 4*time.Second)
	if c.WebhookURL == "" {
		c.Retry = RetryNone
	}
	if target, err := url.Parse(c.WebhookURL); err == nil && c.Transport == nil {
		c.Transport = c.Targets.Transport(target.Hostname())
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// check refuses settings that cannot work.
func (c Config) check() error {
	if _, err := gateway.NewVerifier(c.Scheme, c.WebhookSecret); err != nil {
		return err
	}
	switch {
	case !payments.IsToken(c.Token):
		return fmt.Errorf("%w: the access token must begin with %s or %s", ErrConfig, payments.TokenPrefix, payments.TestTokenPrefix)
	case c.Lifetime < 0 || c.Lifetime > gateway.MaxMinutes*time.Minute:
		return fmt.Errorf("%w: a link lives for more than 0 and at most %d minutes", ErrConfig, gateway.MaxMinutes)
	case !strings.HasPrefix(c.OrderPath, "/") || c.OrderPath == "/" || c.OrderPath == "/healthz" ||
		strings.HasPrefix(c.OrderPath, LinkPrefix) || strings.HasPrefix(c.OrderPath, "/lab/"):
		return fmt.Errorf("%w: the order path must begin with a slash and not be one of the sandbox's own", ErrConfig)
	}
	for _, page := range []string{c.SuccessURL, c.CancelURL, c.FailureURL, c.PublicURL} {
		if page == "" {
			continue
		}
		parsed, err := url.Parse(page)
		if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" || parsed.User != nil ||
			strings.ContainsAny(parsed.Host, ";,'* ") { // They would end a source in a Content-Security-Policy.
			return fmt.Errorf("%w: %q is not an http or https address", ErrConfig, page)
		}
		if page == c.PublicURL && parsed.Path+parsed.RawQuery+parsed.Fragment != "" {
			return fmt.Errorf("%w: the public address must have no path", ErrConfig)
		}
	}
	if c.WebhookURL == "" {
		return nil
	}
	return c.Targets.Check(c.WebhookURL)
}

// BaseURL returns what links begin with: the public address, or the one that a
// request came to, which must be one of the sandbox's own.
func (c Config) BaseURL(r *http.Request) string { return cmp.Or(c.PublicURL, "http://"+r.Host) }

// ErrTarget says that events are not sent to an address.
var ErrTarget = errors.New("events go to this machine only; allow any other host by its name")

// dialTimeout is how long a connection to the webhook address may take.
const dialTimeout = 5 * time.Second

// Targets is the allow-list of where events may be sent: host names and addresses,
// beside localhost and loopback addresses.
type Targets []string

// Check returns [ErrTarget] for a webhook address that is no http address, or
// whose host may not be sent to. A name that is not allowed may not, wherever it
// leads today. The form ::ffff:127.0.0.1 of an address serves only to get past
// such checks.
func (t Targets) Check(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" || parsed.User != nil {
		return fmt.Errorf("%w: the webhook address must begin with http:// or https://", ErrTarget)
	}
	host := parsed.Hostname()
	ip, err := netip.ParseAddr(host)
	if t.allow(host) || strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() && !ip.Is4In6() {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrTarget, host)
}

func (t Targets) allow(host string) bool {
	return slices.ContainsFunc(t, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// Transport returns an HTTP transport without a proxy to a host of [Targets.Check]. It
// checks the address of every connection once the host is resolved.
func (t Targets) Transport(host string) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if !t.allow(host) {
		dialer.Control = func(_, resolved string, _ syscall.RawConn) error {
			endpoint, err := netip.ParseAddrPort(resolved)
			if err != nil || !endpoint.Addr().Unmap().IsLoopback() {
				return fmt.Errorf("%w: %s", ErrTarget, resolved)
			}
			return nil
		}
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: 16 << 10,
		IdleConnTimeout:        30 * time.Second,
		DisableCompression:     true,
	}
}
