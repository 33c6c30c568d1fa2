package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// Run drains the queue whenever the database can be used, until ctx ends. The rest
// is drained after the next start.
func (o *Outbox) Run(ctx context.Context) error {
	ticker := time.NewTicker(o.config.Pause)
	defer ticker.Stop()
	for {
		_ = o.Drain(ctx) // State and log tell why events still wait.
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// Drain applies the events in order of arrival, until the queue is empty, ctx ends
// or the database fails. Its error says why events are still queued.
func (o *Outbox) Drain(ctx context.Context) error {
	o.draining.Lock()
	defer o.draining.Unlock()
	before := o.State().Applied
	defer func() {
		if state := o.State(); state.Applied > before {
			o.config.Logger.Info("events of the spool were applied", keyEvents, state.Applied-before, keyLeft, state.Events)
		}
	}()
	for ctx.Err() == nil {
		next, found := o.next()
		if !found {
			if o.State().Away {
				o.setAway(o.config.Probe(ctx))
			}
			return nil
		}
		if err := o.send(ctx, next); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// next returns the oldest event that is not set aside.
func (o *Outbox) next() (sqlstore.QueuedEvent, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, event := range o.events {
		if o.tries[event.Sequence] < maxTries {
			return event, true
		}
	}
	return sqlstore.QueuedEvent{}, false
}

// send applies one event and removes it from the queue. If the removal fails, the
// second delivery is idempotent.
func (o *Outbox) send(ctx context.Context, kept sqlstore.QueuedEvent) error {
	body, err := o.store.Body(ctx, kept.Sequence)
	if err != nil {
		return err
	}
	event, err := o.config.Decode(body)
	if err != nil {
		return o.refuse(ctx, kept, maxTries, fmt.Errorf("read a kept event: %w", err))
	}
	if _, err := o.config.Target.ReceiveLate(ctx, event, body, kept.ReceivedAt); err != nil {
		fault := o.config.Probe(ctx)
		o.setAway(fault)
		if fault != nil {
			return err
		}
		return errors.Join(err, o.refuse(ctx, kept, 1, err))
	}
	o.setAway(nil)
	if err := o.remove(ctx, kept); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state.Applied++
	o.state.Full = false
	return nil
}

// remove removes an event from the queue.
func (o *Outbox) remove(ctx context.Context, kept sqlstore.QueuedEvent) error {
	if err := o.store.Remove(ctx, kept.Sequence); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.tries, kept.Sequence)
	o.events = slices.DeleteFunc(o.events, func(event sqlstore.QueuedEvent) bool { return event.Sequence == kept.Sequence })
	o.count()
	return nil
}

// refuse counts refusals of an event by a working database, and sets it aside
// after [maxTries]. Of the events that were set aside few are kept: the room is for
// those that arrive while the database is away.
func (o *Outbox) refuse(ctx context.Context, kept sqlstore.QueuedEvent, tries int, cause error) error {
	o.mu.Lock()
	o.tries[kept.Sequence] += tries
	done := o.tries[kept.Sequence] >= maxTries
	o.count()
	tooMany := o.state.SetAside > maxRefused
	o.mu.Unlock()
	if !done {
		return nil
	}
	o.config.Logger.Error("an event is set aside in the spool: the database works and does not take it; "+
		"it is tried again at the next start", keyError, cause, keyFile, o.path)
	if !tooMany {
		return nil
	}
	o.lose(1, cause)
	return o.remove(ctx, kept)
}
