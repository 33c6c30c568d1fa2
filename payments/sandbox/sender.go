package sandbox

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// maxInFlight is how many deliveries are tried at the same time.
	maxInFlight = 32
	// maxKept is how many deliveries the dashboard can show, the newest.
	maxKept = 500
	// maxPending is how many deliveries may wait before new work is refused.
	maxPending = 20_000
)

// The keys of the sandbox's log.
const (
	logOrder   = "order_reference"
	logEvent   = "event"
	logTry     = "try"
	logStatus  = "status"
	logFailure = "failure"
	logThen    = "then"
)

// sender gets events to the merchant: in turn for each order, again after a
// failure, and no more than maxInFlight at a time.
type sender struct {
	courier courier
	agenda  *agenda
	logger  *slog.Logger
	retry   Retry
	hooks   hooks

	mu       sync.Mutex
	kept     []*delivery            // The oldest first.
	lines    map[string][]*delivery // Behind the delivery of an order that is under way.
	ready    []*delivery            // Due, and first in its line.
	inFlight int
	pending  int
	lastID   int64
	running  sync.WaitGroup
}

// hooks are what a sender needs of the sandbox.
type hooks struct {
	// fault says what is wrong now with the signatures of an order's events.
	fault func(orderReference string) SignatureFault
	// changed says that a delivery was changed. The sender's lock is held, and
	// it must not block.
	changed func(*delivery)
	// settled returns once what changed before is kept, or cannot be.
	settled func(context.Context) bool
}

func newSender(courier courier, agenda *agenda, logger *slog.Logger, retry Retry, hooks hooks) *sender {
	return &sender{
		courier: courier, agenda: agenda, logger: logger, retry: retry, hooks: hooks,
		lines: make(map[string][]*delivery),
	}
}

// keep gives a delivery its number and shows it; it is not sent yet.
func (s *sender) keep(added *delivery, stage stage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	added.id, added.stage, added.made = s.lastID, stage, s.courier.now()
	if !added.over() {
		s.pending++
	}
	if len(s.kept) == maxKept {
		s.kept[0].hide()
		s.hooks.changed(s.kept[0])
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, added)
	s.hooks.changed(added)
}

// send has a kept delivery tried after a delay.
func (s *sender) send(sent *delivery, delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan(sent, delay)
}

// again has a delivery tried now, whatever came of it, unless a try is under
// way. It returns false when the delivery is no longer kept.
func (s *sender) again(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.kept, func(kept *delivery) bool { return kept.id == id })
	if at < 0 {
		return false
	}
	chosen := s.kept[at]
	switch {
	case chosen.stage == sending, chosen.stage == held:
		return true
	case chosen.over():
		s.pending++
	}
	chosen.tries = 0
	s.agenda.drop(chosen.entry)
	s.plan(chosen, 0)
	return true
}

// full tells whether too much waits to take new work.
func (s *sender) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending >= maxPending
}

// plan puts a delivery on the agenda. The lock must be held.
func (s *sender) plan(planned *delivery, delay time.Duration) {
	planned.stage, planned.next = waiting, s.courier.now().Add(delay)
	s.hooks.changed(planned)
	s.schedule(planned)
}

// schedule has a delivery sent at its time. The lock must be held.
func (s *sender) schedule(planned *delivery) {
	planned.entry = s.agenda.add(planned.next, func(ctx context.Context) { s.due(ctx, planned) })
}

// restore takes over the deliveries of an earlier sender.
func (s *sender) restore(deliveries []*delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(deliveries, func(a, b *delivery) int { return cmp.Compare(a.id, b.id) })
	seen := max(0, len(deliveries)-maxKept)
	for _, unseen := range deliveries[:seen] {
		unseen.hide()
		s.hooks.changed(unseen)
	}
	s.kept = slices.Clone(deliveries[seen:])
	for _, restored := range deliveries {
		s.lastID = max(s.lastID, restored.id)
		if restored.over() {
			continue
		}
		s.pending++
		if restored.stage != held {
			restored.stage = waiting
			s.schedule(restored)
		}
	}
}

// due starts a delivery whose time has come, or lines it up behind the one of
// its order that is under way.
func (s *sender) due(ctx context.Context, due *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	due.stage, due.entry = sending, nil
	s.hooks.changed(due)
	if line, busy := s.lines[due.order]; busy {
		s.lines[due.order] = append(line, due)
		return
	}
	s.lines[due.order] = nil
	s.ready = append(s.ready, due)
	s.start(ctx)
}

// start tries what is ready as far as there is room. The lock must be held.
func (s *sender) start(ctx context.Context) {
	for s.inFlight < maxInFlight && len(s.ready) > 0 && ctx.Err() == nil {
		next := s.ready[0]
		s.ready[0], s.ready = nil, s.ready[1:] // Not kept alive by the slice.
		s.inFlight++
		s.running.Go(func() {
			s.hooks.settled(ctx) // No event tells of what a restart would undo.
			tried := s.courier.carry(ctx, next.parcel, s.hooks.fault(next.order))
			s.settle(ctx, next, tried)
			s.hooks.settled(ctx)
		})
	}
}

// settle notes what came of a try, plans the next one, and lets the next
// delivery of the same order go.
func (s *sender) settle(ctx context.Context, settled *delivery, tried attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settled.note(tried)
	defer s.hooks.changed(settled)
	wait, another := s.retry.wait(settled.tries, tried)
	s.log(settled, tried, wait, another)
	switch {
	case tried.accepted():
		settled.stage = delivered
		s.pending--
	case !another:
		settled.stage = abandoned
		s.pending--
	default:
		s.plan(settled, wait)
	}
	s.inFlight--
	if line := s.lines[settled.order]; len(line) > 0 {
		s.ready = append(s.ready, line[0])
		s.lines[settled.order] = line[1:]
	} else {
		delete(s.lines, settled.order)
	}
	s.start(ctx)
}

// log says how a try ended and, of one that the merchant did not accept, when
// the next one is, or that there is none.
func (s *sender) log(settled *delivery, tried attempt, wait time.Duration, another bool) {
	fields := []any{
		slog.String(logOrder, settled.order), slog.String(logEvent, string(settled.kind)),
		slog.Int(logTry, settled.tries),
	}
	if tried.accepted() {
		s.logger.Info("event delivered", append(fields, slog.Int(logStatus, tried.status))...)
		return
	}
	then := "giving up"
	if another {
		then = "next try in " + wait.Round(100*time.Millisecond).String()
	}
	fields = append(fields, slog.String(logThen, then))
	if tried.failure != "" {
		s.logger.Warn("event not delivered", append(fields, slog.String(logFailure, tried.failure))...)
		return
	}
	s.logger.Warn("event not accepted", append(fields, slog.Int(logStatus, tried.status))...)
}
