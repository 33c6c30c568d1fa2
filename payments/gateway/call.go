package gateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"checkout/till/payments"
)

const (
	// callTimeout is how long an order call may take in all.
	callTimeout = 30 * time.Second
	// dialTimeout is how long a connection, and TLS on it, may take each.
	dialTimeout = 5 * time.Second
	// maxAnswer bounds the answer to an order call, in bytes.
	maxAnswer = 256 << 10
)

// ErrBaseURL says that a base URL cannot be used.
var ErrBaseURL = errors.New("the base URL must be https, or http on loopback")

// Client is the order call of the payment service. It is safe for concurrent
// use.
type Client struct {
	address string
	token   payments.Secret
	links   LinkPolicy
	http    *http.Client
	ahead   atomic.Int64 // A time.Duration; see [Client.Ahead].
}

var _ payments.Gateway = (*Client)(nil)

// NewClient returns a client of the service at baseURL and orderPath, whose links
// may have these hosts; none means any https host. The settings have checked them;
// it returns [ErrBaseURL] rather than send the token over an open line. When the
// service runs on this machine (its base URL is on loopback) its links may be plain
// http to this machine's own addresses.
func NewClient(baseURL, orderPath string, token payments.Secret, hosts ...string) (*Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, ErrBaseURL
	}
	ip, known := hostAddress(base.Hostname())
	loopback := known && ip.IsLoopback()
	if base.Scheme != "https" && !(base.Scheme == "http" && loopback) {
		return nil, ErrBaseURL
	}
	client := &Client{address: base.JoinPath(orderPath).String(), token: token, links: LinkPolicy{Hosts: hosts}, http: newHTTPClient()}
	client.http.Transport = dated{client.http.Transport, &client.ahead}
	if loopback {
		client.links.Local = OwnAddress
	}
	return client, nil
}

// newHTTPClient returns a client that sends a request once. Go sends a POST
// again by itself on a kept connection, over HTTP/2, and to where a 307 points
// (with the token in it): none of these is left on.
func newHTTPClient() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    dialTimeout,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
			Protocols:              protocols,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// dated keeps by how much the clock of the last reply was ahead of this machine's.
type dated struct {
	http.RoundTripper
	ahead *atomic.Int64
}

// RoundTrip implements [http.RoundTripper].
func (d dated) RoundTrip(request *http.Request) (*http.Response, error) {
	asked := time.Now()
	response, err := d.RoundTripper.RoundTrip(request)
	if err == nil {
		if ahead := aheadOf(response, asked, time.Now()); ahead != 0 {
			d.ahead.Store(int64(ahead))
		}
	}
	return response, err
}

// Ahead returns by how much the service's clock was ahead of this machine's at its last
// reply, zero before the first.
func (c *Client) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// aheadOf returns by how much the clock of a reply is ahead of the one that measured when
// it was asked for and came. It is zero where the reply has no date.
func aheadOf(response *http.Response, asked, came time.Time) time.Duration {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return 0
	}
	return date.Sub(asked.Add(came.Sub(asked) / 2))
}

// OwnAddress tells whether an address is one of this machine's.
func OwnAddress(address netip.Addr) bool {
	own, _ := net.InterfaceAddrs() // None where they cannot be read.
	return address.IsLoopback() || slices.ContainsFunc(own, func(candidate net.Addr) bool {
		prefix, err := netip.ParsePrefix(candidate.String())
		return err == nil && prefix.Addr().Unmap() == address
	})
}

