// Package outbox is a durable queue of the events that arrive while a shop's
// database cannot be used, and are applied when it can be again. The setting outbox
// names its file, and the texts for people call it so.
//
// It guarantees that an event which the database did not take is never
// acknowledged, and is meanwhile durable in an SQLite database of its own, if there
// is room; that the events reach the database in order of arrival, each with the
// time of its arrival, and that a later event of the same order does not overtake
// them, unless the queue is full; that an event is removed only after the database
// has committed it (at least once: a second delivery is idempotent); and that an
// event which the database refuses for good is set aside and does not block the
// others, of its own order too.
//
// The file belongs to one process at a time, and is bounded as the unmatched events
// of a shop are. Two listeners have a file each, and nothing orders what one keeps
// against what the other stores meanwhile: a failure that waits here while the
// success after it went through the other makes the order one to check.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/sqlite"
)

var (
	// ErrKept says that an event was not stored in the shop's database and is kept
	// here. The sender must be told to send it again.
	ErrKept = errors.New("the event waits in the outbox until the database takes it")
	// ErrFull says that there is no room for one more event.
	ErrFull = errors.New("the outbox is full")
	// ErrInUse says that another process has the file.
	ErrInUse = errors.New("another listener uses this file: name another one in the settings (outbox)")
	// ErrForeign says that the file is a shop's database.
	ErrForeign = errors.New("this is a shop's database: name another file in the settings (outbox)")
)

const (
	// maxTries is after how many refusals by a working database an event is set
	// aside, so that it does not block the others.
	maxTries = 5
	// pause is what lies between two tries to send what is kept.
	pause = time.Second
)

// The keys of the outbox's log.
const (
	keyEvents = "events"
	keyError  = "error"
	keyOldest = "oldest"
	keyFile   = "file"
	keyLeft   = "left"
)

// Config is what an [Outbox] works with. All of it is required.
type Config struct {
	// Apply stores an event that came at a moment and applies it to its order, in the
	// shop's database. It returns nil only once both are durable.
	Apply  func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)
	Probe  func(ctx context.Context) error // Whether the database can store events now.
	Now    payments.Clock
	Logger *slog.Logger
}

// Outbox stands before a shop's database and takes its events. It is safe for
// concurrent use.
type Outbox struct {
	config Config
	store  *sqlite.Store
	queue  *payments.Service // The rules of the outbox's own store, where no event has an order.
	unlock func()

	draining sync.Mutex // Held while kept events are sent.
	mu       sync.Mutex // Guards what follows; never held while the shop's database is used.
	events   []payments.Record
	tries    map[int64]int        // By sequence, of what the working database refused.
	state    payments.OutboxState // Without what the events tell; see [Outbox.State].
}

