package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ErrRecord says that what an archive holds is nothing that this sandbox wrote.
var ErrRecord = errors.New("the data file holds what this program cannot read: use another file, or the program that made it")

// Archive keeps what a sandbox must know after a restart. It is told of no
// secret: no record holds the token, the webhook secret or a signature.
type Archive interface {
	// Load returns what is kept, in the order in which each was first saved.
	Load(ctx context.Context) ([]Record, error)
	// Save keeps records, each instead of the one of the same kind and name
	// there may be, and forgets those that have no body. It does all or
	// nothing. What it returned nil for outlives the process, however that
	// ends. It is called by one goroutine at a time.
	Save(ctx context.Context, records []Record) error
}

// Record is one thing that an [Archive] keeps.
type Record struct {
	Kind RecordKind
	Name string // Unique among those of the kind.
	Body []byte // A JSON object; empty for what is to be forgotten.
}

// RecordKind is what a record is about.
type RecordKind string

// The kinds of records.
const (
	RecordOrder    RecordKind = "order"    // By its order reference.
	RecordDelivery RecordKind = "delivery" // By its number.
)

// Reopen returns a sandbox that goes on where the last one with this archive
// ended, in whatever way that was: its links are open for as long as they were,
// what fell due meanwhile happens as soon as [Sandbox.Run] runs, and what was
// on its way is sent, an event perhaps twice. From now on an answer to a request
// that changed something is given once the change is kept; it is 500 when that
// fails. What goes wrong with all orders is not kept.
//
// The errors are those of [New], of the archive, and [ErrRecord]. The archive
// must stay open until Run has ended and the last request is answered.
func Reopen(ctx context.Context, archive Archive, config Config, options ...Option) (*Sandbox, error) {
	options = append(slices.Clip(options), func(s *Sandbox) { s.journal.archive = archive })
	made, err := New(config, options...)
	if err != nil {
		return nil, err
	}
	records, err := archive.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("reopen the sandbox: %w", err)
	}
	if err := made.restore(records); err != nil {
		return nil, err
	}
	return made, nil
}

// restore takes over what an archive holds.
func (s *Sandbox) restore(records []Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var deliveries []*delivery
	for _, record := range records {
		var err error
		switch record.Kind {
		case RecordOrder:
			var kept orderRecord
			if err = json.Unmarshal(record.Body, &kept); err == nil {
				err = s.restoreOrder(kept)
			}
		case RecordDelivery:
			var kept deliveryRecord
			if err = json.Unmarshal(record.Body, &kept); err == nil && !kept.Stage.known() {
				err = errors.New("no such stage")
			}
			deliveries = append(deliveries, kept.delivery())
		default:
			err = errors.New("no such kind")
		}
		if err != nil {
			return fmt.Errorf("%w (%s %s: %w)", ErrRecord, record.Kind, record.Name, err)
		}
	}
	s.sender.restore(deliveries)
	for _, restored := range deliveries {
		if order := s.book.byName[restored.order]; restored.stage == held && order != nil {
			order.held = append([]*delivery{restored}, order.held...)
		}
	}
	return nil
}

// restoreOrder takes over one order. The lock must be held.
func (s *Sandbox) restoreOrder(kept orderRecord) error {
	restored := kept.order()
	if err := s.book.check(restored.request.Reference); err != nil {
		return err
	}
	if restored.reference == "" || restored.link == "" || !restored.state.known() {
		return errors.New("a field is missing")
	}
	s.book.add(restored)
	s.expect(restored)
	return nil
}
