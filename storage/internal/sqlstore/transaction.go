package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"checkout/till/payments"
)

var (
	_ payments.Tx       = (*transaction)(nil)
	_ payments.EventLog = eventLog{}
	_ payments.Sales    = desk{}
	_ payments.Staff    = office{}
)

// errOver says that a transaction was kept and used after its change returned.
var errOver = errors.New("the transaction is over")

// The change sequence grows by one with each commit that changed something.
// The probe's row is what [Store.Probe] writes.
const (
	selectSequence = `SELECT value FROM meta WHERE key = 'change_seq'`
	updateSequence = `UPDATE meta SET value = $1 WHERE key = 'change_seq'`
	selectProbe    = `SELECT value FROM meta WHERE key = 'probe'`
	updateProbe    = `UPDATE meta SET value = $1 WHERE key = 'probe'`
)

// transaction is one change's view of the batch that it runs in.
type transaction struct {
	calls
	batch    *batch
	over     bool
	wrote    bool
	changed  bool
	repeated []delivered // Events that were known.
	takings  takings     // What the change makes of the sums.
	last     orderRow    // The order that was read or written last.
}

// calls are how a batch runs statements.
type calls struct {
	run  func(text string, args ...any) (int64, error)
	read queryFunc
	text func(query string, args ...any) (string, error)
}

func newCalls(ctx context.Context, s *session) calls {
	return calls{
		run:  s.execIn(ctx),
		read: s.querying(ctx),
		text: func(query string, args ...any) (string, error) { return pick[string](ctx, s, query, args...) },
	}
}

// exec runs a statement that changes what watchers see, and returns how many
// rows it wrote.
func (t *transaction) exec(text string, args ...any) (int64, error) {
	if t.over {
		return 0, errOver
	}
	written, err := t.run(text, args...)
	t.note(written)
	return written, err
}

// query runs a query. One that writes must be noted.
func (t *transaction) query(text string, args ...any) (*sql.Rows, error) {
	if t.over {
		return nil, errOver
	}
	return t.read(text, args...)
}

// note remembers that rows were written.
func (t *transaction) note(written int64) {
	t.wrote = t.wrote || written > 0
	t.changed = t.changed || written > 0
}

// probe writes a new number into the probe's row and returns it.
func (t *transaction) probe() (int64, error) {
	last, err := one(t.query, scanInt, selectProbe)
	if err != nil {
		return 0, err
	}
	written, err := t.run(updateProbe, last+1)
	t.wrote = t.wrote || written > 0
	return last + 1, err
}

// Events returns the transaction's part for events.
func (t *transaction) Events() payments.EventLog { return eventLog{t} }

// Sales returns the transaction's part for tills.
func (t *transaction) Sales() payments.Sales { return desk{t} }

// Staff returns the transaction's part for people.
func (t *transaction) Staff() payments.Staff { return office{t} }

// Order returns the order of a reference, without its items.
func (t *transaction) Order(reference string) (payments.Order, error) {
	return t.look(orderOf(t.query, scanOrder, orderByReference, reference))
}

// OrderOf returns the order of the service's order reference, without its
// items.
func (t *transaction) OrderOf(orderReference string) (payments.Order, error) {
	if t.over {
		return payments.Order{}, errOver
	}
	row, err := orderFound(packedOrder(t.text(packedOrderOfEvent, orderReference)))
	if errors.Is(err, errPacked) {
		row, err = orderOf(t.query, scanOrderOfEvent, orderOfEvent, orderReference)
	}
	return t.look(row, err)
}

// look keeps the order that was read.
func (t *transaction) look(row orderRow, err error) (payments.Order, error) {
	if err == nil {
		t.last = row
	}
	return row.order, err
}

// stored returns an order as it stands in the database. Most often it is the
// one that was looked at last.
func (t *transaction) stored(reference string) (orderRow, error) {
	if t.last.id != 0 && t.last.order.Reference == reference && !t.over {
		return t.last, nil
	}
	_, err := t.Order(reference)
	return t.last, err
}

