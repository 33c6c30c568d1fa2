package cli

import (
	"context"
	"log/slog"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
)

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
