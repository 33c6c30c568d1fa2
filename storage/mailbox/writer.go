package mailbox

import (
	"context"
	"database/sql"
	"errors"

	"checkout/till/payments/relay"
	"checkout/till/storage/internal/space"
)

// maxBatch is the maximum number of letters that share a commit.
const maxBatch = 64

type job struct {
	box    relay.Box
	sender string
	sealed []byte
	result chan<- error
}

// Keep implements [relay.Store]. It returns nil after the letter is committed.
func (m *Mailbox) Keep(ctx context.Context, box relay.Box, sender string, sealed []byte) error {
	result := make(chan error, 1)
	select {
	case m.jobs <- job{box, sender, sealed, result}:
		return <-result
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write stores letters until the mailbox is closed. Letters that arrive together share a
// transaction.
func (m *Mailbox) write(ctx context.Context) {
	defer close(m.done)
	for first := range m.jobs {
		batch := []job{first}
	collect:
		for len(batch) < maxBatch {
			select {
			case next, open := <-m.jobs:
				if !open {
					break collect
				}
				batch = append(batch, next)
			default:
				break collect
			}
		}
		results, err := m.store(ctx, batch)
		for i, job := range batch {
			job.result <- errors.Join(err, results[i])
		}
	}
}

// store stores letters in one transaction, in which it first deletes expired letters. It returns a
// result for each letter, and an error that applies to all letters.
func (m *Mailbox) store(ctx context.Context, batch []job) (results []error, err error) {
	results = make([]error, len(batch))
	if free, err := space.Free(m.path); err == nil && free < minFree {
		return results, relay.ErrFull
	}
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return results, err
	}
	defer func() { _ = tx.Rollback() }() // After a commit, Rollback does nothing.
	now := m.now()
	if _, err := tx.ExecContext(ctx, `DELETE FROM letters WHERE acked < ? OR seq < ?`,
		now.Add(-relay.ReplayFor).UnixMicro(), now.Add(-relay.KeepFor).UnixMicro()); err != nil {
		return results, err
	}
	last := m.last
	for i, job := range batch {
		fits, err := m.fits(ctx, tx, job)
		if err != nil {
			return results, err
		}
		if !fits {
			results[i] = relay.ErrFull
			continue
		}
		last = max(last+1, now.UnixMicro())
		result, err := tx.ExecContext(ctx, `INSERT INTO letters (seq, box, key, sender, sealed) SELECT ?, id, ?, ?, ? FROM boxes WHERE id = ?`,
			last, job.box.Key, job.sender, job.sealed, job.box.ID)
		results[i] = changed(result, err, relay.ErrNoBox)
		if err != nil {
			return results, err
		}
	}
	if err := tx.Commit(); err != nil {
		return results, err
	}
	m.last = last
	return results, nil
}

// fits reports whether there is room for a letter. In its box, only unacknowledged letters under
// the box's current key take room. One sender may fill only half of a box, so that letters of other
// senders still fit.
func (m *Mailbox) fits(ctx context.Context, tx *sql.Tx, job job) (bool, error) {
	var count, size, sent, sentSize int64
	err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(length(sealed)), 0),
		count(*) FILTER (WHERE sender = ?1), coalesce(sum(length(sealed)) FILTER (WHERE sender = ?1), 0)
		FROM letters INDEXED BY letters_waiting WHERE box = ?2 AND key = ?3 AND acked IS NULL`,
		job.sender, job.box.ID, job.box.Key).Scan(&count, &size, &sent, &sentSize)
	if err != nil {
		return false, err
	}
	added := int64(len(job.sealed))
	if count >= relay.BoxLetters || size+added > relay.BoxBytes || sent >= relay.BoxLetters/2 || sentSize+added > relay.BoxBytes/2 {
		return false, nil
	}
	return m.makeRoom(ctx, tx)
}

// makeRoom deletes the oldest acknowledged letters until all boxes together are below their limit,
// and reports whether they are.
func (m *Mailbox) makeRoom(ctx context.Context, tx *sql.Tx) (bool, error) {
	for {
		var total int64
		err := tx.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
			FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&total)
		if err != nil || total < m.room {
			return err == nil, err
		}
		result, err := tx.ExecContext(ctx, `DELETE FROM letters WHERE seq IN (
			SELECT seq FROM letters INDEXED BY letters_acked WHERE acked IS NOT NULL ORDER BY acked LIMIT 100)`)
		if err != nil {
			return false, err
		}
		if deleted, err := result.RowsAffected(); err != nil || deleted == 0 {
			return false, err
		}
	}
}
