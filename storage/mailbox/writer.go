package mailbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

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

var errClosed = errors.New("the mailbox is closed")

// Keep implements [relay.Store]. It returns nil only if the letter is committed to the
// file that the next start opens: a file that was moved or replaced meanwhile is not that file.
func (m *Mailbox) Keep(ctx context.Context, box relay.Box, sender string, sealed []byte) error {
	result := make(chan error, 1)
	select {
	case m.jobs <- job{box, sender, sealed, result}:
		return <-result
	case <-m.ends:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write stores letters until the mailbox is closed. It stores letters that arrive together in one
// transaction.
func (m *Mailbox) write(ctx context.Context) {
	defer close(m.done)
	for {
		select {
		case first := <-m.jobs:
			batch := m.collect(first)
			results, err := m.store(ctx, batch)
			for i, job := range batch {
				job.result <- errors.Join(err, results[i])
			}
		case <-m.ends:
			return
		}
	}
}

func (m *Mailbox) collect(first job) []job {
	batch := []job{first}
	for len(batch) < maxBatch {
		select {
		case next := <-m.jobs:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}

// store stores letters in one transaction. First it deletes old acknowledged letters. It returns a
// result for each letter, and an error that applies to all letters.
func (m *Mailbox) store(ctx context.Context, batch []job) (results []error, err error) {
	results = make([]error, len(batch))
	tx, err := m.pool.BeginTx(ctx, nil)
	if err != nil {
		return results, full(err)
	}
	defer func() { _ = tx.Rollback() }() // After a commit, Rollback does nothing.
	if _, err := tx.ExecContext(ctx, `DELETE FROM letters WHERE acked < ?`, m.clock.running()-relay.ReplayFor.Microseconds()); err != nil {
		return results, full(err)
	}
	last, now := m.last, m.clock.now().UnixMicro()
	for i, job := range batch {
		results[i], err = m.fits(ctx, tx, job)
		if err != nil {
			return results, full(err)
		}
		if results[i] != nil {
			continue
		}
		last = max(last+1, now)
		result, err := tx.ExecContext(ctx, `INSERT INTO letters (seq, box, key, sender, came, sealed) SELECT ?, id, ?, ?, ?, ? FROM boxes WHERE id = ?`,
			last, job.box.Key, job.sender, now, job.sealed, job.box.ID)
		results[i] = changed(result, err, relay.ErrNoBox)
		if err != nil {
			return results, full(err)
		}
	}
	if err := tx.Commit(); err != nil {
		return results, full(err)
	}
	m.last = last
	return results, m.inPlace()
}

func full(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && failure.Code()&0xff == codes.SQLITE_FULL {
		return fmt.Errorf("%w: %w", relay.ErrFull, err)
	}
	return err
}

// usage is a number of letters, and their size in bytes.
type usage struct{ count, size int64 }

// fits reports whether one more letter, with added bytes, is within the limits. parts is 1 for the
// limits of a box, and 2 for half of them.
func (u usage) fits(added, parts int64) bool {
	return u.count < relay.BoxLetters/parts && u.size+added <= relay.BoxBytes/parts
}

// fits makes room for a letter if necessary. refusal is nil if the letter fits, else
// [relay.ErrFull] or [relay.ErrSenderFull]. err says that the file could not be read or written.
// One sender may fill only half of a box. If the box is full, fits deletes letters that were
// encrypted with the box's earlier keys, oldest first.
func (m *Mailbox) fits(ctx context.Context, tx *sql.Tx, job job) (refusal, err error) {
	added := int64(len(job.sealed))
	for {
		var all, current, sent usage
		err = tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(length(sealed)), 0),
			count(*) FILTER (WHERE key = ?1), coalesce(sum(length(sealed)) FILTER (WHERE key = ?1), 0),
			count(*) FILTER (WHERE key = ?1 AND sender = ?2), coalesce(sum(length(sealed)) FILTER (WHERE key = ?1 AND sender = ?2), 0)
			FROM letters INDEXED BY letters_waiting WHERE box = ?3 AND acked IS NULL`, job.box.Key, job.sender, job.box.ID).
			Scan(&all.count, &all.size, &current.count, &current.size, &sent.count, &sent.size)
		if err != nil {
			return nil, err
		}
		switch {
		case !current.fits(added, 1):
			return relay.ErrFull, nil
		case !sent.fits(added, 2):
			return relay.ErrSenderFull, nil
		case all.fits(added, 1):
			room, err := m.makeRoom(ctx, tx, added)
			if !room {
				refusal = relay.ErrFull
			}
			return refusal, err
		}
		if _, err = tx.ExecContext(ctx, `DELETE FROM letters WHERE seq IN (SELECT seq FROM letters INDEXED BY letters_waiting
			WHERE box = ? AND key <> ? AND acked IS NULL ORDER BY seq LIMIT 1)`, job.box.ID, job.box.Key); err != nil {
			return nil, err
		}
	}
}

// makeRoom deletes the oldest acknowledged letters until a letter with added bytes fits, and
// reports whether it fits. If the disk is nearly full, the letter must fit into the free pages of
// the file, so that the file does not grow.
func (m *Mailbox) makeRoom(ctx context.Context, tx *sql.Tx, added int64) (bool, error) {
	free, err := space.Free(m.path)
	scarce := err == nil && free < minFree
	for {
		var used, spare, page int64
		err := tx.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size, freelist_count * page_size, page_size
			FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&used, &spare, &page)
		if err != nil || used < m.room && (!scarce || spare >= added+page) {
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
