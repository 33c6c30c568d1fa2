package tui_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/oracle"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// lab connects a console over HTTP to a sandbox payment service with faults. The oracle's book
// records the events that the service sends to the shop.
//
// The test sets the clocks of the shop and of the service. The service does not repeat deliveries
// without a call of the test. Only faults that delay a reply take real time.
type lab struct {
	*console
	service *sandbox.Sandbox
	book    *oracle.Book
	changed <-chan struct{} // Receives a value when the shop's store has changed.
	deaf    bool            // Whether the health report says that the listener does not run.
	broken  bool            // Whether the store fails.
	staffed bool            // Whether the shop has cashiers.
	late    bool            // Whether the console may not know the results of its commands yet.
}

// labSetup contains those settings of a shop and its service that differ between tests.
type labSetup struct {
	hosts  []string       // Allowed hosts of links. If empty, all hosts are allowed.
	scheme gateway.Scheme // Signature scheme of both the shop and the service. If empty, it is static.
}

const (
	labToken  = "TGP_test_not_a_real_token"
	labSecret = "whsec_demo_0123456789abcdef"
)

// impatient is a gateway that limits order calls to three seconds.
type impatient struct{ payments.Gateway }

func (i impatient) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return i.Gateway.Create(ctx, order)
}

// openLab starts a shop, and a payment service with faults.
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
	client, err := gateway.NewClient(address, gateway.DefaultOrderPath, secret.New(labToken), setup.hosts...)
	must(err)
	shop.Service = drawer.New(shop.Store(), payments.New(shop.Store(), impatient{client}, shop.Now, payments.WithPINIterations(2)))

	setup.scheme = cmp.Or(setup.scheme, gateway.Static)
	webhookSecret := secret.New(labSecret)
	verifier, err := gateway.NewVerifier(setup.scheme, webhookSecret)
	must(err)
	handler := webhook.NewHandler(shop.Service, webhook.Config{
		Path: "/webhook", SignatureHeader: "x-svc-signature", Verifier: verifier, Now: shop.Now,
		Probe: func(context.Context) error { return nil }, Crowded: func() bool { return false },
		Logger: slog.New(slog.DiscardHandler), Explain: payments.Cause.Display, Expects: shop.Service.Expects,
	})
	limits := webhook.DefaultLimits()
	limits.Read = 2 * time.Second
	bound, err := webhook.Bind(t.Context(), "127.0.0.1:0")
	must(err)
	listener := webhook.NewServer(bound, handler, limits, slog.New(slog.DiscardHandler))

	l := &lab{book: oracle.NewBook(new(http.Transport))}
	l.book.Now, l.book.Exact = shop.Now, true
	l.book.Sign = func(body []byte) string { return gateway.Sign(setup.scheme, webhookSecret, body) }
	l.service, err = sandbox.New(sandbox.Config{
		Token: secret.New(labToken), WebhookSecret: webhookSecret, Scheme: setup.scheme, Shop: "Épicerie Soa",
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

// look makes the console read the store once for each change that the store has signaled.
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

// pass advances the clock, sends a tick to the console, and makes the console read all changes.
func (l *lab) pass(by time.Duration) *lab {
	l.t.Helper()
	l.after(by)
	if by > 0 { // A change makes the service look at its clock now, and not when its timer ends.
		tuitest.Must(l.t, l.service.SetFaultsOf("no order", sandbox.Faults{}))
	}
	return l.look()
}

// rest expires the links that have ended, waits until the service has sent all due events, and
// makes the console read the changes.
func (l *lab) rest() *lab {
	l.t.Helper()
	for _, order := range l.service.Orders() {
		if order.State == sandbox.Open && !l.Now().Before(order.ExpiresAt) {
			// Act returns an error if the service has already expired the link.
			_ = l.service.Act(l.t.Context(), order.OrderReference, payments.PaymentExpired)
		}
	}
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	if !l.service.Await(ctx, func() bool {
		return !slices.ContainsFunc(l.service.Deliveries(), func(d sandbox.Delivery) bool {
			return d.Stage == sandbox.Sending || d.NextTryAt != nil && !d.NextTryAt.After(l.Now())
		})
	}) {
		l.t.Fatal("the service does not come to rest")
	}
	return l.pass(0) // Refused events change nothing in the store, so the console needs a tick to show them.
}

// reach returns whether the console would notice a payment now.
func (l *lab) reach() payments.Reach { return l.config.Health().Reach(l.Now()) }

func (l *lab) verdict(order payments.Order) payments.Verdict {
	return order.Verdict(l.reach().Conditions(), l.Now())
}

// noneOf matches the row of PAID on a day on which no order was paid.
var noneOf = regexp.MustCompile(`✓ PAID +0 `)

// honest checks facts that must be true after any fault:
//   - The shop agrees with the oracle's book.
//   - The console shows the stored verdict of each order that it names.
//   - The console says PAID only if an order is paid.
//   - The console shows the QR code of an order only if the order is awaited.
//
// If the store fails, or the console does not know all changes yet, honest checks only the view.
func (l *lab) honest() {
	l.t.Helper()
	if l.broken || l.late || len(l.changed) > 0 {
		l.harmless()
		return
	}
	for _, fault := range l.book.Check(l.t.Context(), l.Service) {
		l.t.Error(fault)
	}
	orders, view := l.All(), l.harmless()
	columns, rows := l.Screen().Size()
	for _, order := range orders {
		roomy := columns >= 80 && columns <= 160 && rows >= 24 && rows <= 50 && l.config.Theme.Charset == theme.Unicode
		word, _, _ := strings.Cut(l.word(order), ":") // A card has no room for the reason.
		if word = strings.TrimSpace(word); roomy && strings.Contains(view, order.Reference) && !tuitest.Shows(view, word) {
			l.t.Errorf("order %s is %q, but the console shows\n%s", order.Reference, word, view)
		}
	}
	paid := func(order payments.Order) bool { return l.verdict(order) == payments.VerdictPaid }
	if tuitest.Shows(noneOf.ReplaceAllString(view, ""), "✓ PAID") && !slices.ContainsFunc(orders, paid) { // Any paid order is enough, because the list of today's outcomes does not contain references.
		l.t.Errorf("no order is paid, but the console shows\n%s", view)
	}
	if code, err := l.Screen().Code(); err == nil && !slices.ContainsFunc(orders, func(order payments.Order) bool {
		waits := l.verdict(order) == payments.VerdictWaiting || order.Retryable(l.Now())
		return waits && !l.reach().Blind() && order.Payable(l.Now()) && codes(code, order.Link.URL)
	}) {
		l.t.Errorf("the code on the screen belongs to no awaited order\n%s", view)
	}
}

// codes reports whether the modules of code are those of the QR code of link. Other tests check
// that cameras can read QR codes.
func codes(code tuitest.Code, link string) bool {
	model, err := qr.New(link, theme.Theme{})
	if err != nil {
		return false
	}
	drawn, err := tuitest.Render(model.SetSize(120, 40).View(), 120, 40).Code()
	return err == nil && slices.EqualFunc(code.Modules(), drawn.Modules(), slices.Equal)
}

// state describes the newest order in one line. The line contains the order's verdict, the reason
// why it needs attention, and "code" if the screen shows its QR code. These are followed by the
// order's events, the unmatched events with their effects, and the HTTP status of each delivery.
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
			l.t.Errorf("the code does not encode %s", order.Link.URL)
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