// Create sends the order once and returns the service's answer, as
// [payments.Gateway] demands. A 4xx other than 409 is a [*payments.Refusal]; a
// connection that was never made is [payments.ErrNotSent]; after any other
// error the service may have the order.
func (c *Client) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	// Once there is a connection the first byte may be under way.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	body := EncodeOrder(OrderRequest{
		Access: c.token, Description: order.Description, Reference: order.Reference,
		Amount: order.Amount, Currency: payments.Currency, Items: order.Items,
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return payments.Created{}, notSent(err)
	}
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "till")
	response, err := c.http.Do(request)
	switch {
	case err != nil && !connected.Load():
		return payments.Created{}, notSent(err)
	case err != nil:
		return payments.Created{}, lost(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	return c.interpret(response.StatusCode, answer, err)
}

// interpret turns the service's answer into what is known of the order.
func (c *Client) interpret(status int, answer []byte, readErr error) (payments.Created, error) {
	name := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	said := c.messageOf(answer)
	switch {
	case status >= 400 && status < 500 && status != http.StatusConflict:
		return payments.Created{}, &payments.Refusal{Message: cmp.Or(said, name)}
	case status < 200 || status > 299:
		said = strings.TrimPrefix(said, http.StatusText(status)) // It is in the name.
		return payments.Created{}, payments.Reason{Fault: payments.ErrAnswered, Detail: strings.TrimSuffix(name+": "+said, ": ")}
	case readErr != nil:
		return payments.Created{}, lost(readErr)
	case len(answer) > maxAnswer:
		return payments.Created{}, unsound(errors.New("it is too long"))
	}
	created, err := DecodeReply(answer, c.links)
	if reason, ok := errors.AsType[payments.Reason](err); ok && said != "" && !strings.EqualFold(said, "Success") {
		reason.Detail += ": " + said
		return payments.Created{}, reason
	}
	if err == nil && strings.Contains(created.OrderReference+" "+created.CheckoutURL, c.token.Reveal()) {
		return payments.Created{}, unsound(errors.New("it repeats the access token"))
	}
	return created, err
}

// notSent says that nothing was written, and why.
func notSent(cause error) error {
	if outer, ok := errors.AsType[*url.Error](cause); ok {
		cause = outer.Err
	}
	said := payments.Clean(cause.Error(), payments.MaxShownWidth)
	return payments.Reason{Fault: cmp.Or(unreached(cause), payments.ErrNotSent), Detail: said}
}

// unreached names what was in the way to the service; nothing where that is
// another kind of fault.
func unreached(cause error) payments.Fault {
	const refused, networkDown, hostDown = syscall.Errno(10061), syscall.Errno(10051), syscall.Errno(10065) // On Windows.
	switch name, certificate := new(net.DNSError), new(x509.CertificateInvalidError); {
	case timedOut(cause):
		return payments.ErrTooSlow
	case errors.As(cause, certificate) && certificate.Reason == x509.Expired:
		return payments.ErrExpired
	case errors.As(cause, new(*tls.CertificateVerificationError)):
		return payments.ErrUntrusted
	case errors.As(cause, &name):
		return payments.ErrNoHost
	case errors.Is(cause, syscall.ECONNREFUSED), errors.Is(cause, refused):
		return payments.ErrNobody
	case errors.Is(cause, syscall.ENETUNREACH), errors.Is(cause, syscall.EHOSTUNREACH),
		errors.Is(cause, networkDown), errors.Is(cause, hostDown):
		return payments.ErrNoNetwork
	}
	return ""
}

// lost says that the request may have arrived while its answer did not. It
// names the kind of fault in words of its own: net/http's text quotes what the
// service sent, which may be the request itself with the token in it.
func lost(cause error) error {
	switch {
	case errors.Is(cause, context.Canceled):
		return payments.ErrInterrupted
	case timedOut(cause):
		return payments.ErrNoAnswer
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF),
		errors.Is(cause, syscall.ECONNRESET), errors.Is(cause, syscall.EPIPE):
		return payments.ErrConnectionLost
	}
	return payments.ErrUnreadable
}

// timedOut tells whether a deadline ended a call, that of its context or another.
func timedOut(cause error) bool {
	fault, ok := errors.AsType[net.Error](cause)
	return ok && fault.Timeout()
}

// messageOf returns what the service says in an answer that takes no order: the text
// of "message" or "error" in JSON, or a plain text, cleaned and without the
// token. It is empty when the answer is a page or says nothing.
func (c *Client) messageOf(answer []byte) string {
	text := string(answer[:min(len(answer), maxAnswer)])
	if root, err := parse(answer); err == nil {
		fields := fieldsOf(root)
		text = cmp.Or(textOf(root), strings.TrimSpace(textOf(fields.first("message"))), textOf(fields.first("error")))
	} else if first := strings.TrimSpace(text); first != "" && strings.ContainsRune("<{[", rune(first[0])) {
		return "" // A page for browsers, or broken JSON.
	}
	// Cleaning joins what stood apart, so that the token is looked for after it.
	text = strings.ReplaceAll(payments.Clean(text, maxAnswer), c.token.Reveal(), "[redacted]")
	return payments.Clean(text, payments.MaxShownWidth)
}

// ListenerHeader is the header in which a listener of till's tells which one it
// is, so that a look at the public address finds out where that leads.
const ListenerHeader = "Till-Listener"

// Visit looks at the address of the order call without making an order.
func (c *Client) Visit(ctx context.Context, now payments.Clock) (payments.Visit, error) {
	return visit(ctx, c.http, now, c.address)
}

// Visit looks at an address: it asks for the header of what is there (HEAD). Its
// error is the [payments.Fault] that says what is in the way.
func Visit(ctx context.Context, now payments.Clock, address string) (payments.Visit, error) {
	return visit(ctx, newHTTPClient(), now, address)
}

func visit(ctx context.Context, client *http.Client, now payments.Clock, address string) (payments.Visit, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return payments.Visit{}, fmt.Errorf("look at an address: %w", err)
	}
	request.Header.Set("User-Agent", "till")
	asked := now()
	response, err := client.Do(request)
	if err != nil {
		if fault := unreached(err); fault != "" {
			return payments.Visit{}, fault
		}
		return payments.Visit{}, lost(err)
	}
	_ = response.Body.Close() // There is none.
	found := payments.Visit{
		Status:   response.StatusCode,
		Ahead:    aheadOf(response, asked, now()),
		Listener: payments.Clean(response.Header.Get(ListenerHeader), payments.MaxLabelWidth),
	}
	if response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		found.Expires = response.TLS.PeerCertificates[0].NotAfter
	}
	return found, nil
}
