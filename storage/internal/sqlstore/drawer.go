package sqlstore

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

var _ drawer.Tx = (*tx)(nil)

// refundedCash is the beginning of a subquery. The subquery returns the money given back in cash
// for a sale or an order, minus reversals. The caller appends the reference and a closing
// parenthesis.
const refundedCash = `(SELECT coalesce(sum(CASE kind WHEN 'reversal' THEN -amount ELSE amount END), 0) FROM moves
	WHERE kind IN ('refund', 'reversal') AND ref = `

const selectCash = `SELECT number, sale, till, items, description, amount, given, sold_by, sold_at, voided_at, voided_by, reason,
	` + refundedCash + `number) FROM cash_sales `

func cashColumns(c *drawer.CashSale) []any {
	return []any{
		clean(&c.Number, maxKey), clean(&c.Sale, maxKey), clean(&c.Till, payments.MaxTillWidth), itemsText(&c.Items),
		clean(&c.Description, payments.MaxDescriptionWidth), &c.Amount, &c.Given, clean(&c.By, payments.MaxLabelWidth),
		instant(&c.At), instant(&c.VoidedAt), clean(&c.VoidedBy, payments.MaxLabelWidth), clean(&c.Reason, payments.MaxShownWidth),
		&c.Refunded,
	}
}

func (t *tx) InsertCash(c drawer.CashSale) error {
	if err := t.room(); err != nil {
		return err
	}
	t.forget()
	items, err := encodeItems(c.Items)
	if err != nil {
		return err
	}
	return t.write("insert cash sale", `INSERT INTO cash_sales
		(number, sale, till, items, description, amount, given, sold_by, sold_at, voided_at, voided_by, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, '', '')`,
		c.Number, c.Sale, c.Till, items, c.Description, int64(c.Amount), int64(c.Given), c.By, c.At.UnixMilli())
}

func (t *tx) Cash(number string) (drawer.CashSale, error) {
	sale, err := one(t, "read cash sale", cashColumns, selectCash+`WHERE number = $1`, number)
	if errors.Is(err, sql.ErrNoRows) {
		err = drawer.ErrNotFound
	}
	return sale, err
}

func (t *tx) CashTaken(sale string) (string, error) {
	rows, err := t.sale(sale)
	return rows.cash, err
}

func (t *tx) SaveVoid(c drawer.CashSale) error {
	t.forget()
	return t.write("void cash sale", `UPDATE cash_sales SET voided_at = $2, voided_by = $3, reason = $4
		WHERE number = $1 AND voided_at IS NULL`, c.Number, c.VoidedAt.UnixMilli(), c.VoidedBy, c.Reason)
}

func (t *tx) CashSales(period payments.Period) ([]drawer.CashSale, error) {
	return list(t, "read cash sales", cashColumns, selectCash+`WHERE sold_at >= $1 AND sold_at < $2 OR voided_at >= $1 AND voided_at < $2
		OR number IN (SELECT ref FROM moves WHERE kind IN ('refund', 'reversal') AND moved_at >= $1 AND moved_at < $2)
		ORDER BY sold_at, number`, ceilMillis(period.From), ceilMillis(period.To))
}

func (t *tx) Refunds(ref string) ([]drawer.Move, error) {
	return list(t, "read the refunds of a sale", moveColumns, selectMove+`WHERE kind IN ('refund', 'reversal') AND ref = $1 ORDER BY id`, ref)
}

func (t *tx) CashRefunds(period payments.Period) ([]drawer.Move, error) {
	return list(t, "read the refunds of cash sales", moveColumns, selectMove+`WHERE kind IN ('refund', 'reversal')
		AND moved_at >= $1 AND moved_at < $2 AND EXISTS (SELECT 1 FROM cash_sales WHERE number = ref) ORDER BY id`,
		ceilMillis(period.From), ceilMillis(period.To))
}

const selectMove = `SELECT till, kind, amount, ref, moved_by, note, moved_at FROM moves `

