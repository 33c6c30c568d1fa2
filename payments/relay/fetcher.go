package relay

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
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
	retryPause = time.Second // Pause after a failure; doubles with each further failure, up to maxPause.
	maxPause   = 8 * time.Second
	// maxWait limits how long the relay may send line breaks before it begins its answer.
	maxWait = 2 * time.Minute
	// maxAge is the largest age of a request that the till believes.
	maxAge = 30 * 24 * time.Hour
	// renewAfter is how long connections are reused. A new connection looks up the relay's
	// host name again, so it finds a relay that moved.
	renewAfter = 10 * time.Minute
)

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

	mu        sync.Mutex // Guards the fields below.
	state     payments.RelayState
	emptied   time.Time // Start of the last fetch that found the box empty.
	answering bool      // Whether the bytes that arrive now are the relay's answer.
}

// NewFetcher returns a fetcher. The error says what is wrong with the address.
func NewFetcher(config FetcherConfig) (*Fetcher, error) {
	base, err := baseOf(config.Webhook)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{
		config: config, process: rand.Text(), base: base.String(), caughtUp: make(chan struct{}),
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

// State returns what is known about the connection to the relay.
func (f *Fetcher) State() payments.RelayState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// CaughtUp returns a channel that is closed when all requests that waited at the relay at
// the start are delivered or, if they cannot be opened, skipped.
func (f *Fetcher) CaughtUp() <-chan struct{} { return f.caughtUp }

// Run fetches and delivers requests until ctx ends. After an error it pauses and tries again. At
// the end it gives the box back.
func (f *Fetcher) Run(ctx context.Context) {
	pause := time.Duration(0)
	sent := false // Whether the relay has received config.Terms.
	after := int64(0)
	waits := false // Whether the relay may wait for something new before it answers.
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
			break // The fetch failed because the till stops.
		}
		waits = err == nil && !more || errors.Is(err, ErrHeld)
		f.note(err)
		switch {
		case err == nil && waited && after == 0: // A relay that answers without a letter has usually waited for one.
			pause = retryPause - time.Since(began)
		case err == nil:
			pause = 0
		case errors.Is(err, ErrHeld): // The relay lets the next request wait for the box.
			pause = retryPause
		default:
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

// heard records that bytes of the relay arrived.
func (f *Fetcher) heard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answering {
		f.state.Contact = f.config.Now()
	}
}

// listen sets whether the bytes that arrive from now on are the relay's answer.
func (f *Fetcher) listen(answering bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answering = answering
}

// fetch acknowledges the letters (stored requests) up to the number in after, gets the next ones and
// delivers each as soon as it has arrived. It returns the number of the last delivered letter, which
// the next fetch acknowledges, and whether more letters are waiting. If waits is true, the relay
// answers when it has a letter, or after some time without one.
func (f *Fetcher) fetch(ctx context.Context, after int64, waits bool) (last int64, more bool, err error) {
	started := f.config.Now()
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(maxWait, cancel)
	defer late.Stop()
	response, err := f.poll(asking, after, waits)
	if err != nil {
		return after, false, err
	}
	defer response.Body.Close()
	from := bufio.NewReaderSize(response.Body, maxHead)
	next, err := readBatch(from)
	late.Stop()
	if err != nil {
		return after, false, err
	}
	after = 0 // Acknowledge letters only once: a second time would undo a replay.
	now := f.config.Now()
	emptied := f.begin(next)
	if next.Sample != nil {
		if refused, err := f.config.Key.open(next.Sample); err == nil {
			_ = f.config.Deliver(ctx, refused, now) // Ignore an error: the relay does not keep the sample.
		}
	}
	for _, letter := range next.Letters {
		sealed, err := letter.read(from)
		if err != nil {
			return after, false, err
		}
		// The relay sends ages instead of times, because its clock may differ from the till's.
		age := min(max(0, letter.Age), maxAge.Milliseconds())
		came := now.Add(-time.Duration(age) * time.Millisecond)
		if came.Before(emptied) {
			came = emptied
		}
		if err := f.deliver(ctx, letter.Seq, sealed, came); err != nil {
			return after, false, err
		}
		after = letter.Seq
	}
	if !next.More {
		f.catchUp(started)
	}
	_, _ = from.Peek(1) // Reads the end of the answer, so that the connection can be used again.
	return after, next.More, nil
}

// deliver opens a letter and passes it to the till.
func (f *Fetcher) deliver(ctx context.Context, seq int64, sealed []byte, came time.Time) error {
	request, err := f.config.Key.open(sealed)
	if err == nil {
		err = f.config.Deliver(ctx, request, came)
		if err != nil {
			return fmt.Errorf("a webhook from the relay could not be stored: %w", err)
		}
	} else { // Skip the letter, because it would block the later letters forever.
		f.config.Logger.Error("a webhook from the relay cannot be opened", keySeq, seq, keyFailure, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Waiting--
	return nil
}

// begin records the first line of a batch. It returns the start of the last fetch that found the box
// empty.
func (f *Fetcher) begin(next batch) (emptied time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Full = next.Full
	f.state.OtherKey = next.OtherKey
	f.state.Waiting = len(next.Letters)
	return f.emptied
}

// catchUp records that all letters were delivered that the relay had at the time started.
func (f *Fetcher) catchUp(started time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emptied = started
	if !f.state.Emptied {
		close(f.caughtUp)
	}
	f.state.Emptied = true
}

// poll sends a fetch and returns the answer, of which the caller reads and closes the body. The error
// is [ErrHeld] while another till fetches.
func (f *Fetcher) poll(ctx context.Context, after int64, waits bool) (*http.Response, error) {
	query := url.Values{}
	if after > 0 {
		query.Set("after", strconv.FormatInt(after, 10))
	}
	if waits {
		query.Set("wait", "1")
	}
	response, err := f.request(ctx, http.MethodGet, "/v1/events?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusConflict {
		defer response.Body.Close()
		by, err := held(response)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.state.HeldBy = by
		return nil, errors.Join(ErrHeld, err)
	}
	if err := statusError(response); err != nil {
		return nil, errors.Join(err, response.Body.Close())
	}
	return response, nil
}
