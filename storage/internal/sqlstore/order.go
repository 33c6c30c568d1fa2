package sqlstore

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
)

// An order's columns. The terms never change; search is what [fold] makes of
// what an order is found by.
const (
	termColumns = `reference, sale, till, amount, description, created_at, search`

	// The flags are read as one column, for columns are what reading costs. What
	// is missing is read as -1: nothing was ever paid before 1970.
	orderColumns = `id, reference, sale, till, amount, description, created_at, order_reference,
		link_url, coalesce(expires_at, -1), status, error, coalesce(paid_at, -1), attention, reported_amount, reported_unit,
		coalesce(finding_paid, -1), finding_by, finding_note, coalesce(finding_at, -1),
		link_assumed + 2 * success_seen + 4 * expired_seen + 8 * given_up + 16 * not_sent
			+ 32 * acknowledged + 64 * finding_stale`

	selectOrder = `SELECT ` + orderColumns + ` FROM orders `

	orderByReference      = selectOrder + `WHERE reference = $1`
	orderByOrderReference = selectOrder + `WHERE order_reference = $1 AND order_reference <> ''`
	ordersOfSale          = selectOrder + `WHERE sale = $1 AND sale <> '' ORDER BY id`

	// The last column tells whether no other order is of the same sale, which
	// spares most events a look for them.
	columnsOfEvent = orderColumns + `, CAST(NOT EXISTS
		(SELECT 1 FROM orders s WHERE s.sale = o.sale AND s.sale <> '' AND s.id <> o.id) AS INTEGER)`
	fromEvent          = ` FROM orders o WHERE order_reference = $1 AND order_reference <> ''`
	orderOfEvent       = `SELECT ` + columnsOfEvent + fromEvent
	packedOrderOfEvent = `SELECT ` + packBegin + columnsOfEvent + packEnd + fromEvent

	// An order reference that another order has is not written. An index would
	// refuse it too, but a refusal can cost the whole transaction. One under which
	// the order has events stays: they are found by it.
	saveOrderReference = `UPDATE orders SET order_reference = $2, search = replace(search, $3, '') || $4 WHERE id = $1
		AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.order_reference = $2 AND o.order_reference <> '' AND o.id <> $1)
		AND NOT EXISTS (SELECT 1 FROM events e WHERE e.order_reference = $5 AND e.order_id = $1)`

	insertItem = `INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price)
		VALUES ($1, $2, $3, $4, $5, $6)`
)

// state holds a value for each of stateColumns.
type state [23]any

// stateColumns are the columns of what may change of an order, but for its order
// reference. open, verdict and check_from are what the domain makes of the others
// at the time of writing.
func stateColumns() [len(state{})]string {
	return [...]string{
		"link_url", "expires_at", "link_assumed",
		"finding_paid", "finding_by", "finding_note", "finding_at", "finding_stale",
		"status", "error", "paid_at", "success_seen", "expired_seen", "given_up", "not_sent", "acknowledged",
		"attention", "reported_amount", "reported_unit", "open", "verdict", "check_from", "change_seq",
	}
}

