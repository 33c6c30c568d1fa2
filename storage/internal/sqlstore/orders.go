package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"checkout/till/payments"
)

// orderRow is a row of the table orders. Its order has no items until addItems adds them.
type orderRow struct {
	id    int64
	order payments.Order
	// The fields below are columns that are computed from other columns. Only [Verify] reads them.
	search   string
	open     bool
	received payments.Ariary
}

func (r orderRow) paidTwice() bool {
	return slices.Contains(r.order.Facts.Attention, payments.PaidTwice)
}

// settledElsewhere reports whether another order or cash may have paid for the order's sale.
func (r orderRow) settledElsewhere() bool { return r.paidTwice() || r.order.Facts.Superseded }

const orderFields = `
	o.id, o.reference, o.sale, o.till,
	o.amount, o.description, o.created_at,
	o.order_reference, o.link_url, o.expires_at, o.link_assumed,
	o.status, o.error,
	o.paid_at, o.success_seen, o.expired_seen,
	o.given_up, o.not_sent, o.acknowledged, o.superseded,
	o.attention, o.reported_amount, o.reported_unit,` + findingFields + `FROM orders o` + lastFinding

const selectOrder = `SELECT` + orderFields

func orderColumns(row *orderRow) []any {
	o := &row.order
	facts := &o.Facts
	return append([]any{
		&row.id, clean(&o.Reference, maxKey), clean(&o.Sale, maxKey), clean(&o.Till, payments.MaxTillWidth),
		&o.Amount, clean(&o.Description, payments.MaxDescriptionWidth), instant(&o.CreatedAt),
		clean(&o.OrderReference, maxKey), clean(&o.Link.URL, maxURL), instant(&o.Link.ExpiresAt), &o.Link.Assumed,
		clean(&o.Status, maxKey), reason(&o.Reason),
		instant(&facts.PaidAt), &facts.SuccessSeen, &facts.ExpiredSeen,
		&facts.GivenUp, &facts.NotSent, &facts.Acknowledged, &facts.Superseded,
		attention(facts), clean(&facts.ReportedAmount, payments.MaxShownWidth), clean(&facts.ReportedUnit, payments.MaxShownWidth),
	}, lastFindingColumns(o)...)
}

func attention(facts *payments.Facts) scanner {
	return text(func(words string) {
		for word := range strings.SplitSeq(words, ",") {
			if word != "" {
				facts.Attention = append(facts.Attention, payments.Attention(payments.Clean(word, maxKey)))
			}
		}
	})
}

func joinAttention(reasons []payments.Attention) string {
	words := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		words = append(words, string(reason))
	}
	return strings.Join(words, ",")
}

const stateColumns = `
	link_url, expires_at, link_assumed,
	status, error,
	paid_at, success_seen, expired_seen,
	given_up, not_sent, acknowledged, superseded,
	attention, reported_amount, reported_unit, open, received`

func stateValues(o payments.Order) []any {
	return []any{
		o.Link.URL, millis(o.Link.ExpiresAt), o.Link.Assumed,
		string(o.Status), encodeReason(o.Reason),
		millis(o.Facts.PaidAt), o.Facts.SuccessSeen, o.Facts.ExpiredSeen,
		o.Facts.GivenUp, o.Facts.NotSent, o.Facts.Acknowledged, o.Facts.Superseded,
		joinAttention(o.Facts.Attention), o.Facts.ReportedAmount, o.Facts.ReportedUnit, o.Open(), int64(o.Collected()),
	}
}

