package sqlstore

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"checkout/till/payments"
)

const (
	// defaultLimit is how many orders a query returns that does not say.
	defaultLimit = 50
	// trigram is the minimum length of a text that the index finds, in characters.
	trigram = 3
	// recentOrders is how many of the newest orders are scanned for a shorter text.
	recentOrders = 10_000
)

// Orders returns the orders that fit, with their items, newest first. None are
// older than an order that does not exist.
func (s *Store) Orders(ctx context.Context, query payments.Query) (orders []payments.Order, err error) {
	if query.Limit <= 0 {
		query.Limit = defaultLimit
	}
	query.Limit = min(query.Limit, maxLimit)
	err = s.read(ctx, func(t *tx) error {
		rows, err := findOrders(t, query, s.config.Dialect.Trigrams)
		if err == nil {
			err = addItems(t, rows)
		}
		orders = ordersOf(rows)
		return err
	})
	return orders, err
}

// findOrders returns the orders that fit, without their items. At which a person
// must look is the domain's rule; few others are open.
func findOrders(t *tx, query payments.Query, trigrams bool) (found []orderRow, err error) {
	c := conditionsOf(query)
	limit := query.Limit
	if !query.Check.IsZero() {
		limit = math.MaxInt32
	}
	if text := searchPattern(query.Search); text != "" {
		c.search(query, text, trigrams)
	} else if query.Before != "" { // Keyset pagination.
		c.add("(o.created_at, o.id) < (SELECT b.created_at, b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	err = each(t, "read orders", orderColumns, func(row orderRow) bool {
		if query.Check.IsZero() || row.order.Doubtful(query.Check) {
			found = append(found, row)
		}
		return len(found) < query.Limit
	}, selectOrder+c.text(limit), c.args...)
	return found, err
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

// text returns the clauses as they follow the table.
func (c *conditions) text(limit int) string {
	where := ""
	if len(c.where) > 0 {
		where = " WHERE " + strings.Join(c.where, " AND ")
	}
	return c.join + where + " ORDER BY " + c.order + fmt.Sprintf(" LIMIT %d", limit)
}

// conditionsOf returns the conditions of a query, without its page and its text.
func conditionsOf(query payments.Query) *conditions {
	c := &conditions{order: "o.created_at DESC, o.id DESC"}
	if query.Sale != "" {
		c.where = append(c.where, "o.sale <> ''")
		c.equal("o.sale", query.Sale)
	}
	// What a person must look at is open, as the domain has it.
	if query.Open || !query.Check.IsZero() {
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
	return c
}

// search restricts a query to the orders that contain a text, newest first by
// insertion. The trigram index is used unless another condition leaves few
// orders; a text that is too short for it is searched among the newest.
func (c *conditions) search(query payments.Query, text string, trigrams bool) {
	key, short := "o.id", utf8.RuneCountInString(text) < trigram
	few := query.Sale != "" || query.Open || !query.Check.IsZero()
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
