package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
)

const (
	// silence is how long a connection may receive no byte while the till waits for an answer.
	silence = 12 * time.Second
	// callTimeout is the time limit of a call other than a fetch. In a fetch, it limits the TLS
	// handshake and the wait for the header of the answer. On a line of 5 kbit/s, connecting takes
	// about 10 s.
	callTimeout = time.Minute
	maxAnswer   = 4 << 10 // Maximum size of the answer to a call other than a fetch, in bytes.
)

var errHeld = errors.New("another till fetches from this relay's box")

// ErrUnknownKey is returned if the relay rejects the till's token, for example after another till
// was paired with the box.
var ErrUnknownKey = errors.New("the relay does not know this till any more: pair it again (till relay join ADDRESS CODE --recover)")

// StatusError is returned if an answer's HTTP status says that the call failed, or if the answer is
// not valid.
type StatusError struct{ Status int }

func (e *StatusError) Error() string {
	return fmt.Sprintf("the relay answers %d %s", e.Status, http.StatusText(e.Status))
}

var errSilent = errors.New("the relay is silent")

// newClient returns a client for HTTP/1.1. With HTTP/2, the dead connection of a canceled request
// would stay in the pool. The client calls heard after each read that receives bytes.
func newClient(dial func(ctx context.Context, network, address string) (net.Conn, error), heard func()) *http.Client {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, Protocols: protocols,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				ctx, cancel := context.WithTimeoutCause(ctx, silence, errSilent)
				defer cancel()
				conn, err := dial(ctx, network, address)
				if err != nil {
					return nil, err
				}
				return &watched{conn, heard}, nil
			},
			// A later connection resumes the TLS session. The relay then does not send its certificates
			// again, which are most of the bytes of a handshake.
			TLSClientConfig: &tls.Config{
				ClientSessionCache: tls.NewLRUClientSessionCache(1), MinVersion: tls.VersionTLS12, CurvePreferences: Curves(),
			},
			TLSHandshakeTimeout: callTimeout, ResponseHeaderTimeout: callTimeout, MaxResponseHeaderBytes: 16 << 10,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Curves returns the key exchanges for TLS between till and relay. Post-quantum key exchanges are
// not among them, because they add 2.3 KB to a handshake: about 4 s on a line of 5 kbit/s. The
// stored events are encrypted in any case.
func Curves() []tls.CurveID { return []tls.CurveID{tls.X25519, tls.CurveP256} }

// watched is a connection whose reads fail after the time [silence] without a received byte. It
// calls heard after each read that receives bytes. The time is measured here, below TLS and HTTP:
// on a slow line, these layers may collect bytes for longer than silence before a caller gets any.
type watched struct {
	net.Conn
	heard func()
}

func (c *watched) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.heard()
	}
	return n, err
}

// Write also restarts the time of a waiting read: net/http starts to read before it writes.
func (c *watched) Write(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// request sends a request to the relay. The caller closes the body of the response. Without a
// response the error is [ErrUnreachable].
func (f *Fetcher) request(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	f.listen(false) // Until the answer begins, received bytes may come from a handshake or from another server.
	request, err := http.NewRequestWithContext(ctx, method, f.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+f.config.Key.token.Reveal())
	request.Header.Set(headerFetcher, f.config.Name+"/"+f.process)
	request.Header.Set(gateway.ListenerHeader, f.config.Listener)
	response, err := f.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if response.StatusCode < http.StatusMultipleChoices || response.StatusCode == http.StatusConflict {
		f.listen(true)
		f.heard()
	}
	return response, nil
}

// call sends a request with value as its JSON body. It decodes the answer into result, unless
// result is nil.
func (f *Fetcher) call(ctx context.Context, method, path string, value, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	response, err := f.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := statusError(response); err != nil || result == nil {
		return err
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(result); err != nil {
		return &StatusError{response.StatusCode}
	}
	return nil
}

// Take makes this till the one that fetches from the box, even if another till fetches now.
func (f *Fetcher) Take(ctx context.Context) error {
	return f.call(ctx, http.MethodPost, "/v1/take", nil, nil)
}

// Replay makes the relay deliver again the requests of the last [ReplayFor] that were acknowledged,
// for a till that restored a backup.
func (f *Fetcher) Replay(ctx context.Context) error {
	return f.call(ctx, http.MethodPost, "/v1/replay", nil, nil)
}

// leave acknowledges the letters with numbers up to after, and releases the box, so that another
// till can fetch from it immediately. It stops after two seconds, because the program is ending.
func (f *Fetcher) leave(ctx context.Context, after int64) {
	const limit = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	// Ignore an error: the relay then delivers the letters again, and releases the box after a while.
	_ = f.call(ctx, http.MethodPost, "/v1/leave?after="+strconv.FormatInt(after, 10), nil, nil)
}

func statusError(response *http.Response) error {
	switch {
	case response.StatusCode == http.StatusUnauthorized:
		return ErrUnknownKey
	case response.StatusCode >= http.StatusMultipleChoices:
		return &StatusError{response.StatusCode}
	}
	return nil
}

// Pair pairs a till with a box at the relay, and returns the box's webhook address. address is the
// address of the relay, with or without a path. code is the pairing code, which the relay's operator
// gives to the shop. The error is [ErrCode] if the code is wrong.
func Pair(ctx context.Context, address, code string, key Key, terms Terms) (webhook string, err error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	base := &url.URL{Scheme: parsed.Scheme, Host: parsed.Host}
	f := &Fetcher{config: FetcherConfig{Key: key, Now: time.Now}, base: base.String()}
	f.client = newClient(nil, f.heard)
	var paired struct{ Webhook string }
	body := pairing{Code: code, TokenHash: hash(key.token.Reveal()), Key: key.public(), Terms: terms}
	err = f.call(ctx, http.MethodPost, "/v1/pair", body, &paired)
	if status, ok := errors.AsType[*StatusError](err); ok && status.Status == http.StatusForbidden {
		return "", ErrCode
	}
	if err != nil {
		return "", err
	}
	if _, err := baseOf(paired.Webhook); err != nil {
		return "", &StatusError{http.StatusOK}
	}
	return paired.Webhook, nil
}

// held reads an answer with the status 409. It returns the name of the other till that fetches.
func held(response *http.Response) (by string, err error) {
	var answer struct{ By string }
	err = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer)
	return clean.Text(answer.By, 40), err
}
