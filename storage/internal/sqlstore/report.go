package sqlstore

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
)

// Reports read the columns that an order's verdict and sum need. A paid order
// counts at the time of its payment, any other at that of its creation.
const selectCounted = `SELECT id, amount, created_at, expires_at, status, paid_at, success_seen,
	attention, finding_paid, finding_stale FROM orders `

func countedColumns(row *orderRow) []any {
	o, f := &row.order, new(payments.Finding)
	return []any{
		&row.id, &o.Amount, instant(&o.CreatedAt), instant(&o.Link.ExpiresAt), clean(&o.Status, maxKey),
		instant(&o.Facts.PaidAt), &o.Facts.SuccessSeen, attention(&o.Facts), finding(o, f), &f.Stale,
	}
}

const (
	paidOrders   = selectCounted + `WHERE paid_at >= $1 AND paid_at < $2 ORDER BY paid_at, id`
	unpaidOrders = selectCounted + `WHERE paid_at IS NULL AND created_at >= $1 AND created_at < $2 ORDER BY created_at, id`

	soldArticles = `SELECT i.label, sum(i.quantity), sum(i.quantity * i.unit_price)
		FROM orders o JOIN order_items i ON i.order_id = o.id
		WHERE o.paid_at >= $1 AND o.paid_at < $2 AND o.id NOT IN (%s) GROUP BY i.label ORDER BY 3 DESC, 1`
)

func soldColumns(s *payments.Sold) []any {
	return []any{clean(&s.Label, payments.MaxLabelWidth), &s.Quantity, &s.Amount}
}

// Takings calls count with each order that counts in a period, and returns what
// was sold with those for which it returned true.
func (s *Store) Takings(ctx context.Context, period payments.Period, count func(payments.Order) bool) (sold []payments.Sold, err error) {
	from, to := ceilMillis(period.From), ceilMillis(period.To)
	err = s.read(ctx, func(t *tx) error {
		args := []any{from, to, int64(0)} // And the orders that are paid and not sold, which are few; 0 is none.
		for _, text := range []string{paidOrders, unpaidOrders} {
			err := each(t, "read the orders of a period", countedColumns, func(row orderRow) bool {
				if !count(row.order) && row.order.Paid() {
					args = append(args, row.id)
				}
				return true
			}, text, from, to)
			if err != nil {
				return err
			}
		}
		if period.Sold {
			query := fmt.Sprintf(soldArticles, placeholders(3, len(args)-2))
			sold, err = list(t, "read what was sold", soldColumns, query, args...)
		}
		return err
	})
	return sold, err
}

// ceilMillis is a moment in milliseconds since 1970, rounded up, to compare
// with times that were rounded down.
func ceilMillis(at time.Time) int64 { return at.Add(time.Millisecond - 1).UnixMilli() }
