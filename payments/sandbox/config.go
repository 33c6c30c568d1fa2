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
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// DefaultLifetime is how long a customer can pay by a link, as in the specification.
const DefaultLifetime = 10 * time.Minute

// LinkPrefix is the start of every link's path.
const LinkPrefix = "/c/"

// ErrConfig is returned by [New] for settings that are not valid.
var ErrConfig = errors.New("unsound sandbox settings")

// Config configures a [Sandbox]. Only Token and WebhookSecret are required.
type Config struct {
	Token         secret.Text // Access token of the first merchant; begins with TGP_ or TGPT_.
	WebhookSecret secret.Text // Secret of the webhook signatures, at least 16 characters.

	// Merchants are the access tokens of further merchants, each with the address where the events
	// of its orders are sent. All merchants have the same WebhookSecret.
	Merchants map[secret.Text]string

	Scheme          gateway.Scheme // What the signature signs; default Static.
	SignatureHeader string         // Name of the header with the signature; default x-svc-signature.
	OrderPath       string         // Path of the order call; by default that of the specification.
	WebhookURL      string         // Where the events of Token's orders are sent; if empty, they are not sent.
	PublicURL       string         // Beginning of all links; if empty, the host of the order call.
	AllowedHosts    []string       // More host names of the sandbox; with them, other machines can use the fault lab.
	Lifetime        time.Duration  // Lifetime of a link, at most 24 h; default DefaultLifetime.
	Strict          bool           // Refuses orders with fields that are not in the specification.
	Data            string         // File that keeps orders and deliveries across restarts; optional.

	// Pages of the merchant to which the customer returns from the hosted page. If empty, the
	// hosted page shows the outcome.
	SuccessURL, CancelURL, FailureURL string

	// Reasons contains the error texts of the events: "balance", "refused", "canceled" and
	// "expired". By default they are French, like the service's texts.
	Reasons map[string]string

	Shop    string
	Now     payments.Clock // Default time.Now.
	Logger  *slog.Logger   // Nil discards the messages.
	Observe func(Activity) // Called for each activity, one at a time; must not block. May be nil.

	Retry      Retry             // Which deliveries are retried; default RetryAll. Without a WebhookURL, RetryNone.
	Pauses     []time.Duration   // Pauses between the tries of a delivery; default DefaultPauses.
	Targets    Targets           // Hosts to which events may be sent, in addition to localhost and loopback addresses.
	Transport  http.RoundTripper // Sends the events; by default a transport that connects only to loopback addresses and to Targets.
	AnswerTime time.Duration     // How long a customer's phone takes to answer; default 4 s.
}

func (c Config) withDefaults() Config {
	c.Scheme = cmp.Or(c.Scheme, gateway.Static)
	c.SignatureHeader = cmp.Or(c.SignatureHeader, "x-svc-signature")
	c.OrderPath = cmp.Or(c.OrderPath, gateway.DefaultOrderPath)
	c.Lifetime = cmp.Or(c.Lifetime, DefaultLifetime)
	c.Shop = clean.Text(c.Shop, payments.MaxLabelWidth)
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
	if c.Reasons == nil {
		c.Reasons = map[string]string{
			"balance": "Solde insuffisant", "refused": "Transaction refusée par le client",
			"canceled": "Paiement annulé par le client", "expired": "Délai de paiement dépassé",
		}
	}
	if c.Pauses == nil {
		c.Pauses = DefaultPauses()
	}
	return c
}

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
			strings.ContainsAny(parsed.Host, ";,'* ") { // These characters are special in a Content-Security-Policy.
			return fmt.Errorf("%w: %q is not an http or https address", ErrConfig, page)
		}
		if page == c.PublicURL && parsed.Path+parsed.RawQuery+parsed.Fragment != "" {
			return fmt.Errorf("%w: the public address must have no path", ErrConfig)
		}
	}
	for token, address := range c.Merchants {
		if !payments.IsToken(token) || token == c.Token {
			return fmt.Errorf("%w: the access token of a further merchant must begin with %s or %s and not be the first merchant's",
				ErrConfig, payments.TokenPrefix, payments.TestTokenPrefix)
		}
		if err := c.Targets.Check(address); err != nil {
			return err
		}
	}
	if c.WebhookURL == "" {
		return nil
	}
	return c.Targets.Check(c.WebhookURL)
}

// senders returns configurations with defaults, by webhook address: c itself at the key "", and a
// copy for each address in Merchants.
func (c Config) senders() map[string]Config {
	all := map[string]Config{"": c.withDefaults()}
	for _, address := range c.Merchants {
		sender := c
		sender.WebhookURL = address
		all[address] = sender.withDefaults()
	}
	return all
}

// BaseURL returns the beginning of all links: PublicURL or, if it is empty, the host in the
// request. The caller must check that this host is a name of the sandbox.
func (c Config) BaseURL(r *http.Request) string { return cmp.Or(c.PublicURL, "http://"+r.Host) }

// ErrTarget is returned for a webhook address that the sandbox must not send events to.
var ErrTarget = errors.New("events go to this machine only: allow another host by its name (--allow-target HOST)")

const dialTimeout = 5 * time.Second

// Targets are the host names and addresses that a webhook address may have, besides localhost and
// loopback addresses.
type Targets []string

// Check returns [ErrTarget] if a webhook address is not an http or https URL, contains a user name,
// or has a host that is not allowed. It does not resolve host names. An IPv4-mapped address such as
// ::ffff:127.0.0.1 is allowed only if it is in the list.
func (t Targets) Check(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" || parsed.User != nil {
		return fmt.Errorf("%w: the webhook address must begin with http:// or https://", ErrTarget)
	}
	host := parsed.Hostname()
	ip, err := netip.ParseAddr(host)
	if t.Allow(host) || strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() && !ip.Is4In6() {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrTarget, host)
}

// Allow reports whether host is in the list, ignoring case.
func (t Targets) Allow(host string) bool {
	return slices.ContainsFunc(t, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// Transport returns an HTTP transport without a proxy, for a host that passed [Targets.Check].
// Unless the host is in Targets, the transport connects only to loopback addresses.
func (t Targets) Transport(host string) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if !t.Allow(host) {
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
