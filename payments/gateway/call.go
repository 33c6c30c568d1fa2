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
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/secret"
)

const (
	maxAnswer = 256 << 10 // Maximum size of an answer to an order call, in bytes.
	maxCalls  = 60        // How many of the newest order calls [Client.Calls] returns.
)

// ErrBaseURL is returned by [NewClient] for a base URL that is not valid, or that uses neither
// https nor http on loopback.
var ErrBaseURL = errors.New("the base URL must be https, or http on loopback")

// Client sends order calls to the payment service. It is safe for concurrent use.
type Client struct {
	address string
	token   secret.Text
	links   LinkPolicy
	http    *http.Client
	ahead   atomic.Int64
	mu      sync.Mutex // Guards calls.
	calls   []payments.Call
}

var _ payments.Gateway = (*Client)(nil)

// NewClient returns a client for baseURL and orderPath. hosts are the allowed hosts of checkout
// links; without hosts, any host is allowed. The base URL must use https, or http on loopback;
// otherwise the error is [ErrBaseURL]. With a base URL on loopback, links to this machine's own
// addresses may use http, too.
func NewClient(baseURL, orderPath string, token secret.Text, hosts ...string) (*Client, error) {
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
	if loopback {
		client.links.Local = OwnAddress
	}
	return client, nil
}

// newHTTPClient returns a client that sends a request only once. It disables keep-alive connections,
// HTTP/2 and redirects, because with each of them net/http may send a POST again.
func newHTTPClient() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  proxy,
			OnProxyConnectResponse: proxied,
			DialContext:            new(dialer).dial,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: 64 << 10,
			Protocols:              protocols,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Ahead returns how far the service's clock was ahead of this machine's at the last reply with a
// date. It is zero before the first such reply, and negative if the service's clock was behind.
func (c *Client) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// noteAhead stores the value for [Client.Ahead]. It ignores 0, the value for a reply without a
// date.
func (c *Client) noteAhead(ahead time.Duration) {
	if ahead != 0 {
		c.ahead.Store(int64(ahead))
	}
}

// aheadOf returns how far the server's clock is ahead of the caller's clock, or zero for a reply
// without a date. asked and came are the times of the request and of the reply; the date is
// compared with the middle between them.
func aheadOf(response *http.Response, asked, came time.Time) time.Duration {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return 0
	}
	return date.Sub(asked.Add(came.Sub(asked) / 2))
}

// OwnAddress reports whether an address is a loopback address or belongs to a network interface of
// this machine.
func OwnAddress(address netip.Addr) bool {
	own, _ := net.InterfaceAddrs() // Empty if the addresses of this machine cannot be read.
	return address.IsLoopback() || slices.ContainsFunc(own, func(candidate net.Addr) bool {
		prefix, err := netip.ParsePrefix(candidate.String())
		return err == nil && prefix.Addr().Unmap() == address
	})
}

// Calls returns the newest order calls, at most 60, oldest first. Their times are by this machine's
// clock.
func (c *Client) Calls() []payments.Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// Create sends the order once and returns the service's answer; see [payments.Gateway]. The error
// for a 4xx answer, except 409, is a [*payments.Refusal]. If no connection was made, the error
// matches [payments.ErrNotSent]. After any other error, the service may have the order.
func (c *Client) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	asked := time.Now()
	created, err := c.create(ctx, order)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls[max(0, len(c.calls)-maxCalls+1):], payments.Call{At: asked, Took: time.Since(asked), Failed: err != nil})
	return created, err
}

func (c *Client) create(ctx context.Context, order payments.Order) (payments.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, payments.CallTimeout)
	defer cancel()
	// If no connection was made, the service cannot have the order.
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	body := EncodeOrder(OrderRequest{
		Access: c.token, Description: order.Description, Reference: order.Reference,
		Amount: order.Amount, Currency: payments.Currency, Items: order.Lines(),
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return payments.Created{}, notSent(err)
	}
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "till")
	asked := time.Now()
	response, err := c.http.Do(request)
	switch {
	case err != nil && !connected.Load():
		return payments.Created{}, notSent(err)
	case err != nil:
		return payments.Created{}, lost(err)
	}
	c.noteAhead(aheadOf(response, asked, time.Now()))
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1)) // The limit applies to the decompressed body.
	return c.interpret(response.StatusCode, answer, err)
}

