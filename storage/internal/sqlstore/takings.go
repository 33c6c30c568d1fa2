package sqlstore

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
)

const (
	addTaking = `INSERT INTO takings (slot, verdict, orders, amount) VALUES ($1, $2, $3, $4)
		ON CONFLICT (slot, verdict) DO UPDATE SET orders = takings.orders + excluded.orders,
			amount = takings.amount + excluded.amount`

	selectTakings = `SELECT slot, verdict, orders, amount FROM takings
		WHERE slot >= $1 AND slot < $2 ORDER BY slot, verdict`

	movingOrders = selectOrder + `WHERE ` + watched + ` AND verdict = '' AND created_at >= $1 AND created_at < $2
		ORDER BY created_at`

	soldArticles = `SELECT i.label, sum(i.quantity), sum(i.quantity * i.unit_price)
		FROM orders o JOIN order_items i ON i.order_id = o.id
		WHERE o.verdict = 'paid' AND o.paid_at >= $1 AND o.paid_at < $2
		GROUP BY i.label ORDER BY 3 DESC, 1`

	// watched is the condition of the index that holds the orders which are
	// under way and those at which a person must look: few of all.
	watched = `(verdict = '' OR check_from IS NOT NULL)`
)

// Takings returns what a report of a period is made from. What was sold costs
// by the orders of the period, the rest by its length.
func (s *Store) Takings(ctx context.Context, period payments.Period) (payments.Takings, error) {
	var takings payments.Takings
	from, to := period.From.UnixMilli(), period.To.UnixMilli()
	err := s.readers.read(ctx, func(query queryFunc) (err error) {
		if takings.Settled, err = list(query, scanTaking, selectTakings, from, to); err != nil {
			return fmt.Errorf("read takings: %w", err)
		}
		moving, err := list(query, scanOrder, movingOrders, from, to)
		if err != nil {
			return fmt.Errorf("read orders under way: %w", err)
		}
		for _, row := range moving {
			takings.Moving = append(takings.Moving, row.order)
		}
		if !period.Sold {
			return nil
		}
		if takings.Sold, err = list(query, scanSold, soldArticles, from, to); err != nil {
			return fmt.Errorf("read what was sold: %w", err)
		}
		return nil
	})
	return takings, err
}

func scanTaking(scan scanFunc) (taking payments.Taking, err error) {
	var slot int64
	var verdict string
	err = scan(&slot, &verdict, &taking.Count, &taking.Amount)
	taking.At, taking.Verdict = time.UnixMilli(slot).UTC(), payments.Verdict(verdict)
	return taking, err
}

func scanSold(scan scanFunc) (sold payments.Sold, err error) {
	err = scan(&sold.Label, &sold.Quantity, &sold.Amount)
	return sold, err
}

// place is where an order counts in the takings; the zero value is nowhere.
type place struct {
	slot    int64
	verdict payments.Verdict
}

// placeOf returns where an order counts: nowhere while it is not settled.
func placeOf(order payments.Order) place {
	verdict, settled := order.Settled()
	if !settled {
		return place{}
	}
	return place{slot: order.CountedAt().Truncate(payments.Slot).UnixMilli(), verdict: verdict}
}

// takings are the changes of the sums that are not written yet.
type takings map[place]payments.Sum

// move takes an order from one place to another.
func (t *takings) move(amount payments.Ariary, from, to place) {
	if from == to {
		return
	}
	if *t == nil {
		*t = takings{}
	}
	t.add(from, payments.Sum{Count: -1, Amount: -amount})
	t.add(to, payments.Sum{Count: 1, Amount: amount})
}

func (t *takings) add(at place, sum payments.Sum) {
	if at == (place{}) {
		return
	}
	was := (*t)[at]
	(*t)[at] = payments.Sum{Count: was.Count + sum.Count, Amount: was.Amount + sum.Amount}
}

// merge adds the changes of others.
func (t *takings) merge(others takings) {
	if *t == nil {
		*t = others
		return
	}
	for at, sum := range others {
		t.add(at, sum)
	}
}

// write writes the changes, a row for each sum that changed.
func (t takings) write(run func(text string, args ...any) (int64, error)) error {
	for at, sum := range t {
		if sum == (payments.Sum{}) {
			continue
		}
		if _, err := run(addTaking, at.slot, string(at.verdict), sum.Count, int64(sum.Amount)); err != nil {
			return fmt.Errorf("write takings: %w", err)
		}
	}
	return nil
}
