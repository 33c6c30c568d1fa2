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
	led   bool // One equality was added by which an index is chosen.
}

// parameter adds a value and returns its placeholder.
func (c *conditions) parameter(value any) string {
	c.args = append(c.args, value)
	return fmt.Sprintf("$%d", len(c.args))
}

// equal asks for a value of a text column. Only the first equality can use an
// index. Without statistics a planner takes all equalities for equally rare,
// and would look for the few orders that are being created among all orders of
// a till; so the caller names the rarest first.
func (c *conditions) equal(column, value string) {
	if c.led {
		column = `(` + column + ` || '')`
	}
	c.terms = append(c.terms, column+" = "+c.parameter(value))
	c.led = true
}

// selectOrders returns the statement that finds the orders of a query, newest
// first, and its values. There are few shapes of it, so that it is prepared
// once for each.
func selectOrders(query payments.Query) (string, []any) {
	var c conditions
	if query.Sale != "" {
		c.equal("sale", query.Sale)
		c.terms = append(c.terms, `sale <> ''`)
	}
	if !query.Check.IsZero() {
		now := query.Check.Add(time.Millisecond - 1).UnixMilli() // Rounded up, as check_from is rounded down.
		c.terms, c.led = append(c.terms, watched, `check_from < `+c.parameter(now)), true
	}
	if query.Open {
		c.terms, c.led = append(c.terms, `open`), true
	}
	if query.Status != "" {
		c.equal("status", string(query.Status))
	}
	if query.Till != "" {
		c.equal("till", query.Till)
	}
	if !query.Since.IsZero() {
		c.terms = append(c.terms, `created_at >= `+c.parameter(query.Since.UnixMilli()))
	}
	if !query.Until.IsZero() {
		c.terms = append(c.terms, `created_at < `+c.parameter(query.Until.UnixMilli()))
	}
	if query.Search != "" {
		c.terms = append(c.terms, searchCondition(c.parameter(searchPattern(query.Search))))
	}
	if query.Before != "" {
		c.terms = append(c.terms, `(created_at, id) <
			(SELECT b.created_at, b.id FROM orders b WHERE b.reference = `+c.parameter(query.Before)+`)`)
	}
	var text strings.Builder
	text.WriteString(selectOrder)
	if len(c.terms) > 0 {
		text.WriteString(`WHERE ` + strings.Join(c.terms, ` AND `))
	}
	text.WriteString(` ORDER BY created_at DESC, id DESC LIMIT ` + c.parameter(limit(query.Limit)))
	return text.String(), c.args
}

// limit is how many orders are returned when a query asks for so many.
func limit(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return min(asked, maxLimit)
}
