package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

// How many orders a query returns when it does not say, and at most.
const (
	defaultLimit = 50
	maxLimit     = 1000
)

// conditions are a query's FROM, WHERE and ORDER BY clauses with its arguments.
type conditions struct {
	from  string
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

// statement returns the conditions as they follow a list of columns.
func (c conditions) statement(limit int) (string, []any) {
	where := ""
	if len(c.where) > 0 {
		where = " WHERE " + strings.Join(c.where, " AND ")
	}
	args := append(slices.Clip(c.args), limit)
	return c.from + where + " ORDER BY " + c.order + fmt.Sprintf(" LIMIT $%d", len(args)), args
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

// conditionsOf returns the conditions of a query, without its page and its text.
func conditionsOf(query payments.Query) conditions {
	c := conditions{from: "orders o", order: "o.created_at DESC, o.id DESC"}
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

// after restricts a query to the page after an order (keyset pagination).
func (c *conditions) after(reference string) {
	if reference != "" {
		c.add("(o.created_at, o.id) < (SELECT b.created_at, b.id FROM orders b WHERE b.reference = $?)", reference)
	}
}

// Orders returns the orders that fit, with their items, newest first. None are
// older than an order that does not exist.
func (s *Store) Orders(ctx context.Context, query payments.Query) (orders []payments.Order, err error) {
	if query.Limit <= 0 {
		query.Limit = defaultLimit
	}
	query.Limit = min(query.Limit, maxLimit)
	err = s.read(ctx, func(t *tx) error {
		rows, err := s.findOrders(t, query)
		if err == nil {
			err = addItems(t, rows)
		}
		if err != nil {
			return fmt.Errorf("read orders: %w", err)
		}
		for _, row := range rows {
			orders = append(orders, row.order)
		}
		return nil
	})
	return orders, err
}

func (s *Store) findOrders(t *tx, query payments.Query) ([]orderRow, error) {
	c := conditionsOf(query)
	if searchPattern(query.Search) == "" {
		c.after(query.Before)
	} else if err := c.search(t, s.config.Dialect.Trigrams, query); err != nil {
		return nil, err
	}
	if !query.Check.IsZero() {
		return checkOrders(t, c, query)
	}
	text, args := c.statement(query.Limit)
	return list(t, scanOrder, selectOrder+text, args...)
}

// checkOrders returns the open orders at which a person must look, by the
// domain's rule. Few others are open.
func checkOrders(t *tx, c conditions, query payments.Query) (found []orderRow, err error) {
	text, args := c.statement(1 << 31)
	err = each(t, scanOrder, func(row orderRow) bool {
		if row.order.Doubtful(query.Check) {
			found = append(found, row)
		}
		return len(found) < query.Limit
	}, selectOrder+text, args...)
	return found, err
}

// Reports read the columns that an order's verdict and sum need. A paid order
// counts at the time of its payment, any other at that of its creation.
const (
	countedColumns = `SELECT id, amount, created_at, expires_at, status, paid_at, success_seen,
		attention, finding_paid, finding_stale FROM orders `

	paidOrders   = countedColumns + `WHERE paid_at >= $1 AND paid_at < $2 ORDER BY paid_at, id`
	unpaidOrders = countedColumns + `WHERE paid_at IS NULL AND created_at >= $1 AND created_at < $2 ORDER BY created_at, id`

	soldArticles = `SELECT i.label, sum(i.quantity), sum(i.quantity * i.unit_price)
		FROM orders o JOIN order_items i ON i.order_id = o.id
		WHERE o.paid_at >= $1 AND o.paid_at < $2 GROUP BY i.label`
)

// scanCounted reads a row of countedColumns.
func scanCounted(scan scanFunc) (row orderRow, err error) {
	var (
		o       = &row.order
		finding payments.Finding
		paid    *bool
	)
	err = scan(&row.id, &o.Amount, instant{&o.CreatedAt}, instant{&o.Link.ExpiresAt},
		clean(&o.Status, maxKey), instant{&o.Facts.PaidAt}, &o.Facts.SuccessSeen,
		attention{&o.Facts.Attention}, &paid, &finding.Stale)
	if paid != nil {
		finding.Paid = *paid
		o.Finding = &finding
	}
	return row, err
}

func scanSold(scan scanFunc) (sold payments.Sold, err error) {
	err = scan(clean(&sold.Label, payments.MaxLabelWidth), &sold.Quantity, &sold.Amount)
	return sold, err
}

// Takings calls count with each order that counts in a period, and returns what
// was sold with those for which it returned true.
func (s *Store) Takings(ctx context.Context, period payments.Period, count func(payments.Order) bool) (sold []payments.Sold, err error) {
	from, to := ceilMillis(period.From), ceilMillis(period.To)
	err = s.read(ctx, func(t *tx) error {
		var unsold []orderRow // Paid once, and not counted as sold: few.
		for _, text := range []string{paidOrders, unpaidOrders} {
			err := each(t, scanCounted, func(row orderRow) bool {
				if !count(row.order) && row.order.Paid() {
					unsold = append(unsold, row)
				}
				return true
			}, text, from, to)
			if err != nil {
				return fmt.Errorf("read the orders of a period: %w", err)
			}
		}
		if !period.Sold {
			return nil
		}
		if sold, err = list(t, scanSold, soldArticles, from, to); err != nil {
			return fmt.Errorf("read what was sold: %w", err)
		}
		if err := addItems(t, unsold); err != nil {
			return err
		}
		sold = subtract(sold, unsold)
		return nil
	})
	return sold, err
}

// subtract returns what was sold without the items of orders, the largest amount
// first, and then by label.
func subtract(sold []payments.Sold, orders []orderRow) []payments.Sold {
	byLabel := make(map[string]payments.Sold, len(sold))
	for _, article := range sold {
		sum := byLabel[article.Label]
		byLabel[article.Label] = payments.Sold{Label: article.Label, Quantity: sum.Quantity + article.Quantity, Amount: sum.Amount + article.Amount}
	}
	for _, row := range orders {
		for _, item := range row.order.Items {
			sum := byLabel[item.Label]
			sum.Quantity, sum.Amount = sum.Quantity-item.Quantity, sum.Amount-item.Total()
			byLabel[item.Label] = sum
		}
	}
	var left []payments.Sold
	for _, article := range byLabel {
		if article.Quantity > 0 {
			left = append(left, article)
		}
	}
	slices.SortFunc(left, func(a, b payments.Sold) int {
		if a.Amount != b.Amount {
			return int(max(-1, min(1, b.Amount-a.Amount)))
		}
		return strings.Compare(a.Label, b.Label)
	})
	return left
}

// ceilMillis is a moment in milliseconds since 1970, rounded up, to compare
// with times that were rounded down.
func ceilMillis(at time.Time) int64 { return at.Add(time.Millisecond - 1).UnixMilli() }