// orderID returns the key of an order as a value, null for no order.
func (t *transaction) orderID(reference string) (any, error) {
	if reference == "" {
		return nil, nil
	}
	row, err := t.stored(reference)
	if err != nil {
		return nil, fmt.Errorf("find the order of an event: %w", err)
	}
	return row.id, nil
}

// deliveries returns how many deliveries of an event are counted, but not yet
// in the database.
func (t *transaction) deliveries(event delivered) int64 {
	count := t.batch.writer.tally.of(event)
	for _, other := range slices.Concat(t.batch.repeated, t.repeated) {
		if other == event {
			count++
		}
	}
	return count
}

// Siblings returns all orders of a sale, without their items, oldest first. A
// blank sale has none.
func (t *transaction) Siblings(sale string) ([]payments.Order, error) {
	if t.last.alone && t.last.order.Sale == sale && !t.over {
		return []payments.Order{t.last.order}, nil
	}
	rows, err := list(t.query, scanOrder, ordersOfSale, sale)
	if err != nil {
		return nil, fmt.Errorf("read the orders of a sale: %w", err)
	}
	orders := make([]payments.Order, 0, len(rows))
	for _, row := range rows {
		orders = append(orders, row.order)
	}
	return orders, nil
}

// InsertOrder writes a new order with its items.
func (t *transaction) InsertOrder(order payments.Order) error {
	if err := t.batch.writer.doctor.keeper.Room(); err != nil {
		return err
	}
	id, err := one(t.query, scanInt, insertOrder(), orderValues(order, t.batch.sequence)...)
	if missing(err) {
		return t.whyTaken(order.Reference)
	}
	if err != nil {
		return fmt.Errorf("insert order: %w", err)
	}
	t.note(1)
	t.takings.move(order.Amount, place{}, placeOf(order))
	t.last = orderRow{id: id, order: order}
	if err := t.indexNew(id); err != nil {
		return err
	}
	for i, item := range order.Items {
		if _, err := t.exec(insertItem, id, i+1, item.Label, int64(item.UnitPrice), item.Quantity, int64(item.ListPrice)); err != nil {
			return fmt.Errorf("insert item %d: %w", i+1, err)
		}
	}
	return nil
}

// whyTaken returns why an order was not inserted.
func (t *transaction) whyTaken(reference string) error {
	_, err := t.Order(reference)
	switch {
	case errors.Is(err, payments.ErrNotFound):
		return payments.ErrOrderReferenceTaken
	case err != nil:
		return err
	}
	return payments.ErrReferenceTaken
}

// SaveOrder writes what may change of an order, and moves it to its place in
// the takings. [payments.ErrNotFound] when there is no such order.
func (t *transaction) SaveOrder(order payments.Order) error {
	row, err := t.stored(order.Reference)
	if err != nil {
		return err
	}
	// The terms stay, and count as they are stored.
	was := row.order
	order.Sale, order.Amount, order.CreatedAt = was.Sale, was.Amount, was.CreatedAt
	if order.OrderReference != was.OrderReference {
		if err := t.saveOrderReference(row.id, was.OrderReference, order.OrderReference); err != nil {
			return err
		}
	}
	// No sequence is 0, so that it always differs.
	before, after := stateValues(was, 0), stateValues(order, t.batch.sequence)
	columns, values := change(row.id, &before, &after)
	if _, err := t.exec(t.batch.session.saving(columns), values...); err != nil {
		return fmt.Errorf("save order: %w", err)
	}
	t.takings.move(was.Amount, placeOf(was), placeOf(order))
	row.order = order
	t.last = row
	return nil
}

// saveOrderReference writes an order's order reference, and lets the order be
// found by it.
func (t *transaction) saveOrderReference(id int64, was, now string) error {
	written, err := t.exec(saveOrderReference, id, now, lateText(was), lateText(now), was)
	if err != nil {
		return fmt.Errorf("save order reference: %w", err)
	}
	if written == 0 {
		return payments.ErrOrderReferenceTaken
	}
	return t.indexLate(id, lateText(now))
}
