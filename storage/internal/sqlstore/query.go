package sqlstore

import (
	"fmt"
	"strings"
	"time"

	"checkout/till/payments"
)

// How many orders a query returns when it does not say, and at most.
const (
	defaultLimit = 50
	maxLimit     = 1000
)

// conditions collects what a query asks for.
type conditions struct {
	terms []string
	args  []any
	// led says that the index is chosen: an equality was added by which it is,
	// or the keys are given.
	led bool
}

// parameter adds a value and returns its placeholder.
func (c *conditions) parameter(value any) string {
	c.args = append(c.args, value)
	return fmt.Sprintf("$%d", len(c.args))
}

// add adds a condition.
func (c *conditions) add(term string) { c.terms = append(c.terms, term) }

// equal asks for a value of a text column. Only the first equality can use an
// index. Without statistics a planner takes all equalities for equally rare,
// and would look for the few orders that are being created among all orders of
// a till; so the caller names the rarest first.
func (c *conditions) equal(column, value string) {
	if c.led {
		column = `(` + column + ` || '')`
	}
	c.add(column + " = " + c.parameter(value))
	c.led = true
}

// where returns the conditions as they stand in a statement.
func (c *conditions) where() string {
	if len(c.terms) == 0 {
		return ""
	}
	return `WHERE ` + strings.Join(c.terms, ` AND `)
}

// conditionsOf returns what a query asks for, but for its text.
func conditionsOf(query payments.Query) conditions {
	var c conditions
	if query.Sale != "" {
		c.equal("sale", query.Sale)
		c.add(`sale <> ''`)
	}
	if !query.Check.IsZero() {
		c.add(watched)
		c.add(`check_from < ` + c.parameter(checkedAt(query)))
		c.led = true
	}
	if query.Open {
		c.add(`open`)
		c.led = true
	}
	if query.Status != "" {
		c.equal("status", string(query.Status))
	}
	if query.Till != "" {
		c.equal("till", query.Till)
	}
	if !query.Since.IsZero() {
		c.add(`created_at >= ` + c.parameter(query.Since.UnixMilli()))
	}
	if !query.Until.IsZero() {
		c.add(`created_at < ` + c.parameter(query.Until.UnixMilli()))
	}
	if query.Before != "" {
		c.add(`(created_at, id) < (SELECT b.created_at, b.id FROM orders b WHERE b.reference = ` +
			c.parameter(query.Before) + `)`)
	}
	return c
}

// checkedAt is the moment of a query for what to check, rounded up, as
// check_from is rounded down.
func checkedAt(query payments.Query) int64 { return query.Check.Add(time.Millisecond - 1).UnixMilli() }

// selectOrders returns the statement that finds the orders of a query, newest
// first, and its values. There are few shapes of it, so that it is prepared
// once for each.
func selectOrders(query payments.Query) (string, []any) {
	c := conditionsOf(query)
	if text := searched(query.Search); text != "" {
		c.add(`search LIKE ` + c.parameter(searchPattern(text)) + ` ESCAPE '\'`)
	}
	where := c.where()
	return selectOrder + where + ` ORDER BY created_at DESC, id DESC LIMIT ` + c.parameter(limit(query.Limit)), c.args
}

// countOrders returns the statement that counts the orders of a query up to a
// limit, whatever their text.
func countOrders(query payments.Query, limit int) (string, []any) {
	c := conditionsOf(query)
	where := c.where()
	return `SELECT count(*) FROM (SELECT 1 FROM orders ` + where + ` LIMIT ` + c.parameter(limit) + `) few`, c.args
}

// narrow tells whether a query may ask for few orders, whatever their text.
func narrow(query payments.Query) bool {
	return query.Status != "" || query.Open || query.Sale != "" || !query.Check.IsZero() ||
		!query.Since.IsZero() || !query.Until.IsZero()
}

// limit is how many orders are returned when a query asks for so many.
func limit(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return min(asked, maxLimit)
}
