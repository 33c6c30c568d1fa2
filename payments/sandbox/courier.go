package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

const (
	// attemptTimeout is how long one try of a delivery may take in all, beside
	// what a fault takes to send it.
	attemptTimeout = 10 * time.Second
	// maxReply is how much of a reply is read, in bytes, before the connection
	// is given up.
	maxReply = 64 << 10
	// maxKeptReply is how much of a reply is kept, in bytes: what the dashboard
	// shows, were every character of the longest.
	maxKeptReply = 8 << 10
)

// courier carries one event to the merchant's webhook address, once.
type courier struct {
	address string // Empty when the merchant set none.
	header  string
	scheme  gateway.Scheme
	secret  payments.Secret
	client  *http.Client
	now     payments.Clock
}

// attempt is one try of a delivery.
type attempt struct {
	at      time.Time
	took    time.Duration
	signed  string // How it was signed, never the signature.
	status  int    // 0 when no reply came.
	reply   []byte // At most maxKeptReply bytes, of earlier tries maxOldReply.
	failure string // Why no reply came.
	final   bool   // Another try cannot end otherwise.

	retryAfter time.Duration // The pause that the merchant asks for, 0 for none.
}

// accepted tells whether the merchant took the event.
func (a attempt) accepted() bool { return a.status >= 200 && a.status <= 299 }

// carry sends a parcel, signed as the fault has it.
func (c courier) carry(ctx context.Context, sent parcel, fault SignatureFault) attempt {
	tried := attempt{at: c.now(), signed: string(c.scheme)}
	if fault != "" {
		tried.signed = string(fault)
	}
	if c.address == "" {
		tried.failure, tried.final = "no webhook address is set", true
		return tried
	}
	patience := attemptTimeout + max(0, sent.slow)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, nil)
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("User-Agent", "till-sandbox")
		c.sign(request.Header, sent.load(request), fault)
		err = c.exchange(sent.client(c.client), request, &tried)
	}
	tried.took = c.now().Sub(tried.at)
	if err != nil {
		tried.failure, tried.final = explain(err, patience), errors.Is(err, ErrTarget)
	}
	return tried
}

func (c courier) exchange(client *http.Client, request *http.Request, tried *attempt) error {
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	tried.status = response.StatusCode
	tried.retryAfter = askedPause(response.Header, c.now())
	tried.reply, err = readReply(response.Body, request.Header.Values(c.header))
	if err != nil {
		tried.status = 0
	}
	return err
}

// readReply reads a reply to a bound and returns its beginning. A merchant may
// say back what it was sent: the signatures are taken out.
func readReply(body io.Reader, signatures []string) ([]byte, error) {
	reply, err := io.ReadAll(io.LimitReader(body, maxReply))
	for _, signature := range signatures {
		if signature != "" {
			reply = bytes.ReplaceAll(reply, []byte(signature), []byte("(not shown)"))
		}
	}
	return bytes.Clone(reply[:min(len(reply), maxKeptReply)]), err
}

func (c courier) sign(header http.Header, body []byte, fault SignatureFault) {
	switch fault {
	case SignatureMissing:
	case SignatureDoubled:
		header.Add(c.header, gateway.Sign(c.scheme, c.secret, body))
		header.Add(c.header, gateway.Sign(c.scheme, c.secret, body))
	case SignatureStatic:
		header.Set(c.header, gateway.Sign(gateway.Static, c.secret, body))
	case SignatureBody:
		header.Set(c.header, gateway.Sign(gateway.Body, c.secret, body))
	case SignatureWrong:
		other := payments.NewSecret("not the merchant's webhook secret")
		header.Set(c.header, gateway.Sign(c.scheme, other, body))
	default:
		header.Set(c.header, gateway.Sign(c.scheme, c.secret, body))
	}
}

// explain says why no reply came. The webhook address is left out: a part of
// it may be a secret.
func explain(err error, patience time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no reply within " + patience.String()
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	return payments.Clean(err.Error(), payments.MaxShownWidth)
}
