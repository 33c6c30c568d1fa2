package sqlstore

import (
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
)

const (
	insertClosing = `INSERT INTO closings (day, starts_at, ends_at, till, closed_by, closed_at, orders, sums)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (day) DO NOTHING`

	closingsOf = `SELECT day, starts_at, ends_at, till, closed_by, closed_at, orders, sums FROM closings
		WHERE day >= $1 AND day <= $2 ORDER BY day`
)

// closedSum is a verdict's sum as it stands in a closing's row.
type closedSum struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

// InsertClosing writes the closing of a day that is not closed.
func (o office) InsertClosing(closing payments.Closing) (payments.Closing, bool, error) {
	sums := make(map[payments.Verdict]closedSum, len(closing.Verdicts))
	for verdict, sum := range closing.Verdicts {
		sums[verdict] = closedSum(sum)
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("encode the closing's sums: %w", err)
	}
	written, err := o.tx.exec(insertClosing, closing.Day, closing.Period.From.UnixMilli(), closing.Period.To.UnixMilli(),
		closing.Till, closing.By, closing.At.UnixMilli(), closing.Orders, string(text))
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("insert closing: %w", err)
	}
	if written > 0 {
		return closing, true, nil
	}
	stored, err := one(o.tx.query, scanClosing, closingsOf, closing.Day, closing.Day)
	if err != nil {
		return payments.Closing{}, false, fmt.Errorf("read closing: %w", err)
	}
	return stored, false, nil
}

// Closings returns the closings of the days from one to another.
func (o office) Closings(from, to string) ([]payments.Closing, error) {
	closings, err := list(o.tx.query, scanClosing, closingsOf, from, to)
	if err != nil {
		return nil, fmt.Errorf("read closings: %w", err)
	}
	return closings, nil
}

func scanClosing(scan scanFunc) (payments.Closing, error) {
	var (
		closing        payments.Closing
		start, end, at int64
		text           string
		sums           map[payments.Verdict]closedSum
	)
	err := scan(&closing.Day, &start, &end, &closing.Till, &closing.By, &at, &closing.Orders, &text)
	if err != nil {
		return payments.Closing{}, err
	}
	if err := json.Unmarshal([]byte(text), &sums); err != nil {
		return payments.Closing{}, fmt.Errorf("decode the closing's sums: %w", err)
	}
	closing.Verdicts = make(map[payments.Verdict]payments.Sum, len(sums))
	for verdict, sum := range sums {
		closing.Verdicts[verdict] = payments.Sum(sum)
	}
	closing.Period = payments.Period{From: time.UnixMilli(start).UTC(), To: time.UnixMilli(end).UTC()}
	closing.At = time.UnixMilli(at).UTC()
	return closing, nil
}
