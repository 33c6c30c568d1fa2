package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"checkout/till/payments/clean"
	"checkout/till/payments/relay"
	"checkout/till/tui/cli"
)

const (
	// awayPause is the pause after a failed attempt. It is longer than the minute for which
	// [autocert.Manager] remembers the failure.
	awayPause = 65 * time.Second
	// refusedPause is the shortest pause after a refusal by a rate limit, or of a second or later
	// attempt. Authorities limit the failed attempts in an hour.
	refusedPause = 15 * time.Minute
	maxPause     = 6 * time.Hour // Maximum of a pause that the authority demands.
	acmeTimeout  = 30 * time.Second
	acmeReply    = 256 << 10 // Maximum size of a reply of the authority, in bytes.
)

type certificates struct {
	domain  string
	manager *autocert.Manager
	logger  *slog.Logger

	mu    sync.Mutex // Guards the fields below.
	has   bool
	fault string // Why the latest failed attempt failed; empty before a failure.
	next  time.Time
	words string    // Message of a refusal that [certificates.note] has not recorded yet.
	said  time.Time // Time of that refusal.
}

// newCertificates returns the certificates for the relay's domain. The end of ctx cancels their
// requests.
func newCertificates(ctx context.Context, options relayOptions, logger *slog.Logger) *certificates {
	c := &certificates{domain: strings.ToLower(options.domain), logger: logger}
	c.manager = &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(options.data, "certificates")),
		HostPolicy: autocert.HostWhitelist(c.domain),
		Client: &acme.Client{
			DirectoryURL: options.acme, HTTPClient: &http.Client{Transport: &authority{certificates: c, ends: ctx}},
			// By default, the client would repeat a refused request for minutes.
			RetryBackoff: func(n int, _ *http.Request, response *http.Response) time.Duration {
				if busy := response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500; busy || n > 5 {
					return 0
				}
				return 100 * time.Millisecond // Repeat the request, for example after an expired nonce, which is not a refusal.
			},
		},
	}
	return c
}

// config returns the TLS configuration of the relay's listener, at which the authority also checks
// the domain.
func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, GetCertificate: c.get, CurvePreferences: relay.Curves(),
		NextProtos: []string{"http/1.1", acme.ALPNProto}, // No HTTP/2: [relay.Fetcher] uses HTTP/1.1.
	}
}

// get returns the certificate for a handshake. It does not wait for the authority.
func (c *certificates) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) { // The authority checks the domain in this handshake.
		return c.manager.GetCertificate(hello)
	}
	c.mu.Lock()
	has := c.has
	c.mu.Unlock()
	switch {
	case !strings.EqualFold(strings.TrimSuffix(hello.ServerName, "."), c.domain):
		return nil, errors.New("the client asks for another host")
	case !has:
		return nil, errors.New("there is no certificate yet")
	}
	return c.certificate()
}

// certificate returns the current certificate. If the relay's folder has none, it comes from the
// authority, which may take minutes.
func (c *certificates) certificate() (*tls.Certificate, error) {
	// Ask for the ECDSA certificate, whatever the client supports.
	hello := &tls.ClientHelloInfo{ServerName: c.domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	return c.manager.GetCertificate(hello)
}

// obtain gets the first certificate; it tries until it succeeds or ctx ends.
func (c *certificates) obtain(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		failed := make(chan error, 1)
		go func() { // The manager cannot be canceled: this goroutine may run until the program ends.
			_, err := c.certificate()
			failed <- err
		}()
		var err error
		select {
		case err = <-failed:
		case <-ctx.Done():
			return nil
		}
		pause := c.note(err, attempt)
		if err == nil {
			return nil
		}
		if !cli.Sleep(ctx, pause) {
			return nil
		}
	}
}

