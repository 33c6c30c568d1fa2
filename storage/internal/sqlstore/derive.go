package sqlstore

import (
	"context"
	"fmt"

	"checkout/till/payments"
)

const (
	// Set by a step of the schema after which the orders' rows must be derived
	// anew.
	selectDerive  = `SELECT value FROM meta WHERE key = 'derive'`
	selectCopying = `SELECT value FROM meta WHERE key = 'copying'`

	derived = `UPDATE meta SET value = 0 WHERE key = 'derive'`

	ordersFrom   = selectOrder + `WHERE id > $1 ORDER BY id LIMIT 1000`
	saveDerived  = `UPDATE orders SET (open, verdict, check_from) = ($2, $3, $4) WHERE id = $1`
	emptyTakings = `DELETE FROM takings`
)

// condition is in what condition a database is found, read at once because a
// start waits for it.
type condition struct {
	sequence int64 // The change sequence.
	derive   int64 // Not zero when orders must be derived anew.
	copying  int64 // Not zero while a copy into the database is not whole.
	indexed  int64 // The last order in the index by which texts are searched for.
	newest   int64 // The newest order, when there is such an index.
}

func selectCondition(grams Grams) string {
	index := `, -1, 0`
	if grams.Add != "" {
		index = `, (` + lastBlock + `), (` + lastOrder + `)`
	}
	return `SELECT (` + selectSequence + `), (` + selectDerive + `), coalesce((` + selectCopying + `), 0)` + index
}

func scanCondition(scan scanFunc) (found condition, err error) {
	var block int64
	err = scan(&found.sequence, &found.derive, &found.copying, &block, &found.newest)
	_, found.indexed = ends(block)
	return found, err
}

// catchUp does what steps of the schema have left to the program.
func (s *Store) catchUp(ctx context.Context, found condition) error {
	if found.derive != 0 {
		if err := s.deriveAll(ctx); err != nil {
			return fmt.Errorf("derive what is stored of orders: %w", err)
		}
	}
	if due(found.indexed, found.newest) {
		if err := s.indexBlocks(ctx, false); err != nil {
			return fmt.Errorf("index orders: %w", err)
		}
	}
	return nil
}

// derive returns what is stored of the domain's view of an order: its verdict,
// empty while the clock can change it, and from when on a person must look at
// it, in milliseconds since 1970, or null.
func derive(order payments.Order) (verdict string, checkFrom any) {
	if settled, is := order.Settled(); is {
		verdict = string(settled)
	}
	if from, must := order.CheckFrom(); must {
		checkFrom = from.UnixMilli()
	}
	return verdict, checkFrom
}

// deriveAll computes what all orders' rows hold besides facts, and the takings,
// when a step of the schema asked for it. It is one transaction; the rules are
// the domain's, as everywhere. A crash in it leaves it to the next opening.
func (s *Store) deriveAll(ctx context.Context) error {
	return s.writer.do(ctx, func(tx *transaction) error {
		asked, err := one(tx.query, scanInt, selectDerive)
		if err != nil || asked == 0 { // Another process was quicker.
			return err
		}
		for _, text := range []string{derived, emptyTakings} {
			if _, err := tx.exec(text); err != nil {
				return err
			}
		}
		return tx.deriveOrders()
	})
}

func (t *transaction) deriveOrders() error {
	for last := int64(0); ; {
		rows, err := list(t.query, scanOrder, ordersFrom, last)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			verdict, checkFrom := derive(row.order)
			if _, err := t.exec(saveDerived, row.id, row.order.Open(), verdict, checkFrom); err != nil {
				return err
			}
			t.takings.move(row.order.Amount, place{}, placeOf(row.order))
			last = row.id
		}
	}
}
