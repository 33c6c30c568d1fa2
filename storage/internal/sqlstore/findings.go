package sqlstore

import (
	"checkout/till/payments"
	"checkout/till/payments/clean"
)

const (
	findingFields = `
	coalesce(f.kind, ''), coalesce(f.found_by, ''), coalesce(f.note, ''), f.found_at, coalesce(f.seen, '') `

	// lastFinding is a JOIN that adds the last finding of each order o.
	lastFinding = ` LEFT JOIN findings f ON f.order_id = o.id
		AND f.position = (SELECT max(l.position) FROM findings l WHERE l.order_id = o.id) `

	findingsOfOrder = `SELECT` + findingFields + `FROM findings f WHERE f.order_id = `
)

func findingColumns(f *payments.Finding) []any {
	return []any{
		cleaned(&f.Kind, maxKey), cleaned(&f.By, payments.MaxLabelWidth), cleaned(&f.Note, payments.MaxShownWidth),
		instant(&f.At), cleaned(&f.Seen, maxKey),
	}
}

// lastFindingColumns returns the scan destinations for the columns that lastFinding adds. If an
// order has no findings, the kind is empty, and Order.Finding stays nil.
func lastFindingColumns(o *payments.Order) []any {
	finding := new(payments.Finding) // All rows of a query scan into this finding, so the last column sets o.Finding to a copy.
	columns := findingColumns(finding)
	columns[len(columns)-1] = text(func(seen string) {
		finding.Seen = payments.Verdict(clean.Text(seen, maxKey))
		if finding.Kind != "" {
			found := *finding
			o.Finding = &found
		}
	})
	return columns
}

func (t *tx) InsertFinding(reference string, f payments.Finding) error {
	t.forget()
	written, err := t.exec("insert finding", `INSERT INTO findings (order_id, position, kind, found_by, note, found_at, seen)
		SELECT o.id, (SELECT count(*) + 1 FROM findings f WHERE f.order_id = o.id), $2, $3, $4, $5, $6
		FROM orders o WHERE o.reference = $1`, reference, string(f.Kind), f.By, f.Note, f.At.UnixMilli(), string(f.Seen))
	if err == nil && written == 0 {
		err = payments.ErrNotFound
	}
	return err
}
