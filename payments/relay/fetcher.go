package relay

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

const (
	retryPause = time.Second // Pause after a failure; doubles with each further failure, up to maxPause.
	maxPause   = 8 * time.Second
	// renewAfter is how long connections are reused. A new connection looks up the relay's
	// host name again, so it finds a relay that moved.
	renewAfter = 10 * time.Minute
)

// FetcherConfig configures a [Fetcher]. All fields except Dial are required.
type FetcherConfig struct {
	Webhook  string // The webhook's address at the relay, https://HOST/w/BOX.
	Key      Key
	Name     string // Name of the till and its machine; shown to other tills that try to fetch from the same box.
	Listener string // ID of this till's webhook listener; the relay sends it to clients that check the webhook's address.
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

// Fetcher fetches a till's webhooks from its relay while [Fetcher.Run] runs.
type Fetcher struct {
	config  FetcherConfig
	client  *http.Client
	process string
	base    string // The relay's address, without a path.
	settle  sync.Once
	settled chan struct{}

	mu        sync.Mutex // Guards the fields below.
	state     payments.RelayState
	emptied   time.Time // Start of the last fetch that got all waiting letters.
	answering bool      // Whether the bytes that arrive now are the relay's answer.
}

// NewFetcher returns a fetcher for the relay in config.Webhook. It makes no request yet. The error
// says that config.Webhook is not a webhook address at a relay.
func NewFetcher(config FetcherConfig) (*Fetcher, error) {
	base, err := baseOf(config.Webhook)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{
		config: config, process: rand.Text(), base: base.String(), settled: make(chan struct{}),
		state: payments.RelayState{Host: base.Host, Since: config.Now()},
	}
	f.client = newClient(config.Dial, f.heard)
	return f, nil
}

func baseOf(webhook string) (*url.URL, error) {
	address, box, found := strings.Cut(webhook, "/w/")
	base, err := url.Parse(address)
	if err != nil || !found || box == "" || base.Host == "" {
		return nil, errors.New("the relay's address looks like https://relay.example.mg/w/7GQX…")
	}
	return base, nil
}

// State returns the state of the connection to the relay, without a request.
func (f *Fetcher) State() payments.RelayState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Settled returns a channel that is closed when the till has handled all requests that the relay
// had at the start: each was delivered, or was skipped because the till cannot decrypt it. The
// channel is also closed when another till fetches, or when the relay does not know the key.
func (f *Fetcher) Settled() <-chan struct{} { return f.settled }

// Run fetches and delivers requests until ctx ends. After an error it pauses and tries again. At
// the end it releases the box, if the last fetch succeeded.
func (f *Fetcher) Run(ctx context.Context) {
	pause := time.Duration(0)
	sent := false // Whether the relay has config.Terms. After a failure, the relay may have lost them.
	after := int64(0)
	waits := false // Whether the relay may delay its answer until there is a letter.
	renewed := time.Now()
	for ctx.Err() == nil {
		began, waited := time.Now(), waits
		var err error
		if !sent {
			err = f.call(ctx, http.MethodPut, "/v1/box", f.config.Terms, nil)
			sent = err == nil
		}
		var more bool
		if err == nil {
			after, more, err = f.fetch(ctx, after, waits)
		}
		if ctx.Err() != nil {
			break // If the fetch failed, that is because ctx ended.
		}
		waits = err == nil && !more || errors.Is(err, errHeld)
		f.note(err)
		switch {
		case err == nil && waited && after == 0: // Without letters, fetch at most once a second, even if the relay does not wait.
			pause = retryPause - time.Since(began)
		case err == nil:
			pause = 0
		case errors.Is(err, errHeld): // A short pause, because the next request waits at the relay until the box is free.
			pause = retryPause
		default:
			sent = false
			pause = min(max(2*pause, retryPause), maxPause)
		}
		if err == nil && time.Since(renewed) > renewAfter {
			renewed = time.Now()
			f.client.CloseIdleConnections()
		}
		await(ctx, nil, pause)
	}
	if state := f.State(); !state.Contact.IsZero() && state.Fault == "" && state.HeldBy == "" {
		f.leave(ctx, after)
	}
}

func (f *Fetcher) note(err error) {
	fault := ""
	if err != nil && !errors.Is(err, errHeld) {
		fault = clean.Text(err.Error(), 200)
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
	if f.state.Unknown || errors.Is(err, errHeld) {
		f.settle.Do(func() { close(f.settled) })
	}
}

// heard records that the relay has sent bytes now. It does nothing unless these bytes are the
// relay's answer.
func (f *Fetcher) heard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answering {
		f.state.Contact = f.config.Now()
	}
}

func (f *Fetcher) listen(answering bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answering = answering
}
