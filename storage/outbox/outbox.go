// Package outbox is a durable queue of the events that arrive while a shop's
// database cannot be used, and are applied when it can be again. The setting spool
// names its file, and the texts for people call it so.
//
// It guarantees that an event which the database did not take is never
// acknowledged, and is meanwhile durable in an SQLite database of its own, if there
// is room; that the events reach the database in order of arrival, each with the
// time of its arrival, and that a later event of the same order does not overtake
// them; that an event is removed only after the database has committed it (at
// least once: a second delivery is idempotent); and that an event which the
// database refuses for good does not block the others.
//
// The file belongs to one process at a time, and is bounded in events and in
// bytes. Two listeners have a file each, and nothing orders what one keeps
// against what the other stores meanwhile: a failure that waits here while the
// success after it went through the other makes the order one to check.
package outbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
)

var (
	// ErrKept says that an event was not stored in the shop's database and is kept
	// here. The sender must be told to send it again.
	ErrKept = errors.New("the event waits in the spool until the database takes it")
	// ErrFull says that there is no room for one more event.
	ErrFull = errors.New("the spool is full")
	// ErrInUse says that another process has the file.
	ErrInUse = errors.New("another listener uses this file: name another one in the settings (spool)")
	// ErrForeign says that the file is a shop's database.
	ErrForeign = errors.New("this is a shop's database: name another file in the settings (spool)")
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

// Target applies events in the shop's database.
type Target interface {
	// Receive stores an event and applies it to its order. It returns nil only
	// once both are durable.
	Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error)
	// ReceiveLate does so with an event that came at a moment that has passed.
	ReceiveLate(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)
}

// Config is what an [Outbox] works with. All but the bounds are required.
type Config struct {
	Target Target
	Decode func(body []byte) (payments.Event, error) // Reads a kept body.
	Probe  func(ctx context.Context) error           // Whether the database can store events now.
	Now    payments.Clock
	Logger *slog.Logger
	// MaxEvents and MaxBytes bound what is kept, in events and in bytes of
	// their bodies; 0 is 10,000 and 64 MiB.
	MaxEvents int
	MaxBytes  int64
}

// Outbox stands before a shop's database and takes its events. It is safe for
// concurrent use.
type Outbox struct {
	config Config
	path   string
	store  *sqlite.Store
	lock   *storage.FileLock

	draining sync.Mutex // Held while kept events are sent.
	mu       sync.Mutex // Guards what follows; never held while the shop's database is used.
	events   []sqlstore.QueuedEvent
	tries    map[int64]int        // By sequence, of what the working database refused.
	state    payments.OutboxState // Without what the events tell; see [Outbox.State].
}

// Open opens the outbox in a file, which is made if it is not there, with what
// an earlier process left in it. ctx ends the opening, not the outbox. Its
// errors say what to do: [ErrInUse], [ErrForeign], or those of [sqlite.Open].
func Open(ctx context.Context, path string, config Config) (opened *Outbox, err error) {
	config.MaxEvents, config.MaxBytes = cmp.Or(config.MaxEvents, 10_000), cmp.Or(config.MaxBytes, 64<<20)
	o := &Outbox{config: config, path: path, tries: map[int64]int{}}
	if o.lock, err = storage.Lock(path); err == nil {
		o.store, err = sqlite.Open(ctx, path)
	} else if _, locked := errors.AsType[*storage.LockedError](err); locked {
		err = fmt.Errorf("%w (%w)", ErrInUse, err)
	}
	if err == nil {
		err = o.load(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the spool %s: %w", path, err), o.Close())
	}
	if state := o.State(); state.Events > 0 {
		config.Logger.Warn("events of an earlier run wait in the spool", keyEvents, state.Events, keyOldest, state.Oldest, keyFile, path)
	}
	return o, nil
}

// load reads which events are kept, in a file that has no orders.
func (o *Outbox) load(ctx context.Context) error {
	orders, err := o.store.Orders(ctx, payments.Query{Limit: 1})
	if err == nil && len(orders) > 0 {
		err = ErrForeign
	}
	if err == nil {
		o.events, err = o.store.QueuedEvents(ctx)
	}
	return err
}

// Close closes the file. What is kept stays there for the next start.
func (o *Outbox) Close() error {
	var err error
	if o.store != nil {
		err = o.store.Close()
	}
	if o.lock != nil {
		err = errors.Join(err, o.lock.Release())
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
		state.Bytes += event.Size
		if o.aside(event) {
			state.SetAside++
		}
	}
	return state
}

// aside tells whether the working database refused an event too often. The mutex
// is held.
func (o *Outbox) aside(event sqlstore.QueuedEvent) bool { return o.tries[event.Sequence] >= maxTries }

// Ready returns an error when an event that arrives now might be lost: the outbox
// is full and the database cannot be used.
func (o *Outbox) Ready(ctx context.Context) error {
	if !o.State().Full {
		return nil
	}
	return o.config.Probe(ctx)
}

// Receive gives an event to the database. When that cannot take it, or has not
// yet taken an earlier event of the same order, the event is kept: [ErrKept].
// Any other error says that it is neither stored nor kept.
func (o *Outbox) Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error) {
	ctx = context.WithoutCancel(ctx) // A sender that hangs up costs no event.
	came, full := o.config.Now(), error(nil)
	waits := o.mustWait(event)
	if waits {
		if full = o.keep(ctx, event, body, came); full == nil {
			return payments.Receipt{}, ErrKept
		}
		// The database is all that is left.
	}
	receipt, err := o.config.Target.Receive(ctx, event, body)
	if err == nil {
		return receipt, nil
	}
	if !waits {
		if full = o.keep(ctx, event, body, came); full == nil {
			o.setAway(o.config.Probe(ctx))
			return payments.Receipt{}, fmt.Errorf("%w (%w)", ErrKept, err)
		}
	}
	o.lose(full)
	return payments.Receipt{}, errors.Join(err, full)
}

