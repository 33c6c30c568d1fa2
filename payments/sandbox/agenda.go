package sandbox

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"checkout/till/payments"
)

// agenda runs things when their time has come.
type agenda struct {
	now  payments.Clock
	wake chan struct{} // One slot: something earlier was added.

	mu      sync.Mutex
	entries entries
	added   uint64
}

// entry is one thing to do. Entries of one moment run in the order they were
// added.
type entry struct {
	at       time.Time
	sequence uint64
	do       func(context.Context)
	index    int // In the heap; -1 once it is out of it.
}

func newAgenda(now payments.Clock) *agenda {
	return &agenda{now: now, wake: make(chan struct{}, 1)}
}

// add has do run at a moment, in the goroutine of run. do must not block.
func (a *agenda) add(at time.Time, do func(context.Context)) *entry {
	a.mu.Lock()
	a.added++
	added := &entry{at: at, sequence: a.added, do: do}
	heap.Push(&a.entries, added)
	// After the machine slept something may be overdue that no alarm told of.
	early := added.index == 0 || !a.entries[0].at.After(a.now())
	a.mu.Unlock()
	if early {
		select {
		case a.wake <- struct{}{}:
		default:
		}
	}
	return added
}

// drop takes an entry out that has not run, if there is one.
func (a *agenda) drop(entry *entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if entry != nil && entry.index >= 0 {
		heap.Remove(&a.entries, entry.index)
	}
}

// run does what is due, one after the other, until ctx ends.
func (a *agenda) run(ctx context.Context) {
	for ctx.Err() == nil {
		due, wait := a.next()
		if due != nil {
			due.do(ctx)
			continue
		}
		var alarm <-chan time.Time
		if wait > 0 {
			alarm = time.After(wait)
		}
		select {
		case <-ctx.Done():
		case <-a.wake:
		case <-alarm:
		}
	}
}

// next takes out the entry that is due, or returns how long it is to the next
// one; 0 when there is none.
func (a *agenda) next() (due *entry, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.entries) == 0 {
		return nil, 0
	}
	if wait = a.entries[0].at.Sub(a.now()); wait > 0 {
		return nil, wait
	}
	due, _ = heap.Pop(&a.entries).(*entry)
	return due, 0
}

// entries is a heap, the earliest entry first.
type entries []*entry

var _ heap.Interface = (*entries)(nil)

func (e entries) Len() int { return len(e) }

func (e entries) Less(i, j int) bool {
	if e[i].at.Equal(e[j].at) {
		return e[i].sequence < e[j].sequence
	}
	return e[i].at.Before(e[j].at)
}

func (e entries) Swap(i, j int) {
	e[i], e[j] = e[j], e[i]
	e[i].index, e[j].index = i, j
}

func (e *entries) Push(added any) {
	if added, ok := added.(*entry); ok {
		added.index = len(*e)
		*e = append(*e, added)
	}
}

func (e *entries) Pop() any {
	last := len(*e) - 1
	out := (*e)[last]
	(*e)[last] = nil
	*e = (*e)[:last]
	out.index = -1
	return out
}
