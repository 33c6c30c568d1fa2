package cli

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

// Listener is the webhook listener of a shop. Its address is bound.
type Listener struct {
	handler *webhook.Handler
	server  *webhook.Server
	closed  atomic.Bool // It no longer serves.
}

// Listen binds the shop's webhook listener.
func (s *Shop) Listen(ctx context.Context, config webhook.Config) (*Listener, error) {
	bound, err := webhook.Bind(ctx, s.Settings.Webhook.Listen)
	if err != nil {
		return nil, err
	}
	listener, err := s.ListenAt(ctx, bound, config)
	if err != nil {
		_ = bound.Close()
	}
	return listener, err
}

// ListenAt makes the shop's webhook listener of an address that is bound.
func (s *Shop) ListenAt(ctx context.Context, bound net.Listener, config webhook.Config) (*Listener, error) {
	if _, err := CurrentSecret(s.Settings); err != nil {
		return nil, err
	}
	verifier, err := gateway.NewVerifier(Scheme(s.Settings), s.Settings.Webhook.Secrets...)
	if err != nil {
		return nil, err
	}
	config.Path, config.SignatureHeader = s.Settings.Webhook.Path, s.Settings.Webhook.SignatureHeader
	config.Verifier, config.Now = verifier, s.Service.Now
	config.Pages, config.Healthy, config.Explain = assets.Pages(), s.store.Probe, explain
	receiver, err := s.receiver(ctx, &config)
	if err != nil {
		return nil, err
	}
	if address, ok := bound.Addr().(*net.TCPAddr); ok && address.IP.IsUnspecified() {
		config.Logger.Warn("the webhook listener answers on every address of this machine, without TLS: "+
			"set listen to 127.0.0.1 behind a reverse proxy", slog.String(logAddress, bound.Addr().String()))
	}
	var server *webhook.Server
	config.Crowded = func() bool { return server.Crowded() }
	handler := webhook.NewHandler(receiver, config)
	server = webhook.NewServer(bound, handler, webhook.DefaultLimits(), config.Logger)
	return &Listener{handler: handler, server: server}, nil
}

// explain says in English why webhooks are refused, for the log.
func explain(cause payments.Cause) string {
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		return string(cause.Kind)
	}
	return texts.Causes.Of(cause)
}

// URL returns the webhook's address on this machine.
func (l *Listener) URL(settings settings.Settings) string {
	return "http://" + l.server.Addr() + settings.Webhook.Path
}

// Serve answers webhooks until ctx ends.
func (l *Listener) Serve(ctx context.Context) error {
	defer l.closed.Store(true)
	ctx, leave := context.WithCancel(ctx)
	var supervisor sync.WaitGroup
	supervisor.Go(func() { l.handler.Supervise(ctx) })
	defer supervisor.Wait()
	defer leave()
	return l.server.Serve(ctx)
}

// ServeQuietly serves behind the console, which goes on when the listener
// fails and says that no event can arrive.
func (l *Listener) ServeQuietly(logger *slog.Logger) Part {
	return func(ctx context.Context) error {
		if err := l.Serve(ctx); err != nil {
			logger.Error("the webhook listener failed", slog.String(LogFailure, err.Error()))
		}
		return nil
	}
}

// health is what the console shows of the listener and the store. A console
// without a listener, which is nil, has nothing to say against it.
func (l *Listener) health() tui.Health {
	if l == nil {
		return tui.Health{Listening: true}
	}
	health := l.handler.Health()
	health.Listening, health.Address = !l.closed.Load(), l.server.Addr()
	return health
}

// receiver returns who takes the events: the rules of money, behind the outbox
// where the settings name one. config learns to tell of it.
func (s *Shop) receiver(ctx context.Context, config *webhook.Config) (webhook.Receiver, error) {
	path := s.Settings.Files.Spool
	if path == "" {
		return s.Service, nil
	}
	opened, err := outbox.Open(ctx, path, outbox.Config{
		Target: s.Service, Decode: gateway.DecodeEvent, Probe: s.store.Probe, Now: s.Service.Now, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	s.outbox = opened
	config.Ready = opened.Ready
	config.Backlog = func() payments.Backlog {
		backlog := opened.State()
		backlog.Away = backlog.Away || storage.FaultOf(s.store) != nil
		return backlog
	}
	return opened, nil
}

// Background returns what runs behind the listener and ends after it: sending
// what waits in the outbox.
func (s *Shop) Background() []Part {
	if s.outbox == nil {
		return nil
	}
	return []Part{s.outbox.Run}
}

// SayLeft says what the next start will find in the spool.
func (s *Shop) SayLeft(logger *slog.Logger) {
	if s.outbox == nil {
		return
	}
	state := s.outbox.State()
	if state.Events == 0 {
		logger.Info("the listener ends; nothing waits in the spool")
		return
	}
	logger.Warn("the listener ends; the next start applies what waits in the spool",
		slog.Int(logEvents, state.Events), slog.Time(logOldest, state.Oldest), slog.String(logFile, s.Settings.Files.Spool))
}
