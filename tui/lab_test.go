package tui_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/oracle"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/webhook"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// lab is a console whose order calls and events go over real connections to and
// from a payment service that fails as it is told. The oracle keeps the book of
// what the shop is told.
//
// Time stands still until the test moves it, for the shop and for the service,
// and the service tries nothing again by itself, so that nothing happens before
// the test wants it. Only what is slow on purpose takes real time.
type lab struct {
	*console
	service *sandbox.Sandbox
	book    *oracle.Book
	changed <-chan struct{} // Something changed in the shop's store.
	deaf    bool            // Nobody listens, as far as the console knows.
}

// labSetup is how a shop and its service are set up, where it matters.
type labSetup struct {
	hosts  []string       // That links may have; any when there is none.
	scheme gateway.Scheme // Of signatures, on both sides; static when empty.
}

// The account of the shop.
const (
	labToken  = "TGP_test_not_a_real_token"
	labSecret = "whsec_demo_0123456789abcdef"
)

// impatient is an order call that does not wait long for its answer.
type impatient struct{ payments.Gateway }

// Create makes the order call.
func (i impatient) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return i.Gateway.Create(ctx, order)
}

// openLab opens a shop and a service with faults.
func openLab(t *testing.T, setup labSetup, faults sandbox.Faults, settings ...setting) *lab {
	t.Helper()
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	store := shoptest.Database(t)
	shop, front := shoptest.New(t, store), httptest.NewUnstartedServer(nil)
	address := "http://" + front.Listener.Addr().String()
	client, err := gateway.NewClient(address, gateway.DefaultOrderPath, payments.NewSecret(labToken), setup.hosts...)
	must(err)
	shop.Service = payments.New(store, impatient{client}, shop.Now)

	setup.scheme = cmp.Or(setup.scheme, gateway.Static)
	secret := payments.NewSecret(labSecret)
	verifier, err := gateway.NewVerifier(setup.scheme, secret)
	must(err)
	handler := webhook.NewHandler(shop.Service, webhook.Config{
		Path: "/webhook", SignatureHeader: "x-svc-signature", Verifier: verifier, Now: shop.Now,
		Probe: func(context.Context) error { return nil }, Crowded: func() bool { return false },
		Logger: slog.New(slog.DiscardHandler), Explain: payments.Cause.Shown, Awaited: shop.Service.AwaitedUntil,
	})
	limits := webhook.DefaultLimits()
	limits.Read = 2 * time.Second
	bound, err := webhook.Bind(t.Context(), "127.0.0.1:0")
	must(err)
	listener := webhook.NewServer(bound, handler, limits, slog.New(slog.DiscardHandler))

	l := &lab{book: oracle.NewBook(new(http.Transport))}
	l.book.Now, l.book.Exact = shop.Now, true
	l.book.Sign = func(body []byte) string { return gateway.Sign(setup.scheme, secret, body) }
	l.service, err = sandbox.New(sandbox.Config{
		Token: payments.NewSecret(labToken), WebhookSecret: secret, Scheme: setup.scheme, Shop: "Épicerie Soa",
		WebhookURL: "http://" + listener.Addr() + "/webhook", Now: shop.Now, Transport: l.book, Retry: sandbox.RetryNone,
	})
	must(err)
	l.service.SetFaults(faults)
	front.Config.Handler = server.New(l.service)
	front.Start()
	t.Cleanup(front.Close)
	for _, part := range []func(context.Context) error{l.service.Run, listener.Serve} {
		var running sync.WaitGroup
		running.Go(func() {
			if err := part(t.Context()); err != nil {
				t.Error(err)
			}
		})
		t.Cleanup(running.Wait)
	}
	l.changed = shop.Watch(t.Context())
	l.console = at(t, shop, append(settings, func(c *console) {
		c.config.Health = func() payments.Health {
			health := handler.Health()
			health.Listening, health.Address = !l.deaf, listener.Addr()
			return health
		}
	})...)
	l.Resize(120, 40)
	return l
}

// look tells the console that something changed whenever the store said so, and
// not otherwise.
func (l *lab) look() *lab {
	l.t.Helper()
	for {
		select {
		case <-l.changed:
			l.wake()
		default:
			return l
		}
	}
}

// pass lets time go by, and the console's clock tick.
func (l *lab) pass(by time.Duration) *lab {
	l.t.Helper()
	l.after(by)
	return l.look()
}

