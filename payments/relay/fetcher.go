package relay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	silence     = 12 * time.Second // A connection that receives no byte for this long counts as dead.
	retryPause  = time.Second      // Pause after a failure; doubles with each further failure, up to maxPause.
	maxPause    = 8 * time.Second
	callTimeout = 15 * time.Second
	// renewAfter is how long connections are reused. A new connection looks up the relay's
	// host name again, so it finds a relay that moved.
	renewAfter = 10 * time.Minute
)

// ErrHeld says that another till fetches from the shop's box at the relay.
var ErrHeld = errors.New("another till fetches from this relay's box")

// ErrUnknownKey says that the relay no longer knows the till's key.
var ErrUnknownKey = errors.New("the relay does not know this till any more: pair it again (till relay join ADDRESS CODE --recover)")

var errForbidden = errors.New("the relay answers 403 Forbidden")

// FetcherConfig configures a [Fetcher]. All fields except Dial are required.
type FetcherConfig struct {
	Webhook  string // The webhook's address at the relay, https://HOST/w/BOX.
	Key      Key
	Name     string // Name of the till and its machine; shown to other tills that want to fetch.
	Listener string // ID of this till's webhook listener; the relay sends it to clients that check the address.
	Terms    Terms
	// Deliver stores a request. The parameter came is its time of arrival at the relay. Deliver
	// returns nil when the request is durable or finally refused; the fetcher then acknowledges it.
	// After an error, the relay sends the request again. Deliver also gets samples of the requests
	// that the relay refused, so that the till can find the cause.
	Deliver func(ctx context.Context, request Request, came time.Time) error
	Now     payments.Clock
	Logger  *slog.Logger
	// Dial opens connections. If it is nil, the system's network is used.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Fetcher fetches a till's webhooks from its relay.
type Fetcher struct {
	config   FetcherConfig
	client   *http.Client
	process  string
	base     string        // The relay's address, without a path.
	caughtUp chan struct{} // Closed when the requests that waited at the start are handled; see CaughtUp.

	mu      sync.Mutex // Guards the fields below.
	state   payments.RelayState
	emptied time.Time // Start of the last fetch that found the box empty.
}

// NewFetcher returns a fetcher. The error says what is wrong with the address.
func NewFetcher(config FetcherConfig) (*Fetcher, error) {
	base, err := baseOf(config.Webhook)
	if err != nil {
		return nil, err
	}
	return &Fetcher{
		config: config, client: newClient(config.Dial), process: rand.Text(), base: base.String(), caughtUp: make(chan struct{}),
		state: payments.RelayState{Host: base.Host, Since: config.Now()},
	}, nil
}

func baseOf(webhook string) (*url.URL, error) {
	address, box, found := strings.Cut(webhook, "/w/")
	base, err := url.Parse(address)
	if err != nil || !found || box == "" || base.Host == "" {
		return nil, errors.New("the relay's address looks like https://relay.example.mg/w/7GQX…")
	}
	return base, nil
}

// newClient returns a client for HTTP/1.1. With HTTP/2, the dead connection of a canceled request
// would stay in the pool.
func newClient(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dial, Protocols: protocols, TLSHandshakeTimeout: callTimeout,
			ResponseHeaderTimeout: callTimeout, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// State returns what is known about the connection to the relay.
func (f *Fetcher) State() payments.RelayState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// CaughtUp returns a channel that is closed when all requests that waited at the relay at
// the start are delivered or, if they cannot be opened, skipped.
func (f *Fetcher) CaughtUp() <-chan struct{} { return f.caughtUp }

// Take makes this till the fetcher of the box, even if another till fetches now. It ignores the
// events in the answer: the relay keeps them, and Run fetches them.
func (f *Fetcher) Take(ctx context.Context) error {
	_, err := f.poll(ctx, "/v1/events?take=1")
	return err
}

// Run fetches and delivers requests until ctx ends. After an error it pauses and tries again.
func (f *Fetcher) Run(ctx context.Context) {
	pause := retryPause
	sent := false // Whether the relay has received config.Terms.
	after := int64(0)
	first := true
	renewed := time.Now()
	for ctx.Err() == nil {
		var err error
		if !sent {
			err = f.call(ctx, http.MethodPut, "/v1/box", f.config.Terms, nil)
			sent = err == nil
		}
		var more bool
		if err == nil {
			after, more, err = f.fetch(ctx, after, first)
		}
		if ctx.Err() != nil {
			return // The fetch failed because the till stops.
		}
		first = err != nil || more
		f.note(err)
		if err == nil {
			pause = retryPause
			if time.Since(renewed) > renewAfter {
				renewed = time.Now()
				f.client.CloseIdleConnections()
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
	}
}

// note records the result of a fetch, and logs each change of the result.
func (f *Fetcher) note(err error) {
	fault := ""
	if err != nil && !errors.Is(err, ErrHeld) {
		fault = payments.Clean(err.Error(), 200)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.state.HeldBy = ""
	}
	if fault != f.state.Fault && fault != "" {
		f.config.Logger.Warn("webhooks cannot be fetched from the relay", keyFailure, fault)
	} else if fault == "" && f.state.Fault != "" {
		f.config.Logger.Info("webhooks are fetched from the relay again")
	}
	f.state.Fault = fault
	f.state.Unknown = errors.Is(err, ErrUnknownKey)
}

func (f *Fetcher) contact() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Contact = f.config.Now()
}

// fetch acknowledges the letters (stored requests) up to the number in after, gets the next ones
// and delivers them. It returns the number of the last delivered letter, which the next fetch
// acknowledges, and whether more letters are waiting. Unless first is true, it waits for a letter.
func (f *Fetcher) fetch(ctx context.Context, after int64, first bool) (last int64, more bool, err error) {
	started := f.config.Now()
	query := url.Values{}
	if after > 0 {
		query.Set("after", strconv.FormatInt(after, 10))
	}
	if !first {
		query.Set("wait", "1")
	}
	next, err := f.poll(ctx, "/v1/events?"+query.Encode())
	if err != nil {
		return after, false, err
	}
	after = 0 // Acknowledge letters only once: a second time would undo a replay.
	now := f.config.Now()
	f.mu.Lock()
	f.state.Full = next.Full
	f.state.OtherKey = next.OtherKey
	f.state.Waiting = len(next.Events)
	emptied := f.emptied
	f.mu.Unlock()
	if next.Sample != nil {
		if refused, err := f.config.Key.open(next.Sample); err == nil {
			_ = f.config.Deliver(ctx, refused, now) // Ignore an error: the relay does not keep the sample.
		}
	}
	for _, letter := range next.Events {
		request, err := f.config.Key.open(letter.Sealed)
		if err != nil { // Skip the letter, because it would block the later letters forever.
			f.config.Logger.Error("a webhook from the relay cannot be opened", keySeq, letter.Seq, keyFailure, err)
			after = letter.Seq
			continue
		}
		// Use the age of the request, because the clocks of the relay and the till may differ.
		age := min(max(0, next.Now-letter.Seq), KeepFor.Microseconds())
		came := now.Add(-time.Duration(age) * time.Microsecond)
		if came.Before(emptied) {
			came = emptied
		}
		if err := f.config.Deliver(ctx, request, came); err != nil {
			return after, false, fmt.Errorf("a webhook from the relay could not be stored: %w", err)
		}
		after = letter.Seq
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Waiting = 0
	if !next.More {
		f.emptied = started
		if !f.state.Emptied {
			close(f.caughtUp)
		}
		f.state.Emptied = true
	}
	return after, next.More, nil
}

// poll sends a fetch and returns the answer. The error is [ErrHeld] while another till fetches.
// poll also fails if the relay is silent for too long.
func (f *Fetcher) poll(ctx context.Context, path string) (next batch, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(silence, func() { cancel(errors.New("the relay is silent")) })
	defer alarm.Stop()
	response, err := f.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return batch{}, errors.Join(err, context.Cause(ctx))
	}
	defer func() { _ = response.Body.Close() }()
	beats := readerFunc(func(p []byte) (int, error) {
		n, err := response.Body.Read(p)
		if n > 0 {
			alarm.Reset(silence)
			f.contact()
		}
		return n, err
	})
	if response.StatusCode == http.StatusConflict {
		var held struct{ By string }
		err := json.NewDecoder(io.LimitReader(beats, 4<<10)).Decode(&held)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.state.HeldBy = payments.Clean(held.By, 40)
		return batch{}, errors.Join(ErrHeld, err)
	}
	if err := statusError(response); err != nil {
		return batch{}, err
	}
	if err = json.NewDecoder(beats).Decode(&next); err != nil {
		return batch{}, errors.Join(err, context.Cause(ctx))
	}
	return next, nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// send sends a request to the relay. The caller closes the body of the response. Without a
// response the error is [ErrUnreachable].
func (f *Fetcher) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, f.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+f.config.Key.token)
	request.Header.Set(headerFetcher, f.config.Name+"/"+f.process)
	request.Header.Set(headerListener, f.config.Listener)
	response, err := f.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return response, nil
}

// call sends a request with value as its JSON body, and checks the status of the answer. It
// decodes the answer into result, unless result is nil.
func (f *Fetcher) call(ctx context.Context, method, path string, value, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	response, err := f.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	f.contact()
	if err := statusError(response); err != nil || result == nil {
		return err
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 4<<10)).Decode(result); err != nil {
		return fmt.Errorf("the relay's answer cannot be read: %w", err)
	}
	return nil
}

// Replay makes the relay deliver again the requests that were acknowledged in the last [ReplayFor].
func (f *Fetcher) Replay(ctx context.Context) error {
	return f.call(ctx, http.MethodPost, "/v1/replay", nil, nil)
}

// statusError returns an error for an answer with a status of 300 or more.
func statusError(response *http.Response) error {
	switch {
	case response.StatusCode == http.StatusUnauthorized:
		return ErrUnknownKey
	case response.StatusCode == http.StatusForbidden:
		return errForbidden
	case response.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("the relay answers %s", response.Status)
	}
	return nil
}

// Pair pairs a till with a box at the relay, and returns the box's webhook address. address is the
// relay's, with or without a path; code comes from the relay's operator. The error is [ErrCode] if
// the code is wrong.
func Pair(ctx context.Context, address, code string, key Key, terms Terms) (webhook string, err error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	base := &url.URL{Scheme: parsed.Scheme, Host: parsed.Host}
	f := &Fetcher{config: FetcherConfig{Key: key, Now: time.Now}, client: newClient(nil), base: base.String()}
	var paired struct{ Webhook string }
	body := pairing{Code: code, TokenHash: hash(key.token), Key: key.public(), Terms: terms}
	err = f.call(ctx, http.MethodPost, "/v1/pair", body, &paired)
	switch {
	case errors.Is(err, errForbidden):
		return "", ErrCode
	case err != nil:
		return "", err
	}
	_, err = baseOf(paired.Webhook)
	return paired.Webhook, err
}
