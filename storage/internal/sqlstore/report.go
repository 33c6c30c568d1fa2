package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// Reports read the columns that an order's verdict and sum need.
const selectCounted = `SELECT o.id, o.amount, o.created_at, o.expires_at, o.status, o.paid_at, o.success_seen,
	o.attention,` + findingFields + `FROM orders o` + lastFinding

func countedColumns(row *orderRow) []any {
	o := &row.order
	return append([]any{
		&row.id, &o.Amount, instant(&o.CreatedAt), instant(&o.Link.ExpiresAt), clean(&o.Status, maxKey),
		instant(&o.Facts.PaidAt), &o.Facts.SuccessSeen, attention(&o.Facts),
	}, lastFindingColumns(o)...)
}

func soldColumns(s *payments.Sold) []any {
	return []any{clean(&s.Label, payments.MaxLabelWidth), &s.Quantity, &s.Amount}
}

// Takings calls count with each order that may count in a period, and returns what
// was sold with those for which it returned true.
func (s *Store) Takings(ctx context.Context, period payments.Period, count func(payments.Order) bool) (sold []payments.Sold, err error) {
	from, to := ceilMillis(period.From), ceilMillis(period.To)
	err = s.read(ctx, func(t *tx) error {
		args := []any{from, to, int64(0)} // And the orders that are paid and not sold, which are few; 0 is none.
		var found []orderRow              // Without proof: their findings say when they count.
		for _, where := range []string{
			`WHERE o.paid_at >= $1 AND o.paid_at < $2 ORDER BY o.paid_at, o.id`,
			`WHERE o.paid_at IS NULL AND o.created_at >= $1 AND o.created_at < $2 ORDER BY o.created_at, o.id`,
			// Other orders about which a person found something in the period.
			`WHERE o.id IN (SELECT order_id FROM findings WHERE found_at >= $1 AND found_at < $2)
				AND NOT (coalesce(o.paid_at, o.created_at) >= $1 AND coalesce(o.paid_at, o.created_at) < $2)
				ORDER BY o.created_at, o.id`,
		} {
			err := each(t, "read the orders of a period", countedColumns, func(row orderRow) bool {
				switch {
				case row.order.Finding != nil && !row.order.Paid():
					found = append(found, row)
				case !count(row.order) && row.order.Paid():
					args = append(args, row.id)
				}
				return true
			}, selectCounted+where, from, to)
			if err != nil {
				return err
			}
		}
		for _, row := range found {
			if row.order.Findings, err = list(t, "read findings", findingColumns, findingsOfOrder, row.id); err != nil {
				return err
			}
			count(row.order)
		}
		if period.Sold {
			sold, err = list(t, "read what was sold", soldColumns, `SELECT i.label, sum(i.quantity), sum(i.quantity * i.unit_price)
				FROM orders o JOIN order_items i ON i.order_id = o.id
				WHERE o.paid_at >= $1 AND o.paid_at < $2 AND o.id NOT IN (`+placeholders(3, len(args)-2)+`)
				GROUP BY i.label ORDER BY 3 DESC, 1`, args...)
		}
		return err
	})
	return sold, err
}

// ceilMillis is a moment in milliseconds since 1970, rounded up, to compare
// with times that were rounded down.
func ceilMillis(at time.Time) int64 { return at.Add(time.Millisecond - 1).UnixMilli() }
