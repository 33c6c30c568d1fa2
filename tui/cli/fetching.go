package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/relay"
	"checkout/till/payments/webhook"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
)

// fetching fetches events from the shop's relay and passes them to the webhook handler.
type fetching struct {
	shop    *Shop
	handler *webhook.Handler
	fetcher *relay.Fetcher

	mu     sync.Mutex
	missed payments.RelayState // Payments that reached the relay before the start. Only Missed and MissedOf are set.
}

func (s *Shop) newFetching(handler *webhook.Handler) (*fetching, error) {
	f := &fetching{shop: s, handler: handler}
	config, err := s.fetcherConfig()
	if err != nil {
		return nil, err
	}
	config.Listener = handler.ID()
	config.Deliver = f.deliver
	f.fetcher, err = relay.NewFetcher(config)
	return f, err
}

// fetcherConfig returns the configuration for a fetcher that sends single requests to the relay. To
// fetch events, set Listener and Deliver, too.
func (s *Shop) fetcherConfig() (relay.FetcherConfig, error) {
	if s.Settings.Webhook.RelayKey.Empty() {
		return relay.FetcherConfig{}, &UnsetError{"relay_key", "needs relay"}
	}
	key, err := relay.ParseKey(s.Settings.Webhook.RelayKey.Reveal())
	if err != nil {
		return relay.FetcherConfig{}, err
	}
	machine, err := os.Hostname()
	if err != nil {
		machine = "?"
	}
	return relay.FetcherConfig{
		Webhook: s.Settings.Webhook.Relay, Key: key, Terms: RelayTerms(s.Settings), Now: s.Now, Logger: s.Logger,
		Name: clean.Text(s.Settings.Counter.Till+" on "+machine, 60),
	}, nil
}

// AskRelay calls request, a method of [relay.Fetcher], with a fetcher for the shop's relay. If the
// settings lack the relay or its key, it returns an [*UnsetError].
func (s *Shop) AskRelay(ctx context.Context, request func(*relay.Fetcher, context.Context) error) error {
	if s.Settings.Webhook.Relay == "" {
		return &UnsetError{"relay", "needs relay"}
	}
	config, err := s.fetcherConfig()
	if err != nil {
		return err
	}
	fetcher, err := relay.NewFetcher(config)
	if err != nil {
		return err
	}
	return request(fetcher, ctx)
}

// RelayURL returns the URL of a relay for an address as people write it: it adds "https://"
// if the address has no scheme.
func RelayURL(address string) string {
	if address == "" || strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// JoinRelay pairs this till with the relay at address by a pairing code, and writes the settings
// relay and relay_key. It prints the webhook's address for the merchant area, and the shop's
// recovery code.
//
// recovery is a recovery code that the user has entered, or blank. If it is blank, a till that was
// paired before keeps its recovery code, and any other till gets a new one.
func (a *App) JoinRelay(ctx context.Context, loaded settings.Settings, address, code, recovery string) error {
	address = RelayURL(address)
	// The pairing code and later the token are secrets, so the address must be https, except on
	// this machine.
	if err := settings.Check("base_url", address); err != nil {
		return Misused("%s", a.Texts.Frame.Labelled.With("ADDRESS", a.Problem(err)))
	}
	file, err := a.SettingsFile()
	if err != nil {
		return err
	}
	key, err := pairingKey(loaded, recovery)
	if err != nil {
		return err
	}
	webhook, err := relay.Pair(ctx, address, code, key, RelayTerms(loaded))
	if err != nil {
		return err
	}
	file.Set("relay", webhook)
	file.Set("relay_key", key.Text())
	if err := file.Save(); err != nil {
		return err
	}
	a.Tell("%s", a.Texts.Relay.Joined.With(webhook, key.Code()))
	return nil
}

// pairingKey returns the key for a new pairing. It makes the key from the recovery code or, without
// one, from the till's earlier key, so that the till can still read the requests that the relay has
// stored. If there is neither, the key is random.
func pairingKey(loaded settings.Settings, recovery string) (relay.Key, error) {
	if recovery != "" {
		return relay.KeyOf(recovery)
	}
	if former, err := relay.ParseKey(loaded.Webhook.RelayKey.Reveal()); err == nil {
		return relay.KeyOf(former.Code())
	}
	return relay.NewKey()
}

// RelayTerms returns how a relay recognizes the shop's signed requests. With the signature scheme
// static, the relay gets a hash of the signature for each secret. With the scheme body, it gets
// none.
func RelayTerms(settings settings.Settings) relay.Terms {
	terms := relay.Terms{Header: http.CanonicalHeaderKey(settings.Webhook.SignatureHeader), Stamps: [][]byte{}}
	if scheme := gateway.Scheme(settings.Webhook.SignatureScheme); scheme == gateway.Static {
		for _, secret := range settings.Webhook.Secrets {
			terms.Stamps = append(terms.Stamps, relay.Stamp(gateway.Sign(scheme, secret, nil)))
		}
	}
	return terms
}

// fetchPatience is how long the doctor waits for the first fetches from the relay, so that some of
// its time is left for the check of the public address. The relay needs up to 3 s to give the box
// to a new process of the till.
const fetchPatience = 3500 * time.Millisecond

// wait waits until the fetcher has fetched the events that the relay stored before the start. It
// returns earlier if the relay refuses the fetcher, after the duration limit, or when ctx ends.
func (f *fetching) wait(ctx context.Context, limit time.Duration) {
	select {
	case <-f.fetcher.Settled():
	case <-ctx.Done():
	case <-time.After(limit):
	}
}

func (f *fetching) run(ctx context.Context) error {
	f.fetcher.Run(ctx)
	return nil
}

func (f *fetching) state() payments.RelayState {
	state := f.fetcher.State()
	f.mu.Lock()
	defer f.mu.Unlock()
	if state.Emptied {
		state.Missed = slices.Clone(f.missed.Missed)
		state.MissedOf = f.missed.MissedOf
	}
	return state
}

// deliver passes a request from the relay to the webhook handler. came is the time at which the
// request reached the relay. If only the outbox has stored the event, deliver returns nil, too: the
// outbox is on disk, so the event is safe.
func (f *fetching) deliver(ctx context.Context, kept relay.Request, came time.Time) error {
	request := &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: cmp.Or(kept.Astray, f.shop.Settings.Webhook.Path)}, Header: kept.Header,
		Body: io.NopCloser(bytes.NewReader(kept.Body)), RemoteAddr: kept.Address,
	}
	receipt, err := f.handler.Deliver(ctx, request, came)
	if errors.Is(err, outbox.ErrKept) {
		return nil
	}
	if err == nil && receipt.Proven > 0 && came.Before(f.fetcher.State().Since) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.missed.Missed = append(f.missed.Missed, receipt.Order)
		f.missed.MissedOf += receipt.Proven
	}
	return err
}
