// Package outbox passes events to the shop's database. While the database is unavailable, it queues
// them in a separate SQLite file and applies them later. The setting outbox names the file.
//
// It guarantees:
//   - The sender gets 200 only after the shop's database has committed the event, or has dropped it
//     because of a limit. If the database fails, the event is written to the file if there is room,
//     and the sender is told to send it again. An event from a relay is acknowledged to the relay
//     when it is in the file.
//   - The events of one order reference reach the database one at a time, in order of arrival, each
//     with its time of arrival. If an event is queued, later events of its order reference are queued after it.
//   - An event is removed from the file only after the database has committed it, or to make room in
//     a full file. After a failure it is applied again, although it may have been committed: applying
//     an event twice changes nothing.
//   - An event that the database rejects five times, although the database works, is set
//     aside until the next start.
//
// The order of arrival has two exceptions. If an event is set aside, the later events of its order
// do not wait for it. If the file cannot store an event, the event goes to the database without
// waiting for the queued ones.
//
// Only one process at a time uses the file. The file has the same limits as a shop's unmatched
// events. Two listeners have separate files, so the events of one order may be applied in the wrong
// sequence. For example, if a success is applied before an earlier failure, the verdict is CHECK.
package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/storage"
	"checkout/till/storage/sqlite"
)

// Errors of [Open] and of [Outbox.ReceiveLate].
var (
	// ErrKept is returned for an event that is queued: the shop's database may not have it yet. A
	// webhook is then answered with an error, so that the payment service sends it again.
	ErrKept  = errors.New("the event waits in the outbox until the database takes it")
	ErrFull  = errors.New("the outbox is full")
	ErrInUse = errors.New("another listener uses this file: name another one in the settings (outbox)")
	// ErrForeign is returned for a shop's database: a file that contains an order or a movement of money.
	ErrForeign = errors.New("this is a shop's database: name another file in the settings (outbox)")
)

const (
	// maxTries is how often the database may reject an event although a probe succeeds. After that many
	// rejections, the event is set aside, so that it does not block the others.
	maxTries = 5
	// pause is the time between two attempts to apply the queued events to the database.
	pause = time.Second
	// patience is the timeout for storing one event in the database, and for one probe.
	patience = 10 * time.Second
	// turnLimit is how long an event waits for the earlier events of its order. It is longer
	// than one apply and one probe, which each end after patience.
	turnLimit = 3 * patience
)

const (
	keyEvents = "events"
	keyError  = "error"
	keyOldest = "oldest"
	keyFile   = "file"
	keyLeft   = "left"
)

// Config configures an [Outbox]. All fields are required.
type Config struct {
	// Apply stores an event with its time of arrival in the shop's database, and applies it to its
	// order. After an error the event may or may not be stored.
	Apply  func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)
	Probe  func(ctx context.Context) error // Returns an error if the database cannot store events now.
	Now    payments.Clock
	Logger *slog.Logger
}

// Outbox passes events to the shop's database. While the database is unavailable, Outbox queues the
// events. It is safe for concurrent use.
type Outbox struct {
	config Config
	store  *sqlite.Store
	queue  *payments.Service // Stores events in the file, with the limits for unmatched events.
	unlock func()

	draining sync.Mutex // Locked during Drain, so that queued events are applied one at a time.
	// writing is locked while the file changes, and until the field events has been updated from
	// the file. Lock it before mu.
	writing sync.Mutex
	// mu guards the fields below. It is never locked while the file or the shop's database is used,
	// so that [Outbox.State] does not wait.
	mu      sync.Mutex
	turns   map[string][]chan struct{} // Turns of the running ReceiveLate calls, in order of arrival; the key is the order reference.
	events  []payments.Record          // Events in the file, in order of arrival.
	sending payments.EventID           // The queued event that is being applied; zero if none is.
	// tries counts how often the database rejected each queued event. An error counts as a rejection
	// only if a probe just after it succeeds. A timeout never counts.
	tries map[payments.EventID]int
	state payments.OutboxState // The fields about the queue are not set: [Outbox.State] computes them.
}

