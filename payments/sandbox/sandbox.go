package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// DefaultLifetime is how long a link can be paid, as the specification has it.
const DefaultLifetime = 10 * time.Minute

// defaultSignatureHeader is the specification's name of the header.
const defaultSignatureHeader = "x-svc-signature"

// ErrConfig says that a sandbox cannot be made as it was asked for.
var ErrConfig = errors.New("unsound sandbox settings")

// Config is how a merchant is set up with the service.
type Config struct {
	Token         payments.Secret // The only access token that is accepted; begins with TGP_.
	WebhookSecret payments.Secret // 16 bytes or more.

	Scheme          gateway.Scheme // Static when empty.
	SignatureHeader string         // x-svc-signature when empty.
	OrderPath       string         // The specification's when empty.
	WebhookURL      string         // Empty: events are shown on the dashboard and sent nowhere.
	PublicURL       string         // What links begin with; empty: the host that the order call asked.
	Lifetime        time.Duration  // Of a link, to 24 h; DefaultLifetime when 0.

	// Where the customer is sent afterwards; empty: the page shows the outcome.
	SuccessURL, CancelURL, FailureURL string

	Shop   string         // The merchant's name on the page.
	Now    payments.Clock // time.Now when nil.
	Logger *slog.Logger   // Discards when nil.
}

// Option changes a [Sandbox].
type Option func(*Sandbox)

// WithAllowedTargets allows events to be sent to these host names or addresses
// beside this machine and the local network.
func WithAllowedTargets(hosts ...string) Option {
	return func(s *Sandbox) {
		for _, host := range hosts {
			s.outlet.targets.allowed = append(s.outlet.targets.allowed, strings.ToLower(host))
		}
	}
}

// WithTransport sends events by another transport, which then decides itself
// what it connects to.
func WithTransport(transport http.RoundTripper) Option {
	return func(s *Sandbox) { s.outlet.transport = transport }
}

// Sandbox is the payment service. It is an http.Handler for the order call,
// the hosted page and the dashboard; expiry and webhooks need [Sandbox.Run]. It is
// safe for concurrent use.
type Sandbox struct {
	config   Config
	outlet   outlet
	public   *url.URL // Nil when links follow the order call's host.
	web      *web
	handler  http.Handler
	agenda   *agenda
	sender   *sender
	watchers *watchers
	board    *board
	journal  *journal

	answerTime time.Duration // Of a customer's phone.

	mu     sync.Mutex
	book   *book
	faults Faults
}

var _ http.Handler = (*Sandbox)(nil)

// outlet is how events leave.
type outlet struct {
	targets   targets
	transport http.RoundTripper
	retry     Retry
}

// New returns a sandbox. Its errors are [ErrConfig], [ErrTarget],
// [ErrUnknownRetry] and [gateway.ErrWeakSecret], and hold neither of the
// secrets.
func New(config Config, options ...Option) (*Sandbox, error) {
	config.Scheme = cmp.Or(config.Scheme, gateway.Static)
	config.SignatureHeader = cmp.Or(config.SignatureHeader, defaultSignatureHeader)
	config.OrderPath = cmp.Or(config.OrderPath, gateway.DefaultOrderPath)
	config.Lifetime = cmp.Or(config.Lifetime, DefaultLifetime)
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	sandbox := &Sandbox{
		config: config, agenda: newAgenda(config.Now), watchers: newWatchers(),
		answerTime: defaultAnswerTime,
	}
	sandbox.book, sandbox.journal = newBook(sandbox.orderForgotten), newJournal(&sandbox.mu)
	for _, option := range options {
		option(sandbox)
	}
	if err := sandbox.check(); err != nil {
		return nil, err
	}
	var err error
	if sandbox.web, err = newWeb(config); err != nil {
		return nil, err
	}
	if sandbox.outlet.transport == nil {
		sandbox.outlet.transport = sandbox.outlet.targets.transport()
	}
	sandbox.sender = newSender(sandbox.courier(), sandbox.agenda, config.Logger, sandbox.outlet.retry, hooks{
		fault: sandbox.signatureFault, changed: sandbox.deliveryChanged, settled: sandbox.settled,
	})
	sandbox.board = newBoard(config.Now, sandbox.watchers.wake)
	sandbox.handler = sandbox.guard(sandbox.keeping(http.HandlerFunc(sandbox.route)))
	return sandbox, nil
}