func moveColumns(m *drawer.Move) []any {
	return []any{
		clean(&m.Till, payments.MaxTillWidth), clean(&m.Kind, maxKey), &m.Amount, clean(&m.Ref, maxKey),
		clean(&m.By, payments.MaxLabelWidth), clean(&m.Note, payments.MaxShownWidth), instant(&m.At),
	}
}

func (t *tx) InsertMove(m drawer.Move) error {
	return t.write("insert move", `INSERT INTO moves (id, till, kind, amount, ref, moved_by, note, moved_at, closing)
		SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, $6, $7, '' FROM moves`,
		m.Till, string(m.Kind), int64(m.Amount), m.Ref, m.By, m.Note, m.At.UnixMilli())
}

func (t *tx) OpenMoves(till string) ([]drawer.Move, error) {
	return list(t, "read moves", moveColumns, selectMove+`WHERE till = $1 AND closing = '' ORDER BY id`, till)
}

// moneyAt is a subquery: when the uncounted money of an order moved first. If a closing has counted
// the order, its last finding has moved the money.
const moneyAt = `(SELECT CASE WHEN closed = 0 THEN min(moment) ELSE max(moment) END FROM
	(SELECT paid_at AS moment UNION ALL SELECT found_at FROM findings WHERE order_id = orders.id) AS moments)`

func (t *tx) OpenMoney(till string) (received, returned payments.Sum, begun time.Time, err error) {
	type money struct {
		received, returned payments.Sum
		begun              time.Time
	}
	columns := func(m *money) []any {
		return []any{&m.received.Count, &m.received.Amount, &m.returned.Count, &m.returned.Amount, instant(&m.begun)}
	}
	open, err := one(t, "read the open money", columns, `SELECT
		coalesce(sum(CASE WHEN received > closed THEN 1 END), 0), coalesce(sum(CASE WHEN received > closed THEN received - closed END), 0),
		coalesce(sum(CASE WHEN received < closed THEN 1 END), 0), coalesce(sum(CASE WHEN received < closed THEN closed - received END), 0),
		min(`+moneyAt+`) FROM orders WHERE till = $1 AND received <> closed`, till)
	return open.received, open.returned, open.begun, err
}

// accountRow is the JSON of a closing's sums.
type accountRow struct {
	Moves    map[drawer.Kind]sumRow `json:"moves"`
	Counted  *countRow              `json:"counted,omitempty"`
	Received sumRow                 `json:"received"`
	Returned sumRow                 `json:"returned"`
}

// sumRow is the JSON of a sum in a closing.
type sumRow struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

// countRow is the JSON of a count in a closing. At is in milliseconds since 1970.
type countRow struct {
	Amount   payments.Ariary `json:"amount"`
	Expected payments.Ariary `json:"expected"`
	By       string          `json:"by"`
	At       int64           `json:"at"`
}

const selectClosing = `SELECT number, till, since, closed_by, closed_at, sums FROM till_closings `

func closingColumns(c *drawer.Closing) []any {
	return []any{
		clean(&c.Number, maxKey), clean(&c.Till, payments.MaxTillWidth), instant(&c.Since), clean(&c.By, payments.MaxTillWidth), instant(&c.At),
		jsonText(func(row accountRow) {
			c.Moves = make(map[drawer.Kind]payments.Sum)
			for kind, sum := range row.Moves {
				c.Moves[drawer.Kind(payments.Clean(string(kind), maxKey))] = payments.Sum(sum)
			}
			c.Received, c.Returned = payments.Sum(row.Received), payments.Sum(row.Returned)
			if counted := row.Counted; counted != nil {
				c.AtCount = counted.Expected
				c.Counted = &drawer.Move{
					Till: c.Till, Kind: drawer.Count, Amount: counted.Amount,
					By: payments.Clean(counted.By, payments.MaxTillWidth), At: time.UnixMilli(counted.At).UTC(),
				}
			}
		}),
	}
}

