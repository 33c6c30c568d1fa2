package sqlstore

import (
	"context"
	"sync"
	"time"
)

// lookEvery is how often the doctor looks: what nobody asks for is noticed
// within a second all the same.
const lookEvery = time.Second

// Beat is the time left until the clock shows a multiple of every. What is done
// again and again waits for it, so that several such things wake the machine
// once: to be woken costs more than most of them do.
func Beat(every time.Duration) time.Duration {
	now := time.Now()
	return now.Truncate(every).Add(every).Sub(now)
}

// doctor keeps the store from being used while there is a fault, and ends the
// fault when its cause is gone. A fault is whatever makes what is read or
// written worth nothing: then every call fails, rather than some of them.
type doctor struct {
	keeper  Keeper
	dialect Dialect
	hub     *hub
	writer  *writer
	readers *readers

	// using is held for reading by whoever uses a connection, and for writing
	// by the doctor while it mends.
	using   sync.RWMutex
	mu      sync.Mutex
	fault   error
	noted   chan struct{} // One slot: there is a new fault.
	treated time.Time
	every   time.Duration // How often it reads; at each look for 0.
	looked  time.Time
	leave   context.CancelFunc
	left    chan struct{}
}

// newDoctor makes the doctor of a store, and makes it known to those who use
// connections.
func newDoctor(config Config, store *Store) *doctor {
	d := &doctor{
		keeper: config.Keeper, dialect: config.Dialect,
		hub: store.hub, writer: store.writer, readers: store.readers, every: config.Look,
		noted: make(chan struct{}, 1), left: make(chan struct{}),
	}
	if d.keeper == nil {
		d.keeper = trusting{}
	}
	store.writer.doctor, store.readers.doctor = d, d
	return d
}

// enter lets the caller use connections until it calls exit, or returns the
// fault that there is. look is how the keeper is asked for one.
func (d *doctor) enter(look func() error) error {
	for {
		if err := d.found(); err != nil {
			return err
		}
		// Refused only while the doctor mends, and then there is a fault.
		if !d.using.TryRLock() {
			continue
		}
		err := d.found()
		if err == nil {
			if err = look(); err == nil {
				return nil
			}
		}
		d.using.RUnlock()
		d.note(err)
		return err
	}
}

// exit ends what enter allowed. err is what became of it.
func (d *doctor) exit(err error) {
	d.using.RUnlock()
	d.note(err)
}

// attend lets use use connections, unless there is a fault. look is how the
// keeper is asked for one.
func (d *doctor) attend(look, use func() error) (err error) {
	if err := d.enter(look); err != nil {
		return err
	}
	defer func() { d.exit(err) }()
	return use()
}

// found returns the fault that there is.
func (d *doctor) found() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fault
}

// note remembers an error that is a fault, and tells those who watch.
func (d *doctor) note(err error) {
	if err == nil || !d.dialect.Fault(err) {
		return
	}
	d.mu.Lock()
	fresh := d.fault == nil
	if fresh {
		d.fault = err
	}
	d.mu.Unlock()
	if fresh {
		d.hub.alarm()
		select {
		case d.noted <- struct{}{}:
		default:
		}
	}
}

// start begins to look, until stop.
func (d *doctor) start(ctx context.Context) {
	ctx, d.leave = context.WithCancel(ctx)
	go func() {
		defer close(d.left)
		first := time.Now().Add(lookEvery) // A short command is over before it.
		for {
			select {
			case <-ctx.Done():
				d.conclude(ctx)
				return
			case <-time.After(max(Beat(lookEvery), time.Until(first))):
				d.look(ctx)
			case <-d.noted:
				if time.Since(d.treated) < lookEvery {
					continue // What comes back at once has time until the next look.
				}
			}
			if d.found() != nil {
				d.treat(ctx)
			}
		}
	}()
}

// conclude looks once more before the connections are closed: what the log
// holds may have to be brought into the database while somebody can.
func (d *doctor) conclude(ctx context.Context) {
	d.note(d.keeper.Look())
	if d.found() != nil {
		d.treat(ctx)
	}
}

// stop ends what start began.
func (d *doctor) stop() {
	if d.leave != nil {
		d.leave()
		<-d.left
	}
}

// look looks for faults that no call has met, where there may be some.
func (d *doctor) look(ctx context.Context) {
	asked := d.keeper != (trusting{}) || d.every > 0
	since := time.Since(d.looked).Round(lookEvery) // It comes a little late, now more and now less.
	if !asked || d.found() != nil || since < d.every {
		return
	}
	d.looked = time.Now()
	err := d.compare(ctx)
	if err == nil {
		err = d.keeper.Tend()
	}
	d.note(err)
}

// compare lets the keeper compare what it sees with what is in the database,
// unless something is being written. What seems wrong is compared twice:
// another process may have committed in between. Without a keeper it only
// reads, also while something is being written: a commit may wait for its
// answer longer than anybody should believe what is shown.
func (d *doctor) compare(ctx context.Context) error {
	if d.keeper == (trusting{}) {
		return d.account(ctx)
	}
	if !d.writer.busy.TryLock() {
		return nil
	}
	defer d.writer.busy.Unlock()
	// It takes microseconds, and to be able to end it would cost more.
	ctx = context.WithoutCancel(ctx)
	err := d.account(ctx)
	if err != nil {
		err = d.account(ctx)
	}
	return err
}

func (d *doctor) account(ctx context.Context) error {
	var sequence, probes int64
	err := d.readers.read(ctx, func(query queryFunc) (err error) { // It looks before.
		if sequence, err = one(query, scanInt, selectSequence); err == nil {
			probes, err = one(query, scanInt, selectProbe)
		}
		return err
	})
	if err != nil {
		return err
	}
	return d.keeper.Account(sequence, probes)
}

// treat mends the fault, if that can be done now.
func (d *doctor) treat(ctx context.Context) {
	d.using.Lock()
	err := d.mend(ctx)
	d.using.Unlock()
	d.treated = time.Now()
	if err != nil && !d.dialect.Fault(err) {
		return // It says nothing new, as when ctx ended.
	}
	d.mu.Lock()
	d.fault = err
	d.mu.Unlock()
	if err == nil {
		d.hub.resume(ctx)
		d.hub.alarm()
	}
}

func (d *doctor) mend(ctx context.Context) error {
	err := d.keeper.Mend(ctx, Repair{
		Cause: d.found(), Release: d.release,
		Run: func(text string) (int64, error) { return d.writer.execute(context.WithoutCancel(ctx), text) },
	})
	if err != nil {
		return err
	}
	return d.writer.prove(ctx)
}

// release closes all connections.
func (d *doctor) release() {
	d.hub.pause()
	d.readers.drop()
	d.writer.drop()
}