// Open opens the outbox in a file, which is made if it is not there, with what
// an earlier process left in it. ctx ends the opening, not the outbox. Its
// errors say what to do: [ErrInUse], [ErrForeign], or those of [sqlite.Open].
func Open(ctx context.Context, path string, config Config) (opened *Outbox, err error) {
	o := &Outbox{config: config, tries: map[int64]int{}}
	if o.unlock, err = storage.Lock(path); err == nil {
		o.store, err = sqlite.Open(ctx, path)
	} else if _, locked := errors.AsType[*storage.LockedError](err); locked {
		err = fmt.Errorf("%w (%w)", ErrInUse, err)
	}
	var orders []payments.Order
	if err == nil {
		orders, err = o.store.Orders(ctx, payments.Query{Limit: 1})
	}
	if len(orders) > 0 {
		err = ErrForeign
	}
	if err == nil {
		o.events, err = o.store.QueuedEvents(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the outbox %s: %w", path, err), o.Close())
	}
	o.queue, o.config.Logger = payments.New(o.store, nil, config.Now), config.Logger.With(keyFile, path)
	if state := o.State(); state.Events > 0 {
		o.config.Logger.Warn("events of an earlier run wait in the outbox", keyEvents, state.Events, keyOldest, state.Oldest)
	}
	return o, nil
}

// Close closes the file. What is kept stays there for the next start.
func (o *Outbox) Close() error {
	var err error
	if o.store != nil {
		err = o.store.Close()
	}
	if o.unlock != nil {
		o.unlock()
	}
	return err
}

// State returns what is known of the outbox now.
func (o *Outbox) State() payments.OutboxState {
	o.mu.Lock()
	defer o.mu.Unlock()
	state := o.state
	state.Events = len(o.events)
	for _, event := range slices.Backward(o.events) {
		state.Oldest = event.ReceivedAt
		if o.aside(event) {
			state.SetAside++
		}
	}
	return state
}

// aside tells whether the working database refused an event too often. The mutex
// is held.
func (o *Outbox) aside(event payments.Record) bool { return o.tries[event.Sequence] >= maxTries }

// Receive gives an event to the database. When that cannot take it, or has not
// yet taken an earlier event of the same order, the event is kept: [ErrKept].
// Any other error says that it is neither stored nor kept. ctx must not end with
// the sender's connection.
func (o *Outbox) Receive(ctx context.Context, event payments.Event, body []byte) (receipt payments.Receipt, err error) {
	came := o.config.Now()
	o.mu.Lock()
	waits := o.state.Away || slices.ContainsFunc(o.events, func(kept payments.Record) bool {
		return kept.Event.OrderReference == event.OrderReference && !o.aside(kept)
	})
	o.mu.Unlock()
	if !waits {
		if receipt, err = o.config.Apply(ctx, event, body, came); err == nil {
			return receipt, nil
		}
	}
	full := o.keep(ctx, event, body, came)
	switch {
	case full == nil && waits:
		return payments.Receipt{}, ErrKept
	case full == nil:
		o.setAway(o.config.Probe(ctx))
		return payments.Receipt{}, fmt.Errorf("%w (%w)", ErrKept, err)
	case waits: // The database is all that is left.
		if receipt, err = o.config.Apply(ctx, event, body, came); err == nil {
			return receipt, nil
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.state.Full { // Said once until there is room again.
		o.config.Logger.Error("an event could be stored neither in the database nor in the outbox; the service must send it again", keyError, full)
	}
	o.state.Full = true
	o.state.Lost++
	return payments.Receipt{}, errors.Join(err, full)
}

// keep queues an event with the time of its arrival, once.
func (o *Outbox) keep(ctx context.Context, event payments.Event, body []byte, came time.Time) error {
	id := event.ID()
	known := func(kept payments.Record) bool { return kept.ID == id }
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.ContainsFunc(o.events, known) {
		return nil
	}
	_, err := o.queue.ReceiveLate(ctx, event, body, came)
	var events []payments.Record
	if err == nil {
		events, err = o.store.QueuedEvents(ctx)
	}
	if err != nil {
		return fmt.Errorf("keep the event in the outbox: %w", err)
	}
	dropped := len(o.events) + 1 - len(events)
	if o.events = events; !slices.ContainsFunc(events, known) {
		return ErrFull
	}
	o.state.Kept++
	o.state.Full = false
	if dropped > 0 {
		o.state.Lost += int64(dropped)
		o.config.Logger.Error("the outbox is full: older events that say of no payment are dropped", keyEvents, dropped)
	}
	return nil
}

// setAway records whether the database can be used, and logs a change of that.
func (o *Outbox) setAway(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch away := err != nil; {
	case away && !o.state.Away:
		o.config.Logger.Warn("the database cannot be used: events wait in the outbox", keyError, err)
	case !away && o.state.Away:
		o.config.Logger.Info("the database can be used again")
	}
	o.state.Away = err != nil
}

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
func (o *Outbox) Drain(ctx context.Context) (err error) {
	o.draining.Lock()
	defer o.draining.Unlock()
	before := o.State().Applied
	for next, found := o.next(); found && err == nil; next, found = o.next() {
		if err = ctx.Err(); err == nil {
			err = o.send(ctx, next)
		}
	}
	state := o.State()
	if err == nil && state.Away {
		o.setAway(o.config.Probe(ctx))
	}
	if state.Applied > before {
		o.config.Logger.Info("events of the outbox were applied", keyEvents, state.Applied-before, keyLeft, state.Events)
	}
	return err
}

// next returns the oldest event that is not set aside.
func (o *Outbox) next() (payments.Record, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := slices.IndexFunc(o.events, func(event payments.Record) bool { return !o.aside(event) })
	if at < 0 {
		return payments.Record{}, false
	}
	return o.events[at], true
}

// send applies one event and removes it from the queue. If the removal fails, the
// second delivery is idempotent.
func (o *Outbox) send(ctx context.Context, kept payments.Record) error {
	body, err := o.store.Body(ctx, kept.Sequence)
	if err != nil {
		return err
	}
	if _, err := o.config.Apply(ctx, kept.Event, body, kept.ReceivedAt); err != nil {
		fault := o.config.Probe(ctx)
		o.setAway(fault)
		o.mu.Lock()
		defer o.mu.Unlock()
		if fault == nil { // It works, and refuses the event.
			if o.tries[kept.Sequence]++; o.aside(kept) {
				o.config.Logger.Error("an event is set aside in the outbox: the database works and does not take it; "+
					"it is tried again at the next start", keyError, err)
			}
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
	o.events = slices.DeleteFunc(o.events, func(event payments.Record) bool { return event.Sequence == kept.Sequence })
	o.state.Applied++
	o.state.Full = false
	return nil
}