func (c *Client) interpret(status int, answer []byte, readErr error) (payments.Created, error) {
	name := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	said := c.messageOf(answer)
	switch {
	case status >= 400 && status < 500 && status != http.StatusConflict:
		return payments.Created{}, &payments.Refusal{Message: cmp.Or(said, name)}
	case status < 200 || status > 299:
		said = strings.TrimPrefix(said, http.StatusText(status)) // name already contains the status text.
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

func notSent(cause error) error {
	if outer, ok := errors.AsType[*url.Error](cause); ok {
		cause = outer.Err
	}
	if reason, ok := errors.AsType[payments.Reason](cause); ok {
		return reason
	}
	said := clean.Text(cause.Error(), payments.MaxShownWidth)
	return payments.Reason{Fault: cmp.Or(Unreached(cause), payments.ErrNotSent), Detail: said}
}

// Unreached returns why an HTTP client could not connect to a server, or "" if the error has
// another cause. Every timeout gives [payments.ErrTooSlow], even one after the client has
// connected.
func Unreached(cause error) payments.CallError {
	const refused, networkDown, hostDown = syscall.Errno(10061), syscall.Errno(10051), syscall.Errno(10065) // Windows error codes.
	network, _ := errors.AsType[*net.OpError](cause)
	switch name, certificate := new(net.DNSError), new(x509.CertificateInvalidError); {
	case timedOut(cause):
		return payments.ErrTooSlow
	case network != nil && network.Op == "proxyconnect", errors.Is(cause, payments.ErrProxy):
		return payments.ErrProxy
	case network != nil && network.Op == "remote error": // A TLS alert, which has no exported type.
		if old := network.Err.Error(); strings.Contains(old, "handshake failure") || strings.Contains(old, "protocol version") {
			return payments.ErrOldTLS
		}
		return payments.ErrNoCertificate
	case errors.Is(cause, http.ErrSchemeMismatch), errors.As(cause, new(tls.RecordHeaderError)):
		return payments.ErrNoTLS
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

// lost returns the error of a call that may have been sent but got no valid answer. It drops the
// text of the net/http error, which may quote the access token.
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

func timedOut(cause error) bool {
	fault, ok := errors.AsType[net.Error](cause)
	return ok && fault.Timeout()
}

// messageOf returns the service's message from an answer: the messages in JSON, or a plain text. It
// cleans the message with [clean.Text] and removes the access token. The message is blank for HTML,
// binary data, invalid JSON, and JSON without a message.
func (c *Client) messageOf(answer []byte) string {
	text := string(answer[:min(len(answer), maxAnswer)])
	if root, err := parse(answer); err == nil {
		var value any
		_ = json.Unmarshal(root, &value, lenient()) // Cannot fail: parse accepted the answer.
		texts := messages(value)
		if object, ok := value.(map[string]any); ok {
			texts = usualMessages(object)
		}
		text = strings.Join(texts, "; ")
	} else if first := strings.TrimSpace(text); http.DetectContentType(answer) != "text/plain; charset=utf-8" ||
		first != "" && strings.ContainsRune("<{[", rune(first[0])) {
		return "" // Binary data, HTML or invalid JSON.
	}
	// Replace the token after cleaning, because cleaning can join the parts of a split token.
	text = strings.ReplaceAll(clean.Text(text, maxAnswer), c.token.Reveal(), "[redacted]")
	return clean.Text(text, payments.MaxShownWidth)
}

// ListenerHeader is the response header with the ID of a till's webhook listener. A till requests
// its public address and compares the ID, to find out whether the address leads to its own
// listener.
const ListenerHeader = "Till-Listener"

// Visit sends a HEAD request to the address of the order call, as the function [Visit] does.
// The date of the reply updates [Client.Ahead].
func (c *Client) Visit(ctx context.Context, now payments.Clock) (payments.Visit, error) {
	skew := time.Until(now()) // How far the shop's clock (the parameter now) is ahead of this machine's.
	found, err := visit(ctx, c.http, now, c.address)
	if found.Ahead != 0 {
		c.noteAhead(found.Ahead + skew)
	}
	return found, err
}

// Visit sends a HEAD request to an address. If no answer comes, the error wraps a
// [payments.CallError] that says why.
func Visit(ctx context.Context, now payments.Clock, address string) (payments.Visit, error) {
	return visit(ctx, newHTTPClient(), now, address)
}

func visit(ctx context.Context, client *http.Client, now payments.Clock, address string) (payments.Visit, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return payments.Visit{}, fmt.Errorf("look at an address: %w", err)
	}
	request.Header.Set("User-Agent", "till")
	found := payments.Visit{}
	if through, _ := proxy(request); through != nil {
		found.Proxy = through.Host
	}
	asked := now()
	response, err := client.Do(request)
	if err != nil {
		if Unreached(err) != "" {
			return found, notSent(err)
		}
		return found, lost(err)
	}
	_ = response.Body.Close() // A HEAD response has no body.
	found.Status = response.StatusCode
	found.Ahead = aheadOf(response, asked, now())
	found.Listener = clean.Text(response.Header.Get(ListenerHeader), payments.MaxLabelWidth)
	if response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		found.Expires = response.TLS.PeerCertificates[0].NotAfter
	}
	return found, nil
}
