package spool

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// maxTries is how often an event is given to a database that works and does not
// take it, before the events after it go on without it.
const maxTries = 5

// lastWords is how long the end of [Spool.Run] may take to apply what is kept.
const lastWords = 3 * time.Second

// Run applies what is kept whenever the database can be used, until ctx ends.
// It tries once more then, and leaves what it cannot apply for the next start.
func (s *Spool) Run(ctx context.Context) error {
	ticker := time.NewTicker(s.config.Pause)
	defer ticker.Stop()
	told := ""
	for {
		// One fault lasts for many tries.
		if err := s.Drain(ctx); err == nil {
			told = ""
		} else if ctx.Err() == nil && err.Error() != told {
			told = err.Error()
			s.config.Logger.Warn("events wait in the spool", keyError, err, keyEvents, s.State().Events)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			s.drainLast(ctx)
			return nil
		}
	}
}

// drainLast applies what can be applied before the end. What stays is told by
// [Spool.State].
func (s *Spool) drainLast(ctx context.Context) {
	if s.State().Away {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	_ = s.Drain(ctx)
}

// Drain gives the database what is kept, in order of arrival, until nothing
// waits any more, ctx ends or the database fails. Its error says why events
// still wait.
func (s *Spool) Drain(ctx context.Context) error {
	s.draining.Lock()
	defer s.draining.Unlock()
	before := s.State().Applied
	defer func() { s.tell(before) }()
	for ctx.Err() == nil {
		next, found, err := s.waiting(ctx)
		if err != nil {
			return err
		}
		if !found {
			if s.State().Away {
				s.setAway(s.config.Probe(ctx))
			}
			return nil
		}
		if err := s.apply(ctx, next); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// waiting returns the event whose turn it is. Without any the file is left
// alone.
func (s *Spool) waiting(ctx context.Context) (entry, bool, error) {
	if state := s.State(); state.Events == state.SetAside {
		return entry{}, false, nil
	}
	next, found, err := s.file.next(ctx)
	if err != nil {
		return entry{}, false, fmt.Errorf("read the spool: %w", err)
	}
	return next, found, nil
}

// apply gives one event to the database and lets go of it.
func (s *Spool) apply(ctx context.Context, kept entry) error {
	event, err := s.config.Decode(kept.body)
	if err != nil {
		return s.passOver(ctx, kept, maxTries, fmt.Errorf("read a kept event: %w", err))
	}
	if _, err := s.config.Target.ReceiveLate(ctx, event, kept.body, kept.came); err != nil {
		if fault := s.config.Probe(ctx); fault != nil {
			s.setAway(fault)
			return err
		}
		s.setAway(nil)
		return errors.Join(err, s.passOver(ctx, kept, 1, err))
	}
	s.setAway(nil)
	return s.letGo(ctx, kept)
}

// letGo removes an event that the database has. The database is not asked to
// forget it when that fails: a second delivery is harmless.
func (s *Spool) letGo(ctx context.Context, kept entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.file.remove(ctx, kept.number); err != nil {
		return fmt.Errorf("remove an event from the spool: %w", err)
	}
	s.state.Events--
	s.state.Applied++
	s.state.Bytes -= int64(len(kept.body))
	s.state.Full = false
	oldest, err := s.file.oldest(ctx)
	if err != nil {
		return fmt.Errorf("read the spool: %w", err)
	}
	s.state.Oldest = oldest
	return nil
}

// passOver counts so many tries of an event that the database refused although
// it works. After the last the events behind it go on without it.
func (s *Spool) passOver(ctx context.Context, kept entry, tries int, cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, err := s.file.try(ctx, kept.number, tries)
	if err != nil {
		return fmt.Errorf("note a try in the spool: %w", err)
	}
	if sum >= maxTries {
		s.state.SetAside++
		s.config.Logger.Error("an event is set aside in the spool: the database works and does not take it; "+
			"it is tried again at the next start", keyError, cause, keyFile, s.path)
	}
	return nil
}

// tell says in the log that events were applied since there were so many.
func (s *Spool) tell(before int64) {
	if state := s.State(); state.Applied > before {
		s.config.Logger.Info("events of the spool were applied", keyEvents, state.Applied-before, keyLeft, state.Events)
	}
}
