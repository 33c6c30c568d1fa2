package cli

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"checkout/till/assets"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

// listener is the webhook listener of a shop. Its address is bound.
type listener struct {
	handler *webhook.Handler
	server  *webhook.Server
	watch   func(ctx context.Context) <-chan struct{} // Says when something changed in the store.
	closed  atomic.Bool                               // It no longer serves.
}

// listen binds the shop's webhook listener.
func (s *shop) listen(ctx context.Context, config webhook.Config, options ...webhook.Option) (*listener, error) {
	bound, err := webhook.Bind(ctx, s.settings.Webhook.Listen)
	if err != nil {
		return nil, err
	}
	listener, err := s.listenAt(ctx, bound, config, options...)
	if err != nil {
		_ = bound.Close()
	}
	return listener, err
}

// listenAt makes the shop's webhook listener of an address that is bound.
func (s *shop) listenAt(
	ctx context.Context, bound net.Listener, config webhook.Config, options ...webhook.Option,
) (*listener, error) {
	if _, err := currentSecret(s.settings); err != nil {
		return nil, err
	}
	verifier, err := gateway.NewVerifier(scheme(s.settings), s.settings.Webhook.Secrets...)
	if err != nil {
		return nil, err
	}
	config.Path, config.SignatureHeader = s.settings.Webhook.Path, s.settings.Webhook.SignatureHeader
	config.Verifier, config.Now = verifier, s.service.Now
	config.Pages, config.Healthy = assets.Pages(), s.store.Probe
	receiver, err := s.receiver(ctx, &config)
	if err != nil {
		return nil, err
	}
	handler := webhook.NewHandler(receiver, config)
	server := webhook.NewServer(bound, handler, options...)
	return &listener{handler: handler, server: server, watch: s.service.Watch}, nil
}

// url returns the webhook's address on this machine.
func (l *listener) url(settings settings.Settings) string {
	return "http://" + l.server.Addr() + settings.Webhook.Path
}

// serve answers webhooks until ctx ends.
func (l *listener) serve(ctx context.Context) error {
	defer l.closed.Store(true)
	watching, leave := context.WithCancel(ctx)
	var rechecks sync.WaitGroup
	rechecks.Go(func() { l.recheck(watching) })
	defer rechecks.Wait()
	defer leave()
	return l.server.Serve(ctx)
}

// serveQuietly serves behind the console, which goes on when the listener
// fails and says that no event can arrive.
func (l *listener) serveQuietly(logger *slog.Logger) part {
	return func(ctx context.Context) error {
		if err := l.serve(ctx); err != nil {
			logger.Error("the webhook listener failed", slog.String(logFailure, err.Error()))
		}
		return nil
	}
}

// recheck finds out when a store that failed works again. While it works nobody
// watches it for that: who watches is woken by every event.
func (l *listener) recheck(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.handler.Failed():
			l.recover(ctx)
		}
	}
}

// recover asks a store that failed whether it works again, at once and when it
// says so, like any change, until it does.
func (l *listener) recover(ctx context.Context) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	changes := l.watch(ctx)
	for l.handler.Recheck(ctx) != nil {
		if _, open := <-changes; !open {
			return
		}
	}
}

// health is what the console shows of the listener and the store.
func (l *listener) health() tui.Health {
	health := l.handler.Health()
	return tui.Health{
		Listening: !l.closed.Load(), Address: l.server.Addr(), LastEvent: health.LastEvent,
		Refused: health.RefusedSince, Cause: health.Cause, StoreFailing: health.StoreFailing,
	}
}
