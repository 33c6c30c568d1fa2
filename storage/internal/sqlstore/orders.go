package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// orderRow is a row of the table orders. The field order has no items until addItems or shareItems
// adds them.
type orderRow struct {
	id     int64
	order  payments.Order
	counts time.Time // Time at which a report counts the order: when its money came, or else when it was created. Only selectCounted reads it.
	// Only [Verify] reads the fields below. It compares them with the order.
	search string
	open   bool
	posted money.Ariary // Balance of the order's transfers on the account [ledger.Service].
}

// settledElsewhere reports whether another payment may have paid the order's sale.
func (r orderRow) settledElsewhere() bool {
	return slices.Contains(r.order.Facts.Attention, payments.PaidTwice) || r.order.Facts.Superseded
}

const orderFields = `
	o.id, o.reference, o.sale, o.till, o.sold_by,
	o.amount, o.description, o.created_at,
	o.order_reference, o.link_url, o.expires_at, o.link_assumed,
	o.status, o.error,
	o.paid_at, o.success_seen, o.expired_seen,
	o.given_up, o.not_sent, o.acknowledged, o.superseded, o.paid_otherwise, o.sent_at,
	o.attention, o.reported_amount, o.reported_unit, o.total, o.rest_of, o.debt,` + refundFields + findingFields + `FROM orders o` + lastFinding

const selectOrder = `SELECT` + orderFields

func orderColumns(row *orderRow) []any {
	o := &row.order
	facts := &o.Facts
	return append([]any{
		&row.id, cleaned(&o.Reference, maxKey), cleaned(&o.Sale, maxKey), cleaned(&o.Till, payments.MaxTillWidth), cleaned(&o.By, staff.MaxNameWidth),
		&o.Amount, cleaned(&o.Description, payments.MaxDescriptionWidth), instant(&o.CreatedAt),
		cleaned(&o.OrderReference, maxKey), cleaned(&o.Link.URL, maxURL), instant(&o.Link.ExpiresAt), &o.Link.Assumed,
		cleaned(&o.Status, maxKey), reason(&o.Reason),
		instant(&facts.PaidAt), &facts.SuccessSeen, &facts.ExpiredSeen,
		&facts.GivenUp, &facts.NotSent, &facts.Acknowledged, &facts.Superseded, &facts.PaidOtherwise, instant(&o.SentAt),
		attention(facts), cleaned(&facts.ReportedAmount, payments.MaxShownWidth), cleaned(&facts.ReportedUnit, payments.MaxShownWidth),
		&o.Total, cleaned(&o.RestOf, maxKey), cleaned(&o.Debt, maxKey), &o.Refunds.Area, &o.Refunds.Cash,
	}, lastFindingColumns(o)...)
}

