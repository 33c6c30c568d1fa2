package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// journal gets what changed to the archive, in batches: whoever waits for a
// change saves all that waits with it. Without an archive it does nothing.
type journal struct {
	archive Archive
	// desk is held by whoever changes several things that belong together, so
	// that no batch ends between them.
	desk sync.Locker

	saving chan struct{} // One slot, taken while a batch is saved.

	mu      sync.Mutex
	changes []change
	places  map[subject]int // Of the changes, by what they are about.
	noted   uint64          // How many notes were taken,
	kept    uint64          // and up to which of them all is saved.
}

func newJournal(desk sync.Locker) *journal {
	return &journal{desk: desk, saving: make(chan struct{}, 1)}
}

// subject is what a record is about.
type subject struct {
	kind RecordKind
	name string
}

// change is what is to be saved of a subject; nothing when it is forgotten.
type change struct {
	subject
	now any // Is not changed any more.
}

// note takes down how something is now.
func (j *journal) note(kind RecordKind, name string, now any) {
	if j.archive == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.noted++
	j.put(change{subject{kind, name}, now})
}

// put has a change take the place of an earlier one. The lock must be held.
func (j *journal) put(added change) {
	if at, there := j.places[added.subject]; there {
		j.changes[at] = added
		return
	}
	if j.places == nil {
		j.places = make(map[subject]int)
	}
	j.places[added.subject] = len(j.changes)
	j.changes = append(j.changes, added)
}

// settle returns once all that was noted before is saved, even if ctx ends
// meanwhile. What could not be saved stays to be saved. Neither the sandbox's
// nor the sender's lock must be held.
func (j *journal) settle(ctx context.Context) error {
	if j.archive == nil {
		return nil
	}
	j.mu.Lock()
	wanted, done := j.noted, j.kept == j.noted
	j.mu.Unlock()
	if done {
		return nil
	}
	j.saving <- struct{}{}
	defer func() { <-j.saving }()
	batch, last, done := j.take(wanted)
	if done {
		return nil
	}
	records, err := encode(batch)
	if err == nil {
		err = j.archive.Save(context.WithoutCancel(ctx), records)
	}
	if err != nil {
		j.putBack(batch)
		return fmt.Errorf("keep what changed: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kept = last
	return nil
}

// take hands out what there is to save, and the number of its last note; or
// says that all up to a number is saved already.
func (j *journal) take(wanted uint64) (batch []change, last uint64, done bool) {
	j.desk.Lock()
	defer j.desk.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kept >= wanted {
		return nil, 0, true
	}
	batch, j.changes, j.places = j.changes, nil, nil
	return batch, j.noted, false
}

// putBack puts what was not saved before what was noted since.
func (j *journal) putBack(batch []change) {
	j.mu.Lock()
	defer j.mu.Unlock()
	since := j.changes
	j.changes, j.places = nil, nil
	for _, again := range slices.Concat(batch, since) {
		j.put(again)
	}
}

// encode makes records of changes.
func encode(batch []change) ([]Record, error) {
	records := make([]Record, 0, len(batch))
	for _, each := range batch {
		record := Record{Kind: each.kind, Name: each.name}
		if each.now != nil {
			body, err := json.Marshal(each.now)
			if err != nil {
				return nil, err
			}
			record.Body = body
		}
		records = append(records, record)
	}
	return records, nil
}
