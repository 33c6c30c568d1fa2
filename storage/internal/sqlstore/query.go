package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

const (
	defaultLimit = 50
	maxLimit     = 1000
	// trigram is the shortest search text, in characters, that the trigram index can find.
	trigram = 3
	// recentOrders is the number of newest orders to which some queries are limited.
	recentOrders = 10_000
	// maxSearch is the maximum length of a search text, in characters. A longer text is cut, because
	// databases limit the length of a pattern.
	maxSearch = 1000
)

// Orders implements [payments.Reader]. If the order in query.Before does not exist, Orders returns
// no orders. If query.Check is set, Orders reads the open orders, which are few, and returns those
// that need attention by [payments.Order.NeedsAttention].
func (s *Store) Orders(ctx context.Context, query payments.Query) (orders []payments.Order, err error) {
	if query.Limit <= 0 {
		query.Limit = defaultLimit
	}
	query.Limit = min(query.Limit, maxLimit)
	text, args := queryOrders(query, s.config.Dialect.Trigrams)
	err = s.read(ctx, func(t *tx) error {
		var rows []orderRow
		err := each(t, "read orders", orderColumns, func(row orderRow) bool {
			if query.Check.IsZero() || row.order.NeedsAttention(query.Check) {
				rows = append(rows, row)
			}
			return len(rows) < query.Limit
		}, text, args...)
		if err == nil {
			err = cmp.Or(addOthers(t, rows), addItems(t, rows))
		}
		orders = ordersOf(rows)
		return err
	})
	return orders, err
}

// Overview implements [payments.Reader]. The first round trip reads the items of all open orders,
// because only its answer shows which of these orders Overview returns. A second round trip follows
// only if [orderRow.settledElsewhere] is true for one of them.
func (s *Store) Overview(ctx context.Context, till string, now time.Time, limit int) (view payments.Overview, err error) {
	var all, open, attention []orderRow
	var items []itemRow
	err = s.read(ctx, func(t *tx) error {
		askAll(t, &all, "read open orders", orderColumns, selectOrder+`WHERE o.open ORDER BY o.created_at DESC, o.id DESC`)
		askAll(t, &items, "read items", itemColumns,
			selectItems+`WHERE i.order_id IN (SELECT id FROM orders WHERE open) ORDER BY i.order_id, i.position`)
		askUnmatched(t, &view.Unmatched, limit)
		ask(t, "look for cashiers", column[int], func(count int) bool {
			view.Staffed = count > 0
			return true
		}, `SELECT count(*) FROM cashiers`)
		return nil
	})
	for _, row := range all {
		if row.order.Till == till && len(open) < limit {
			open = append(open, row)
		}
		if row.order.NeedsAttention(now) && len(attention) < limit {
			attention = append(attention, row)
		}
	}
	shareItems(open, items)
	shareItems(attention, items)
	if err == nil && slices.ContainsFunc(slices.Concat(open, attention), orderRow.settledElsewhere) {
		err = s.read(ctx, func(t *tx) error { return cmp.Or(addOthers(t, open), addOthers(t, attention)) })
	}
	view.Open = ordersOf(open)
	view.Attention = ordersOf(attention)
	return view, err
}

