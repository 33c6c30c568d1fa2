package sqlstore

import (
	"fmt"
	"maps"
	"sync"

	"checkout/till/payments"
)

// maxTally is for how many events deliveries are counted in memory at most.
const maxTally = 1024

// tally counts the deliveries of events that were stored before. They reach the
// disk with the next commit or when the store is closed: a duplicate then costs
// no fsync of its own, and a crash can cost the count and nothing else.
type tally struct {
	mu     sync.Mutex
	counts map[payments.EventID]int64
}

func newTally() *tally { return &tally{counts: map[payments.EventID]int64{}} }

// of returns how many deliveries of an event the database does not know.
func (t *tally) of(id payments.EventID) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[id]
}

// add counts deliveries.
func (t *tally) add(deliveries []payments.EventID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range deliveries {
		t.counts[id]++
	}
}

// due tells whether there are counts to write, and whether they are so many
// that they can wait no longer.
func (t *tally) due() (some, full bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.counts) > 0, len(t.counts) >= maxTally
}

// with returns what is counted, and these deliveries.
func (t *tally) with(deliveries []payments.EventID) map[payments.EventID]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := maps.Clone(t.counts)
	for _, id := range deliveries {
		counts[id]++
	}
	return counts
}

// clear forgets what was written.
func (t *tally) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.counts)
}

// complete adds what is counted to events that were read.
func (t *tally) complete(records []payments.Record) {
	for i := range records {
		records[i].Count += t.of(records[i].ID)
	}
}

const countDeliveries = `UPDATE events SET count = count + $2 WHERE id = $1`

// writeTally writes the counts of deliveries, those of the batch among them.
func (b *batch) writeTally(run func(text string, args ...any) (int64, error)) error {
	for id, count := range b.tally.with(b.repeated) {
		if _, err := run(countDeliveries, id[:], count); err != nil {
			return fmt.Errorf("count deliveries: %w", err)
		}
	}
	return nil
}