// insertOrder writes a new order and returns its key.
func insertOrder() string {
	columns := stateColumns()
	return `INSERT INTO orders (order_reference, ` + termColumns + `, ` + strings.Join(columns[:], ", ") + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
			$20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31)
		ON CONFLICT DO NOTHING RETURNING id`
}

// orderRow is an order, without its items, and its key in the database.
type orderRow struct {
	id    int64
	order payments.Order
	alone bool // It is known that no other order is of its sale.
}

// orderOf returns the order that a query finds, or [payments.ErrNotFound].
func orderOf(query queryFunc, scan func(scanFunc) (orderRow, error), text, ref string) (orderRow, error) {
	return orderFound(one(query, scan, text, ref))
}

// orderFound says of an order that was looked for why it was not found.
func orderFound(row orderRow, err error) (orderRow, error) {
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
	state := stateValues(order, sequence)
	return append([]any{
		order.OrderReference, order.Reference, order.Sale, order.Till, int64(order.Amount),
		order.Description, order.CreatedAt.UnixMilli(), searchText(order),
	}, state[:]...)
}

// stateValues returns an order's state.
func stateValues(order payments.Order, sequence int64) state {
	link, facts := &order.Link, &order.Facts
	var finding payments.Finding
	var foundPaid any
	if order.Finding != nil {
		finding, foundPaid = *order.Finding, order.Finding.Paid
	}
	verdict, checkFrom := derive(order)
	return state{
		link.URL, millis(link.ExpiresAt), link.Assumed,
		foundPaid, finding.By, finding.Note, millis(finding.At), finding.Stale,
		string(order.Status), order.Error, millis(facts.PaidAt), facts.SuccessSeen, facts.ExpiredSeen,
		facts.GivenUp, facts.NotSent, facts.Acknowledged,
		joinAttention(facts.Attention), facts.ReportedAmount, facts.ReportedUnit,
		order.Open(), verdict, checkFrom, sequence,
	}
}

// change returns the values that make the state of the order with a key another
// one, the key first, and the columns that they are for: a bit for each of
// stateColumns, from the lowest on.
func change(id int64, was, now *state) (columns uint32, values []any) {
	values = append(make([]any, 0, 8), id)
	for i, value := range now {
		if value != was[i] {
			columns |= 1 << i
			values = append(values, value)
		}
	}
	return columns, values
}

// saveState returns the statement for what change returns. It sets no other
// column: an index costs as much where a column is set to the value that it has.
func saveState(columns uint32) string {
	set := make([]string, 0, len(state{}))
	for i, column := range stateColumns() {
		if columns>>i&1 != 0 {
			set = append(set, column+" = $"+strconv.Itoa(len(set)+2))
		}
	}
	return `UPDATE orders SET ` + strings.Join(set, ", ") + ` WHERE id = $1`
}

// scanOrder reads a row of selectOrder.
func scanOrder(scan scanFunc) (orderRow, error) { return scanOrderAnd(scan) }

// scanOrderAnd reads orderColumns and what stands behind them.
func scanOrderAnd(scan scanFunc, behind ...any) (orderRow, error) {
	var (
		row                     orderRow
		order, facts            = &row.order, &row.order.Facts
		finding                 payments.Finding
		created, expires, paid  int64
		found, foundPaid, flags int64
		attention, status       string
	)
	places := append(make([]any, 0, 32),
		&row.id, &order.Reference, &order.Sale, &order.Till, &order.Amount, &order.Description,
		&created, &order.OrderReference, &order.Link.URL, &expires, &status, &order.Error,
		&paid, &attention, &facts.ReportedAmount, &facts.ReportedUnit,
		&foundPaid, &finding.By, &finding.Note, &found, &flags,
	)
	if err := scan(append(places, behind...)...); err != nil {
		return orderRow{}, err
	}
	for i, flag := range []*bool{
		&order.Link.Assumed, &facts.SuccessSeen, &facts.ExpiredSeen, &facts.GivenUp, &facts.NotSent,
		&facts.Acknowledged, &finding.Stale,
	} {
		*flag = flags>>i&1 != 0
	}
	order.CreatedAt = time.UnixMilli(created).UTC()
	order.Status = payments.Status(status)
	order.Link.ExpiresAt, facts.PaidAt, finding.At = moment(expires), moment(paid), moment(found)
	facts.Attention = splitAttention(attention)
	if foundPaid >= 0 {
		finding.Paid = foundPaid != 0
		order.Finding = &finding
	}
	return row, nil
}

// packedOrder reads a row of packedOrderOfEvent, unless it was not found.
func packedOrder(row string, err error) (orderRow, error) {
	if err != nil {
		return orderRow{}, err
	}
	return scanOrderOfEvent(unpacked(row))
}

// scanOrderOfEvent reads a row of orderOfEvent.
func scanOrderOfEvent(scan scanFunc) (orderRow, error) {
	var alone int64
	row, err := scanOrderAnd(scan, &alone)
	row.alone = alone != 0
	return row, err
}

// millis is how a time that may be missing is stored: in milliseconds since
// 1970, rounded down, or null.
func millis(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UnixMilli()
}

// moment is the time that millis stored, in UTC; -1 for none.
func moment(stored int64) time.Time {
	if stored == -1 {
		return time.Time{}
	}
	return time.UnixMilli(stored).UTC()
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