// queryOrders returns the statement of a query with its arguments. If query.Check is set,
// the caller must filter the rows and apply the limit.
func queryOrders(query payments.Query, trigrams bool) (text string, args []any) {
	c := conditions{order: "o.created_at DESC, o.id DESC"}
	if query.Sale != "" {
		c.where = append(c.where, "o.sale <> ''")
		c.equal("o.sale", query.Sale)
	}
	if query.Latest { // Limit the search: for a till without orders, it would otherwise read the orders of all other tills.
		c.order, c.indexed = "o.id DESC", true
		c.add("o.id > (SELECT max(id) FROM orders) - $?", recentOrders)
	}
	limit := query.Limit
	if !query.Check.IsZero() {
		limit, query.Open = math.MaxInt32, true // Every order that needs attention is open. The caller applies the limit after the filter.
	}
	if query.Open {
		c.where, c.indexed = append(c.where, "o.open"), true
	}
	c.status(query)
	if query.Till != "" {
		c.equal("o.till", query.Till)
	}
	if !query.Since.IsZero() {
		c.add("o.created_at >= $?", query.Since.UnixMilli())
	}
	if !query.Until.IsZero() {
		c.add("o.created_at < $?", query.Until.UnixMilli())
	}
	if query.Search = fold(query.Search); query.Search != "" {
		c.search(query, trigrams)
	} else if query.Before != "" { // Keyset pagination: the next page begins after query.Before.
		c.add("(o.created_at, o.id) < (SELECT b.created_at, b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	text = selectOrder + c.join
	if len(c.where) > 0 {
		text += " WHERE " + strings.Join(c.where, " AND ")
	}
	return fmt.Sprintf("%s ORDER BY %s LIMIT %d", text, c.order, limit), c.args
}

type conditions struct {
	join  string
	where []string
	order string
	args  []any
	// indexed is true after a condition that can use an index was added. The method equal then
	// avoids other indexes.
	indexed bool
}

// status adds the condition for query.Status. An order with an interrupted call is stored as
// creating, but Order.At returns it as unknown.
func (c *conditions) status(query payments.Query) {
	interrupted := fmt.Sprintf("(o.status = 'creating' AND NOT o.not_sent AND coalesce(o.sent_at, 0) NOT BETWEEN %d AND %d)",
		query.Now.Add(-payments.CallLimit).UnixMilli(), query.Now.Add(payments.CallLimit).UnixMilli())
	switch query.Status {
	case "":
		return
	case payments.StatusUnknown:
		c.add("(o.status = $? OR "+interrupted+")", string(query.Status))
		c.indexed = true
	default:
		c.equal("o.status", string(query.Status))
		c.where = append(c.where, "NOT "+interrupted)
	}
}

// add adds a condition. args are the values for its placeholders. Each placeholder is written $?.
func (c *conditions) add(condition string, args ...any) {
	for _, arg := range args {
		c.args = append(c.args, arg)
		condition = strings.Replace(condition, "$?", fmt.Sprintf("$%d", len(c.args)), 1)
	}
	c.where = append(c.where, condition)
}

// equal adds the condition column = value, for a text column. Callers add the most selective
// condition first, because only that one may use an index. Any later condition compares an
// expression without an index, so that a planner without statistics cannot choose a less selective
// index.
func (c *conditions) equal(column, value string) {
	if c.indexed {
		column = "(" + column + " || '')"
	}
	c.add(column+" = $?", value)
	c.indexed = true
}

// search adds the condition that the order contains query.Search or, if query.Amount is set, has
// this amount. It sorts by insertion, newest first. A text that is too short for the trigram index
// is searched only among the newest orders, unless query.Sale or query.Open selects few orders.
func (c *conditions) search(query payments.Query, trigrams bool) {
	text := query.Search
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
	key, short := "o.id", utf8.RuneCountInString(text) < trigram
	few := query.Sale != "" || query.Open
	glob := "*" + strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(text) + "*"
	like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
	switch indexed := trigrams && !few && !short; {
	case indexed && query.Amount != 0:
		// No index contains the amount, so only the newest orders are compared with it.
		c.add("(o.id IN (SELECT rowid FROM orders_search WHERE search GLOB $?) OR o.id > (SELECT max(id) FROM orders) - $? AND o.amount = $?)",
			glob, recentOrders, int64(query.Amount))
	case indexed:
		c.join, key = "JOIN orders_search s ON s.rowid = o.id", "s.rowid"
		c.add("s.search GLOB $?", glob)
	case query.Amount != 0:
		c.add(`(o.search LIKE $? ESCAPE '\' OR o.amount = $?)`, like, int64(query.Amount))
	default:
		c.add(`o.search LIKE $? ESCAPE '\'`, like)
	}
	if short && !few {
		c.add("o.id > (SELECT max(id) FROM orders) - $?", recentOrders)
	}
	if query.Before != "" {
		c.add(key+" < (SELECT b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	c.order = key + " DESC"
}

// searchText returns the content of an order's search column, folded: the reference, the
// description, the labels of the items and the order reference.
func searchText(o payments.Order) string {
	text := fold(o.Reference) + "\n" + fold(o.Description)
	for _, item := range o.Items {
		// A description that was generated from the items usually contains their labels already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(o.OrderReference)
}

// lateText returns the end of searchText: the order reference, which is known only after the order
// call. It returns "" for an empty order reference.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// fold normalizes a text for searching: NFKD without combining marks, in lower case. White
// space becomes spaces, and other unprintable characters are removed.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsMark(r), !unicode.IsPrint(r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ToValidUTF8(text, "")))
}
