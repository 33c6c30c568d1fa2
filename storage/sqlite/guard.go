package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"time"

	sqlite "modernc.org/sqlite"

	"checkout/till/storage/internal/sqlstore"
)

var _ sqlstore.Keeper = (*guard)(nil)

// guard tells whether the files that bear the database's names are those that
// the connections have. SQLite goes on without a word in a file that was
// deleted, moved or replaced, and what it acknowledges then is found by nobody.
// It is safe for concurrent use.
//
// It only asks the system about names and never opens one of the files: where
// SQLite's locks belong to the process, closing such a file would drop them.
type guard struct {
	path    string
	own     sight // The database as it was opened.
	reserve reserve
	examine func(ctx context.Context, path string) (sequence int64, err error)

	mu          sync.Mutex
	connections int
	last        seen
	beside      [2]beside
	accounted   account
	stored      int64 // The highest change sequence that was seen.
	doubt       doubt
	brought     bool   // What stood in the log is in the database that was moved away.
	rescued     string // The file that holds what was in a deleted database.
}

// seen is what was seen last of files that are in their places.
type seen struct {
	size    int64     // The database's, at most so far.
	written time.Time // When the database was written last.
	whole   time.Time // When all files were looked at.
}

// beside is the log or its index, as the connections have it: the first one
// makes both. It is not known while there is no connection.
type beside struct {
	sight
	known bool
}

// unknown is a number of commits that fits any other.
const unknown = -1

// account is what is known of the database's last writing. With a write-ahead
// log the file itself is written by nothing but a checkpoint, which follows a
// commit.
type account struct {
	modified time.Time
	commits  int64     // How many commits there were until then, or unknown.
	others   time.Time // When a commit of another process was noticed last.
}

// checkpointTime is how long after a commit of another process its checkpoint
// may still write.
const checkpointTime = 10 * time.Second

// suffixes are what SQLite adds to a database's name for the log and its index.
func suffixes() [2]string { return [2]string{"-wal", "-shm"} }

// newGuard returns a guard of the file that bears a name now.
func newGuard(path string, size int64) (*guard, error) {
	own, err := lookAt(path, true)
	if err != nil {
		return nil, err
	}
	return &guard{
		path: path, own: own, last: seen{size: own.size, written: own.modified},
		accounted: account{commits: unknown},
		reserve:   reserve{path: path + ".reserve", size: size}, examine: examine,
	}, nil
}

// Look returns why what is stored now would not be found by whoever opens the
// database next. Nearly without room it gives the reserve up.
func (g *guard) Look() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lookWhole()
}

// trusted is how long files that were in their places need not be looked at
// before a change. Its end is looked at in any case, before anybody is told of
// it.
const trusted = 5 * time.Millisecond

// Begin looks, unless it was looked a moment ago.
func (g *guard) Begin() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.last.whole) < trusted {
		return nil
	}
	return g.lookWhole()
}

func (g *guard) lookWhole() error {
	if err := g.look(len(g.beside)); err != nil {
		return err
	}
	g.last.whole = time.Now()
	g.reserve.spend()
	return nil
}

// look looks at the database and at so many of the files beside it.
func (g *guard) look(beside int) error {
	file, err := lookAt(g.path, true)
	switch {
	case err != nil:
		return fmt.Errorf("%w (%w)", ErrMoved, err)
	case !file.is(g.own):
		return ErrReplaced
	case file.size < g.last.size:
		return fmt.Errorf("%w (its file was cut)", ErrChanged)
	}
	g.last.size, g.last.written, g.brought = file.size, file.modified, false
	if g.connections == 0 {
		return nil
	}
	for i, suffix := range suffixes() {
		if i == beside {
			break
		}
		if err := g.lookBeside(i, suffix); err != nil {
			return err
		}
	}
	return nil
}

