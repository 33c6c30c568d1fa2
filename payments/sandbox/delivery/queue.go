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
	spawn     func(*line, *Delivery) // Starts a try; nil unless Run runs.
	all       []*Delivery            // By ID.
	lines     map[string]*line       // By order; only those with something to send.
	backlog   []*line                // Due, and waiting for a free slot.
	inFlight  int
	lastID    int64
	lastPlace int64
}

// line is the queue of one order.
type line struct {
	order   string
	waiting []*Delivery
	timer   *time.Timer
	busy    bool // A try is under way, or the line is in the backlog.
}

// NewQueue returns an empty queue.
func NewQueue(config Config) *Queue {
	config.Retry = cmp.Or(config.Retry, RetryAll)
	return &Queue{config: config, client: newClient(config.Transport), lines: make(map[string]*line)}
}

// Run sends deliveries until ctx ends and the tries under way have ended with it.
func (q *Queue) Run(ctx context.Context) {
	q.mu.Lock()
	q.spawn = func(line *line, next *Delivery) {
		sent := *next
		q.tries.Go(func() { q.try(ctx, line, next, sent) })
	}
	for _, line := range q.sorted() {
		q.advance(line)
	}
	q.mu.Unlock()
	<-ctx.Done()
	q.mu.Lock()
	q.spawn = nil
	for _, line := range q.lines {
		line.stop()
	}
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
		line.stop()
	}
	q.all, q.backlog, q.lines = nil, nil, make(map[string]*line)
}

// Restore takes over the list of an earlier queue. It must be called before Run,
// and returns false when the list is of no queue.
func (q *Queue) Restore(list []Delivery) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, restored := range slices.Backward(list) {
		if !restored.Stage.known() || restored.ID <= q.lastID || restored.Stage == Waiting && restored.NextTryAt == nil {
			return false
		}
		q.lastID, q.lastPlace = restored.ID, max(q.lastPlace, restored.Place)
		q.all = append(q.all, &restored)
		switch restored.Stage {
		case Sending: // Whether it arrived nobody knows.
			q.plan(&restored, 0)
		case Waiting:
			line := q.line(restored.Order)
			line.waiting = append(line.waiting, &restored)
		}
	}
	return true
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
		found = &line{order: order}
		q.lines[order] = found
	}
	return found
}

// sorted returns the lines by what is to be sent first. The lock must be held.
func (q *Queue) sorted() []*line {
	var lines []*line
	for _, line := range q.lines {
		lines = append(lines, line)
	}
	return slices.SortedFunc(slices.Values(lines), func(a, b *line) int { return compare(a.next(), b.next()) })
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
	q.advance(line)
}

// advance starts the next try of a line when it is due, and sets the timer when
// it is not. The lock must be held.
func (q *Queue) advance(line *line) {
	if q.spawn == nil || line.busy {
		return
	}
	next := line.next()
	if next == nil {
		line.stop()
		delete(q.lines, line.order)
		return
	}
	if wait := next.NextTryAt.Sub(q.config.Now()); wait > 0 {
		line.stop()
		line.timer = time.AfterFunc(min(wait, maxTimer), func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			if q.lines[line.order] == line {
				q.advance(line)
			}
		})
		return
	}
	line.busy = true
	q.backlog = append(q.backlog, line)
	q.start()
}

// start tries the backlog as far as there are free slots. The lock must be held.
func (q *Queue) start() {
	for q.spawn != nil && q.inFlight < maxInFlight && len(q.backlog) > 0 {
		line := q.backlog[0]
		q.backlog[0], q.backlog = nil, q.backlog[1:] // Not kept alive by the slice.
		next := line.next()
		line.waiting = slices.DeleteFunc(line.waiting, func(d *Delivery) bool { return d == next })
		next.Stage, next.NextTryAt = Sending, nil
		q.inFlight++
		q.spawn(line, next)
	}
}

// try sends a delivery once and tells the owner.
func (q *Queue) try(ctx context.Context, line *line, next *Delivery, sent Delivery) {
	q.config.Save()
	tried := q.send(ctx, sent)
	q.finish(ctx, line, next, tried)
	q.mu.Lock()
	result := *next
	q.mu.Unlock()
	q.config.Tried(result)
	q.config.Save()
}

// finish records a try and plans the next one.
func (q *Queue) finish(ctx context.Context, line *line, tried *Delivery, try Try) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inFlight--
	line.busy = false
	defer q.start()
	if q.lines[line.order] != line {
		return // Forgotten meanwhile.
	}
	if ctx.Err() != nil && try.Status == 0 {
		q.plan(tried, 0) // Cut off by the end of Run: sent again after a restart.
		return
	}
	tried.Round++
	tried.Tries = append(slices.Clone(tried.Tries[max(0, len(tried.Tries)-maxTries+1):]), try) // Copies share the old one.
	pause, again := q.config.Retry.backoff(tried.Round, try)
	switch {
	case try.Accepted():
		tried.Stage = Delivered
	case again:
		q.plan(tried, pause)
		return
	default:
		tried.Stage = Abandoned
	}
	q.advance(line)
}

// next returns what is to be sent first, or nil.
func (l *line) next() *Delivery {
	if len(l.waiting) == 0 {
		return nil
	}
	return slices.MinFunc(l.waiting, compare)
}

func (l *line) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// compare orders waiting deliveries: by time, then as they were planned.
func compare(a, b *Delivery) int {
	return cmp.Or(a.NextTryAt.Compare(*b.NextTryAt), cmp.Compare(a.Place, b.Place))
}
