package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/doctor"
)

// Listener is a shop's webhook listener. Its address is already bound.
type Listener struct {
	URL     string // Local address of the webhook.
	handler *webhook.Handler
	way     doctor.Way
	watch   Part
	server  *webhook.Server
	lives   Part // Records every few seconds that the listener runs, if the database is on a server.
	closed  atomic.Bool
	fetches *fetching // Nil if the shop has no relay.
}

// Listen creates the shop's webhook listener on bound or, if bound is nil, at the address in the
// settings.
func (s *Shop) Listen(ctx context.Context, bound net.Listener) (*Listener, error) {
	if _, err := CurrentSecret(s.Settings); err != nil {
		return nil, err
	}
	settings := s.Settings.Webhook
	verifier, err := gateway.NewVerifier(gateway.Scheme(settings.SignatureScheme), settings.Secrets...)
	if err != nil {
		return nil, err
	}
	if bound == nil {
		if bound, err = s.bind(ctx); err != nil {
			return nil, err
		}
	}
	// The server may have closed bound already.
	s.closers = append(s.closers, func() error { _ = bound.Close(); return nil })
	config := webhook.Config{
		Path: settings.Path, SignatureHeader: settings.SignatureHeader, Verifier: verifier, Now: s.Now,
		Logger: s.Logger, Pages: assets.Pages(), Probe: s.store.Probe, Explain: i18n.Load("en").Causes.Of, // The log is in English.
		Health: s.Health, Findings: s.findings, Version: Version(), Expects: s.Service.Expects,
	}
	receiver, err := s.receiver(ctx, &config)
	if err != nil {
		return nil, err
	}
	if address, ok := bound.Addr().(*net.TCPAddr); ok && address.IP.IsUnspecified() {
		s.Logger.Warn("the webhook listener answers on every address of this machine, without TLS: "+
			"set listen to 127.0.0.1 behind a reverse proxy", slog.String(logAddress, bound.Addr().String()))
	}
	name := listenerName(bound.Addr().String())
	config.Name = name
	var server *webhook.Server
	config.Crowded = func() bool { return server.Crowded() }
	handler := webhook.NewHandler(receiver, config)
	server = webhook.NewServer(bound, handler, webhook.DefaultLimits(), s.Logger)
	way := publicWay(s.Settings, server.Addr(), handler.ID())
	listener := &Listener{
		URL: "http://" + server.Addr() + settings.Path, handler: handler, server: server, way: way, watch: s.watchPublic(way),
		lives: s.signLife(name),
	}
	if settings.Relay != "" {
		if listener.fetches, err = s.newFetching(handler); err != nil {
			return nil, err
		}
	}
	s.listener = listener
	return s.listener, nil
}

// bind binds the address in the settings. If that port is taken, a till with a relay uses any free
// one: the relay never connects to the till.
func (s *Shop) bind(ctx context.Context) (net.Listener, error) {
	const anyPort = "127.0.0.1:0"
	settings := s.Settings.Webhook
	bound, err := webhook.Bind(ctx, settings.Listen)
	if settings.Relay == "" || !errors.As(err, new(*webhook.PortTakenError)) {
		return bound, err
	}
	if bound, err = webhook.Bind(ctx, anyPort); err == nil {
		s.Logger.Warn("another program uses the address in the setting listen: the relay needs none, so another port is used",
			slog.String(logAddress, bound.Addr().String()))
	}
	return bound, err
}

// Serve answers webhooks, and fetches events from the relay, until ctx ends or one of its parts
// fails.
func (l *Listener) Serve(ctx context.Context) error {
	defer l.closed.Store(true)
	supervise := func(ctx context.Context) error {
		l.handler.Supervise(ctx)
		return nil
	}
	if l.fetches == nil {
		return RunAll(ctx, l.server.Serve, l.watch, supervise, l.lives)
	}
	// Do not check the public address: the relay knows whether events reach this till.
	return RunAll(ctx, l.server.Serve, supervise, l.fetches.run, l.lives)
}

// listenerName returns the machine's name and the port. With a fixed port, the name is the same
// after a restart.
func listenerName(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return net.JoinHostPort(machineName(), port)
}

func machineName() string {
	name, err := os.Hostname()
	if err != nil {
		return "?"
	}
	return name
}

// signLife returns a part that tells the shop's other tills, through the database server, that the
// listener runs.
func (s *Shop) signLife(name string) Part {
	return func(ctx context.Context) error {
		var logged string
		storage.SignLife(ctx, s.store, name, func(err error) {
			if said := err.Error(); said != logged {
				logged = said
				s.Logger.Warn("the other tills do not know that this listener works", slog.String(LogFailure, said))
			}
		})
		return nil
	}
}

const (
	// lookPause is the time between two checks of the public address; lostPause replaces it while
	// the address does not lead to the shop's listener.
	lookPause, lostPause = 3 * time.Minute, 15 * time.Second
	lookPatience         = 5 * time.Second
)

func publicWay(settings settings.Settings, address, listener string) doctor.Way {
	webhook := settings.Webhook
	if base, box, found := strings.Cut(webhook.Relay, "/w/"); found {
		return doctor.Way{URL: base, Path: "/w/" + box, Target: address, Relayed: true, Listener: listener}
	}
	return doctor.Way{URL: webhook.PublicURL, Path: webhook.Path, Target: address, Listener: listener}
}

