package mailbox

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"checkout/till/payments/relay"
	"checkout/till/storage/internal/space"
)

// Summary describes one box to the relay's operator.
type Summary struct {
	Name, ID  string
	Paired    bool
	Waiting   int
	Oldest    time.Time // Arrival of the oldest waiting letter; zero without one.
	Till      string    // Name of the till that fetched last, with its machine; empty if no till ever fetched.
	Connected bool      // Whether the till fetches now; not valid while no relay runs.
	Seen      time.Time // When the till last fetched; zero for never.
	Refused   int
	RefusedAt time.Time // Time of the last refused request; zero for none.
	RefusedAs int
}

// List returns the summary of each box, sorted by name.
func (m *Mailbox) List(ctx context.Context) ([]Summary, error) {
	rows, err := m.pool.QueryContext(ctx, `SELECT name, id, boxes.key IS NOT NULL, count(seq), coalesce(min(came), 0),
		till, connected, seen, refused, refused_at, refused_as
		FROM boxes LEFT JOIN letters ON box = id AND acked IS NULL GROUP BY id ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Summary
	for rows.Next() {
		var one Summary
		var oldest, seen, refused int64
		if err := rows.Scan(&one.Name, &one.ID, &one.Paired, &one.Waiting, &oldest,
			&one.Till, &one.Connected, &seen, &one.Refused, &refused, &one.RefusedAs); err != nil {
			return nil, err
		}
		one.Oldest = moment(oldest)
		one.Seen = moment(seen)
		one.RefusedAt = moment(refused)
		all = append(all, one)
	}
	return all, rows.Err()
}

// moment returns the time for a number of microseconds since 1970. For 0 it returns the zero time.
func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// Disconnect records that no till fetches, because the relay starts or ends. It also records that
// each connected till was last seen at the time seen, unless a later time is recorded.
func (m *Mailbox) Disconnect(ctx context.Context, seen time.Time) error {
	_, err := m.pool.ExecContext(ctx, `UPDATE boxes SET connected = 0, seen = max(seen, ?) WHERE connected`, seen.UnixMicro())
	return err
}

// Record stores the states of boxes for [Mailbox.List]. It adds the number of refused requests to
// the stored number.
func (m *Mailbox) Record(ctx context.Context, changes []relay.Status) error {
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // After a commit, Rollback does nothing.
	for _, change := range changes {
		if change.Till != "" {
			if _, err := tx.ExecContext(ctx, `UPDATE boxes SET till = ?, connected = ?, seen = ? WHERE id = ?`,
				change.Till, change.Connected, change.Seen.UnixMicro(), change.Box); err != nil {
				return err
			}
		}
		if change.Refused > 0 {
			if _, err := tx.ExecContext(ctx, `UPDATE boxes SET refused = refused + ?, refused_at = ?, refused_as = ? WHERE id = ?`,
				change.Refused, change.RefusedAt.UnixMicro(), change.RefusedAs, change.Box); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// Problems checks the free space, whether the boxes can be written and their file is in place, and
// the machine's clock. It returns a problem for each check that fails.
func (m *Mailbox) Problems(ctx context.Context) []relay.Problem {
	var found []relay.Problem
	if free, err := space.Free(m.path); err == nil && free < minFree {
		found = append(found, relay.Problem{Kind: "disk", Down: true, Text: fmt.Sprintf(
			"less than %d MiB are free on the disk of %s: until there is more, an event is stored only in the place of one that was fetched",
			minFree>>20, m.path)})
	}
	// This pragma tests a write. The value has no meaning.
	_, err := m.pool.ExecContext(ctx, `PRAGMA user_version = 0`)
	if err = cmp.Or(m.inPlace(), err); err != nil {
		found = append(found, relay.Problem{Kind: "store", Down: true, Text: "the boxes cannot be written: " + err.Error()})
	}
	if jump := m.clock.jump(); jump != 0 {
		found = append(found, relay.Problem{Kind: "clock", Text: fmt.Sprintf("the machine's clock was set by %v, or was wrong before: "+
			"correct it, for example with systemd-timesyncd. The relay counts its own time, so no event gets a wrong time by this", jump.Round(time.Second))})
	}
	return found
}