// rest lets links expire whose time is over, waits until the service has sent
// all that is due, and shows the console what came of it.
func (l *lab) rest() *lab {
	l.t.Helper()
	for _, order := range l.service.Orders() {
		if order.State == sandbox.Open && !l.Now().Before(order.ExpiresAt) {
			// The service's own loop may have been faster.
			_ = l.service.Act(l.t.Context(), order.OrderReference, payments.PaymentExpired)
		}
	}
	l.until("rest at the service", func() bool {
		return !slices.ContainsFunc(l.service.Deliveries(), func(d sandbox.Delivery) bool {
			return d.Stage == sandbox.Sending || d.NextTryAt != nil && !d.NextTryAt.After(l.Now())
		})
	})
	return l.pass(0) // A refused event changes nothing in the store.
}

// until waits for something to hold, and looks whenever the service has changed.
func (l *lab) until(what string, holds func() bool) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	if !l.service.Await(ctx, holds) {
		l.t.Fatalf("there is no %s", what)
	}
}

// reach says whether a payment would be seen now.
func (l *lab) reach() payments.Reach { return l.config.Health().Reach(l.Now()) }

func (l *lab) verdict(order payments.Order) payments.Verdict {
	return order.Verdict(l.reach().Conditions(), l.Now())
}

// honest checks what must hold whatever went wrong: the shop is as the oracle's
// book has it, and the console gives every order that it names the verdict of the
// store, says PAID of none when none is, and shows a code only of an order that is
// waited for.
func (l *lab) honest() {
	l.t.Helper()
	for _, fault := range l.book.Check(l.t.Context(), l.Service) {
		l.t.Error(fault)
	}
	orders, view := l.All(), l.harmless()
	columns, rows := l.Screen().Size()
	for _, order := range orders {
		roomy := columns >= 80 && rows >= 24 && l.config.Theme.Charset == theme.Unicode
		if word := l.word(order); roomy && strings.Contains(view, order.Reference) && !strings.Contains(view, word) {
			l.t.Errorf("order %s is %q, and the console says\n%s", order.Reference, word, view)
		}
	}
	paid := func(order payments.Order) bool { return l.verdict(order) == payments.VerdictPaid }
	if strings.Contains(view, "✓ PAID") && !slices.ContainsFunc(orders, paid) { // The day's outcomes have no references.
		l.t.Errorf("nothing is paid, and the console says\n%s", view)
	}
	if code, err := l.Screen().Code(); err == nil && !slices.ContainsFunc(orders, func(order payments.Order) bool {
		waits := l.verdict(order) == payments.VerdictWaiting || order.Retryable(l.Now())
		return waits && !l.reach().Blind() && order.Payable(l.Now()) && codes(code, order.Link.URL)
	}) {
		l.t.Errorf("the code of no order that is waited for is shown\n%s", view)
	}
}

// codes tells whether a code is a link's. That cameras read codes is tested
// elsewhere.
func codes(code tuitest.Code, link string) bool {
	model, err := qr.New(link, theme.Theme{})
	if err != nil {
		return false
	}
	drawn, err := tuitest.Render(model.SetSize(120, 40).View(), 120, 40).Code()
	return err == nil && slices.EqualFunc(code.Modules(), drawn.Modules(), slices.Equal)
}

// state says how the newest order stands: its verdict and what is to check,
// whether its code is shown, its events with their outcomes, those that no order
// has, and what the service was answered.
func (l *lab) state() string {
	l.t.Helper()
	order, records, err := l.Order(l.t.Context(), l.newest().Reference)
	tuitest.Must(l.t, err)
	orphans, err := l.Unmatched(l.t.Context(), 100)
	tuitest.Must(l.t, err)
	var text bytes.Buffer
	fmt.Fprint(&text, l.verdict(order))
	for _, reason := range order.Attention(l.Now()) {
		fmt.Fprint(&text, " ", reason)
	}
	if code, err := l.Screen().Code(); err == nil {
		text.WriteString(", code")
		if !codes(code, order.Link.URL) {
			l.t.Errorf("the code is not that of %s", order.Link.URL)
		}
	}
	sign := ": "
	for _, record := range slices.Concat(records, orphans) {
		fmt.Fprint(&text, sign, strings.TrimPrefix(string(record.Event.Kind), "payment."), " ", record.Effect)
		if sign = ", "; record.Count > 1 {
			fmt.Fprintf(&text, " %d times", record.Count)
		}
	}
	for _, sent := range slices.Backward(l.service.Deliveries()) {
		for _, try := range sent.Tries {
			fmt.Fprintf(&text, " (%d)", try.Status)
		}
	}
	return text.String()
}
