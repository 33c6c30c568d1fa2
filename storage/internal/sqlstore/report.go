package sqlstore

import (
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// selectCounted selects the columns of an order that reports need, including the time at which a
// report counts the order.
const selectCounted = `SELECT o.id, coalesce((SELECT t.moved_at FROM transfers t
		WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind IN ('sale', 'paid') ORDER BY t.id LIMIT 1), o.created_at),
	o.amount, o.created_at, o.expires_at, o.status, o.paid_at, o.success_seen,
	o.not_sent, o.sent_at, o.paid_otherwise, o.attention, o.reference, o.till, o.sold_by, o.debt, o.description,` + refundFields + findingFields + `FROM orders o` + lastFinding

func countedColumns(row *orderRow) []any {
	o := &row.order
	return append([]any{
		&row.id, instant(&row.counts), &o.Amount, instant(&o.CreatedAt), instant(&o.Link.ExpiresAt), cleaned(&o.Status, maxKey),
		instant(&o.Facts.PaidAt), &o.Facts.SuccessSeen,
		&o.Facts.NotSent, instant(&o.SentAt), &o.Facts.PaidOtherwise, attention(&o.Facts), cleaned(&o.Reference, maxKey),
		cleaned(&o.Till, payments.MaxTillWidth), cleaned(&o.By, staff.MaxNameWidth), cleaned(&o.Debt, maxKey), cleaned(&o.Description, payments.MaxDescriptionWidth), &o.Refunds.Area, &o.Refunds.Cash,
	}, lastFindingColumns(o)...)
}

// moved selects the references of the orders with a transfer in the period from $1 to $2 ($2 is not
// included).
const moved = `SELECT t.ref FROM transfers t WHERE t.moved_at >= $1 AND t.moved_at < $2 AND t.payment = 'order'`

func (t *tx) Takings(period money.Period) (counted []drawer.Counted, err error) {
	from, to := ceilMillis(period.From), ceilMillis(period.To)
	orders, err := list(t, "read the orders of a period", countedColumns, selectCounted+`WHERE o.reference IN (`+moved+`
		UNION SELECT reference FROM orders WHERE created_at >= $1 AND created_at < $2)`, from, to)
	if err != nil {
		return nil, err
	}
	if period.Sold {
		items, err := list(t, "read what was sold", itemColumns, selectItems+`WHERE i.order_id IN
			(SELECT id FROM orders WHERE reference IN (`+moved+`)) ORDER BY i.order_id, i.position`, from, to)
		if err != nil {
			return nil, err
		}
		shareItems(orders, items)
	}
	for _, row := range orders {
		counted = append(counted, drawer.Counted{Order: row.order, At: row.counts})
	}
	slices.SortStableFunc(counted, func(a, b drawer.Counted) int { return a.At.Compare(b.At) })
	return counted, nil
}

// ceilMillis returns a time in milliseconds since 1970, rounded up. Stored times are whole
// milliseconds: a stored time is earlier than the time at if and only if it is below
// ceilMillis(at).
func ceilMillis(at time.Time) int64 { return at.Add(time.Millisecond - 1).UnixMilli() }
