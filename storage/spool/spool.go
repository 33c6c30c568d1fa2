package spool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"checkout/till/payments"
)

// ErrKept says that an event was not stored in the shop's database and is kept
// here. The sender must be told to send it again.
var ErrKept = errors.New("the event waits in the spool until the database takes it")

// ErrFull says that there is no room for one more event.
var ErrFull = errors.New("the spool is full")

// The keys of the spool's log.
const (
	keyEvents = "events"
	keyError  = "error"
	keyOldest = "oldest"
	keyFile   = "file"
	keyLeft   = "left"
)

// Target takes events into the shop's database.
type Target interface {
	// Receive stores an event and applies it to its order. It returns nil only
	// once both are durable.
	Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error)
	// ReceiveLate does so with an event that came at a moment that has passed.
	ReceiveLate(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)
}

// Config is what a [Spool] works with. Target, Decode, Probe and Now are
// required.
type Config struct {
	Target Target
	Decode func(body []byte) (payments.Event, error) // Reads a kept body.
	Probe  func(ctx context.Context) error           // Whether the database can store events now.
	Now    payments.Clock
	Logger *slog.Logger // None is silent.
	// MaxEvents and MaxBytes bound what is kept, in events and in bytes of
	// their bodies; 0 is 10,000 and 64 MiB.
	MaxEvents int
	MaxBytes  int64
	Pause     time.Duration // Between two tries to apply what is kept; 0 is a second.
}

// State is what is known of a spool now.
type State = payments.Backlog

// Spool stands before a shop's database and takes its events. It is safe for
// concurrent use.
type Spool struct {
	config Config
	path   string
	file   *file

	draining sync.Mutex // Held while kept events are applied.
	mu       sync.Mutex // Guards what follows; never held while the database is used.
	state    State
}

// Open opens the spool in a file, which is made if it is not there, with what
// an earlier process left in it. ctx ends the opening, not the spool. Its
// errors say what to do: [ErrDamaged], [ErrForeign], [ErrInUse], or SQLite's.
func Open(ctx context.Context, path string, config Config) (*Spool, error) {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.MaxEvents == 0 {
		config.MaxEvents = 10_000
	}
	if config.MaxBytes == 0 {
		config.MaxBytes = 64 << 20
	}
	if config.Pause == 0 {
		config.Pause = time.Second
	}
	opened, err := openFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the spool %s: %w", path, err)
	}
	s := &Spool{config: config, path: path, file: opened}
	if s.state.Events, s.state.Bytes, err = opened.begin(ctx); err == nil {
		s.state.Oldest, err = opened.oldest(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the spool %s: %w", path, advise(err)), opened.db.Close())
	}
	if s.state.Events > 0 {
		config.Logger.Warn("events of an earlier run wait in the spool",
			keyEvents, s.state.Events, keyOldest, s.state.Oldest, keyFile, path)
	}
	return s, nil
}

// Close closes the file. What is kept stays there for the next start.
func (s *Spool) Close() error { return s.file.db.Close() }

// State returns what is known of the spool now.
func (s *Spool) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Receive gives an event to the database. When that cannot take it, or has not
// yet taken an earlier event of the same order, the event is kept: [ErrKept].
// Any other error says that it is neither stored nor kept.
func (s *Spool) Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error) {
	ctx = context.WithoutCancel(ctx) // A sender that hangs up costs no event.
	came := s.config.Now()
	waits := s.mustWait(ctx, event)
	var fault error
	if waits {
		if fault = s.keep(ctx, event, body, came); fault == nil {
			return payments.Receipt{}, ErrKept
		}
		// The database is all that is left.
	}
	receipt, err := s.config.Target.Receive(ctx, event, body)
	if err == nil {
		return receipt, nil
	}
	if !waits {
		if fault = s.keep(ctx, event, body, came); fault == nil {
			s.setAway(s.config.Probe(ctx))
			return payments.Receipt{}, fmt.Errorf("%w (%w)", ErrKept, err)
		}
	}
	s.lose(fault)
	return payments.Receipt{}, errors.Join(err, fault)
}

// Ready returns why an event that comes now might be neither stored nor kept,
// nil when it would be one of the two.
func (s *Spool) Ready(ctx context.Context) error {
	if !s.State().Full {
		return nil
	}
	return s.config.Probe(ctx)
}

// mustWait tells whether an event has to be kept without trying: the database
// is away, or an event of the same order waits for its turn.
func (s *Spool) mustWait(ctx context.Context, event payments.Event) bool {
	state := s.State()
	if state.Away || state.Events == 0 {
		return state.Away
	}
	waits, err := s.file.awaits(ctx, event.OrderReference)
	return waits && err == nil
}

// keep keeps an event that came at a moment. It is kept once however often it
// comes.
func (s *Spool) keep(ctx context.Context, event payments.Event, body []byte, came time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, err := s.file.has(ctx, event.ID())
	switch {
	case err != nil:
		return fmt.Errorf("look into the spool: %w", err)
	case known:
		return nil
	case s.state.Events >= s.config.MaxEvents || s.state.Bytes+int64(len(body)) > s.config.MaxBytes:
		return ErrFull
	}
	if err := s.file.add(ctx, event, body, came); err != nil {
		return fmt.Errorf("keep the event in the spool: %w", err)
	}
	s.state.Full = false
	s.state.Events++
	s.state.Kept++
	s.state.Bytes += int64(len(body))
	if s.state.Oldest.IsZero() {
		s.state.Oldest = came.UTC()
	}
	return nil
}

// lose counts an event that was neither stored nor kept, and says so once until
// there is room again.
func (s *Spool) lose(err error) {
	s.mu.Lock()
	first := !s.state.Full
	s.state.Full = true
	s.state.Lost++
	s.mu.Unlock()
	if first {
		s.config.Logger.Error("an event could be stored neither in the database nor in the spool; the service must send it again",
			keyError, err, keyFile, s.path)
	}
}

// setAway notes whether the database can be used, and says when that changed.
func (s *Spool) setAway(err error) {
	s.mu.Lock()
	changed := s.state.Away != (err != nil)
	s.state.Away = err != nil
	s.mu.Unlock()
	switch {
	case changed && err != nil:
		s.config.Logger.Warn("the database cannot be used: events wait in the spool", keyError, err, keyFile, s.path)
	case changed:
		s.config.Logger.Info("the database can be used again")
	}
}
