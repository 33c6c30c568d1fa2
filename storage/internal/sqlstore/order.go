package sqlstore

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"checkout/till/payments"
)

// The terms of an order, which never change, stand before order_reference.
// open is the domain's [payments.Order.Open] at the time of writing, and
// search is what [fold] makes of the terms.
const (
	termColumns     = `reference, sale, till, amount, description, created_at, search`
	changingColumns = `link_url, expires_at, link_assumed, status, error,
		paid_at, success_seen, expired_seen, given_up, not_sent, acknowledged,
		attention, reported_amount, reported_unit,
		finding_paid, finding_by, finding_note, finding_at, finding_stale,
		open, change_seq`

	selectOrder = `SELECT id, reference, sale, till, amount, description, created_at, order_reference,
		link_url, expires_at, link_assumed, status, error,
		paid_at, success_seen, expired_seen, given_up, not_sent, acknowledged,
		attention, reported_amount, reported_unit,
		finding_paid, finding_by, finding_note, finding_at, finding_stale
		FROM orders `

	orderByReference      = selectOrder + `WHERE reference = $1`
	orderByOrderReference = selectOrder + `WHERE order_reference = $1 AND order_reference <> ''`
	ordersOfSale          = selectOrder + `WHERE sale = $1 AND sale <> '' ORDER BY id`

	insertOrder = `INSERT INTO orders (order_reference, ` + changingColumns + `, ` + termColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
			$20, $21, $22, $23, $24, $25, $26, $27, $28, $29)
		ON CONFLICT (reference) DO NOTHING RETURNING id`

	updateOrderReference = `UPDATE orders SET order_reference = $2 WHERE id = $1`

	updateOrder = `UPDATE orders SET (` + changingColumns + `)
		= ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
		WHERE id = $1`

	insertItem = `INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price)
		VALUES ($1, $2, $3, $4, $5, $6)`
)

// orderRow is an order, without its items, and its key in the database.
type orderRow struct {
	id    int64
	order payments.Order
}

// orderOf returns the order that a query finds, or [payments.ErrNotFound].
func orderOf(query queryFunc, text string, args ...any) (orderRow, error) {
	row, err := one(query, scanOrder, text, args...)
	if missing(err) {
		return orderRow{}, payments.ErrNotFound
	}
	if err != nil {
		return orderRow{}, fmt.Errorf("read order: %w", err)
	}
	return row, nil
}

// orderValues are the values for insertOrder.
func orderValues(order payments.Order, sequence int64) []any {
	values := changingValues(0, order, sequence)
	values[0] = order.OrderReference
	return append(values, order.Reference, order.Sale, order.Till, int64(order.Amount),
		order.Description, order.CreatedAt.UnixMilli(), searchText(order))
}

// changingValues are the values for updateOrder: the key, and then the changing
// columns in their order.
func changingValues(id int64, order payments.Order, sequence int64) []any {
	facts := order.Facts
	values := []any{
		id,
		order.Link.URL, millis(order.Link.ExpiresAt), order.Link.Assumed, string(order.Status), order.Error,
		millis(facts.PaidAt), facts.SuccessSeen, facts.ExpiredSeen, facts.GivenUp, facts.NotSent,
		facts.Acknowledged, joinAttention(facts.Attention), facts.ReportedAmount, facts.ReportedUnit,
	}
	if finding := order.Finding; finding != nil {
		values = append(values, finding.Paid, finding.By, finding.Note, millis(finding.At), finding.Stale)
	} else {
		values = append(values, nil, "", "", nil, false)
	}
	return append(values, order.Open(), sequence)
}

// scanOrder reads a row of selectOrder.
func scanOrder(scan scanFunc) (orderRow, error) {
	var (
		row                  orderRow
		order, facts         = &row.order, &row.order.Facts
		finding              payments.Finding
		created              int64
		expires, paid, found sql.Null[int64]
		foundPaid            sql.Null[bool]
		attention, status    string
	)
	err := scan(
		&row.id, &order.Reference, &order.Sale, &order.Till, &order.Amount, &order.Description,
		&created, &order.OrderReference,
		&order.Link.URL, &expires, &order.Link.Assumed, &status, &order.Error,
		&paid, &facts.SuccessSeen, &facts.ExpiredSeen, &facts.GivenUp, &facts.NotSent, &facts.Acknowledged,
		&attention, &facts.ReportedAmount, &facts.ReportedUnit,
		&foundPaid, &finding.By, &finding.Note, &found, &finding.Stale,
	)
	if err != nil {
		return orderRow{}, err
	}
	order.CreatedAt = time.UnixMilli(created).UTC()
	order.Status = payments.Status(status)
	order.Link.ExpiresAt, facts.PaidAt, finding.At = moment(expires), moment(paid), moment(found)
	facts.Attention = splitAttention(attention)
	if foundPaid.Valid {
		finding.Paid = foundPaid.V
		order.Finding = &finding
	}
	return row, nil
}

// millis is how a time that may be missing is stored: in milliseconds since
// 1970, rounded down, or null.
func millis(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UnixMilli()
}

// moment is the time that millis stored, in UTC.
func moment(stored sql.Null[int64]) time.Time {
	if !stored.Valid {
		return time.Time{}
	}
	return time.UnixMilli(stored.V).UTC()
}

func joinAttention(reasons []payments.Attention) string {
	words := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		words = append(words, string(reason))
	}
	return strings.Join(words, ",")
}

func splitAttention(text string) []payments.Attention {
	if text == "" {
		return nil
	}
	var reasons []payments.Attention
	for word := range strings.SplitSeq(text, ",") {
		reasons = append(reasons, payments.Attention(word))
	}
	return reasons
}
