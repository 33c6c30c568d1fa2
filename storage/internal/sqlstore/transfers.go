package sqlstore

import (
	"database/sql"
	"fmt"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// selectHead reads the change sequence together with the head of the ledger: the ID and the digest
// of its last transfer. They are in one row of the table meta. Each change locks this row, so that
// only one change at a time adds transfers.
const selectHead = selectMeta + `'change_seq'`

// selectMeta reads a row of the table meta, and the version of the schema.
const selectMeta = `SELECT value, transfers, digest, (SELECT value FROM meta WHERE key = 'schema') FROM meta WHERE key = `

type headRow struct {
	sequence int64
	ledger.Head
	schema int
}

func headColumns(h *headRow) []any {
	return []any{&h.sequence, &h.Last, scanner(func(value any) error {
		digest, _ := value.([]byte)
		h.Digest = append([]byte{}, digest...) // Never nil: the driver would write a nil slice as NULL.
		return nil
	}), &h.schema}
}

// askHead queues the query selectHead, followed by suffix. If a newer program has updated the
// tables, sending the query fails with [ErrNewerSchema], because this program does not know what to
// write to them.
func (s *Store) askHead(t *tx, suffix string) {
	t.queue(&Statement{What: "begin", Text: selectHead + suffix, Row: func(scan func(...any) error) (bool, error) {
		var row headRow
		err := scan(headColumns(&row)...)
		if err == nil {
			err = s.config.Dialect.refuseNewer(row.schema)
		}
		if err == nil {
			t.head = &row
		}
		return false, err
	}})
}

// readHead returns the change sequence and the head of the ledger. The head includes the transfers
// that this transaction has added.
func (t *transaction) readHead() (*headRow, error) {
	if t.head == nil { // The statement that reads the head was not sent yet.
		if err := t.flush(); err != nil {
			return nil, err
		}
	}
	if t.head == nil {
		return nil, wrap("begin", sql.ErrNoRows)
	}
	return t.head, nil
}

// transferRest is a column: whether a transfer t belongs to a payment of the rest of a sale; see
// [ledger.Transfer].
const transferRest = `, t.ref <> '' AND t.ref IN (
	SELECT number FROM cash_sales WHERE rest_of <> '' UNION ALL SELECT reference FROM orders WHERE rest_of <> '') `

const transferFields = storedFields + transferRest

const storedFields = `t.id, t.moved_at, t.booked_at, t.kind, t.from_account, t.to_account, t.amount, t.till, t.moved_by,
	t.payment, t.ref, t.corrects, t.note`

func transferColumns(t *ledger.Transfer) []any {
	return []any{
		&t.ID, instant(&t.At), instant(&t.Booked), cleaned(&t.Kind, maxKey), cleaned(&t.From, maxKey), cleaned(&t.To, maxKey), &t.Amount,
		cleaned(&t.Till, payments.MaxTillWidth), cleaned(&t.By, payments.MaxLabelWidth), cleaned(&t.Payment.Kind, maxKey),
		cleaned(&t.Payment.Ref, maxKey), &t.Corrects, cleaned(&t.Note, payments.MaxShownWidth), &t.Rest,
	}
}

func (t *tx) Post(transfer ledger.Transfer) error {
	if t.over {
		return errOver
	}
	t.forget() // The transfer changes sums that were read.
	head, err := t.readHead()
	if err != nil {
		return err
	}
	transfer.ID = head.Last + 1
	digest := transfer.Digest(head.Digest)
	head.Head = ledger.Head{Last: transfer.ID, Digest: digest}
	return t.write("insert transfer", `INSERT INTO transfers (id, moved_at, booked_at, kind, from_account, to_account, amount, till, moved_by,
		payment, ref, corrects, note, digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		transfer.ID, transfer.At.UnixMilli(), transfer.Booked.UnixMilli(), string(transfer.Kind), string(transfer.From), string(transfer.To),
		int64(transfer.Amount), transfer.Till, transfer.By, string(transfer.Payment.Kind), transfer.Payment.Ref, transfer.Corrects,
		transfer.Note, digest)
}

func (t *tx) Transfers(query ledger.Query) ([]ledger.Transfer, error) {
	var where []string
	var args []any
	add := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if query.Till != "" {
		add("t.till = $%d", query.Till)
	}
	if query.After > 0 {
		add("t.id > $%d", query.After)
	}
	if query.Until > 0 {
		add("t.id <= $%d", query.Until)
	}
	if query.Kind != "" { // Compare an expression, so that no planner uses the index of the closings: it would read the closings of all days.
		add("(t.kind || '') = $%d", string(query.Kind))
	}
	if !query.Period.To.IsZero() {
		add("t.moved_at >= $%d", ceilMillis(query.Period.From))
		add("t.moved_at < $%d", ceilMillis(query.Period.To))
	}
	if query.Payment.Ref != "" {
		add("t.ref = $%d", query.Payment.Ref)
		add("t.payment = $%d", string(query.Payment.Kind))
	}
	if query.Account != "" {
		add("(t.to_account = $%[1]d AND "+owes+" OR t.from_account = $%[1]d AND "+repays+")", string(query.Account))
	}
	text := `SELECT ` + transferFields + `FROM transfers t`
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	return list(t, "read transfers", transferColumns, text+" ORDER BY t.id", args...)
}

func (t *tx) Digest(id int64) ([]byte, error) {
	return first(t, "read a digest", column[[]byte], `SELECT digest FROM transfers WHERE id = $1`, id)
}

func (t *tx) LastClosing(till string, before int64) (ledger.Transfer, error) {
	return first(t, "read the last closing", transferColumns,
		`SELECT `+transferFields+`FROM transfers t WHERE t.till = $1 AND t.kind = 'closing' AND t.id < $2 ORDER BY t.id DESC LIMIT 1`, till, before)
}