// mustWait tells whether an event is queued without trying the database: that is
// away, or an earlier event of the same order is queued.
func (o *Outbox) mustWait(event payments.Event) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state.Away || slices.ContainsFunc(o.events, func(kept sqlstore.QueuedEvent) bool {
		return kept.OrderReference == event.OrderReference && !o.aside(kept)
	})
}

// keep queues an event with the time of its arrival. Repeated deliveries are
// deduplicated.
func (o *Outbox) keep(ctx context.Context, event payments.Event, body []byte, came time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	record := payments.Record{
		Event: event, ID: event.ID(), Effect: payments.NoSuchOrder, Count: 1, ReceivedAt: came.UTC(),
		Body: body, BodySHA256: sha256.Sum256(body),
	}
	known := func(kept sqlstore.QueuedEvent) bool { return kept.ID == record.ID }
	if slices.ContainsFunc(o.events, known) {
		return nil
	}
	err := o.store.Update(ctx, func(tx payments.Tx) error {
		if _, _, err := tx.Events().Insert(record); err != nil {
			return err
		}
		_, err := tx.Events().TrimUnmatched(o.config.MaxEvents, o.config.MaxBytes)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the event in the spool: %w", err)
	}
	before := len(o.events)
	if o.events, err = o.store.QueuedEvents(ctx); err != nil {
		return fmt.Errorf("read the spool: %w", err)
	}
	if !slices.ContainsFunc(o.events, known) {
		return ErrFull
	}
	o.state.Kept++
	o.state.Full = false
	if dropped := before + 1 - len(o.events); dropped > 0 {
		o.state.Lost += int64(dropped)
		o.config.Logger.Error("the spool is full: older events that say of no payment are dropped", keyEvents, dropped, keyFile, o.path)
	}
	return nil
}

// lose counts an event that is neither stored nor queued, and logs the first until
// there is room again.
func (o *Outbox) lose(err error) {
	o.mu.Lock()
	first := !o.state.Full
	o.state.Full = true
	o.state.Lost++
	o.mu.Unlock()
	if first {
		o.config.Logger.Error("an event could be stored neither in the database nor in the spool; the service must send it again",
			keyError, err, keyFile, o.path)
	}
}

// setAway records whether the database can be used, and logs a change of that.
func (o *Outbox) setAway(err error) {
	o.mu.Lock()
	changed := o.state.Away != (err != nil)
	o.state.Away = err != nil
	o.mu.Unlock()
	switch {
	case changed && err != nil:
		o.config.Logger.Warn("the database cannot be used: events wait in the spool", keyError, err, keyFile, o.path)
	case changed:
		o.config.Logger.Info("the database can be used again")
	}
}
