package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	codes "modernc.org/sqlite/lib"

	"checkout/till/storage/internal/sqlstore"
)

// doubt is whether the content of the database can be trusted, and when it may
// be examined again: that reads all of it.
type doubt struct {
	raised bool
	next   time.Time
}

// patience is how much longer than an examination the pause after it is.
const patience = 4

// The statements that bring all that was committed into the database's own
// file: one leaves an empty log behind, the other a log that is written anew
// from its beginning. Another process would take the emptying for a fault.
const (
	bring  = "PRAGMA wal_checkpoint(TRUNCATE)"
	settle = "PRAGMA wal_checkpoint(RESTART)"
)

// Mend does what can be done about a fault, and returns nil when the database
// may be used again. One that is not in its place is left as it is, with its
// connections: it may come back, and it has all that was stored. One whose
// content is in doubt is opened anew and examined.
func (g *guard) Mend(ctx context.Context, repair sqlstore.Repair) error {
	raised, pause := g.suspect(repair.Cause)
	if primary(repair.Cause) == codes.SQLITE_FULL {
		g.reserve.release()
	}
	if err := g.inPlace(); err != nil {
		g.bring(repair)
		if ctx.Err() != nil && deleted(g.path) {
			g.rescue(repair)
		}
		return err
	}
	if err := writable(g.path); err != nil {
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	switch {
	case !raised:
		return nil
	case pause > 0:
		return repair.Cause
	}
	return g.reopen(ctx, repair)
}

// bring completes a database that was moved away by what stands in the log
// that was left behind, once: nobody else can, and the log must not be read
// with the file that has the database's name now.
func (g *guard) bring(repair sqlstore.Repair) {
	g.mu.Lock()
	brought := g.brought
	g.mu.Unlock()
	if brought {
		return
	}
	if busy, err := repair.Run(bring); busy != 0 || err != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.brought = true
	g.beside[0].size, g.accounted.commits = 0, unknown
}

// rescue writes what a deleted database held into a file beside its place,
// before the last connection is closed: until then the system keeps the file
// that has no name any more.
func (g *guard) rescue(repair sqlstore.Repair) {
	path := g.path + ".rescued"
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil || file.Close() != nil {
		return
	}
	_, err = repair.Run("VACUUM INTO '" + strings.ReplaceAll(path, "'", "''") + "'")
	if about, unseen := os.Stat(path); err != nil || unseen != nil || about.Size() == 0 || syncFile(path) != nil {
		_ = os.Remove(path)
		return
	}
	_ = syncFolder(filepath.Dir(path))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rescued = path
}

// suspect takes in a fault. It returns whether the database's content is in
// doubt, and how long not to examine it yet.
func (g *guard) suspect(cause error) (raised bool, pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.doubt.raised = g.doubt.raised || doubtful(cause)
	return g.doubt.raised, time.Until(g.doubt.next)
}

// reopen examines the database as a new connection finds it, after all others
// were closed.
func (g *guard) reopen(ctx context.Context, repair sqlstore.Repair) error {
	if err := g.save(repair); err != nil {
		return err
	}
	g.stretch()
	repair.Release()
	start := time.Now()
	sequence, err := g.examine(ctx, g.path)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.doubt.next = time.Now().Add(patience * time.Since(start))
	switch {
	case err != nil:
		return advise(err)
	case sequence < g.stored:
		return ErrBehind
	}
	file, err := lookAt(g.path, false)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrMoved, err)
	}
	g.last.size, g.accounted.commits, g.doubt = file.size, unknown, doubt{}
	return nil
}

// save brings what is in a log that was deleted into the database, before the
// last connection is closed that can still read it. It ends in an empty log, so
// that the next one is not taken for its continuation by other processes. Where
// there is another log already, one of them was quicker.
func (g *guard) save(repair sqlstore.Repair) error {
	g.mu.Lock()
	known := g.beside[0].known
	g.mu.Unlock()
	if _, err := lookAt(g.path+suffixes()[0], false); !known || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	busy, err := repair.Run(bring)
	if err == nil && busy != 0 {
		err = errors.New("another program reads it")
	}
	if err != nil {
		return fmt.Errorf("%w (its log is gone, and is not brought home yet: %w)", ErrChanged, err)
	}
	return nil
}

// stretch gives the log's index the size back that it had. The connections
// have it in their memory, and to touch what was cut off would end the process.
// SQLite then finds no index and makes it anew from the log.
func (g *guard) stretch() {
	g.mu.Lock()
	defer g.mu.Unlock()
	const index = 1
	path, known := g.path+suffixes()[index], g.beside[index]
	file, err := lookAt(path, false)
	if err == nil && known.known && file.is(known.sight) && file.size < known.size {
		_ = os.Truncate(path, known.size)
	}
}

// examine brings all that is in the log into the database, reads all of it and
// returns its change sequence. After a failed fsync what is in the log may be
// in the system's memory alone, and no later fsync would write it: copied into
// the database it is written anew.
func examine(ctx context.Context, path string) (sequence int64, err error) {
	pool, err := openPool(path, modeInspect, 1, nil)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	var busy, ignored int
	if err := pool.QueryRowContext(ctx, settle).Scan(&busy, &ignored, &ignored); err != nil {
		return 0, err
	}
	if busy != 0 {
		return 0, fmt.Errorf("%w (another program reads it, so that it cannot be examined)", ErrChanged)
	}
	var found string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return 0, err
	}
	if found != "ok" {
		return 0, fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	err = pool.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'change_seq'").Scan(&sequence)
	return sequence, err
}
