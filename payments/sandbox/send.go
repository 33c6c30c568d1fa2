package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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

const (
	// tryTimeout bounds one try, beside what [EventFaults.Slow] takes.
	tryTimeout = 10 * time.Second
	// maxReply is how much of a reply is read, in bytes.
	maxReply = 64 << 10
	// maxKeptReply is how much of a reply is kept, in bytes.
	maxKeptReply = 2 << 10
)

// try sends a delivery once, and plans the next try.
func (s *Sandbox) try(ctx context.Context, next *Delivery) {
	s.mu.Lock()
	order := next.Order
	faults := s.eventFaults(s.find(named(order)))
	body := append([]byte(next.Body), bytes.Repeat([]byte(" "), faults.Padding)...)
	s.mu.Unlock()
	tried := s.config.send(ctx, body, faults)
	_ = s.change(func() error { // The error is in the log.
		delete(s.busy, order)
		switch {
		case !slices.Contains(s.deliveries, next): // It was forgotten meanwhile.
		case ctx.Err() != nil && tried.Status == 0:
			s.plan(next, 0) // Cut off by the end of Run: sent again after a restart.
		default:
			s.tried(next, tried)
		}
		return nil
	})
}

// send posts a body once, signed and as late as the faults have it.
func (c Config) send(ctx context.Context, body []byte, faults EventFaults) Try {
	tried, signatures := Try{At: c.Now().UTC()}, http.Header{}
	tried.Signature = c.sign(faults.Signature, body, signatures)
	if c.WebhookURL == "" {
		tried.Failure = "no webhook address is set"
		return tried
	}
	timeout := tryTimeout + faults.Slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	status, reply, err := c.Post(ctx, body, signatures, faults.Slow)
	tried.Took = c.Now().Sub(tried.At)
	if errors.Is(err, context.DeadlineExceeded) {
		tried.Failure = "no reply within " + timeout.String()
		return tried
	}
	if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok {
			err = outer.Err // Without the webhook address: its path may be a secret.
		}
		tried.Failure = payments.Clean(err.Error(), payments.MaxShownWidth)
		return tried
	}
	for _, signature := range signatures.Values(c.SignatureHeader) { // A merchant may echo what it was sent.
		reply = bytes.ReplaceAll(reply, []byte(signature), []byte("(not shown)"))
	}
	tried.Status, tried.Reply = status, payments.Clean(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return tried
}

// sign signs a body as a fault has it, and says how.
func (c Config) sign(fault Fault, body []byte, header http.Header) string {
	scheme, secret := c.Scheme, c.WebhookSecret
	switch fault {
	case SignatureMissing:
		return string(fault)
	case SignatureDoubled:
		header.Add(c.SignatureHeader, gateway.Sign(scheme, secret, body))
	case SignatureStatic:
		scheme = gateway.Static
	case SignatureBody:
		scheme = gateway.Body
	case SignatureWrong:
		secret = payments.NewSecret("not the merchant's webhook secret")
	}
	header.Add(c.SignatureHeader, gateway.Sign(scheme, secret, body))
	return cmp.Or(string(fault), string(scheme))
}

// Post makes one request to the webhook address without following a redirect, whose
// body comes so late, and reads the reply to a bound.
func (c Config) Post(ctx context.Context, body []byte, header http.Header, late time.Duration) (status int, reply []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.WebhookURL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "till-sandbox")
	if late > 0 {
		reader, writer := io.Pipe()
		timer := time.AfterFunc(late, func() {
			_, err := writer.Write(body)
			_ = writer.CloseWithError(err)
		})
		defer func() {
			timer.Stop()
			_ = reader.Close()
		}()
		request.Body = reader
	}
	client := http.Client{
		Transport:     c.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err = io.ReadAll(io.LimitReader(response.Body, maxReply))
	return response.StatusCode, reply, err
}

// tried notes a try of a delivery, plans the next one, and logs it. The lock must
// be held.
func (s *Sandbox) tried(sent *Delivery, last Try) {
	sent.Tries = append(slices.Clone(sent.Tries), last) // Copies share the old one.
	pause, again := s.config.Retry.backoff(len(sent.Tries), last)
	switch {
	case last.Accepted():
		sent.Stage = Delivered
	case again:
		s.plan(sent, pause)
	default:
		sent.Stage = Abandoned
	}
	activity := Activity{
		Kind: "delivery", OrderReference: sent.Order, Event: sent.Event, Delivery: sent.ID, Stage: sent.Stage,
		Status: last.Status, Message: last.Failure, Hint: s.config.hint(last),
	}
	logger := s.config.Logger.With(slog.String(logOrder, sent.Order), slog.String(logEvent, string(sent.Event)),
		slog.Int(logTry, len(sent.Tries)), slog.Int(logStatus, last.Status))
	if activity.Hint == "" {
		logger.Info("event delivered")
	} else {
		activity.Reply = payments.Clean(last.Reply, payments.MaxShownWidth)
		logger.Warn("event not delivered", slog.String(logStage, string(sent.Stage)), slog.String(logFailure, last.Failure),
			slog.String(logReply, activity.Reply), slog.String(logHint, activity.Hint))
	}
	s.record(activity)
}

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
