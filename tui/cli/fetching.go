package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
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

type fetching struct {
	shop    *Shop
	handler *webhook.Handler
	fetcher *relay.Fetcher

	mu     sync.Mutex
	missed payments.RelayState // Payments that reached the relay before this process began to fetch. Only Missed and MissedOf are set.
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

// fetcherConfig returns a configuration for single requests. To fetch events, set Listener and
// Deliver.
func (s *Shop) fetcherConfig() (relay.FetcherConfig, error) {
	if s.Settings.Webhook.RelayKey.Empty() {
		return relay.FetcherConfig{}, &UnsetError{"relay_key", "needs relay"}
	}
	key, err := relay.ParseKey(s.Settings.Webhook.RelayKey.Reveal())
	if err != nil {
		return relay.FetcherConfig{}, err
	}
	return relay.FetcherConfig{
		Webhook: s.Settings.Webhook.Relay, Key: key, Terms: RelayTerms(s.Settings), Now: s.Now, Logger: s.Logger,
		Name: clean.Text(s.Settings.Counter.Till+" on "+machineName(), 60),
	}, nil
}

// AskRelay does what [Shop.AskRelay] does, but opens no database.
func (a *App) AskRelay(ctx context.Context, settings settings.Settings, request func(*relay.Fetcher, context.Context) error) error {
	shop := &Shop{Settings: settings, Logger: slog.New(slog.DiscardHandler), machine: a.Now}
	return shop.AskRelay(ctx, request)
}

// AskRelay calls request with a fetcher for the shop's relay. If the relay or its key is not set,
// it returns an [*UnsetError].
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

// RelayURL returns a relay's URL. It adds "https://" to an address without a scheme.
func RelayURL(address string) string {
	if address == "" || strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// JoinRelay pairs this till with a relay, and writes the settings relay and relay_key. Then it
// prints the webhook's address and the shop's recovery code. If recovery is blank, the till keeps
// its recovery code or, at the first pairing, gets a new one.
func (a *App) JoinRelay(ctx context.Context, loaded settings.Settings, address, code, recovery string) error {
	address = RelayURL(address)
	// The pairing code and later the token are secrets: http is allowed only on this machine.
	if err := settings.Check("base_url", address); err != nil {
		return Misused("%s", a.Texts.Frame.Labelled.With(a.Argument("ADDRESS"), a.Problem(err)))
	}
	file, err := a.SettingsFile()
	if err != nil {
		return err
	}
	key, err := pairingKey(loaded, recovery)
	if err != nil {
		return err
	}
	// Save a new key before the pairing: if the relay's answer is lost, the relay already encrypts
	// requests with this key, and the next try must use it again.
	if recovery == "" && loaded.Webhook.RelayKey.Empty() {
		file.Set("relay_key", key.Text())
		if err := file.Save(); err != nil {
			return err
		}
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
	a.Advise(a.Texts.Relay.Joined.With(webhook, key.Code()))
	return nil
}

// pairingKey returns the key for a new pairing. A key from a recovery code, or from the till's
// earlier key, can read the requests that the relay has stored.
func pairingKey(loaded settings.Settings, recovery string) (relay.Key, error) {
	if recovery != "" {
		return relay.KeyOf(recovery)
	}
	if former, err := relay.ParseKey(loaded.Webhook.RelayKey.Reveal()); err == nil {
		return relay.KeyOf(former.Code())
	}
	return relay.NewKey()
}

// RelayTerms returns how a relay recognizes a webhook that the payment service has signed. With
// [gateway.Static], the relay gets a hash of each secret's signature.
func RelayTerms(settings settings.Settings) relay.Terms {
	terms := relay.Terms{Header: http.CanonicalHeaderKey(settings.Webhook.SignatureHeader), Stamps: [][]byte{}}
	if scheme := gateway.Scheme(settings.Webhook.SignatureScheme); scheme == gateway.Static {
		for _, secret := range settings.Webhook.Secrets {
			terms.Stamps = append(terms.Stamps, relay.Stamp(gateway.Sign(scheme, secret, nil)))
		}
	}
	return terms
}

// fetchPatience is how long the doctor waits for the first fetches from the relay. After a restart
// of the till, the relay needs up to 3 s until it gives events to the new process.
const fetchPatience = 3500 * time.Millisecond

// wait waits, at most for limit, until the fetcher has handled the events that the relay had
// stored, or the relay has refused the fetcher.
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

// deliver passes a request from the relay to the webhook handler. came is when the request reached
// the relay. An event that the outbox keeps is no error, because it is safe on disk.
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
