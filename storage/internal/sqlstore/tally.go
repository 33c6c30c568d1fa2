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
	counts map[delivered]int64
}

// delivered names an event of which there was a delivery. After a server that
// lacks the last commits has taken over, a number can be another event's.
type delivered struct {
	sequence int64
	id       payments.EventID
}

func nameOf(record payments.Record) delivered { return delivered{record.Sequence, record.ID} }

func newTally() *tally { return &tally{counts: map[delivered]int64{}} }

// of returns how many deliveries of an event the database does not know.
func (t *tally) of(event delivered) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[event]
}

// add counts deliveries.
func (t *tally) add(deliveries []delivered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, event := range deliveries {
		t.counts[event]++
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
func (t *tally) with(deliveries []delivered) map[delivered]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := maps.Clone(t.counts)
	for _, event := range deliveries {
		counts[event]++
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
		records[i].Count += t.of(nameOf(records[i]))
	}
}

const countDeliveries = `UPDATE events SET count = count + $3 WHERE sequence = $1 AND id = $2`

// writeTally writes the counts of deliveries, those of the batch among them.
func (b *batch) writeTally(run func(text string, args ...any) (int64, error)) error {
	for event, count := range b.writer.tally.with(b.repeated) {
		if _, err := run(countDeliveries, event.sequence, event.id[:], count); err != nil {
			return fmt.Errorf("count deliveries: %w", err)
		}
	}
	return nil
}
