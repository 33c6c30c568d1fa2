package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"checkout/till/payments"
)

// orderRow is an order, without its items, and its key in the database.
type orderRow struct {
	id    int64
	order payments.Order
}

const selectOrder = `SELECT
	o.id, o.reference, o.sale, o.till,
	o.amount, o.description, o.created_at,
	o.order_reference, o.link_url, o.expires_at, o.link_assumed,
	o.status, o.error,
	o.paid_at, o.success_seen, o.expired_seen,
	o.given_up, o.not_sent, o.acknowledged, o.superseded,
	o.attention, o.reported_amount, o.reported_unit,
	o.finding_paid, o.finding_by, o.finding_note,
	o.finding_at, o.finding_stale FROM `

// scanOrder reads a row of selectOrder.
func scanOrder(scan scanFunc) (orderRow, error) {
	var (
		row     orderRow
		o       = &row.order
		facts   = &o.Facts
		finding payments.Finding
		paid    sql.NullBool
	)
	err := scan(
		&row.id, clean(&o.Reference, maxKey), clean(&o.Sale, maxKey), clean(&o.Till, payments.MaxTillWidth),
		&o.Amount, clean(&o.Description, payments.MaxDescriptionWidth), instant{&o.CreatedAt},
		clean(&o.OrderReference, maxKey), clean(&o.Link.URL, maxURL), instant{&o.Link.ExpiresAt}, &o.Link.Assumed,
		clean(&o.Status, maxKey), clean(&o.Error, payments.MaxShownWidth),
		instant{&facts.PaidAt}, &facts.SuccessSeen, &facts.ExpiredSeen,
		&facts.GivenUp, &facts.NotSent, &facts.Acknowledged, &facts.Superseded,
		attention{&facts.Attention}, clean(&facts.ReportedAmount, payments.MaxShownWidth), clean(&facts.ReportedUnit, payments.MaxShownWidth),
		&paid, clean(&finding.By, payments.MaxLabelWidth), clean(&finding.Note, payments.MaxShownWidth),
		instant{&finding.At}, &finding.Stale,
	)
	if paid.Valid {
		finding.Paid = paid.Bool
		o.Finding = &finding
	}
	return row, err
}

// stateValues are the values for stateColumns.
func stateValues(order payments.Order) []any {
	link, facts := order.Link, order.Facts
	var finding payments.Finding
	var paid sql.NullBool
	if order.Finding != nil {
		finding, paid = *order.Finding, sql.NullBool{Bool: order.Finding.Paid, Valid: true}
	}
	return []any{
		link.URL, millis(link.ExpiresAt), link.Assumed,
		string(order.Status), order.Error,
		millis(facts.PaidAt), facts.SuccessSeen, facts.ExpiredSeen,
		facts.GivenUp, facts.NotSent, facts.Acknowledged, facts.Superseded,
		joinAttention(facts.Attention), facts.ReportedAmount, facts.ReportedUnit,
		paid, finding.By, finding.Note,
		millis(finding.At), finding.Stale, order.Open(),
	}
}