// lookBeside looks at a file that SQLite made beside the database. While there
// is a connection it is always the same one, and SQLite never cuts it.
func (g *guard) lookBeside(i int, suffix string) error {
	file, err := lookAt(g.path+suffix, false)
	known := g.beside[i]
	switch {
	case err != nil:
		return fmt.Errorf("%w (its %s file is gone)", ErrChanged, suffix)
	case known.known && !file.is(known.sight):
		return fmt.Errorf("%w (its %s file was replaced)", ErrChanged, suffix)
	case file.size < known.size:
		return fmt.Errorf("%w (its %s file was cut)", ErrChanged, suffix)
	}
	g.beside[i] = beside{file, true}
	return nil
}

// Account compares what the last look saw with what was read since. A file that
// was written while nobody committed was written by another program than
// SQLite: a backup was copied over it, say.
func (g *guard) Account(sequence, probes int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sequence < g.stored {
		return ErrBehind
	}
	known, commits, now := g.accounted, sequence+probes, time.Now()
	switch {
	case known.commits == unknown:
	case commits != known.commits:
		known.others = now
	case !g.last.written.Equal(known.modified) && now.Sub(known.others) > checkpointTime:
		return fmt.Errorf("%w (its file was written to)", ErrChanged)
	}
	g.stored = sequence
	g.accounted = account{modified: g.last.written, commits: commits, others: known.others}
	return nil
}

// Committed looks again after a commit, which may have written to the file. The
// log's index does not matter here: whoever opens the database next makes it
// anew.
func (g *guard) Committed(sequence int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.look(1); err != nil {
		return err
	}
	g.stored = max(g.stored, sequence)
	g.accounted.modified, g.accounted.commits = g.last.written, unknown
	return nil
}

// found returns where what a deleted database held can be found.
func (g *guard) found() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.rescued == "" {
		return nil
	}
	return fmt.Errorf("%w: what was stored in %s is in %s, which you can put in its place", ErrDeleted, g.path, g.rescued)
}

// Room returns why no order should be begun now.
func (g *guard) Room() error { return g.reserve.room() }

// Tend sees to the reserve, and finds out what costs more than a look.
func (g *guard) Tend() error {
	g.reserve.fill()
	if err := writable(g.path); err != nil {
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	return nil
}

// inPlace tells whether the database bears its name. It is asked before a
// connection is opened: one to another file would take the log for its own.
func (g *guard) inPlace() error {
	file, err := lookAt(g.path, false)
	switch {
	case err != nil:
		return fmt.Errorf("%w (%w)", ErrMoved, err)
	case !file.is(g.own):
		return ErrReplaced
	}
	return nil
}

// admit counts a connection that was opened, and notes the log and the index
// that it has, unless they or the database are others than those of the
// connections that there are.
func (g *guard) admit(conn driver.Conn) (driver.Conn, error) {
	whole, ok := conn.(connection)
	if !ok {
		return nil, errors.New("the driver has changed")
	}
	if err := g.inPlace(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, suffix := range suffixes() {
		if err := g.lookBeside(i, suffix); err != nil {
			return nil, err
		}
	}
	g.connections++
	return &guarded{connection: whole, guard: g}, nil
}

// leave counts a connection that is about to be closed. With the last one
// SQLite removes the files beside the database.
func (g *guard) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.connections--
	if g.connections == 0 {
		g.beside = [2]beside{}
		g.accounted.commits = unknown
	}
}

// lostIndex tells whether the log's index, as the connections have it, is no
// longer the one that others find.
func (g *guard) lostIndex() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	const index = 1
	known := g.beside[index]
	file, err := lookAt(g.path+suffixes()[index], false)
	return known.known && (err != nil || !file.is(known.sight))
}

// connection is all that a connection of the driver can do for database/sql.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// guarded is a connection that the guard knows of.
type guarded struct {
	connection
	guard *guard
	once  sync.Once
}

// Close closes the connection. One whose index is no longer the database's does
// not know what another process has put into the log since: it must leave the
// log where it is, which the last connection else takes away.
func (c *guarded) Close() error {
	if c.guard.lostIndex() {
		if keeper, ok := c.connection.(sqlite.FileControl); ok {
			_, _ = keeper.FileControlPersistWAL("main", 1)
		}
	}
	c.once.Do(c.guard.leave)
	return c.connection.Close()
}
