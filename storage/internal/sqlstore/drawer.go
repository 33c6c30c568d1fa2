package sqlstore

import (
	"crypto/sha256"
	"database/sql"
	"errors"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

var _ drawer.Tx = (*tx)(nil)

const (
	// backToSales is the amount of a transfer t of a payment, with a sign. It is above zero if
	// money was given back, by a refund or a void. It is below zero for a sale, a paid debt, and a
	// refund that was taken back.
	backToSales = `CASE WHEN t.to_account = 'sales' THEN t.amount WHEN t.from_account = 'sales' THEN -t.amount
		WHEN ` + owes + ` THEN t.amount WHEN ` + repays + ` THEN -t.amount ELSE 0 END`

	// owes is the condition for a transfer t into the account of a customer. repays is the condition
	// for a transfer t out of such an account. The partial indexes on the accounts have the same
	// conditions, so that queries can use these indexes.
	owes   = `t.to_account > 'customer/' AND t.to_account < 'customer0'`
	repays = `t.from_account > 'customer/' AND t.from_account < 'customer0'`

	// refundFields are two columns: the refunds of an order o in the merchant area, and those in
	// cash.
	refundFields = `
	(SELECT coalesce(sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind = 'refund'
		AND 'service' IN (t.from_account, t.to_account)),
	(SELECT coalesce(sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind = 'refund'
		AND 'service' NOT IN (t.from_account, t.to_account)),`

	// cashNet is the amount of a row of cash_sales, minus refunds and voids. For a sale on account, it
	// is what was added to the debt.
	cashNet = `(SELECT coalesce(-sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = number AND t.payment = 'settlement')`

	// cashStored is the ID of the first transfer of a row of cash_sales. Sort by it and not by the
	// number: each till has numbers of its own, and as a text, 1000000 is less than 999999.
	cashStored = `(SELECT min(t.id) FROM transfers t WHERE t.ref = number AND t.payment = 'settlement')`

	selectCash = `SELECT number, sale, till, items, description, amount, total, rest_of, given, sold_by, sold_at,
	(SELECT coalesce(min(t.to_account), '') FROM transfers t WHERE t.ref = number AND t.payment = 'settlement' AND t.kind IN ('sale', 'paid')),
	(SELECT coalesce(min(t.from_account), '') FROM transfers t WHERE t.ref = number AND t.payment = 'settlement' AND t.kind = 'paid'),
	(SELECT min(t.moved_at) FROM transfers t WHERE t.ref = number AND t.payment = 'settlement' AND t.kind = 'void'),
	(SELECT coalesce(sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = number AND t.payment = 'settlement' AND t.kind = 'refund')
	FROM cash_sales `
)

// partColumns returns the scan destinations for one payment at the counter. askSale adds the
// payments up.
func partColumns(part *payments.Taken) []any {
	return []any{cleaned(&part.Number, maxKey), &part.Largest, &part.Net}
}

func cashColumns(c *drawer.CounterSale) []any {
	return []any{
		cleaned(&c.Number, maxKey), cleaned(&c.Sale, maxKey), cleaned(&c.Till, payments.MaxTillWidth), itemsText(&c.Items),
		cleaned(&c.Description, payments.MaxDescriptionWidth), &c.Amount, &c.Total, cleaned(&c.RestOf, maxKey), &c.Given, cleaned(&c.By, payments.MaxLabelWidth),
		instant(&c.At), cleaned(&c.Account, maxKey), cleaned(&c.Debt, maxKey), instant(&c.VoidedAt), &c.Refunded,
	}
}

func (t *tx) InsertCash(c drawer.CounterSale) error {
	if err := t.room(); err != nil {
		return err
	}
	t.forget()
	items, err := encodeItems(c.Items)
	if err != nil {
		return err
	}
	return t.write("insert cash sale", `INSERT INTO cash_sales
		(number, sale, till, items, description, amount, total, rest_of, given, sold_by, sold_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		c.Number, c.Sale, c.Till, items, c.Description, int64(c.Amount), int64(c.Total), c.RestOf, int64(c.Given), c.By, c.At.UnixMilli())
}

func (t *tx) Cash(number string) (drawer.CounterSale, error) {
	sale, err := one(t, "read cash sale", cashColumns, selectCash+`WHERE number = $1`, number)
	if errors.Is(err, sql.ErrNoRows) {
		err = drawer.ErrNotFound
	}
	return sale, err
}

func (t *tx) CashOf(sale string) ([]drawer.CounterSale, error) {
	return list(t, "read the cash of a sale", cashColumns, selectCash+`WHERE sale = $1 AND sale <> '' ORDER BY sold_at, number`, sale)
}

const maxParts = 100

// FirstParts implements [drawer.Tx]. A sale stays fully paid after a refund, but not after a void or a
// finding of unpaid. A payment whose money was all given back does not count any more once the sale was
// charged again.
func (t *tx) FirstParts(till string) ([]drawer.CounterSale, error) {
	return list(t, "read sales that are paid in part", cashColumns, selectCash+`WHERE till = $1 AND rest_of = '' AND amount < total AND sale <> ''
		AND (SELECT coalesce(sum(CASE WHEN `+partNet+` > 0 THEN p.amount WHEN `+partVoided+` OR `+chargedAgain("p.sale", "p.number", partLast)+` THEN 0
			ELSE p.amount END), 0) FROM cash_sales p WHERE p.sale = cash_sales.sale) BETWEEN 1 AND total - 1
		AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.sale = cash_sales.sale AND (o.open OR `+orderCame+`
			AND NOT (`+orderRefunds+` >= o.amount AND `+chargedAgain("o.sale", "o.reference", orderLast)+`)))
		ORDER BY sold_at DESC, number LIMIT $2`, till, maxParts)
}

const (
	// partNet, partVoided and partLast are about a row p of cash_sales: how much of its money is left,
	// whether it was voided, and the ID of its last transfer.
	partNet    = `(SELECT coalesce(-sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = p.number AND t.payment = 'settlement')`
	partVoided = `EXISTS (SELECT 1 FROM transfers t WHERE t.ref = p.number AND t.payment = 'settlement' AND t.kind = 'void')`
	partLast   = `(SELECT max(t.id) FROM transfers t WHERE t.ref = p.number AND t.payment = 'settlement')`

	// orderCame is the condition for an order o that was paid or found paid. orderRefunds is the sum
	// of its refunds, and orderLast is the ID of the last of them.
	orderCame = `CASE coalesce((SELECT f.kind FROM findings f WHERE f.order_id = o.id ORDER BY f.position DESC LIMIT 1), '')
		WHEN 'paid' THEN true WHEN 'unpaid' THEN false ELSE o.paid_at IS NOT NULL END`
	orderRefunds = `(SELECT coalesce(sum(` + backToSales + `), 0) FROM transfers t WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind = 'refund')`
	orderLast    = `(SELECT max(t.id) FROM transfers t WHERE t.ref = o.reference AND t.payment = 'order' AND t.kind = 'refund')`
)

// chargedAgain returns the condition that a sale has a payment at the counter or an order that was
// made after the transfer with the ID last. It ignores the order with the reference except.
func chargedAgain(sale, except, last string) string {
	return `(EXISTS (SELECT 1 FROM cash_sales l JOIN transfers t ON t.ref = l.number AND t.payment = 'settlement' AND t.kind IN ('sale', 'paid')
			WHERE l.sale = ` + sale + ` AND t.id > ` + last + `)
		OR EXISTS (SELECT 1 FROM orders n WHERE n.sale = ` + sale + ` AND n.reference <> ` + except + `
			AND n.created_at >= (SELECT r.booked_at FROM transfers r WHERE r.id = ` + last + `)))`
}

func (t *tx) Taken(sale string) (payments.Taken, error) {
	rows, err := t.sale(sale)
	return rows.taken, err
}

func (t *tx) CashSales(period money.Period) ([]drawer.CounterSale, error) {
	return list(t, "read cash sales", cashColumns, selectCash+`WHERE sold_at >= $1 AND sold_at < $2
		OR number IN (SELECT t.ref FROM transfers t WHERE t.moved_at >= $1 AND t.moved_at < $2 AND t.payment = 'settlement')
		ORDER BY sold_at, number`, ceilMillis(period.From), ceilMillis(period.To))
}

func requestColumns(r *drawer.Request) []any {
	digest := sized(sha256.Size, func(sum []byte) { r.Digest = [sha256.Size]byte(sum) })
	return []any{cleaned(&r.ID, maxKey), digest, cleaned(&r.Ref, maxKey), instant(&r.At)}
}

func (t *tx) Request(id string) (drawer.Request, error) {
	return first(t, "read the request of a change", requestColumns, `SELECT id, digest, ref, made_at FROM requests WHERE id = $1`, id)
}

func (t *tx) InsertRequest(r drawer.Request) error {
	return t.write("insert the request of a change", `INSERT INTO requests (id, digest, ref, made_at) VALUES ($1, $2, $3, $4)`,
		r.ID, r.Digest[:], r.Ref, r.At.UnixMilli())
}

func receiptColumns(r *drawer.Receipt) []any {
	return []any{cleaned(&r.Number, maxKey), cleaned(&r.Till, payments.MaxTillWidth), cleaned(&r.Ref, maxKey), cleaned(&r.Kind, maxKey), instant(&r.At)}
}

func (t *tx) Receipts(ref string) ([]drawer.Receipt, error) {
	return list(t, "read receipts", receiptColumns,
		`SELECT number, till, ref, kind, issued_at FROM receipts WHERE ref = $1 ORDER BY issued_at, number`, ref)
}

func (t *tx) ReceiptsOf(period money.Period) ([]drawer.Receipt, error) {
	return list(t, "read receipts", receiptColumns, `SELECT number, till, ref, kind, issued_at FROM receipts
		WHERE ref IN (SELECT t.ref FROM transfers t WHERE t.moved_at >= $1 AND t.moved_at < $2) ORDER BY issued_at, number`,
		ceilMillis(period.From), ceilMillis(period.To))
}

func (t *tx) InsertReceipt(r drawer.Receipt) error {
	return t.write("insert receipt", `INSERT INTO receipts (number, till, ref, kind, issued_at) VALUES ($1, $2, $3, $4, $5)`,
		r.Number, r.Till, r.Ref, string(r.Kind), r.At.UnixMilli())
}
