package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Why a database is not copied into, or not used after a copy. Each says what
// to do.
var (
	// ErrUnfinished says that copying into the database was begun and not ended.
	ErrUnfinished = errors.New("a copy into this database was not finished: run till database copy again")
	// ErrOccupied says that a database is in use as a shop of its own.
	ErrOccupied = errors.New("the target holds what the copy did not bring: copy into a database that is empty")
	// ErrOthersOrder says that a database holds an order that the source lacks.
	ErrOthersOrder = errors.New("the target holds an order that the source lacks: copy into a database that is empty")
	// ErrPending says that a source is not as its schema has it yet.
	ErrPending = errors.New("the source is not brought up to date yet: open it once with till, then copy it")
	// ErrDiffers says that a copy is not what was copied.
	ErrDiffers = errors.New("the copy is not the same as the source: run it again, and do not use the copy before it is")
)

// copyChunk is how many rows are read at a time and written with one commit.
const copyChunk = 256

// Progress is how far the copying of a table is, in rows.
type Progress struct {
	Table    string
	Done, Of int64
}

// Tally is how many rows of a table were copied, and what they hold.
type Tally struct {
	Table  string
	Rows   int64
	SHA256 [32]byte // Over all columns of all rows, in the order of their keys.
}

// VerdictSum counts the orders of one verdict; a blank verdict is that of
// orders under way.
type VerdictSum struct {
	Verdict       string
	Count, Amount int64 // Amount in ariary.
}

// Copied is what a copy holds, by its own count and by the source's, which
// are the same.
type Copied struct {
	Tables   []Tally
	Verdicts []VerdictSum
	Written  int64 // Rows that this run wrote; those that were there are left.
	Sequence int64 // The change sequence, at least the source's.
}

const (
	// The target's change sequence when a copy into it began or ended, and
	// whether one is under way.
	selectTarget = `SELECT (` + selectSequence + `), coalesce((SELECT value FROM meta WHERE key = 'copied'), -1),
		CASE WHEN EXISTS (SELECT 1 FROM orders) OR EXISTS (SELECT 1 FROM events)
			OR EXISTS (SELECT 1 FROM sales) OR EXISTS (SELECT 1 FROM articles) THEN 1 ELSE 0 END,
		(` + lastOrder + `)`
	saveCopied = `INSERT INTO meta (key, value) VALUES ('copied', $1), ('copying', $2)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`

	verdictSums = `SELECT verdict, count(*), coalesce(sum(amount), 0) FROM orders GROUP BY verdict ORDER BY verdict`

	// How many keys are compared at a time.
	keyPage     = 5000
	orderKeys   = `SELECT id, reference, created_at, amount FROM orders WHERE id > $1 ORDER BY id LIMIT $2`
	orderKeysTo = `SELECT id, reference, created_at, amount FROM orders WHERE id > $1 AND id <= $2 ORDER BY id`
)