const (
	stateColumns = `
		link_url, expires_at, link_assumed,
		status, error,
		paid_at, success_seen, expired_seen,
		given_up, not_sent, acknowledged, superseded,
		attention, reported_amount, reported_unit,
		finding_paid, finding_by, finding_note,
		finding_at, finding_stale, open`

	insertOrder = `INSERT INTO orders (reference, sale, till, amount, description, created_at, order_reference, search,` + stateColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
			$9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)
		ON CONFLICT DO NOTHING RETURNING id`

	insertItem = `INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price)
		VALUES ($1, $2, $3, $4, $5, $6)`

	updateOrder = `UPDATE orders SET (` + stateColumns + `)
		= ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
		WHERE reference = $1 AND order_reference = $2`

	// An order reference that another order has is not written, and one under
	// which the order has events stays: they are found by it.
	updateOrderReference = `UPDATE orders SET order_reference = $2, search = replace(search, $3, '') || $4
		WHERE reference = $1
		AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.order_reference = $2 AND o.order_reference <> '' AND o.reference <> $1)
		AND NOT EXISTS (SELECT 1 FROM events e WHERE e.order_reference = $5 AND e.order_id = orders.id)`
)

const (
	orderByReference      = selectOrder + `orders o WHERE o.reference = $1`
	orderByOrderReference = selectOrder + `orders o WHERE o.order_reference = $1 AND o.order_reference <> ''`
	ordersOfSale          = selectOrder + `orders o WHERE o.sale = $1 AND o.sale <> '' ORDER BY o.id`
)

// Order returns the order whose reference or order reference is ref, with its
// items, and its events in order of arrival, without their bodies.
// [payments.ErrNotFound].
func (s *Store) Order(ctx context.Context, ref string) (order payments.Order, events []payments.Record, err error) {
	err = s.read(ctx, func(t *tx) error {
		row, err := findOrder(t, orderByReference, ref)
		if errors.Is(err, payments.ErrNotFound) {
			row, err = findOrder(t, orderByOrderReference, ref)
		}
		if err != nil {
			return err
		}
		rows := []orderRow{row}
		if err := addItems(t, rows); err != nil {
			return err
		}
		order = rows[0].order
		events, err = findEvents(t, row.id)
		return err
	})
	return order, events, err
}

// Order returns the order of a reference, without its items.
func (t *tx) Order(reference string) (payments.Order, error) {
	row, err := findOrder(t, orderByReference, reference)
	return row.order, err
}

// OrderOf returns the order of the service's order reference, without its
// items.
func (t *tx) OrderOf(orderReference string) (payments.Order, error) {
	row, err := findOrder(t, orderByOrderReference, orderReference)
	return row.order, err
}

// findOrder returns the order that a query finds, or [payments.ErrNotFound].
func findOrder(t *tx, text, ref string) (orderRow, error) {
	row, err := one(t, scanOrder, text, ref)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return orderRow{}, payments.ErrNotFound
	case err != nil:
		return orderRow{}, fmt.Errorf("read order: %w", err)
	}
	return row, nil
}

// Siblings returns all orders of a sale, without their items, oldest first. A
// blank sale has none.
func (t *tx) Siblings(sale string) ([]payments.Order, error) {
	rows, err := list(t, scanOrder, ordersOfSale, sale)
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
func (t *tx) InsertOrder(order payments.Order) error {
	if err := t.room(); err != nil {
		return err
	}
	id, err := one(t, scanOne[int64], insertOrder, append([]any{
		order.Reference, order.Sale, order.Till, int64(order.Amount),
		order.Description, order.CreatedAt.UnixMilli(), order.OrderReference, searchText(order),
	}, stateValues(order)...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return t.conflict(order.Reference)
	}
	if err != nil {
		return fmt.Errorf("insert order: %w", err)
	}
	t.note(1)
	for i, item := range order.Items {
		_, err := t.exec(insertItem, id, i+1, item.Label, int64(item.UnitPrice), item.Quantity, int64(item.ListPrice))
		if err != nil {
			return fmt.Errorf("insert item %d: %w", i+1, err)
		}
	}
	return nil
}

// conflict returns which unique key an insert violated.
func (t *tx) conflict(reference string) error {
	_, err := t.Order(reference)
	switch {
	case errors.Is(err, payments.ErrNotFound):
		return payments.ErrOrderReferenceTaken
	case err != nil:
		return err
	}
	return payments.ErrReferenceTaken
}

// SaveOrder writes what may change of an order. [payments.ErrNotFound] when
// there is no such order.
func (t *tx) SaveOrder(order payments.Order) error {
	values := append([]any{order.Reference, order.OrderReference}, stateValues(order)...)
	written, err := t.exec(updateOrder, values...)
	if err == nil && written == 0 {
		if err := t.saveOrderReference(order); err != nil {
			return err
		}
		_, err = t.exec(updateOrder, values...)
	}
	return wrap("save order", err)
}

// saveOrderReference changes an order's order reference.
func (t *tx) saveOrderReference(order payments.Order) error {
	stored, err := t.Order(order.Reference)
	if err != nil {
		return err
	}
	written, err := t.exec(updateOrderReference, order.Reference, order.OrderReference,
		lateText(stored.OrderReference), lateText(order.OrderReference), stored.OrderReference)
	if err != nil {
		return fmt.Errorf("save order reference: %w", err)
	}
	if written == 0 {
		return payments.ErrOrderReferenceTaken
	}
	return nil
}

// itemChunk is the number of orders whose items one statement reads. It is fixed,
// so that lists of any length share a prepared statement.
const itemChunk = 50

const selectItems = `SELECT order_id, label, unit_price, quantity, list_price FROM order_items
	WHERE order_id IN (%s) ORDER BY order_id, position`

type itemRow struct {
	order int64
	item  payments.Item
}

// scanItem reads a row of selectItems.
func scanItem(scan scanFunc) (row itemRow, err error) {
	err = scan(&row.order, clean(&row.item.Label, payments.MaxLabelWidth), &row.item.UnitPrice, &row.item.Quantity, &row.item.ListPrice)
	return row, err
}

// addItems reads the items of orders into them.
func addItems(t *tx, rows []orderRow) error {
	size := min(len(rows), itemChunk)
	if size > 1 {
		size = itemChunk
	}
	for chunk := range slices.Chunk(rows, max(size, 1)) {
		keys, place := make([]any, size), make(map[int64]int, size)
		for i := range keys {
			keys[i] = int64(0) // No order has the key 0.
			if i < len(chunk) {
				keys[i], place[chunk[i].id] = chunk[i].id, i
			}
		}
		items, err := list(t, scanItem, fmt.Sprintf(selectItems, placeholders(1, size)), keys...)
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		for _, row := range items {
			order := &chunk[place[row.order]].order
			order.Items = append(order.Items, row.item)
		}
	}
	return nil
}

// attention is a [sql.Scanner] for an order's reasons for attention: words,
// separated by commas.
type attention struct{ reasons *[]payments.Attention }

// Scan implements [sql.Scanner].
func (a attention) Scan(value any) error {
	var words string
	if err := clean(&words, maxKey).Scan(value); err != nil {
		return err
	}
	*a.reasons = nil
	for word := range strings.SplitSeq(words, ",") {
		if word != "" {
			*a.reasons = append(*a.reasons, payments.Attention(word))
		}
	}
	return nil
}

func joinAttention(reasons []payments.Attention) string {
	words := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		words = append(words, string(reason))
	}
	return strings.Join(words, ",")
}
