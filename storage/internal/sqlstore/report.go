package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// selectCounted selects only what reports need of an order: its reference, its amount, the times of
// its creation and payment, and the columns from which its verdict is computed.
const selectCounted = `SELECT o.id, o.amount, o.created_at, o.expires_at, o.status, o.paid_at, o.success_seen,
	o.not_sent, o.sent_at, o.paid_otherwise, o.attention, o.reference,` + findingFields + `FROM orders o` + lastFinding

func countedColumns(row *orderRow) []any {
	o := &row.order
	return append([]any{
		&row.id, &o.Amount, instant(&o.CreatedAt), instant(&o.Link.ExpiresAt), clean(&o.Status, maxKey),
		instant(&o.Facts.PaidAt), &o.Facts.SuccessSeen,
		&o.Facts.NotSent, instant(&o.SentAt), &o.Facts.PaidOtherwise, attention(&o.Facts), clean(&o.Reference, maxKey),
	}, lastFindingColumns(o)...)
}

// Takings implements [drawer.Store].
func (s *Store) Takings(ctx context.Context, period payments.Period) (orders []payments.Order, err error) {
	from, to := ceilMillis(period.From), ceilMillis(period.To)
	err = s.read(ctx, func(t *tx) error {
		var all []orderRow
		for _, counted := range []string{
			`o.paid_at >= $1 AND o.paid_at < $2 ORDER BY o.paid_at, o.id`,
			`o.paid_at IS NULL AND o.created_at >= $1 AND o.created_at < $2 ORDER BY o.created_at, o.id`,
			// Orders from outside the period that have a finding in the period.
			`o.id IN (SELECT order_id FROM findings WHERE found_at >= $1 AND found_at < $2)
				AND NOT (coalesce(o.paid_at, o.created_at) >= $1 AND coalesce(o.paid_at, o.created_at) < $2)
				ORDER BY o.created_at, o.id`,
		} {
			rows, err := list(t, "read the orders of a period", countedColumns, selectCounted+`WHERE `+counted, from, to)
			if err != nil {
				return err
			}
			all = append(all, rows...)
		}
		if period.Sold {
			items, err := list(t, "read what was sold", itemColumns, selectItems+`JOIN orders o ON o.id = i.order_id
				WHERE o.paid_at >= $1 AND o.paid_at < $2`, from, to)
			if err != nil {
				return err
			}
			shareItems(all, items)
		}
		for i, row := range all {
			if row.order.Finding == nil {
				continue
			}
			findings, err := list(t, "read findings", findingColumns, findingsOfOrder+`$1 ORDER BY f.position`, row.id)
			if err != nil {
				return err
			}
			all[i].order.Findings = findings
		}
		orders = ordersOf(all)
		return nil
	})
	return orders, err
}

// ceilMillis returns a time in milliseconds since 1970, rounded up. Stored times are whole
// milliseconds: a stored time is before at exactly if it is below ceilMillis(at).
func ceilMillis(at time.Time) int64 { return at.Add(time.Millisecond - 1).UnixMilli() }
