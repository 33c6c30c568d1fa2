package drawer

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
)

const (
	askFor   = 10 * time.Second // How long a change is repeated while its result is unknown.
	askPause = 200 * time.Millisecond
)

// ErrIDTaken says that the ID given to [Service.Once] was already used for another change.
var ErrIDTaken = errors.New("another change has this ID: give each change an ID of its own")

// UnknownError is returned if it is not known whether a change is stored, and repeating the change
// gave no answer in time. It wraps [payments.ErrCommitUnknown].
type UnknownError struct {
	ID  string // ID for repeating the change with [Service.Once]; the change is not recorded twice.
	Err error
}

func (e *UnknownError) Error() string { return e.Err.Error() }

func (e *UnknownError) Unwrap() error { return e.Err }

// Request is the record of a change that the store keeps, so that a repeat with the same ID changes
// nothing.
type Request struct {
	ID     string
	Digest [sha256.Size]byte // Digest of the values that the person entered.
	Ref    string            // Number of the cash sale or of the closing that the change made; else empty.
	At     time.Time
}

// Once returns a service that gives its next change the caller's ID, so that the change can be
// repeated safely: a repeat only returns the earlier result. If the ID belongs to another change,
// the error is [ErrIDTaken]. A change is a call of a method that may return an [*UnknownError].
func (s *Service) Once(id string) *Service {
	once := *s
	once.id = id
	return &once
}

// Repeated reports whether the store already had the change. The method that was called on the
// service from [Service.Once] then recorded nothing.
func (s *Service) Repeated() bool { return s.repeated }

// CashOf returns the cash sale that [Service.Take] made with an ID of [Service.Once], or
// [ErrNotFound]. It reads in an Update, which waits for a commit that is still running.
func (s *Service) CashOf(ctx context.Context, id string) (sale CounterSale, err error) {
	err = s.store.Update(ctx, func(all payments.Tx) error {
		request, err := in(all).Request(id)
		if err == nil {
			sale, err = in(all).Cash(request.Ref)
		}
		return err
	})
	return sale, err
}

// digestOf returns the SHA-256 of the values that a person entered: of the length and the text of
// each. It does not depend on names in the code, so that a change can be repeated after an upgrade.
func digestOf(asked []any) [sha256.Size]byte {
	var text []byte
	add := func(values ...any) {
		for _, value := range values {
			field := fmt.Sprint(value)
			text = fmt.Appendf(text, "%d:%s", len(field), field)
		}
	}
	for _, value := range asked {
		items, are := value.([]payments.Item)
		if !are {
			add(value)
			continue
		}
		add(len(items))
		for _, item := range items {
			measure := item.Measure
			add(item.Label, item.UnitPrice, item.Quantity, item.ListPrice, measure.Article, measure.Thousandths, measure.Unit, measure.Price)
		}
	}
	return sha256.Sum256(text)
}

// unlessStored makes a change like once. If the change is stored already, it does nothing.
func (s *Service) unlessStored(
	ctx context.Context, who staff.Identity, asked []any, change func(tx Tx, by staff.Cashier, request *Request) error,
) error {
	return s.once(ctx, &who, asked, func(tx Tx, by staff.Cashier, request *Request, stored bool) error {
		if stored {
			return nil
		}
		return change(tx, by, request)
	})
}

// once makes a change in a transaction, with the service's ID or with a new one. asked contains the
// values that the person entered. change gets the request, and sets request.Ref. If stored is true,
// the change was made before, and change must only read the result. If who is nil, no identity is
// checked.
//
// If the answer to the commit was lost, once repeats the change until the database answers. It
// returns an [*UnknownError] after the time askFor or at the end of ctx.
func (s *Service) once(
	ctx context.Context, who *staff.Identity, asked []any,
	change func(tx Tx, by staff.Cashier, request *Request, stored bool) error,
) error {
	id, digest := cmp.Or(s.id, rand.Text()), digestOf(asked)
	first := true   // Whether this is the first attempt: a later one may find what an earlier one stored.
	absent := false // Whether the last attempt found that no earlier attempt was stored.
	run := func(all payments.Tx, by staff.Cashier) error {
		tx := in(all)
		request, err := tx.Request(id)
		absent = err == nil && request.ID == ""
		switch {
		case err != nil:
			return err
		case !absent && request.Digest != digest:
			return ErrIDTaken
		case !absent:
			if s.id != "" { // Several calls may share a service without an ID, so do not write to it.
				s.repeated = first
			}
			return change(tx, by, &request, true)
		}
		request = Request{ID: id, Digest: digest, At: s.Now().UTC()}
		if err := change(tx, by, &request, false); err != nil {
			return err
		}
		return tx.InsertRequest(request)
	}
	attempt := func() error {
		absent = false
		if who == nil {
			return s.store.Update(ctx, func(tx payments.Tx) error { return run(tx, staff.Cashier{}) })
		}
		return s.Guarded(ctx, *who, run)
	}
	err := attempt()
	first = false
	for end := time.After(askFor); errors.Is(err, payments.ErrCommitUnknown); {
		select {
		case <-ctx.Done():
			return &UnknownError{id, err}
		case <-end:
			return &UnknownError{id, err}
		case <-time.After(askPause):
		}
		again := attempt()
		if again == nil || absent || errors.Is(again, ErrIDTaken) || errors.Is(again, staff.ErrWrongPIN) {
			err = again
		} // Otherwise keep the earlier error: the outcome is still unknown.
	}
	return err
}
