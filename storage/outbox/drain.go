package outbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// Run drains the queue whenever the database can be used, until ctx ends. The rest
// is drained after the next start.
func (o *Outbox) Run(ctx context.Context) error {
	ticker := time.NewTicker(pause)
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
		if found {
			if err := o.send(ctx, next); err != nil {
				return err
			}
			continue
		}
		if o.State().Away {
			o.setAway(o.config.Probe(ctx))
		}
		return nil
	}
	return ctx.Err()
}

// next returns the oldest event that is not set aside.
func (o *Outbox) next() (sqlstore.QueuedEvent, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := slices.IndexFunc(o.events, func(event sqlstore.QueuedEvent) bool { return !o.aside(event) })
	if at < 0 {
		return sqlstore.QueuedEvent{}, false
	}
	return o.events[at], true
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
		o.refuse(kept, maxTries, fmt.Errorf("read a kept event: %w", err))
		return nil
	}
	if _, err := o.config.Target.ReceiveLate(ctx, event, body, kept.ReceivedAt); err != nil {
		fault := o.config.Probe(ctx)
		o.setAway(fault)
		if fault == nil {
			o.refuse(kept, 1, err)
		}
		return err
	}
	o.setAway(nil)
	if err := o.store.Remove(ctx, kept.Sequence); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.tries, kept.Sequence)
	o.events = slices.DeleteFunc(o.events, func(event sqlstore.QueuedEvent) bool { return event.Sequence == kept.Sequence })
	o.state.Applied++
	o.state.Full = false
	return nil
}

// refuse counts refusals of an event by a working database, and sets it aside
// after [maxTries].
func (o *Outbox) refuse(kept sqlstore.QueuedEvent, tries int, cause error) {
	o.mu.Lock()
	o.tries[kept.Sequence] += tries
	done := o.aside(kept)
	o.mu.Unlock()
	if done {
		o.config.Logger.Error("an event is set aside in the spool: the database works and does not take it; "+
			"it is tried again at the next start", keyError, cause, keyFile, o.path)
	}
}