func (t *tx) InsertClosing(c drawer.Closing) error {
	sums := accountRow{Moves: make(map[drawer.Kind]sumRow), Received: sumRow(c.Received), Returned: sumRow(c.Returned)}
	for kind, sum := range c.Moves {
		sums.Moves[kind] = sumRow(sum)
	}
	if c.Counted != nil {
		sums.Counted = &countRow{c.Counted.Amount, c.AtCount, c.Counted.By, c.Counted.At.UnixMilli()}
	}
	encoded, err := json.Marshal(sums)
	if err != nil {
		return fmt.Errorf("encode the closing's sums: %w", err)
	}
	values := []any{c.Number, c.Till, millis(c.Since), c.By, c.At.UnixMilli(), string(encoded)}
	err = t.write("insert closing", `INSERT INTO till_closings (number, till, since, closed_by, closed_at, sums, digest)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, append(values, digestOf(values...))...)
	if err != nil {
		return err
	}
	if err := t.write("close moves", `UPDATE moves SET closing = $2 WHERE till = $1 AND closing = ''`, c.Till, c.Number); err != nil {
		return err
	}
	return t.write("close money", `UPDATE orders SET closed = received WHERE till = $1 AND received <> closed`, c.Till)
}

func (t *tx) Closings(period payments.Period, till string) ([]drawer.Closing, error) {
	return list(t, "read closings", closingColumns, selectClosing+`WHERE closed_at >= $1 AND closed_at < $2 AND $3 IN ('', till)
		ORDER BY closed_at, till, number`, ceilMillis(period.From), ceilMillis(period.To), till)
}

func (t *tx) LastClosing(till string) (drawer.Closing, error) {
	last, err := one(t, "read the last closing", closingColumns, selectClosing+`WHERE till = $1 ORDER BY length(number) DESC, number DESC LIMIT 1`, till)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return last, err
}

func requestColumns(r *drawer.Request) []any {
	digest := sized(sha256.Size, func(sum []byte) { r.Digest = [sha256.Size]byte(sum) })
	return []any{clean(&r.ID, maxKey), digest, clean(&r.Ref, maxKey), instant(&r.At)}
}

func (t *tx) Request(id string) (drawer.Request, error) {
	found, err := list(t, "read the request of a change", requestColumns, `SELECT id, digest, ref, made_at FROM requests WHERE id = $1`, id)
	if len(found) == 0 {
		return drawer.Request{}, err
	}
	return found[0], err
}

func (t *tx) InsertRequest(r drawer.Request) error {
	return t.write("insert the request of a change", `INSERT INTO requests (id, digest, ref, made_at) VALUES ($1, $2, $3, $4)`,
		r.ID, r.Digest[:], r.Ref, r.At.UnixMilli())
}

func receiptColumns(r *drawer.Receipt) []any {
	return []any{clean(&r.Number, maxKey), clean(&r.Till, payments.MaxTillWidth), clean(&r.Ref, maxKey), clean(&r.Kind, maxKey), instant(&r.At)}
}

func (t *tx) Receipts(ref string) ([]drawer.Receipt, error) {
	return list(t, "read receipts", receiptColumns,
		`SELECT number, till, ref, kind, issued_at FROM receipts WHERE ref = $1 ORDER BY issued_at, number`, ref)
}

func (t *tx) InsertReceipt(r drawer.Receipt) error {
	return t.write("insert receipt", `INSERT INTO receipts (number, till, ref, kind, issued_at) VALUES ($1, $2, $3, $4, $5)`,
		r.Number, r.Till, r.Ref, string(r.Kind), r.At.UnixMilli())
}

// digestOf returns the SHA-256 of values. It writes the length before each value, so that
// moving a character from one value to the next changes the digest.
func digestOf(values ...any) []byte {
	digest := sha256.New()
	for _, value := range values {
		text := fmt.Sprint(value)
		_, _ = fmt.Fprintf(digest, "%d %s", len(text), text) // Writing to a hash never fails.
	}
	return digest.Sum(nil)
}