func attention(facts *payments.Facts) scanner {
	return text(func(words string) {
		for word := range strings.SplitSeq(words, ",") {
			if word != "" {
				facts.Attention = append(facts.Attention, payments.Attention(clean.Text(word, maxKey)))
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
	given_up, not_sent, acknowledged, superseded, paid_otherwise, sent_at,
	attention, reported_amount, reported_unit, open`

func stateValues(o payments.Order) []any {
	return []any{
		o.Link.URL, millis(o.Link.ExpiresAt), o.Link.Assumed,
		string(o.Status), encodeReason(o.Reason),
		millis(o.Facts.PaidAt), o.Facts.SuccessSeen, o.Facts.ExpiredSeen,
		o.Facts.GivenUp, o.Facts.NotSent, o.Facts.Acknowledged, o.Facts.Superseded, o.Facts.PaidOtherwise, millis(o.SentAt),
		joinAttention(o.Facts.Attention), o.Facts.ReportedAmount, o.Facts.ReportedUnit, o.Open(),
	}
}

const (
	byReference      = `o.reference = $1`
	byOrderReference = `o.order_reference = $1 AND o.order_reference <> ''`
	byEither         = `o.id = ` + orderID // $1 is the order's reference or its order reference.

	insertOrder = `INSERT INTO orders (reference, sale, till, sold_by, amount, total, rest_of, debt, description, created_at, order_reference, search,` + stateColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
			$10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30)
		ON CONFLICT DO NOTHING RETURNING id`

	updateOrder = `UPDATE orders SET (` + stateColumns + `)
		= ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) WHERE id = $1`

	// orderID selects the primary key of the order that byEither selects.
	orderID = `(SELECT coalesce((SELECT id FROM orders WHERE reference = $1),
		(SELECT id FROM orders WHERE order_reference = $1 AND order_reference <> '')))`
)

// saleRows are the orders of a sale, oldest first, and the money that was taken for the sale at the
// counter.
type saleRows struct {
	orders []orderRow
	taken  payments.Taken
}

// askSale queues the queries that fill rows. sale is an SQL expression for the sale's ID.
func (t *tx) askSale(rows *saleRows, sale string, args ...any) {
	askAll(t, &rows.orders, "read the orders of a sale", orderColumns,
		selectOrder+`WHERE o.sale = `+sale+` AND o.sale <> '' ORDER BY o.id`, args...)
	rows.taken = payments.Taken{}
	ask(t, "read the cash of a sale", partColumns, func(part payments.Taken) bool {
		rows.taken.Number = part.Number
		rows.taken.First = cmp.Or(rows.taken.First, part.Number)
		rows.taken.Net += part.Net
		rows.taken.Largest = max(rows.taken.Largest, part.Largest)
		return true
	}, `SELECT number, total, net FROM (
		SELECT number, total, `+cashNet+` AS net, `+cashStored+` AS stored
		FROM cash_sales WHERE sale = `+sale+` AND sale <> '') AS parts WHERE net > 0 ORDER BY stored`, args...)
}

func (t *tx) sale(id string) (rows saleRows, err error) {
	if t.over {
		return rows, errOver
	}
	rows, read := t.sales[id]
	if !read {
		t.askSale(&rows, "$1", id)
		if err := t.flush(); err != nil {
			return rows, err
		}
		t.keepSale(id, rows)
	}
	return rows, nil
}

func (t *tx) keepSale(id string, rows saleRows) {
	for _, row := range rows.orders {
		t.remember(row)
	}
	t.sales[id] = rows
}

// Order implements [payments.Reader]. The events have no bodies.
func (s *Store) Order(ctx context.Context, ref string) (order payments.Order, events []payments.Record, err error) {
	var findings []payments.Finding
	var transfers []ledger.Transfer
	var items []itemRow
	var rows []orderRow
	var sale saleRows
	err = s.read(ctx, func(t *tx) error {
		askAll(t, &rows, "read order", orderColumns, selectOrder+`WHERE `+byEither, ref)
		t.askSale(&sale, saleOf(byEither), ref)
		askAll(t, &findings, "read findings", findingColumns, findingsOfOrder+orderID+` ORDER BY f.position`, ref)
		askAll(t, &transfers, "read transfers", transferColumns, `SELECT `+transferFields+`FROM transfers t
			WHERE t.ref = (SELECT reference FROM orders WHERE id = `+orderID+`) AND t.payment = 'order' ORDER BY t.id`, ref)
		askAll(t, &items, "read items", itemColumns, selectItems+`WHERE i.order_id = `+orderID+` ORDER BY i.position`, ref)
		askAll(t, &events, "read events", eventColumns, selectEvent+`WHERE e.order_id = `+orderID+`
			AND e.order_reference = (SELECT order_reference FROM orders WHERE id = `+orderID+`) ORDER BY e.sequence`, ref)
		return nil
	})
	if err == nil && len(rows) == 0 {
		err = payments.ErrNotFound
	}
	if err != nil {
		return payments.Order{}, nil, err
	}
	shareItems(rows, items)
	rows[0].complete(sale)
	order = rows[0].order
	order.Findings = findings
	order.Transfers = transfers
	return order, events, nil
}

func (t *tx) Order(reference string) (payments.Order, error) {
	return t.find(byReference, reference)
}

func (t *tx) OrderOf(orderReference string) (payments.Order, error) {
	order, read := t.holders[orderReference]
	if !read {
		return t.find(byOrderReference, orderReference)
	}
	if order.Reference == "" {
		return order, payments.ErrNotFound
	}
	return order, nil
}

// find returns the order that a condition selects. It also sends the statements that are queued
// already. If all of them are sent in one round trip, find also reads the order's sale in it: the
// change will often need the sale, and the database may be far away.
func (t *tx) find(condition, ref string) (order payments.Order, err error) {
	if t.over {
		return order, errOver
	}
	if t.send == nil {
		return t.findAlone(condition, ref)
	}
	var sale saleRows
	t.askSale(&sale, saleOf(condition), ref)
	order, err = t.findAlone(condition, ref)
	if err == nil {
		t.keepSale(order.Sale, sale)
	}
	return order, err
}

// findAlone returns the order that a condition selects, without reading its sale. It also sends the
// statements that are queued already.
func (t *tx) findAlone(condition, ref string) (order payments.Order, err error) {
	rows, err := list(t, "read order", orderColumns, selectOrder+`WHERE `+condition, ref)
	if err != nil {
		return order, err
	}
	if len(rows) > 0 {
		order = rows[0].order
		t.remember(rows[0])
	} else {
		err = payments.ErrNotFound
	}
	if condition == byOrderReference {
		t.holders[ref] = order
	}
	return order, err
}

// saleOf returns an SQL expression for the ID of the sale of the order o that a condition selects.
func saleOf(condition string) string { return `(SELECT o.sale FROM orders o WHERE ` + condition + `)` }

// remember stores the row of an order in t.stored, unless this change has stored a row of the order
// before. A row that the change wrote contains the exact OrderReference; a row that was read
// contains the cleaned one.
func (t *tx) remember(row orderRow) {
	if _, known := t.stored[row.order.Reference]; !known {
		t.stored[row.order.Reference] = row
	}
}

// Siblings implements [payments.Tx]. The oldest order comes first.
func (t *tx) Siblings(sale string) ([]payments.Order, error) {
	rows, err := t.sale(sale)
	return ordersOf(rows.orders), err
}

// addOthers sets the fields PaidWith and TakenInCash of the orders that settledElsewhere reports.
func addOthers(t *tx, rows []orderRow) error {
	sales := make([]saleRows, len(rows))
	for i, row := range rows {
		if row.settledElsewhere() {
			t.askSale(&sales[i], "$1", row.order.Sale)
		}
	}
	err := t.flush()
	for i := range rows {
		rows[i].complete(sales[i])
	}
	return err
}

// complete sets PaidWith to the other orders of the sale with money, and TakenInCash to the number
// of the newest payment at the counter with money. It changes nothing if settledElsewhere is false.
func (r *orderRow) complete(sale saleRows) {
	if r.settledElsewhere() {
		r.order.TakenInCash = sale.taken.Number
		r.order.PaidWith = slices.DeleteFunc(ordersOf(sale.orders), func(other payments.Order) bool {
			return other.Reference == r.order.Reference || other.Net() <= 0
		})
	}
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
		o.Reference, o.Sale, o.Till, o.By, int64(o.Amount), int64(o.Total), o.RestOf, string(o.Debt),
		o.Description, o.CreatedAt.UnixMilli(), o.OrderReference, searchText(o),
	}, stateValues(o)...)...)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err = t.Order(o.Reference); errors.Is(err, payments.ErrNotFound) {
			return payments.ErrOrderReferenceTaken
		}
		return cmp.Or(err, payments.ErrReferenceTaken)
	}
	t.stored[o.Reference] = orderRow{id: id, order: o}
	t.forget()
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

// forget discards the sales and the order references that this change has read, so that the change
// reads them again.
func (t *tx) forget() {
	clear(t.sales)
	clear(t.holders)
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
		if err := t.saveOrderReference(row, o.OrderReference); err != nil {
			return err
		}
	}
	t.stored[o.Reference] = orderRow{id: row.id, order: o}
	t.forget()
	t.note(1)
	return t.write("save order", updateOrder, append([]any{row.id}, stateValues(o)...)...)
}

// saveOrderReference sets the order reference of an order. It returns
// [payments.ErrOrderReferenceTaken] if the order has another one, or if another order has the new
// one.
func (t *tx) saveOrderReference(row orderRow, orderReference string) error {
	const statement = `UPDATE orders SET order_reference = $2, search = search || $3
		WHERE id = $1 AND order_reference = ''
		AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.order_reference = $2 AND o.order_reference <> '')`
	args := []any{row.id, orderReference, lateText(orderReference)}
	if holder, read := t.holders[orderReference]; read && holder.Reference == "" && row.order.OrderReference == "" {
		return t.write("save order reference", statement, args...)
	}
	written, err := t.exec("save order reference", statement, args...)
	if err == nil && written == 0 {
		err = payments.ErrOrderReferenceTaken
	}
	return err
}

const selectItems = `SELECT i.order_id, i.label, i.unit_price, i.quantity, i.list_price, i.measure FROM order_items i `

type itemRow struct {
	order int64
	item  payments.Item
}

func itemColumns(row *itemRow) []any {
	i := &row.item
	return []any{&row.order, cleaned(&i.Label, payments.MaxLabelWidth), &i.UnitPrice, &i.Quantity, &i.ListPrice, measureText(&i.Measure)}
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
