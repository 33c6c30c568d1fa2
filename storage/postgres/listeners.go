package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/storage/internal/sqlstore"
)

// The SQL for the records of listeners: each has the name of a listener and the time, by the
// server's clock, when the listener last recorded that it runs.
const (
	serverNow = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

	// writeSign also deletes records that are more than a day old: a listener that is killed does
	// not remove its record.
	writeSign = `WITH old AS (DELETE FROM listeners WHERE name <> $1 AND seen_at < ` + serverNow + ` - 86400000)
		INSERT INTO listeners (name, seen_at) VALUES ($1, ` + serverNow + `)
		ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at`

	// readSigns selects one row: a JSON array of the listeners' names and the ages of their
	// records, newest first. It takes the absolute value of the age, so that an old record does not
	// look new after the server's clock was set back.
	readSigns = `SELECT coalesce(json_agg(json_build_array(name, abs(` + serverNow + ` - seen_at)) ORDER BY seen_at DESC), '[]')::text
		FROM listeners`
)

// SignOfLife records that the listener with this name runs, for all programs that use the database.
// It does not notify watchers.
func (s *Store) SignOfLife(ctx context.Context, listener string) error {
	if _, err := s.Readers().ExecContext(ctx, writeSign, listener); err != nil {
		return fmt.Errorf("leave a sign of life: %w", advise(err))
	}
	return nil
}

// EndSigns removes the record of SignOfLife for a listener that ends.
func (s *Store) EndSigns(ctx context.Context, listener string) error {
	if _, err := s.Readers().ExecContext(ctx, `DELETE FROM listeners WHERE name = $1`, listener); err != nil {
		return fmt.Errorf("remove a sign of life: %w", advise(err))
	}
	return nil
}

// signs are the records of listeners that a poll has read, and when.
type signs struct {
	listeners []payments.Listener
	at        time.Time
}

// now returns the listeners as of now: it adds to each Silent the time since the poll read the
// records.
func (s *signs) now() (listeners []payments.Listener) {
	if s == nil {
		return nil
	}
	for _, listener := range s.listeners {
		listener.Silent += time.Since(s.at)
		listeners = append(listeners, listener)
	}
	return listeners
}

func (s *Store) readListeners() *sqlstore.Statement {
	return &sqlstore.Statement{What: "read the signs of life", Text: readSigns, Row: func(scan func(...any) error) (bool, error) {
		var text string
		var rows [][2]any
		if err := scan(&text); err != nil {
			return false, err
		}
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return false, err
		}
		read := &signs{at: time.Now()}
		for _, row := range rows {
			age, _ := row[1].(float64)
			read.listeners = append(read.listeners, payments.Listener{
				Name: clean.Text(fmt.Sprint(row[0]), payments.MaxShownWidth), Silent: time.Duration(age) * time.Millisecond,
			})
		}
		s.signs.Store(read)
		return false, nil
	}}
}