func (c *certificates) note(err error, attempt int) (pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.has = true
		c.words = ""
		return 0
	}
	pause = awayPause
	if limit, limited := acme.RateLimit(err); c.words != "" && (attempt > 1 || limited) {
		pause = min(max(refusedPause, limit), maxPause)
	}
	c.fault = cmp.Or(c.words, clean.Text(err.Error(), cli.MaxMessage))
	c.next = time.Now().Add(pause)
	c.logger.Warn("the relay has no certificate", slog.String(cli.LogFailure, c.fault), slog.Time(logNext, c.next))
	c.words = ""
	return pause
}

const certificateKind = "certificate"

const (
	logNext   = "next_try"
	logStatus = "status"
)

func (c *certificates) problems() []relay.Problem {
	c.mu.Lock()
	has, fault, next := c.has, c.fault, c.next
	c.mu.Unlock()
	problem := relay.Problem{Kind: certificateKind, Down: true}
	switch {
	case !has && fault == "":
		problem.Text = "the certificate for " + c.domain + " is being obtained"
		return []relay.Problem{problem}
	case !has:
		problem.Text = fmt.Sprintf("there is no certificate for %s: %s. Next try at %s, or when the relay is started again",
			c.domain, fault, next.Format(time.TimeOnly))
		return []relay.Problem{problem}
	}
	current, err := c.certificate()
	if err != nil {
		problem.Text = "the certificate cannot be read: " + err.Error()
		return []relay.Problem{problem}
	}
	return c.renewal(current.Leaf.NotBefore, current.Leaf.NotAfter)
}

func (c *certificates) renewal(begin, end time.Time) []relay.Problem {
	// The manager renews when a third of the lifetime is left, but at most 30 days before the end.
	// So for a lifetime of at most 180 days, the renewal has failed if less than a sixth is left.
	left, lifetime := time.Until(end), end.Sub(begin)
	if left > lifetime/6 {
		return nil
	}
	c.mu.Lock()
	words := c.words
	if c.said.Before(end.Add(-lifetime / 3)) { // The refusal is older than the first attempt to renew.
		words = ""
	}
	c.mu.Unlock()
	return []relay.Problem{{Kind: certificateKind, Down: left <= 0, Text: fmt.Sprintf("the certificate for %s ends at %s and could not be renewed: %s",
		c.domain, end.Format(time.DateTime), cmp.Or(words, "the authority has said nothing"))}}
}

// authority sends requests to the certificate authority. It keeps and logs the message of a
// refusal, which [autocert.Manager] does not return.
type authority struct {
	certificates *certificates
	ends         context.Context //nolint:containedctx // The manager has no context; this one ends its requests when the relay stops.
}

// RoundTrip sends a request and reads the whole reply, within acmeTimeout.
func (a *authority) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), acmeTimeout)
	defer cancel()
	defer context.AfterFunc(a.ends, cancel)()
	response, err := http.DefaultTransport.RoundTrip(request.Clone(ctx))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, acmeReply))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if words := refusal(response.StatusCode, body); words != "" {
		a.certificates.logger.Warn("the certificate authority refuses", slog.Int(logStatus, response.StatusCode), slog.String(cli.LogFailure, words))
		a.certificates.mu.Lock()
		a.certificates.words, a.certificates.said = words, time.Now()
		a.certificates.mu.Unlock()
	}
	return response, nil
}

func refusal(status int, body []byte) string {
	type problem struct {
		Type   string `json:"type"`
		Detail string `json:"detail"`
	}
	var reply struct {
		problem
		Error      problem `json:"error"` // Set if the reply is a failed challenge or order.
		Challenges []struct {
			Error problem `json:"error"`
		} `json:"challenges"`
	}
	_ = json.Unmarshal(body, &reply) // A body in another form has no message.
	words := reply.Error.Detail
	for _, challenge := range reply.Challenges {
		words = cmp.Or(challenge.Error.Detail, words)
	}
	if status >= http.StatusBadRequest && !strings.HasSuffix(reply.Type, ":badNonce") {
		words = cmp.Or(reply.Detail, words, fmt.Sprintf("it answers %d %s", status, http.StatusText(status)))
	}
	return clean.Text(words, cli.MaxMessage)
}
