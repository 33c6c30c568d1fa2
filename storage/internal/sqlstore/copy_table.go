package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
)

// table is a table that is copied as it is. What a database makes of others,
// the index by which texts are searched for, is made anew.
type table struct {
	name    string
	columns []string
	key     string   // The number by which it is read in parts; empty when it is read whole.
	order   string   // What its rows are read in the order of.
	shared  bool     // Several rows may have a key.
	proof   []string // Columns that differ when anything of a row does.
}

// row is the values of a table's columns.
type row []any

func orderTable() table {
	return table{
		name: "orders", key: "id", order: "id", proof: []string{"id", "change_seq"},
		columns: []string{
			"id", "reference", "sale", "till", "amount", "description", "created_at", "order_reference", "link_url",
			"expires_at", "link_assumed", "status", "error", "paid_at", "success_seen", "expired_seen", "given_up",
			"not_sent", "acknowledged", "attention", "reported_amount", "reported_unit", "finding_paid", "finding_by",
			"finding_note", "finding_at", "finding_stale", "open", "change_seq", "search", "verdict", "check_from",
		},
	}
}

func itemTable() table {
	return table{
		name: "order_items", key: "order_id", order: "order_id, position", shared: true,
		columns: []string{"order_id", "position", "label", "unit_price", "quantity", "list_price"},
	}
}

func eventTable() table {
	return table{
		name: "events", key: "sequence", order: "sequence",
		proof: []string{"sequence", "id", "order_id", "outcome", "count"},
		columns: []string{
			"sequence", "id", "order_id", "order_reference", "kind", "kinds", "reference", "amount", "currency",
			"description", "error", "received_at", "outcome", "count", "body", "body_sha256",
		},
	}
}

// restTables are those that are written whole.
func restTables() []table {
	return []table{
		{name: "sales", order: "id", columns: []string{"id", "till", "items", "description", "updated_at", "name"}},
		{name: "counters", order: "series", columns: []string{"series", "value"}},
		{name: "articles", order: "id", columns: []string{"id", "label", "unit_price", "code", "favourite", "uses"}},
		{
			name: "cashiers", order: "name",
			columns: []string{"name", "role", "salt", "sum", "iterations", "failed", "until"},
		},
		{
			name: "closings", order: "day",
			columns: []string{"day", "starts_at", "ends_at", "till", "closed_by", "closed_at", "orders", "sums"},
		},
		{name: "takings", order: "slot, verdict", columns: []string{"slot", "verdict", "orders", "amount"}},
	}
}

// copiedTables are all of them, in the order in which they are copied.
func copiedTables() []table {
	return append([]table{orderTable(), itemTable(), eventTable()}, restTables()...)
}

// place returns which column one is.
func (t table) place(column string) int { return slices.Index(t.columns, column) }

func (t table) selects() string { return `SELECT ` + strings.Join(t.columns, ", ") + ` FROM ` + t.name }

func (t table) whole() string { return t.selects() + ` ORDER BY ` + t.order }

func (t table) countRows() string { return `SELECT count(*) FROM ` + t.name }

// clear deletes the rows with a key above $1 and up to $2.
func (t table) clear() string {
	return `DELETE FROM ` + t.name + ` WHERE ` + t.key + ` > $1 AND ` + t.key + ` <= $2`
}

// insert writes so many rows.
func (t table) insert(count int) string {
	var text strings.Builder
	text.WriteString(`INSERT INTO ` + t.name + ` (` + strings.Join(t.columns, ", ") + `) VALUES `)
	for i := range count * len(t.columns) {
		switch {
		case i == 0:
			text.WriteString(`(`)
		case i%len(t.columns) == 0:
			text.WriteString(`), (`)
		default:
			text.WriteString(`, `)
		}
		text.WriteString(`$` + strconv.Itoa(i+1))
	}
	return text.String() + `)`
}

// page returns the rows of the next keys after one.
func (t table) page(query queryFunc, after int64) ([]row, error) {
	if t.shared {
		return list(query, t.scan, t.selects()+` WHERE `+t.key+` > $1 AND `+t.key+` <= (SELECT max(`+t.key+`) FROM
			(SELECT DISTINCT `+t.key+` FROM `+t.name+` WHERE `+t.key+` > $1 ORDER BY `+t.key+` LIMIT $2) keys)
			ORDER BY `+t.order, after, copyChunk)
	}
	return list(query, t.scan, t.selects()+` WHERE `+t.key+` > $1 ORDER BY `+t.order+` LIMIT $2`, after, copyChunk)
}

// between returns the rows with a key above one and up to another.
func (t table) between(query queryFunc, after, upto int64) ([]row, error) {
	return list(query, t.scan, t.selects()+` WHERE `+t.key+` > $1 AND `+t.key+` <= $2 ORDER BY `+t.order, after, upto)
}

// scan reads a row. Databases keep flags as what they have for them; bytes are
// never null.
func (t table) scan(scan scanFunc) (row, error) {
	values, places, open := make(row, len(t.columns)), make([]any, len(t.columns)), false
	for i := range values {
		places[i] = &values[i]
	}
	flag := t.place("open")
	if flag >= 0 {
		places[flag] = &open
	}
	if err := scan(places...); err != nil {
		return nil, err
	}
	if flag >= 0 {
		values[flag] = open
	}
	for i, value := range values {
		if bytes, ok := value.([]byte); ok && bytes == nil {
			values[i] = []byte{}
		}
	}
	return values, nil
}

// tally reads the whole table and says what it holds.
func (t table) tally(query queryFunc) (Tally, error) {
	p := newPart(t)
	for {
		var page []row
		var err error
		if t.key == "" {
			page, err = list(query, t.scan, t.whole())
		} else {
			page, err = t.page(query, p.last)
		}
		if err != nil {
			return Tally{}, fmt.Errorf("read %s: %w", t.name, err)
		}
		p.count(page)
		if t.key == "" || len(page) == 0 {
			return p.tally(), nil
		}
	}
}

// part is what was read of a table so far.
type part struct {
	table  table
	rows   int64
	last   int64 // The last key.
	digest digest
}

func newPart(t table) *part { return &part{table: t, digest: newDigest()} }

// count adds rows.
func (p *part) count(rows []row) {
	for _, values := range rows {
		p.digest.addAll(values)
	}
	p.rows += int64(len(rows))
	if place := p.table.place(p.table.key); place >= 0 && len(rows) > 0 {
		p.last, _ = rows[len(rows)-1][place].(int64)
	}
}

func (p *part) tally() Tally {
	return Tally{Table: p.table.name, Rows: p.rows, SHA256: p.digest.sum()}
}

// digest is a hash over values, the same whatever database they are from.
type digest struct{ hash hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) addAll(values row) {
	for _, value := range values {
		d.add(value)
	}
}

func (d digest) add(value any) {
	switch value := value.(type) {
	case nil:
		d.write('0', nil)
	case bool:
		d.write('b', strconv.AppendBool(nil, value))
	case int64:
		d.write('i', strconv.AppendInt(nil, value, 10))
	case string:
		d.write('t', []byte(value))
	case []byte:
		d.write('x', value)
	default:
		d.write('?', fmt.Append(nil, value))
	}
}

// write adds bytes with their kind and their length, so that two rows of values
// are one only if each value is.
func (d digest) write(kind byte, bytes []byte) {
	head := binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(bytes)))
	_, _ = d.hash.Write(head) // A hash never fails.
	_, _ = d.hash.Write(bytes)
}

func (d digest) sum() (sum [32]byte) { return [32]byte(d.hash.Sum(nil)) }
