package cli

import (
	"context"
	"log/slog"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/spool"
)

// receiver returns who takes the events: the rules of money, behind the spool
// where the settings name one. config learns to tell of it.
func (s *Shop) receiver(ctx context.Context, config *webhook.Config) (webhook.Receiver, error) {
	path := s.Settings.Files.Spool
	if path == "" {
		return s.Service, nil
	}
	opened, err := spool.Open(ctx, path, spool.Config{
		Target: s.Service, Decode: gateway.DecodeEvent, Probe: s.store.Probe, Now: s.Service.Now, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	s.spool = opened
	config.Ready = opened.Ready
	config.Backlog = func() payments.Backlog {
		backlog := opened.State()
		backlog.Away = backlog.Away || s.late != nil && s.late.away() != nil
		return backlog
	}
	return opened, nil
}

// Background returns what runs behind the listener and ends after it: the watch
// over a database that is being opened, and applying what waits in the spool.
func (s *Shop) Background() []Part {
	var parts []Part
	if s.late != nil {
		parts = append(parts, s.late.watched)
	}
	if s.spool != nil {
		parts = append(parts, s.spool.Run)
	}
	return parts
}

// SayLeft says what the next start will find in the spool.
func (s *Shop) SayLeft(logger *slog.Logger) {
	if s.spool == nil {
		return
	}
	state := s.spool.State()
	if state.Events == 0 {
		logger.Info("the listener ends; nothing waits in the spool")
		return
	}
	logger.Warn("the listener ends; the next start applies what waits in the spool",
		slog.Int(logEvents, state.Events), slog.Time(logOldest, state.Oldest), slog.String(logFile, s.Settings.Files.Spool))
}
