package mailbox

import (
	"context"
	"database/sql"
	"errors"

	"checkout/till/payments/relay"
)

// maxBatch is how many letters share a commit.
const maxBatch = 64

// job is a letter to store.
type job struct {
	box    relay.Box
	sender string
	sealed []byte
	result chan<- error
}

// Keep implements [relay.Store].
func (m *Mailbox) Keep(ctx context.Context, box relay.Box, sender string, sealed []byte) error {
	result := make(chan error, 1)
	select {
	case m.jobs <- job{box, sender, sealed, result}:
		return <-result
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write stores letters until the mailbox is closed. Letters that wait share a transaction.
func (m *Mailbox) write() {
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
		results, err := m.store(context.Background(), batch)
		for i, job := range batch {
			job.result <- errors.Join(err, results[i])
		}
	}
}

// store stores letters in one transaction. It returns a result for each, and an error for
// all.
func (m *Mailbox) store(ctx context.Context, batch []job) (results []error, err error) {
	results = make([]error, len(batch))
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return results, err
	}
	defer func() { _ = tx.Rollback() }() // After a commit it does nothing.
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
		last = max(last+1, m.now().UnixMicro())
		_, err = tx.ExecContext(ctx, `INSERT INTO letters (seq, box, key, sender, sealed) VALUES (?, ?, ?, ?, ?)`,
			last, job.box.ID, job.box.Key, job.sender, job.sealed)
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

// fits reports whether a box has room for a letter. One sender may fill half of a box, so
// that the others still reach it.
func (m *Mailbox) fits(ctx context.Context, tx *sql.Tx, job job) (bool, error) {
	var count, size, sent, total int64
	err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(length(sealed)), 0), count(*) FILTER (WHERE sender = ?)
		FROM letters INDEXED BY letters_waiting WHERE box = ? AND acked IS NULL`, job.sender, job.box.ID).Scan(&count, &size, &sent)
	if err != nil {
		return false, err
	}
	if count >= relay.BoxLetters || sent >= relay.BoxLetters/2 || size+int64(len(job.sealed)) > relay.BoxBytes {
		return false, nil
	}
	err = tx.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&total)
	return total < m.room, err
}
