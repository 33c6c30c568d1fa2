package sqlstore

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

const (
	// defaultLimit is the limit of a query without one.
	defaultLimit = 50
	// maxLimit is the highest limit of a query.
	maxLimit = 1000
	// trigram is the shortest text that the index finds, in characters.
	trigram = 3
	// recentOrders is how many of the newest orders are scanned for a shorter text.
	recentOrders = 10_000
	// maxSearch is the longest text to search for, in characters. A longer one is cut:
	// databases limit the length of a pattern.
	maxSearch = 1000
)

// Orders returns the matching orders with their items, newest first. If the order in
// query.Before does not exist, it returns nil. For query.Check it filters the open orders,
// which are few, with [payments.Order.NeedsAttention].
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
			err = addRelated(t, rows)
		}
		orders = ordersOf(rows)
		return err
	})
	return orders, err
}

// queryOrders returns the statement of a query with its arguments. It leaves the filter of
// query.Check to the caller.
func queryOrders(query payments.Query, trigrams bool) (text string, args []any) {
	c := conditions{order: "o.created_at DESC, o.id DESC"}
	if query.Sale != "" {
		c.where = append(c.where, "o.sale <> ''")
		c.equal("o.sale", query.Sale)
	}
	limit := query.Limit
	if !query.Check.IsZero() {
		limit, query.Open = math.MaxInt32, true // All orders that a person must look at are open.
	}
	if query.Open {
		c.where, c.led = append(c.where, "o.open"), true
	}
	if query.Status != "" {
		c.equal("o.status", string(query.Status))
	}
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
	} else if query.Before != "" { // Keyset pagination.
		c.add("(o.created_at, o.id) < (SELECT b.created_at, b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	text = selectOrder + c.join
	if len(c.where) > 0 {
		text += " WHERE " + strings.Join(c.where, " AND ")
	}
	return fmt.Sprintf("%s ORDER BY %s LIMIT %d", text, c.order, limit), c.args
}

// conditions are a query's JOIN, WHERE and ORDER BY clauses with its arguments.
type conditions struct {
	join  string
	where []string
	order string
	args  []any
	led   bool // The WHERE clause has a selective condition with an index.
}

// add adds a condition; $? is its argument.
func (c *conditions) add(condition string, arg any) {
	c.args = append(c.args, arg)
	c.where = append(c.where, strings.Replace(condition, "$?", fmt.Sprintf("$%d", len(c.args)), 1))
}

// equal adds an equality on a text column. Without statistics a planner assumes that all
// equalities are equally selective, and could use the index of a till to find the few open
// orders. So only the first condition can use an index (the others are expressions), and
// the caller adds the most selective first.
func (c *conditions) equal(column, value string) {
	if c.led {
		column = "(" + column + " || '')"
	}
	c.add(column+" = $?", value)
	c.led = true
}

// search limits a query to the orders that contain a text, newest first by insertion. It
// uses the trigram index unless another condition leaves few orders. A text that is too
// short for the index is searched among the newest orders.
func (c *conditions) search(query payments.Query, trigrams bool) {
	text := query.Search
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
	key, short := "o.id", utf8.RuneCountInString(text) < trigram
	few := query.Sale != "" || query.Open
	if trigrams && !few && !short {
		c.join, key = "JOIN orders_search s ON s.rowid = o.id", "s.rowid"
		c.add("s.search GLOB $?", "*"+strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(text)+"*")
	} else {
		c.add(`o.search LIKE $? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)+"%")
	}
	if short && !few {
		c.add("o.id > (SELECT max(id) FROM orders) - $?", recentOrders)
	}
	if query.Before != "" {
		c.add(key+" < (SELECT b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	c.order = key + " DESC"
}

// searchText returns the content of an order's search column: its terms and its order
// reference, folded.
func searchText(o payments.Order) string {
	text := fold(o.Reference) + "\n" + fold(o.Description)
	for _, item := range o.Items {
		// A description generated from the items contains their labels already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(o.OrderReference)
}

// lateText returns the part of searchText that is known after the order call.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// fold normalizes a text for searching: NFKD without combining marks, in lower case, with
// white space as blanks and without other unprintable characters.
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
