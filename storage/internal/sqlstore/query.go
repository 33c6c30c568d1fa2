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
	// defaultLimit is how many orders a query returns that does not say.
	defaultLimit = 50
	// maxLimit is how many orders a query returns at most.
	maxLimit = 1000
	// trigram is the minimum length of a text that the index finds, in characters.
	trigram = 3
	// recentOrders is how many of the newest orders are scanned for a shorter text.
	recentOrders = 10_000
	// maxSearch bounds a text that is searched for, in characters. A longer one is
	// cut: databases limit the length of a pattern.
	maxSearch = 1000
)

// Orders returns the orders that fit, with their items, newest first. None are
// older than an order that does not exist. At which a person must look is the
// domain's rule; few others are open.
func (s *Store) Orders(ctx context.Context, query payments.Query) (orders []payments.Order, err error) {
	if query.Limit <= 0 {
		query.Limit = defaultLimit
	}
	query.Limit = min(query.Limit, maxLimit)
	text, args := queryOrders(query, s.config.Dialect.Trigrams)
	err = s.read(ctx, func(t *tx) error {
		var rows []orderRow
		err := each(t, "read orders", orderColumns, func(row orderRow) bool {
			if query.Check.IsZero() || row.order.Doubtful(query.Check) {
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

// queryOrders returns the statement of a query, without the rule of Check, and its
// arguments.
func queryOrders(query payments.Query, trigrams bool) (text string, args []any) {
	c := conditions{order: "o.created_at DESC, o.id DESC"}
	if query.Sale != "" {
		c.where = append(c.where, "o.sale <> ''")
		c.equal("o.sale", query.Sale)
	}
	limit := query.Limit
	if !query.Check.IsZero() {
		limit, query.Open = math.MaxInt32, true // What a person must look at is open, as the domain has it.
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
	led   bool // There is a selective condition, whose index is to be used.
}

// add adds a condition, in which $? stands for the argument.
func (c *conditions) add(condition string, arg any) {
	c.args = append(c.args, arg)
	c.where = append(c.where, strings.Replace(condition, "$?", fmt.Sprintf("$%d", len(c.args)), 1))
}

// equal adds an equality on a text column. Without statistics a planner takes all
// equalities for equally selective, and would look for the few open orders among
// all orders of a till. So only the first condition may use an index (the others
// are expressions), and the caller adds the most selective first.
func (c *conditions) equal(column, value string) {
	if c.led {
		column = "(" + column + " || '')"
	}
	c.add(column+" = $?", value)
	c.led = true
}

// search restricts a query to the orders that contain a text, newest first by
// insertion. The trigram index is used unless another condition leaves few
// orders; a text that is too short for it is searched among the newest.
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

// searchText is the content of an order's column search: its terms and its order
// reference, folded.
func searchText(o payments.Order) string {
	text := fold(o.Reference) + "\n" + fold(o.Description)
	for _, item := range o.Items {
		// A description that was made from the items names them already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(o.OrderReference)
}

// lateText is the part of searchText that is known after the order call.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// fold normalizes a text for searching: NFKD without combining marks, in lower
// case, every white space as a blank, nothing that is not printable.
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