const (
	orderByReference = selectOrder + `WHERE o.reference = $1`

	insertOrder = `INSERT INTO orders (reference, sale, till, amount, description, created_at, order_reference, search,` + stateColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
			$9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
		ON CONFLICT DO NOTHING RETURNING id`

	updateOrder = `UPDATE orders SET (` + stateColumns + `)
		= ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) WHERE id = $1`

	// orderID selects the key of the order that has $1 as its reference or its order
	// reference.
	orderID = `(SELECT coalesce((SELECT id FROM orders WHERE reference = $1),
		(SELECT id FROM orders WHERE order_reference = $1 AND order_reference <> '')))`
)

// Order implements [payments.Reader]. The events have no bodies.
func (s *Store) Order(ctx context.Context, ref string) (order payments.Order, events []payments.Record, err error) {
	err = s.read(ctx, func(t *tx) error {
		var findings []payments.Finding
		var items []itemRow
		askAll(t, &findings, "read findings", findingColumns, findingsOfOrder+orderID+` ORDER BY f.position`, ref)
		askAll(t, &items, "read items", itemColumns, selectItems+`WHERE i.order_id = `+orderID+` ORDER BY i.position`, ref)
		askAll(t, &events, "read events", eventColumns, selectEvent+`WHERE e.order_id = `+orderID+`
			AND e.order_reference = (SELECT order_reference FROM orders WHERE id = `+orderID+`) ORDER BY e.sequence`, ref)
		row, err := findOrder(t, selectOrder+`WHERE o.id = `+orderID, ref)
		if err != nil {
			return err
		}
		rows := []orderRow{row}
		shareItems(rows, items)
		err = addOthers(t, rows)
		order = rows[0].order
		order.Findings = findings
		return err
	})
	return order, events, err
}

func (t *tx) Order(reference string) (payments.Order, error) {
	row, err := findOrder(t, orderByReference, reference)
	return row.order, err
}

func (t *tx) OrderOf(orderReference string) (payments.Order, error) {
	row, err := findOrder(t, selectOrder+`WHERE o.order_reference = $1 AND o.order_reference <> ''`, orderReference)
	return row.order, err
}

func findOrder(t *tx, query, ref string) (orderRow, error) {
	row, err := one(t, "read order", orderColumns, query, ref)
	if errors.Is(err, sql.ErrNoRows) {
		err = payments.ErrNotFound
	}
	if err == nil {
		t.remember(row)
	}
	return row, err
}

// remember adds an order that was read to t.stored. It keeps an existing entry: an entry that this
// transaction wrote has the exact OrderReference, but reading cleans the OrderReference.
func (t *tx) remember(row orderRow) {
	if _, known := t.stored[row.order.Reference]; !known {
		t.stored[row.order.Reference] = row
	}
}

// Siblings returns all orders of a sale, without their items, oldest first. For an empty sale ID it
// returns no orders. The same round trip also reads the sale's cash sale, which CashTaken then
// returns without a query.
func (t *tx) Siblings(sale string) ([]payments.Order, error) {
	if t.over {
		return nil, errOver
	}
	var rows []orderRow
	var numbers []string
	askAll(t, &rows, "read the orders of a sale", orderColumns,
		selectOrder+`WHERE o.sale = $1 AND o.sale <> '' ORDER BY o.id`, sale)
	askAll(t, &numbers, "read the cash of a sale", column[string], selectTaken, sale)
	if err := t.flush(); err != nil {
		return nil, err
	}
	for _, row := range rows {
		t.remember(row)
	}
	t.taken[sale] = strings.Join(numbers, "")
	return ordersOf(rows), nil
}

// addOthers completes the orders that settledElsewhere selects. An order with the attention
// paid_twice gets the other orders of its sale that received money (PaidTwiceWith). Each
// selected order gets the number of the cash sale that paid its sale (TakenInCash).
func addOthers(t *tx, rows []orderRow) error {
	taken := make([][]string, len(rows))
	for i, row := range rows {
		if row.settledElsewhere() {
			askAll(t, &taken[i], "read the cash of a sale", column[string], selectTaken, row.order.Sale)
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	for i := range rows {
		order := &rows[i].order
		order.TakenInCash = strings.Join(taken[i], "")
		if !rows[i].paidTwice() {
			continue
		}
		siblings, err := t.Siblings(order.Sale)
		if err != nil {
			return err
		}
		order.PaidTwiceWith = slices.DeleteFunc(siblings, func(other payments.Order) bool {
			return other.Reference == order.Reference || other.Received() <= 0
		})
	}
	return nil
}

func ordersOf(rows []orderRow) []payments.Order {
	orders := make([]payments.Order, 0, len(rows))
	for _, row := range rows {
		orders = append(orders, row.order)
	}
	return orders
}

func (t *tx) InsertOrder(o payments.Order) error {
	if err := t.room(); err != nil {
		return err
	}
	id, err := one(t, "insert order", column[int64], insertOrder, append([]any{
		o.Reference, o.Sale, o.Till, int64(o.Amount),
		o.Description, o.CreatedAt.UnixMilli(), o.OrderReference, searchText(o),
	}, stateValues(o)...)...)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err = t.Order(o.Reference); errors.Is(err, payments.ErrNotFound) {
			return payments.ErrOrderReferenceTaken
		}
		return cmp.Or(err, payments.ErrReferenceTaken)
	}
	t.stored[o.Reference] = orderRow{id: id, order: o}
	for i, item := range o.Items {
		if err == nil {
			err = t.write("insert item", `INSERT INTO order_items
				(order_id, position, label, unit_price, quantity, list_price, measure) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
				id, i+1, item.Label, int64(item.UnitPrice), item.Quantity, int64(item.ListPrice), encodeMeasure(item.Measure))
		}
	}
	t.note(1)
	return err
}