// courier returns who carries events, as the sandbox is set up.
func (s *Sandbox) courier() courier {
	return courier{
		address: s.config.WebhookURL, header: s.config.SignatureHeader,
		scheme: s.config.Scheme, secret: s.config.WebhookSecret, now: s.config.Now,
		client: &http.Client{
			Transport:     s.outlet.transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// check refuses settings that cannot work.
func (s *Sandbox) check() error {
	config := s.config
	if _, err := gateway.NewVerifier(config.Scheme, config.WebhookSecret); err != nil {
		return err
	}
	switch {
	case !payments.IsToken(config.Token):
		return fmt.Errorf("%w: the access token must begin with %s or %s", ErrConfig, payments.TokenPrefix, payments.TestTokenPrefix)
	case config.Lifetime < 0 || config.Lifetime > gateway.MaxMinutes*time.Minute:
		return fmt.Errorf("%w: a link lives for more than 0 and at most %d minutes", ErrConfig, gateway.MaxMinutes)
	case !strings.HasPrefix(config.OrderPath, "/") || reserved(config.OrderPath):
		return fmt.Errorf("%w: the order path must begin with a slash and not be one of the sandbox's own", ErrConfig)
	}
	for _, page := range []string{config.SuccessURL, config.CancelURL, config.FailureURL, config.PublicURL} {
		if page == "" {
			continue
		}
		if parsed, err := url.Parse(page); err != nil || !soundPage(parsed) {
			return fmt.Errorf("%w: %q is no http or https address", ErrConfig, page)
		}
	}
	if config.PublicURL != "" {
		public, err := url.Parse(config.PublicURL)
		if err != nil || strings.Trim(public.Path, "/")+public.RawQuery+public.Fragment != "" {
			return fmt.Errorf("%w: the public address must have no path", ErrConfig)
		}
		s.public = public
	}
	if _, err := ParseRetry(string(cmp.Or(s.outlet.retry, RetryAll))); err != nil {
		return err
	}
	if config.WebhookURL == "" {
		return nil
	}
	return s.outlet.targets.check(config.WebhookURL)
}

// soundPage tells whether a customer may be sent to an address. What would end
// a source in a Content-Security-Policy is no part of a sound host.
func soundPage(page *url.URL) bool {
	return (page.Scheme == "http" || page.Scheme == "https") && page.Hostname() != "" &&
		page.User == nil && !strings.ContainsAny(page.Host, ";,'* ")
}

// ServeHTTP serves the order call, the hosted page and the dashboard.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Run lets links expire and sends events, until ctx ends and what is under way
// has ended with it. Call it once. It returns nil, but for the error of an
// [Archive] that did not keep what changed last.
func (s *Sandbox) Run(ctx context.Context) error {
	defer s.watchers.end()
	s.agenda.run(ctx)
	s.sender.running.Wait()
	return s.journal.settle(ctx)
}

// Act does what the customer's buttons on the page of an order do, and for
// [payments.PaymentExpired] lets its link expire now. Its errors are
// [ErrNoSuchOrder], [ErrLinkOver], [ErrNoSuchAction], [ErrBusy], and that of an
// [Archive] that did not keep it.
func (s *Sandbox) Act(ctx context.Context, orderReference string, kind payments.EventKind) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.actByName(orderReference, kind); err != nil {
		return err
	}
	return s.journal.settle(ctx)
}

func (s *Sandbox) actByName(orderReference string, kind payments.EventKind) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, found := s.book.byName[orderReference]
	if !found {
		return ErrNoSuchOrder
	}
	_, err := s.act(order, kind)
	return err
}

// act moves an order and sends the event, which it returns as emit does. A link
// whose time is over is first let expire. The lock must be held.
func (s *Sandbox) act(order *order, kind payments.EventKind) (*delivery, error) {
	var trouble answer
	if kind == payments.PaymentFailed {
		trouble = lowBalance
	}
	return s.actFor(order, kind, trouble)
}

// actFor is act, with the reason why a try failed; empty for the other kinds.
func (s *Sandbox) actFor(order *order, kind payments.EventKind, trouble answer) (*delivery, error) {
	now := s.config.Now()
	if kind != payments.PaymentExpired {
		s.lapse(order, now)
		if s.sender.full() {
			return nil, ErrBusy
		}
	}
	if err := order.meet(kind, now); err != nil {
		return nil, err
	}
	if order.customer.prompt != nil {
		s.agenda.drop(order.customer.prompt.entry)
	}
	order.customer.end(kind, trouble)
	if order.state != open {
		s.agenda.drop(order.expiry)
		order.expiry = nil
	}
	s.orderChanged(order)
	return s.emit(order, kind), nil
}

// lapse lets a link expire whose time is over. The lock must be held.
func (s *Sandbox) lapse(order *order, now time.Time) {
	if order.state == open && !now.Before(order.ends) {
		// Only a link that is not open refuses to expire.
		_, _ = s.act(order, payments.PaymentExpired)
	}
}

// expect lets the link of an order expire when its time is over. The lock must
// be held.
func (s *Sandbox) expect(order *order) {
	if order.state != open {
		return
	}
	order.expiry = s.agenda.add(order.ends, func(context.Context) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lapse(order, s.config.Now())
	})
}