// Receive makes the store's database a copy of the source, and compares the
// two. Keys, the numbers of events and the change sequence stay what they are.
// It may be run again after it was interrupted, and after the source went on:
// what is the same is left. A database that was used since it was copied into,
// or that holds orders that the source lacks, is refused with [ErrOccupied] or
// [ErrOthersOrder] and left as it is. Until a copy is whole, opening the
// database for use is refused with [ErrUnfinished].
//
// The store must have been made with Receives. told hears how far it is.
func (s *Store) Receive(ctx context.Context, source *Source, told func(Progress)) (Copied, error) {
	c := &copying{store: s, source: source, told: told}
	for _, step := range []struct {
		name string
		run  func(ctx context.Context) error
	}{
		{"look at the target", c.admit},
		{"begin", c.begin},
		{"copy orders", c.orders},
		{"copy events", c.events},
		{"copy the rest", c.rest},
		{"index orders", func(ctx context.Context) error { return s.indexBlocks(ctx, true) }},
		{"compare", c.compare},
		{"finish", c.finish},
	} {
		if err := step.run(ctx); err != nil {
			return Copied{}, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return c.copied, nil
}

// copying is a copy under way.
type copying struct {
	store    *Store
	source   *Source
	told     func(Progress)
	sequence int64 // The target's change sequence.
	newest   int64 // The target's newest order.
	indexed  int64 // The last of the target's orders that are found by the index.
	copied   Copied
}

// target is in what condition a target is found.
type target struct{ sequence, copied, used, newest int64 }

func scanTarget(scan scanFunc) (found target, err error) {
	err = scan(&found.sequence, &found.copied, &found.used, &found.newest)
	return found, err
}

// admit refuses a target from which something would be lost.
func (c *copying) admit(ctx context.Context) error {
	return c.store.readers.read(ctx, func(query queryFunc) error {
		found, err := one(query, scanTarget, selectTarget)
		if err != nil {
			return err
		}
		if found.used != 0 && found.copied != found.sequence {
			return ErrOccupied
		}
		c.sequence, c.newest = found.sequence, found.newest
		if c.store.writer.dialect.Grams().Add != "" {
			if c.indexed, err = indexed(query); err != nil {
				return err
			}
		}
		return c.admitOrders(query)
	})
}

// orderKey is what an order is known by: two shops may give out the same
// references.
type orderKey struct {
	id              int64
	reference       string
	created, amount int64
}

func scanOrderKey(scan scanFunc) (key orderKey, err error) {
	err = scan(&key.id, &key.reference, &key.created, &key.amount)
	return key, err
}

// admitOrders looks whether the source has all orders of the target.
func (c *copying) admitOrders(query queryFunc) error {
	for last := int64(0); ; {
		held, err := list(query, scanOrderKey, orderKeys, last, keyPage)
		if err != nil || len(held) == 0 {
			return err
		}
		upto := held[len(held)-1].id
		known, err := list(c.source.query, scanOrderKey, orderKeysTo, last, upto)
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		for _, key := range held {
			if !slices.Contains(known, key) {
				return fmt.Errorf("%w (%s)", ErrOthersOrder, key.reference)
			}
			// Both are in order: what lies before is not looked at again.
			known = known[slices.Index(known, key):]
		}
		last = upto
	}
}

// write runs a change of the target that nobody who watches is told of: the
// change sequence stays until all is copied.
func (c *copying) write(ctx context.Context, change func(tx *transaction) error) error {
	return c.store.writer.do(ctx, func(tx *transaction) error {
		if err := change(tx); err != nil {
			return err
		}
		return tx.quieten()
	})
}

// quieten leaves the change sequence as it is, and raises the number of probes
// instead: every commit raises one of them.
func (t *transaction) quieten() error {
	t.changed = false
	_, err := t.probe()
	return err
}

// begin notes that a copy is under way.
func (c *copying) begin(ctx context.Context) error {
	return c.write(ctx, func(tx *transaction) error {
		_, err := tx.exec(saveCopied, c.sequence, 1)
		return err
	})
}

// finish brings the change sequence forward and lets the database be used.
func (c *copying) finish(ctx context.Context) error {
	c.copied.Sequence = max(c.sequence, c.source.sequence)
	return c.store.writer.do(ctx, func(tx *transaction) error {
		if _, err := tx.exec(saveCopied, c.copied.Sequence, 0); err != nil {
			return err
		}
		if c.copied.Sequence == c.sequence {
			return tx.quieten()
		}
		tx.batch.sequence = c.copied.Sequence
		return nil
	})
}

// compare reads the copy as of one moment and compares it with what was read
// from the source.
func (c *copying) compare(ctx context.Context) error {
	return c.store.readers.read(ctx, func(query queryFunc) error {
		for i, t := range copiedTables() {
			if err := ctx.Err(); err != nil {
				return err
			}
			got, err := t.tally(query)
			if err != nil {
				return err
			}
			if want := c.copied.Tables[i]; got != want {
				return fmt.Errorf("%w (%s: %d rows of %d)", ErrDiffers, t.name, got.Rows, want.Rows)
			}
		}
		sums, err := list(query, scanVerdictSum, verdictSums)
		if err != nil {
			return err
		}
		if c.copied.Verdicts, err = list(c.source.query, scanVerdictSum, verdictSums); err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		if !slices.Equal(sums, c.copied.Verdicts) {
			return fmt.Errorf("%w (the sums of the orders)", ErrDiffers)
		}
		return nil
	})
}

func scanVerdictSum(scan scanFunc) (sum VerdictSum, err error) {
	err = scan(&sum.Verdict, &sum.Count, &sum.Amount)
	return sum, err
}
