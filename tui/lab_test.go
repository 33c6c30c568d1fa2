package tui_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/tui"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// lab is a shop with everything that is its own, and a payment service that
// fails as it is told: a database on disk, the order call and the listener on
// real connections, and the console in front. What goes over the wire is kept.
//
// Time stands still until the test moves it, for the shop and for the service,
// and the service tries nothing again by itself, so that nothing happens before
// the test wants it. Only what is slow on purpose takes real time.
type lab struct {
	*tuitest.Driver
	*sandbox.Sandbox
	t       *testing.T
	setup   labSetup
	clock   *labClock
	shop    *payments.Service
	handler *webhook.Handler
	wire    *wire
	site    string          // The service's address.
	changed <-chan struct{} // Something changed in the shop's store.
	bells   []sound.Tune    // What they rang for.
}

// labSetup is how a shop and its service are set up, where it matters.
type labSetup struct {
	timeout time.Duration  // Of the order call.
	hosts   []string       // That links may have; any when there is none.
	scheme  gateway.Scheme // Of signatures, on both sides.
	read    time.Duration  // How long a webhook may take to arrive.
}

// The account of the shop.
const (
	labToken  = "TGP_test_not_a_real_token"
	labSecret = "whsec_demo_0123456789abcdef"
	labHeader = "x-svc-signature"
	labPath   = "/webhook"
)

// impatient is an order call that waits for its answer no longer than patience.
type impatient struct {
	payments.Gateway
	patience time.Duration
}

// Create makes the order call.
func (i *impatient) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, i.patience)
	defer cancel()
	return i.Gateway.Create(ctx, order)
}

// openLab opens a shop and a service without faults.
func openLab(t *testing.T, change ...func(*labSetup)) *lab {
	t.Helper()
	setup := labSetup{timeout: time.Minute, scheme: gateway.Static, read: time.Minute}
	for _, set := range change {
		set(&setup)
	}
	l := &lab{t: t, setup: setup, clock: &labClock{now: counter.Opening()}, wire: &wire{}}
	front := httptest.NewUnstartedServer(nil)
	l.site = "http://" + front.Listener.Addr().String()
	store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "till.db"))
	l.must(err)
	client, err := gateway.NewClient(l.site, gateway.DefaultOrderPath, payments.NewSecret(labToken), setup.hosts...)
	l.must(err)
	l.shop = payments.New(store, &impatient{client, setup.timeout}, l.clock.Now, payments.WithZone(counter.Zone()))
	hook := l.listen(store)
	l.Sandbox, err = sandbox.New(sandbox.Config{
		Token: payments.NewSecret(labToken), WebhookSecret: payments.NewSecret(labSecret),
		Scheme: setup.scheme, WebhookURL: hook, Shop: "Épicerie Soa",
		Now: l.clock.Now, Transport: l.wire, Retry: delivery.RetryNone,
	})
	l.must(err)
	front.Config.Handler = server.New(l.Sandbox)
	front.Start()
	stop := l.serve(l.Run)
	t.Cleanup(func() {
		stop()
		front.Close()
		l.wire.CloseIdleConnections()
		l.must(store.Close())
	})
	l.changed = l.shop.Watch(t.Context())
	l.Driver = tuitest.Drive(t, tui.New(t.Context(), tui.Config{
		Service: l.shop, Place: tui.Place{Till: counter.Till, Shop: "Épicerie Soa"}, Texts: counter.Texts(t, "en"),
		Theme: theme.Plain(), Zone: counter.Zone(), Output: new(bytes.Buffer), Health: l.health,
		Sound: func(_ context.Context, cue sound.Tune) { l.bells = append(l.bells, cue) },
	}), 120, 40)
	return l
}

// listen opens the shop's listener until the test ends, and returns its address.
func (l *lab) listen(store storage.Store) string {
	l.t.Helper()
	verifier, err := gateway.NewVerifier(l.setup.scheme, payments.NewSecret(labSecret))
	l.must(err)
	l.handler = webhook.NewHandler(l.shop, webhook.Config{
		Path: labPath, SignatureHeader: labHeader, Verifier: verifier, Now: l.clock.Now, Healthy: store.Probe,
		Logger: slog.New(slog.DiscardHandler), Explain: payments.Cause.Shown, Crowded: func() bool { return false },
	})
	limits := webhook.DefaultLimits()
	limits.Read = l.setup.read
	bound, err := webhook.Bind(l.t.Context(), "127.0.0.1:0")
	l.must(err)
	server := webhook.NewServer(bound, l.handler, limits, slog.New(slog.DiscardHandler))
	l.t.Cleanup(l.serve(server.Serve))
	return "http://" + server.Addr() + labPath
}

// health is what the console is told of the listener, as the program does it.
func (l *lab) health() tui.Health {
	health := l.handler.Health()
	health.Listening = true
	return health
}

// serve runs a part and returns what ends it.
func (l *lab) serve(part func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(l.t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		if err := part(ctx); err != nil {
			l.t.Error(err)
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}
