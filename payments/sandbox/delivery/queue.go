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
	config  Config
	client  *http.Client
	slots   chan struct{} // A semaphore of the concurrent tries.
	running sync.WaitGroup

	mu        sync.Mutex
	serve     func(*line)      // Starts the goroutine of a line; nil unless Run runs.
	all       []*Delivery      // By ID.
	lines     map[string]*line // By order; only those with something to send.
	lastID    int64
	lastPlace int64
}

// line is the queue of one order, with a goroutine of its own.
type line struct {
	order   string
	waiting []*Delivery
	wake    chan struct{} // One slot: something was added.
}

// NewQueue returns an empty queue.
func NewQueue(config Config) *Queue {
	config.Retry = cmp.Or(config.Retry, RetryAll)
	return &Queue{
		config: config, client: newClient(config.Transport), slots: make(chan struct{}, maxInFlight),
		lines: make(map[string]*line),
	}
}

// Run sends deliveries until ctx ends and the tries under way have ended with it.
func (q *Queue) Run(ctx context.Context) {
	q.mu.Lock()
	q.serve = func(line *line) { q.running.Go(func() { q.run(ctx, line) }) }
	for _, line := range q.lines {
		q.serve(line)
	}
	q.mu.Unlock()
	<-ctx.Done()
	q.mu.Lock()
	q.serve = nil
	q.mu.Unlock()
	q.running.Wait()
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
	for len(q.all) > maxHistory {
		oldest := slices.IndexFunc(q.all, func(d *Delivery) bool { return d.Done() })
		if oldest < 0 {
			break
		}
		q.all = slices.Delete(q.all, oldest, oldest+1)
	}
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
// sent. It returns false when the delivery is not known any more.
func (q *Queue) Resend(id int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	found := q.find(id)
	if found != nil && found.Stage != Sending && found.Stage != Held {
		found.Round = 0
		q.plan(found, 0)
	}
	return found != nil
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
	for _, line := range q.lines {
		line.notify() // Its goroutine ends.
	}
	q.all, q.lines = nil, make(map[string]*line)
}

// Restore takes over the list of an earlier queue, before Run.
func (q *Queue) Restore(list []Delivery) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, restored := range slices.Backward(list) {
		q.lastID, q.lastPlace = restored.ID, max(q.lastPlace, restored.Place)
		q.all = append(q.all, &restored)
		if restored.Stage == Waiting && restored.NextTryAt != nil {
			line := q.line(restored.Order)
			line.waiting = append(line.waiting, &restored)
		} else if restored.Stage == Sending { // Whether it arrived nobody knows.
			q.plan(&restored, 0)
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

// line returns the line of an order. The lock must be held.
func (q *Queue) line(order string) *line {
	found, known := q.lines[order]
	if !known {
		found = &line{order: order, wake: make(chan struct{}, 1)}
		q.lines[order] = found
		if q.serve != nil {
			q.serve(found)
		}
	}
	return found
}

// plan queues a delivery behind those of its order that are due before it. The
// lock must be held.
func (q *Queue) plan(planned *Delivery, delay time.Duration) {
	q.lastPlace++
	at := q.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt, planned.Place = Waiting, &at, q.lastPlace
	line := q.line(planned.Order)
	if !slices.Contains(line.waiting, planned) {
		line.waiting = append(line.waiting, planned)
	}
	line.notify()
}

// run sends the deliveries of a line, each when it is due, until there are none.
func (q *Queue) run(ctx context.Context, line *line) {
	for {
		wait, more := q.wait(line)
		if !more {
			return
		}
		if wait > 0 {
			select {
			case <-time.After(min(wait, maxTimer)):
			case <-line.wake:
			case <-ctx.Done():
				return
			}
			continue
		}
		select {
		case q.slots <- struct{}{}:
			q.try(ctx, line)
			<-q.slots
		case <-ctx.Done():
			return
		}
	}
}

// wait returns how long it is to the next try of a line, and false when there is
// none: the line is gone then.
func (q *Queue) wait(line *line) (time.Duration, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lines[line.order] != line {
		return 0, false // Forgotten meanwhile.
	}
	if len(line.waiting) == 0 {
		delete(q.lines, line.order)
		return 0, false
	}
	return line.next().NextTryAt.Sub(q.config.Now()), true
}

// try sends the next delivery of a line once, and tells the owner.
func (q *Queue) try(ctx context.Context, line *line) {
	q.mu.Lock()
	if q.lines[line.order] != line {
		q.mu.Unlock()
		return // Forgotten meanwhile.
	}
	next := line.next()
	line.waiting = slices.DeleteFunc(line.waiting, func(d *Delivery) bool { return d == next })
	next.Stage, next.NextTryAt = Sending, nil
	sent := *next
	q.mu.Unlock()
	q.config.Save()
	tried := q.send(ctx, sent)
	q.mu.Lock()
	if q.lines[line.order] == line {
		q.record(next, tried, ctx.Err() != nil)
	}
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

// next returns what is to be sent first: by time, then as it was planned.
func (l *line) next() *Delivery {
	return slices.MinFunc(l.waiting, func(a, b *Delivery) int {
		return cmp.Or(a.NextTryAt.Compare(*b.NextTryAt), cmp.Compare(a.Place, b.Place))
	})
}

func (l *line) notify() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
