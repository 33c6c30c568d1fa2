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
	// maxTries bounds the tries of a delivery that are kept.
	maxTries = 20
	// maxTimer is the longest timer: timers stand still while a machine sleeps, so
	// the wall clock is read again at least this often.
	maxTimer = time.Minute
)

// Config says where a queue sends to, and what it needs of its owner. The
// functions are called without the queue's lock.
type Config struct {
	URL       string // Of the webhook; empty: every delivery is abandoned.
	Retry     Retry
	Transport http.RoundTripper
	Now       payments.Clock
	// Sign sets the signature of a body for an order's event, and says how.
	Sign func(order string, body []byte, header http.Header) string
	// Save makes everything durable that changed before. It is called before each
	// try, so that no event tells of what a restart would undo, and after it.
	Save func()
	// Tried is called after each try.
	Tried func(Delivery)
}

// Queue sends deliveries: one at a time for each order, retried after a failure.
// It is safe for concurrent use; nothing is sent until [Queue.Run].
type Queue struct {
	config Config
	client *http.Client
	tries  sync.WaitGroup

	mu        sync.Mutex
	start     func(*Delivery) // Starts the goroutine of a try; nil unless Run runs.
	inFlight  int             // Tries, also of deliveries that a reset forgot.
	timer     *time.Timer     // Until the next delivery is due; nil before the first.
	all       []*Delivery     // By ID.
	lastID    int64
	lastPlace int64
}

// NewQueue returns an empty queue.
func NewQueue(config Config) *Queue {
	return &Queue{config: config, client: newClient(config.Transport)}
}

// Run sends deliveries until ctx ends and the tries under way have ended with it.
func (q *Queue) Run(ctx context.Context) {
	q.mu.Lock()
	q.start = func(next *Delivery) { q.tries.Go(func() { q.try(ctx, next) }) }
	q.dispatch()
	q.mu.Unlock()
	<-ctx.Done()
	q.mu.Lock()
	q.start = nil
	q.mu.Unlock()
	q.tries.Wait()
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
		if surplus <= 0 || !d.Done() {
			return false
		}
		surplus--
		return true
	})
	q.dispatch()
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
	q.dispatch()
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
		q.dispatch()
	}
	return *found, true
}

// Full tells whether too many deliveries are pending to take new work.
func (q *Queue) Full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	pending := 0
	for _, delivery := range q.all {
		if !delivery.Done() {
			pending++
		}
	}
	return pending >= maxPending
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

// Find returns one delivery.
func (q *Queue) Find(id int64) (Delivery, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if found := q.find(id); found != nil {
		return *found, true
	}
	return Delivery{}, false
}

// Reset forgets everything. The outcome of a try under way is dropped.
func (q *Queue) Reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all = nil
}

// Restore takes over the list of an earlier queue, before Run.
func (q *Queue) Restore(list []Delivery) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, restored := range slices.Backward(list) {
		q.lastID, q.lastPlace = restored.ID, max(q.lastPlace, restored.Place)
		q.all = append(q.all, &restored)
	}
	for _, restored := range q.all {
		// Whether a try that was cut off has arrived nobody knows.
		if restored.Stage == Sending || restored.Stage == Waiting && restored.NextTryAt == nil {
			q.plan(restored, 0)
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
	q.lastPlace++
	at := q.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt, planned.Place = Waiting, &at, q.lastPlace
}

// dispatch starts the tries that are due: by time, then as they were planned, of
// each order one. It sets the timer for the next. The lock must be held.
func (q *Queue) dispatch() {
	if q.start == nil || q.inFlight == maxInFlight { // The end of a try dispatches again.
		return
	}
	now, pause := q.config.Now(), time.Duration(0)
	busy := make(map[string]bool)
	var due []*Delivery
	for _, delivery := range q.all {
		switch delivery.Stage {
		case Sending:
			busy[delivery.Order] = true
		case Waiting:
			wait := delivery.NextTryAt.Sub(now)
			if wait <= 0 {
				due = append(due, delivery)
			} else if pause == 0 || wait < pause {
				pause = min(wait, maxTimer)
			}
		}
	}
	if pause > 0 {
		q.wake(pause)
	}
	slices.SortFunc(due, func(a, b *Delivery) int {
		return cmp.Or(a.NextTryAt.Compare(*b.NextTryAt), cmp.Compare(a.Place, b.Place))
	})
	for _, next := range due {
		if !busy[next.Order] && q.inFlight < maxInFlight {
			busy[next.Order] = true
			q.inFlight++
			next.Stage, next.NextTryAt = Sending, nil
			q.start(next)
		}
	}
}

// wake dispatches again after a pause. The lock must be held.
func (q *Queue) wake(pause time.Duration) {
	if q.timer != nil {
		q.timer.Stop()
	}
	q.timer = time.AfterFunc(pause, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.dispatch()
	})
}

// try sends a delivery once, and tells the owner.
func (q *Queue) try(ctx context.Context, next *Delivery) {
	q.config.Save()
	q.mu.Lock()
	sent := *next
	q.mu.Unlock()
	tried := q.send(ctx, sent)
	q.mu.Lock()
	stopped := ctx.Err() != nil
	if stopped {
		q.start = nil // Run ends as well.
	}
	q.inFlight--
	if q.find(next.ID) == next { // Else it was forgotten meanwhile.
		q.record(next, tried, stopped)
	}
	q.dispatch()
	sent = *next
	q.mu.Unlock()
	q.config.Tried(sent)
	q.config.Save()
}

// record notes a try and plans the next one. The lock must be held.
func (q *Queue) record(sent *Delivery, tried Try, stopped bool) {
	if stopped && tried.Status == 0 {
		q.plan(sent, 0) // Cut off by the end of Run: sent again after a restart.
		return
	}
	sent.Round++
	sent.Tries = append(slices.Clone(sent.Tries[max(0, len(sent.Tries)-maxTries+1):]), tried) // Copies share the old one.
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
