package delivery

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	// maxInFlight bounds the concurrent tries.
	maxInFlight = 32
	// maxHistory bounds the deliveries that are kept once they are done.
	maxHistory = 500
	// maxPending bounds the deliveries that are not done; see [Queue.Full].
	maxPending = 20_000
	// maxPause is the longest pause of [Queue.Run]: timers stand still while a
	// machine sleeps, so the wall clock is read again at least this often.
	maxPause = time.Minute
)

// Config says where a queue sends to, and what it needs of its owner. The
// functions are called without the queue's lock.
type Config struct {
	URL       string // Of the webhook; empty: every delivery is abandoned.
	Retry     Retry
	Transport http.RoundTripper
	Now       payments.Clock
	// Sign sets the signature of a body for an order's event, and says how. It
	// is called before each try.
	Sign func(order string, body []byte, header http.Header) string
	// Tried is called after each try.
	Tried func(Delivery)
}

// Queue sends deliveries: one at a time for each order, retried after a failure.
// It is safe for concurrent use; nothing is sent until [Queue.Run].
type Queue struct {
	config Config
	wake   chan struct{} // One slot: something may be due.

	mu     sync.Mutex
	all    []*Delivery     // By ID.
	queued []*Delivery     // Those that wait, as they were planned.
	busy   map[string]bool // The orders of which a delivery is being sent.
	lastID int64
}

// NewQueue returns an empty queue.
func NewQueue(config Config) *Queue {
	return &Queue{config: config, wake: make(chan struct{}, 1), busy: make(map[string]bool)}
}

// Run sends deliveries until ctx ends and the tries under way have ended with it.
func (q *Queue) Run(ctx context.Context) {
	var tries sync.WaitGroup
	defer tries.Wait()
	for ctx.Err() == nil {
		due, pause := q.take()
		for _, next := range due {
			tries.Go(func() { q.try(ctx, next) })
		}
		select {
		case <-ctx.Done():
		case <-q.wake:
		case <-time.After(pause):
		}
	}
}

// notify has Run look for what is due.
func (q *Queue) notify() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Add queues deliveries whose stage is [Waiting], to be sent after a delay, and
// keeps those that are [Held] or [Dropped]. It returns the first one's ID.
func (q *Queue) Add(delay time.Duration, batch ...Delivery) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.lastID + 1
	for _, added := range batch {
		q.lastID++
		added.ID, added.CreatedAt, added.Tries = q.lastID, q.config.Now().UTC(), []Try{}
		q.all = append(q.all, &added)
		if added.Stage == Waiting {
			q.plan(&added, delay)
		}
	}
	surplus := len(q.all) - maxHistory
	q.all = slices.DeleteFunc(q.all, func(d *Delivery) bool {
		forget := surplus > 0 && d.Done()
		if forget {
			surplus--
		}
		return forget
	})
	return first
}

// Release queues the held deliveries of an order, the newest first.
func (q *Queue) Release(order string, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, held := range slices.Backward(q.all) {
		if held.Order == order && held.Stage == Held {
			q.plan(held, delay)
		}
	}
}

// Resend sends a delivery now, whatever came of it, unless it is held or being
// sent. It returns it, and false when it is not known any more.
func (q *Queue) Resend(id int64) (Delivery, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	found := q.find(id)
	if found == nil {
		return Delivery{}, false
	}
	if found.Stage != Sending && found.Stage != Held {
		found.Round = 0
		q.plan(found, 0)
	}
	return *found, true
}

// Full tells whether too many deliveries are pending to take new work.
func (q *Queue) Full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queued) >= maxPending
}

// List returns all deliveries that are kept, the newest first.
func (q *Queue) List() []Delivery {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]Delivery, 0, len(q.all))
	for _, delivery := range slices.Backward(q.all) {
		list = append(list, *delivery)
	}
	return list
}

// Reset forgets everything. The outcome of a try under way is dropped.
func (q *Queue) Reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all, q.queued = nil, nil
}

// Restore takes over the list of an earlier queue, before Run. Whether a try that
// was cut off has arrived nobody knows: it is sent again.
func (q *Queue) Restore(list []Delivery) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, restored := range slices.Backward(list) {
		q.lastID = restored.ID
		q.all = append(q.all, &restored)
		if restored.Stage == Sending {
			q.plan(&restored, 0)
		} else if restored.Stage == Waiting {
			q.queued = append(q.queued, &restored)
		}
	}
}

// find returns a delivery, or nil. The lock must be held.
func (q *Queue) find(id int64) *Delivery {
	at, found := slices.BinarySearchFunc(q.all, id, func(d *Delivery, id int64) int { return cmp.Compare(d.ID, id) })
	if !found {
		return nil
	}
	return q.all[at]
}

// plan has a delivery wait for its next try, behind those of its order that are
// due before it. The lock must be held.
func (q *Queue) plan(planned *Delivery, delay time.Duration) {
	at := q.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	q.queued = append(slices.DeleteFunc(q.queued, func(d *Delivery) bool { return d == planned }), planned)
	q.notify()
}

// take returns the deliveries that are due now, of each order one, and how long
// it is to the next.
func (q *Queue) take() (due []*Delivery, pause time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now, pause := q.config.Now(), maxPause
	q.queued = slices.DeleteFunc(q.queued, func(next *Delivery) bool {
		if wait := next.NextTryAt.Sub(now); wait > 0 {
			pause = min(pause, wait)
			return false
		}
		if q.busy[next.Order] || len(q.busy) == maxInFlight { // The end of a try looks again.
			return false
		}
		q.busy[next.Order] = true
		next.Stage, next.NextTryAt = Sending, nil
		due = append(due, next)
		return true
	})
	return due, pause
}

// try sends a delivery once, plans the next try, and tells the owner.
func (q *Queue) try(ctx context.Context, next *Delivery) {
	q.mu.Lock()
	sent := *next
	q.mu.Unlock()
	tried := q.send(ctx, sent)
	q.mu.Lock()
	delete(q.busy, next.Order)
	if q.find(next.ID) == next { // Else it was forgotten meanwhile.
		q.record(next, tried, ctx.Err() != nil)
	}
	q.notify()
	sent = *next
	q.mu.Unlock()
	q.config.Tried(sent)
}

// record notes a try and plans the next one. The lock must be held.
func (q *Queue) record(sent *Delivery, tried Try, stopped bool) {
	if stopped && tried.Status == 0 {
		q.plan(sent, 0) // Cut off by the end of Run: sent again after a restart.
		return
	}
	sent.Round++
	sent.Tries = append(slices.Clone(sent.Tries), tried) // Copies share the old one.
	pause, again := q.config.Retry.backoff(sent.Round, tried)
	switch {
	case tried.Accepted():
		sent.Stage = Delivered
	case again:
		q.plan(sent, pause)
	default:
		sent.Stage = Abandoned
	}
}