// Open opens the outbox in a file, with the queued events of an earlier process. It creates a
// missing file. ctx limits the opening; the open outbox does not depend on it. The errors say what
// to do: [ErrInUse], [ErrForeign], or those of [storage.Lock] and [sqlite.Open].
func Open(ctx context.Context, path string, config Config) (opened *Outbox, err error) {
	o := &Outbox{config: config, turns: map[string][]chan struct{}{}, tries: map[payments.EventID]int{}}
	if o.unlock, err = storage.Lock(path); err == nil {
		o.store, err = sqlite.Open(ctx, path)
	} else if _, locked := errors.AsType[*storage.LockedError](err); locked {
		err = fmt.Errorf("%w (%w)", ErrInUse, err)
	}
	if err == nil {
		err = checkOwn(ctx, o.store)
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

func checkOwn(ctx context.Context, store *sqlite.Store) error {
	orders, err := store.Orders(ctx, payments.Query{Limit: 1})
	if err != nil {
		return err
	}
	return store.View(ctx, func(tx drawer.Tx) error {
		transfers, err := tx.Transfers(ledger.Query{Until: 1})
		if len(orders)+len(transfers) > 0 {
			return ErrForeign
		}
		return err
	})
}

// Close closes the file. Queued events remain there for the next start.
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

// State returns the state of the outbox, without waiting for the file or the database.
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

// aside reports whether an event is set aside. The caller holds o.mu.
func (o *Outbox) aside(event payments.Record) bool { return o.tries[event.ID] >= maxTries }

// ReceiveLate passes an event to the database, after the earlier events of the same order. If the
// database is unavailable or fails, or if an earlier event of the order is queued, ReceiveLate
// queues the event and returns [ErrKept]. After any other error the event may be lost. The
// parameter came is when the event arrived; zero means now. ReceiveLate continues when ctx ends.
func (o *Outbox) ReceiveLate(
	ctx context.Context, event payments.Event, body []byte, came time.Time,
) (receipt payments.Receipt, err error) {
	ctx = context.WithoutCancel(ctx)
	turn, now := o.arrive(event.OrderReference)
	if came.IsZero() {
		came = now
	}
	defer o.leave(event.OrderReference, turn)
	select {
	case <-turn:
	case <-time.After(turnLimit):
		return payments.Receipt{}, o.lose(errors.New("an earlier event of the order is still being stored"))
	}
	waits := o.waits(event.OrderReference)
	if !waits {
		if receipt, err = o.apply(ctx, event, body, came); err == nil {
			return receipt, nil
		}
	}
	full := o.keep(ctx, event, body, came)
	switch {
	case full == nil && waits:
		return payments.Receipt{}, ErrKept
	case full == nil:
		_ = o.probe(ctx) // Ignore the error: probe stores the result in o.state.
		return payments.Receipt{}, fmt.Errorf("%w (%w)", ErrKept, err)
	case waits: // The file cannot store the event, so try the database.
		if receipt, err = o.apply(ctx, event, body, came); err == nil {
			return receipt, nil
		}
	}
	return payments.Receipt{}, o.lose(errors.Join(err, full))
}

// arrive puts a ReceiveLate call last in the line of its order reference. It returns the event's
// time of arrival, and a channel that is closed when all earlier calls in the line have ended.
func (o *Outbox) arrive(orderReference string) (turn chan struct{}, came time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	turn = make(chan struct{})
	if len(o.turns[orderReference]) == 0 {
		close(turn)
	}
	o.turns[orderReference] = append(o.turns[orderReference], turn)
	return turn, o.config.Now()
}

// leave removes a ReceiveLate call from the line of its order reference. If it was the first, the
// next call gets its turn.
func (o *Outbox) leave(orderReference string, turn chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	turns := o.turns[orderReference]
	at := slices.Index(turns, turn)
	turns = slices.Delete(turns, at, at+1)
	o.turns[orderReference] = turns
	if len(turns) == 0 {
		delete(o.turns, orderReference)
	} else if at == 0 {
		close(turns[0])
	}
}

// waits reports whether an event with this order reference must be queued: the database is
// unavailable, or an earlier event of the order is queued and not set aside.
func (o *Outbox) waits(orderReference string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state.Away || slices.ContainsFunc(o.events, func(queued payments.Record) bool {
		return queued.Event.OrderReference == orderReference && !o.aside(queued)
	})
}

func (o *Outbox) apply(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return o.config.Apply(ctx, event, body, came)
}

// lose counts an event that could be neither stored nor queued, and returns cause unchanged.
func (o *Outbox) lose(cause error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.state.Full { // Until there is room again, log only the first lost event.
		o.config.Logger.Error("an event could be stored neither in the database nor in the outbox; the service must send it again", keyError, cause)
	}
	o.state.Full = true
	o.state.Lost++
	return cause
}

// keep queues an event with its time of arrival, unless the event is queued already.
func (o *Outbox) keep(ctx context.Context, event payments.Event, body []byte, came time.Time) error {
	id := event.ID()
	known := func(queued payments.Record) bool { return queued.ID == id }
	o.writing.Lock()
	defer o.writing.Unlock()
	if slices.ContainsFunc(o.events, known) { // The field o.events changes only while writing is locked.
		return nil
	}
	_, err := o.queue.ReceiveLate(ctx, event, body, came)
	unread := o.reload(ctx) // Read the file even after an error, because the event may be in it.
	o.mu.Lock()
	defer o.mu.Unlock()
	if unread != nil || !slices.ContainsFunc(o.events, known) {
		return fmt.Errorf("keep the event in the outbox: %w", cmp.Or(err, unread, ErrFull))
	}
	o.state.Queued++
	o.state.Full = false
	return nil
}

// reload reads the queued events from the file. An event that the file no longer has counts as
// lost, unless it is being applied now. The caller holds o.writing.
func (o *Outbox) reload(ctx context.Context) error {
	events, err := o.store.QueuedEvents(ctx)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	present := make(map[payments.EventID]bool, len(events))
	for _, event := range events {
		present[event.ID] = true
	}
	dropped := int64(0)
	for _, event := range o.events {
		switch {
		case present[event.ID]:
		case event.ID == o.sending:
			events = slices.Insert(events, 0, event)
		default:
			dropped++
			delete(o.tries, event.ID)
		}
	}
	o.events = events
	o.state.Lost += dropped
	if dropped > 0 {
		o.config.Logger.Error("the outbox is full: older events that say of no payment are dropped", keyEvents, dropped)
	}
	return nil
}

func (o *Outbox) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := o.config.Probe(ctx)
	o.setAway(err)
	return err
}

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

// Run applies the queued events once a second, until ctx ends. The events that remain are applied
// after the next start.
func (o *Outbox) Run(ctx context.Context) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		_ = o.Drain(ctx) // Ignore the error: the state and the log show why events are still queued.
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// Drain applies the queued events in order of arrival, except those that are set aside, until none
// is left, ctx ends or the database fails. The error says why events are still queued.
func (o *Outbox) Drain(ctx context.Context) error {
	o.draining.Lock()
	defer o.draining.Unlock()
	before := o.State().Applied
	var err error
	for err == nil {
		next, found := o.next()
		if !found {
			break
		}
		if err = ctx.Err(); err == nil {
			err = o.send(ctx, next)
		}
	}
	state := o.State()
	if err == nil && state.Away {
		_ = o.probe(ctx) // Ignore the error: probe stores the result in o.state.
	}
	if state.Applied > before {
		o.config.Logger.Info("events of the outbox were applied", keyEvents, state.Applied-before, keyLeft, state.Events)
	}
	return err
}

func (o *Outbox) next() (payments.Record, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := slices.IndexFunc(o.events, func(event payments.Record) bool { return !o.aside(event) })
	if at < 0 {
		return payments.Record{}, false
	}
	return o.events[at], true
}

func (o *Outbox) send(ctx context.Context, queued payments.Record) error {
	o.mu.Lock()
	o.sending = queued.ID
	o.mu.Unlock()
	rejected := false
	body, err := o.store.Body(ctx, queued)
	if err == nil {
		_, err = o.apply(ctx, queued.Event, body, queued.ReceivedAt)
		switch {
		case err == nil:
			o.setAway(nil)
		case ctx.Err() == nil:
			// A timeout does not count as a rejection, even if the probe then succeeds.
			rejected = o.probe(ctx) == nil && !errors.Is(err, context.DeadlineExceeded)
		}
	}
	o.writing.Lock()
	defer o.writing.Unlock()
	o.sent(queued, err, rejected)
	if err == nil {
		err = o.store.Remove(context.WithoutCancel(ctx), queued)
	}
	if err != nil { // Read the file again, because o.events may differ from it now.
		return errors.Join(err, o.reload(ctx))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state.Applied++
	o.state.Full = false
	return nil
}

// sent records the end of an attempt to apply a queued event, with its error. rejected says that the
// attempt counts as a rejection.
func (o *Outbox) sent(queued payments.Record, err error, rejected bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sending = payments.EventID{}
	if rejected {
		o.tries[queued.ID]++
	}
	switch {
	case err == nil:
		delete(o.tries, queued.ID)
		o.events = slices.DeleteFunc(o.events, func(event payments.Record) bool { return event.ID == queued.ID })
	case rejected && o.aside(queued):
		o.config.Logger.Error("an event is set aside in the outbox: the database keeps rejecting it; "+
			"it is tried again at the next start", keyError, err)
	}
}