// SaveOrder implements [payments.Tx]. No other transaction writes at the same time, so the stored
// order has not changed since this transaction read it.
func (t *tx) SaveOrder(o payments.Order) error {
	if _, read := t.stored[o.Reference]; !read {
		if _, err := t.Order(o.Reference); err != nil {
			return err
		}
	}
	row := t.stored[o.Reference]
	if row.order.OrderReference != o.OrderReference {
		// An order reference is set only once, and only if no other order has it.
		written, err := t.exec("save order reference", `UPDATE orders SET order_reference = $2, search = search || $3
			WHERE id = $1 AND order_reference = ''
			AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.order_reference = $2 AND o.order_reference <> '')`,
			row.id, o.OrderReference, lateText(o.OrderReference))
		if err == nil && written == 0 {
			err = payments.ErrOrderReferenceTaken
		}
		if err != nil {
			return err
		}
	}
	t.stored[o.Reference] = orderRow{id: row.id, order: o}
	t.note(1)
	return t.write("save order", updateOrder, append([]any{row.id}, stateValues(o)...)...)
}

const selectItems = `SELECT i.order_id, i.label, i.unit_price, i.quantity, i.list_price, i.measure FROM order_items i `

type itemRow struct {
	order int64
	item  payments.Item
}

func itemColumns(row *itemRow) []any {
	i := &row.item
	return []any{&row.order, clean(&i.Label, payments.MaxLabelWidth), &i.UnitPrice, &i.Quantity, &i.ListPrice, measureText(&i.Measure)}
}

func addItems(t *tx, rows []orderRow) error {
	ids := []any{int64(0)} // 0 keeps the IN list from being empty; no order has this key.
	for _, row := range rows {
		ids = append(ids, row.id)
	}
	items, err := list(t, "read items", itemColumns,
		selectItems+`WHERE i.order_id IN (`+placeholders(1, len(ids))+`) ORDER BY i.order_id, i.position`, ids...)
	shareItems(rows, items)
	return err
}

// shareItems adds each item to its order. It ignores items of orders that are not in rows.
func shareItems(rows []orderRow, items []itemRow) {
	orders := make(map[int64]*payments.Order, len(rows))
	for i := range rows {
		orders[rows[i].id] = &rows[i].order
	}
	for _, row := range items {
		if order := orders[row.order]; order != nil {
			order.Items = append(order.Items, row.item)
		}
	}
}
