package sqlstore

import (
	"cmp"
	"database/sql"
	"errors"
	"math"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func customerColumns(c *drawer.Customer) []any {
	return []any{cleaned(&c.Code, maxKey), cleaned(&c.Name, payments.MaxTillWidth), instant(&c.At)}
}

func (t *tx) CustomerOf(key string) (drawer.Customer, error) {
	found, err := one(t, "read a customer", customerColumns, `SELECT code, name, made_at FROM customers WHERE key = $1`, key)
	if errors.Is(err, sql.ErrNoRows) {
		err = drawer.ErrNoCustomer
	}
	return found, err
}

func (t *tx) InsertCustomer(c drawer.Customer, key string) error {
	return t.write("insert a customer", `INSERT INTO customers (code, name, key, made_at) VALUES ($1, $2, $3, $4)`, c.Code, c.Name, key, c.At.UnixMilli())
}

func (t *tx) DropCustomer(code string) error {
	return t.write("remove the name of a customer", `DELETE FROM customers WHERE code = $1`, code)
}

func (t *tx) Owed(account ledger.Account) (money.Ariary, error) {
	return one(t, "read what a customer owes", column[money.Ariary], `SELECT
		(SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.to_account = $1 AND `+owes+`)
		- (SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.from_account = $1 AND `+repays+`)`, string(account))
}

func (t *tx) DebtOrders(account ledger.Account) ([]payments.Order, error) {
	rows, err := list(t, "read the orders of a debt", orderColumns, selectOrder+`WHERE o.debt = $1 AND o.debt <> ''
		AND o.paid_at IS NULL ORDER BY o.id`, string(account))
	return ordersOf(rows), err
}

func (t *tx) MoveDebt(from, to ledger.Account) error {
	clear(t.stored)
	t.forget()
	return t.write("move the orders of a debt", `UPDATE orders SET debt = $2 WHERE debt = $1 AND debt <> ''
		AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.payment = 'order' AND t.ref = orders.reference)`, string(from), string(to))
}

// debtors selects all customers, also those without a name: the amount of the debt, the time when
// it began, and the time of the last transfer. Only the transfers up to the ID $1 and before the
// time $2 count. A debt began with the first transfer after the balance was last at zero or below.
const debtors = `WITH moved AS (
		SELECT t.to_account AS account, t.id, t.moved_at, t.amount FROM transfers t WHERE ` + owes + ` AND t.id <= $1 AND t.moved_at < $2
		UNION ALL
		SELECT t.from_account, t.id, t.moved_at, -t.amount FROM transfers t WHERE ` + repays + ` AND t.id <= $1 AND t.moved_at < $2),
	running AS (SELECT account, id, moved_at, amount, sum(amount) OVER (PARTITION BY account ORDER BY id) AS owed FROM moved),
	cleared AS (SELECT account, max(id) AS id FROM running WHERE owed <= 0 GROUP BY account),
	sums AS (SELECT r.account, sum(r.amount) AS owed, max(r.moved_at) AS last,
		min(CASE WHEN r.id > coalesce(c.id, 0) THEN r.moved_at END) AS since
		FROM running r LEFT JOIN cleared c ON c.account = r.account GROUP BY r.account)
	SELECT coalesce(c.code, substr(s.account, 10)), coalesce(c.name, ''), c.made_at, coalesce(s.owed, 0), s.since, s.last
		FROM customers c FULL JOIN sums s ON s.account = 'customer/' || c.code`

func debtorColumns(d *drawer.Debtor) []any {
	return append(customerColumns(&d.Customer), &d.Owed, instant(&d.Since), instant(&d.Last))
}

func (t *tx) Debtors(query ledger.Query) ([]drawer.Debtor, error) {
	before := int64(math.MaxInt64)
	if !query.Period.To.IsZero() {
		before = ceilMillis(query.Period.To)
	}
	return list(t, "read what customers owe", debtorColumns, debtors, cmp.Or(query.Until, math.MaxInt64), before)
}
