package sandbox

import (
	"context"
	"log/slog"
)

// orderChanged is told of every order that was made or changed: of what stands
// in its record, nothing changes without it. The lock must be held.
func (s *Sandbox) orderChanged(changed *order) {
	s.watchers.wake()
	if s.journal.archive != nil {
		s.journal.note(RecordOrder, changed.reference, changed.record())
	}
}

// orderForgotten is told of every order that made room for another. The lock
// must be held.
func (s *Sandbox) orderForgotten(forgotten *order) {
	s.watchers.wake()
	s.journal.note(RecordOrder, forgotten.reference, nil)
}

// deliveryChanged is told of every delivery that was made or changed. The
// sender's lock must be held. That one is being sent is not kept: after a
// restart it still waits.
func (s *Sandbox) deliveryChanged(changed *delivery) {
	s.watchers.wake()
	switch {
	case s.journal.archive == nil || changed.stage == sending:
	case changed.unseen && changed.over():
		s.journal.note(RecordDelivery, changed.name(), nil)
	default:
		s.journal.note(RecordDelivery, changed.name(), changed.record())
	}
}

// settled returns once all that changed before is kept, and tells whether it
// is; why not stands in the log.
func (s *Sandbox) settled(ctx context.Context) bool {
	err := s.journal.settle(ctx)
	if err != nil {
		s.config.Logger.Error("data file not written", slog.String(logFailure, err.Error()))
	}
	return err == nil
}
