package sqlstore

import (
	"slices"
	"time"

	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

// selectCounted selects orders, each with the time at which a report counts it.
const selectCounted = `SELECT coalesce((SELECT t.moved_at FROM transfers t
	WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind IN ('sale', 'paid') ORDER BY t.id LIMIT 1), o.created_at),` + orderFields

func countedColumns(row *orderRow) []any {
	return append([]any{instant(&row.counts)}, orderColumns(row)...)
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