type look struct {
	at        time.Time
	leadsHere bool
}

func (s *Shop) lookAtPublic(ctx context.Context, way doctor.Way) (leadsHere bool) {
	ctx, cancel := context.WithTimeout(ctx, lookPatience)
	defer cancel()
	way.Others = s.Health().Listeners
	leadsHere = way.Found(gateway.Visit(ctx, s.Now, way.URL+way.Path))
	s.look.Store(&look{s.Now(), leadsHere})
	return leadsHere
}

func (s *Shop) watchPublic(way doctor.Way) Part {
	return func(ctx context.Context) error {
		if way.URL == "" {
			return nil
		}
		for {
			pause := lookPause
			if !s.lookAtPublic(ctx, way) {
				pause = lostPause
			}
			if !Sleep(ctx, pause) {
				return nil
			}
		}
	}
}

// FindReach updates [Shop.Reach]. It returns false if the settings require a listener in another
// process on this machine and that listener does not answer.
func (s *Shop) FindReach(ctx context.Context) bool {
	if s.listener != nil {
		switch {
		case s.listener.fetches != nil:
			s.listener.fetches.wait(ctx, lookPatience)
		case s.listener.way.URL != "":
			s.lookAtPublic(ctx, s.listener.way)
		}
		return true
	}
	_, port, _ := net.SplitHostPort(s.Settings.Webhook.Listen)
	if !s.Settings.Webhook.Listens || port == "0" {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, lookPatience)
	defer cancel()
	_, reach, err := webhook.ReadHealth(ctx, Reachable(s.Settings.Webhook.Listen))
	if err != nil && !s.Settings.Account.Local() {
		reach = payments.ReachNotListening
	}
	s.told.Store(&reach)
	return err == nil
}

// askPause is the time between two requests of WatchReach. A request may make the listener write to
// the database.
const askPause = 5 * time.Second

// WatchReach is a [Part] that updates [Shop.Reach] regularly, for a process without a listener.
// Until the listener has answered once, missing answers are ignored: the listener may have another
// port.
func (s *Shop) WatchReach(ctx context.Context) error {
	answered := false
	for {
		answered = s.FindReach(ctx) || answered
		if !answered {
			s.told.Store(nil)
		}
		if !Sleep(ctx, askPause) {
			return nil
		}
	}
}

// receiver returns the receiver of the listener's events: the outbox if the settings name one,
// else the service.
func (s *Shop) receiver(ctx context.Context, config *webhook.Config) (webhook.Receiver, error) {
	path := s.Settings.Files.Outbox
	if path == "" {
		return s.Service, nil
	}
	opened, err := outbox.Open(ctx, path, outbox.Config{
		Apply: s.Service.ReceiveLate, Probe: s.store.Probe, Now: s.Now, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	s.outbox, s.Background = opened, []Part{opened.Run}
	s.closers = append(s.closers, opened.Close)
	config.Outbox = s.outboxState
	return opened, nil
}

func (s *Shop) outboxState() (state payments.OutboxState) {
	if s.outbox == nil {
		return state
	}
	state = s.outbox.State()
	connection, _ := storage.ConnectionOf(s.store)
	state.Away = state.Away || connection.Fault != nil
	return state
}

// BehindConsole returns the parts that run in the background of the console. If the listener fails,
// the console continues and shows that no event can arrive.
func (s *Shop) BehindConsole() []Part {
	if s.listener == nil { // Without a listener, this process has no outbox either.
		return nil
	}
	return append(s.Background, func(ctx context.Context) error {
		if err := s.listener.Serve(ctx); err != nil {
			s.Logger.Error("the webhook listener failed", slog.String(LogFailure, err.Error()))
		}
		return nil
	})
}

// LogLeft logs how many events the outbox keeps for the next start.
func (s *Shop) LogLeft() {
	if s.outbox == nil {
		return
	}
	state := s.outbox.State()
	if state.Events == 0 {
		s.Logger.Info("the listener ends; nothing waits in the outbox")
		return
	}
	s.Logger.Warn("the listener ends; the next start applies what waits in the outbox",
		slog.Int(logEvents, state.Events), slog.Time(logOldest, state.Oldest), slog.String(logFile, s.Settings.Files.Outbox))
}

// Part is a function that runs until its work is done or its context ends. When the context ends,
// it first finishes what it is doing.
type Part func(context.Context) error

// Sleep waits for a time. It returns false if ctx ends first.
func Sleep(ctx context.Context, length time.Duration) bool {
	select {
	case <-time.After(length):
		return true
	case <-ctx.Done():
		return false
	}
}

// RunAll runs front, and the parts in the background. When front returns, a part fails or ctx ends,
// RunAll stops all: front first, then the parts in reverse order, one after the other. It returns
// the first error.
func RunAll(ctx context.Context, front Part, parts ...Part) error {
	if len(parts) == 0 {
		return front(ctx)
	}
	group, frontCtx := errgroup.WithContext(ctx)
	partCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return parts[0](partCtx) })
	group.Go(func() error {
		defer stop()
		return RunAll(frontCtx, front, parts[1:]...)
	})
	return group.Wait()
}
