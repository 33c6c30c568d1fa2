// Package mailbox stores the webhook requests that a relay keeps for shops, in an SQLite file. Each
// shop has a box, and each request in a box is called a letter.
package mailbox

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed" // Embeds the schema.
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // Registers the driver.

	"checkout/till/payments/relay"
)

//go:embed schema.sql
var schema string

const fileName = "relay.db"

// DefaultRoom is the default limit for the size of the file without its free pages, in bytes.
const DefaultRoom = 2 << 30

// minFree is the free space of the disk, in bytes, that the file leaves to other programs: with less
// free space, the file does not grow.
const minFree = 64 << 20

// ErrNameTaken is returned by [Mailbox.Add] if another box has the name.
var ErrNameTaken = errors.New("there is a box of this name already")

// Mailbox is a [relay.Store] in an SQLite file. While a relay uses it, the operator's commands may
// open the same file.
type Mailbox struct {
	path  string
	inode os.FileInfo // Device and inode of the open file.
	pool  *sql.DB
	clock clock
	room  int64
	jobs  chan job
	ends  chan struct{} // Closed by Close, so that the writer ends.
	done  chan struct{} // Closed when the writer has ended.
	last  int64         // Highest sequence number of a letter so far; only the writer uses it.
}

var _ relay.Store = (*Mailbox)(nil)

// Open opens the relay's file in a folder, and creates the file and the folder if they are missing.
// room is the limit for the size of the file without its free pages, in bytes.
func Open(ctx context.Context, folder string, room int64, now func() time.Time) (*Mailbox, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the relay's folder: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(folder, fileName))
	if err != nil {
		return nil, err
	}
	query := url.Values{
		"_busy_timeout": {"5000"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"}, "_journal_mode": {"WAL"}, "_txlock": {"immediate"},
	}
	// SQLite creates its other files with the mode of this one.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	} else if errors.Is(err, os.ErrExist) {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return nil, err
	}
	location := url.URL{Scheme: "file", Path: "/" + filepath.ToSlash(path), RawQuery: query.Encode()}
	pool, err := sql.Open("sqlite", location.String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(4)
	pool.SetMaxIdleConns(4)
	m := &Mailbox{path: path, pool: pool, clock: newClock(now), room: room, jobs: make(chan job), ends: make(chan struct{}), done: make(chan struct{})}
	err = m.create(ctx)
	if err == nil {
		m.inode, err = os.Stat(path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the relay's boxes %s: %w", path, err), pool.Close())
	}
	go m.write(context.WithoutCancel(ctx)) // Close ends the goroutine.
	return m, nil
}

// create creates the tables in a new file. From an existing file, it reads m.last, m.clock.newest
// and m.clock.ran.
func (m *Mailbox) create(ctx context.Context) error {
	var tables int
	if err := m.pool.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		if _, err := m.pool.ExecContext(ctx, "BEGIN IMMEDIATE; "+schema+" COMMIT"); err != nil {
			return err
		}
	}
	var newest int64
	err := m.pool.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0), coalesce(max(came), 0), coalesce(max(acked), 0) FROM letters`).
		Scan(&m.last, &newest, &m.clock.ran)
	m.clock.newest = time.UnixMicro(newest)
	return err
}

var errMoved = errors.New("the file of the boxes was moved, deleted or replaced: start the relay again with the right file")

// inPlace returns an error unless the path still names the open file. SQLite does not notice that
// the file was moved away: it would go on writing to it, and the next start would not find the
// letters.
func (m *Mailbox) inPlace() error {
	found, err := os.Stat(m.path)
	if err != nil {
		return fmt.Errorf("%w (%w)", errMoved, err)
	}
	if !os.SameFile(found, m.inode) {
		return errMoved
	}
	return nil
}

// Close waits for the letters that are being stored, and closes the file. Later calls of the
// methods return an error. Close may be called only once.
func (m *Mailbox) Close() error {
	close(m.ends)
	<-m.done
	return m.pool.Close()
}

// Add creates a box with the hash of its pairing code, and returns the box's ID. It returns
// [ErrNameTaken] if another box has the name.
func (m *Mailbox) Add(ctx context.Context, name string, codeHash []byte) (id string, err error) {
	id = rand.Text()
	result, err := m.pool.ExecContext(ctx, `INSERT INTO boxes (id, name, code_hash, code_until) VALUES (?, ?, ?, ?)
		ON CONFLICT (name) DO NOTHING`, id, name, codeHash, m.clock.wall().Add(relay.CodeValid).UnixMicro())
	return id, changed(result, err, ErrNameTaken)
}

// NewCode replaces the pairing code of a box, and returns the box's ID. A till that is already
// paired can fetch letters until the new code is used. NewCode returns [relay.ErrNoBox] if no box
// has the name.
func (m *Mailbox) NewCode(ctx context.Context, name string, codeHash []byte) (id string, err error) {
	err = m.pool.QueryRowContext(ctx, `UPDATE boxes SET code_hash = ?, code_until = ? WHERE name = ? RETURNING id`,
		codeHash, m.clock.wall().Add(relay.CodeValid).UnixMicro(), name).Scan(&id)
	return id, missing(err)
}

// Remove deletes a box with its letters. It returns [relay.ErrNoBox] if no box has the name.
func (m *Mailbox) Remove(ctx context.Context, name string) error {
	result, err := m.pool.ExecContext(ctx, `DELETE FROM boxes WHERE name = ?`, name)
	return changed(result, err, relay.ErrNoBox)
}

const boxColumns = `SELECT id, name, coalesce(token_hash, x''), key, header, stamps FROM boxes `

// Box implements [relay.Store].
func (m *Mailbox) Box(ctx context.Context, id string) (relay.Box, error) {
	return m.box(m.pool.QueryRowContext(ctx, boxColumns+`WHERE id = ?`, id))
}

// BoxOf implements [relay.Store].
func (m *Mailbox) BoxOf(ctx context.Context, tokenHash []byte) (relay.Box, error) {
	return m.box(m.pool.QueryRowContext(ctx, boxColumns+`WHERE token_hash = ?`, tokenHash))
}

func (m *Mailbox) box(row *sql.Row) (relay.Box, error) {
	var box relay.Box
	var stamps string
	err := row.Scan(&box.ID, &box.Name, &box.TokenHash, &box.Key, &box.Header, &stamps)
	if err == nil {
		err = json.Unmarshal([]byte(stamps), &box.Stamps)
	}
	return box, missing(err)
}

// Pair implements [relay.Store]. If [Mailbox.Replay] fails, Pair returns that error, although the
// till is paired and the code cannot be used again.
func (m *Mailbox) Pair(ctx context.Context, codeHash []byte, paired relay.Box) (relay.Box, error) {
	stamps, err := json.Marshal(paired.Stamps)
	if err != nil {
		return relay.Box{}, err
	}
	box, err := m.box(m.pool.QueryRowContext(ctx, `UPDATE boxes SET token_hash = ?, key = ?, header = ?, stamps = ?, code_hash = NULL
		WHERE code_hash = ? AND code_until > ? RETURNING id, name, token_hash, key, header, stamps`,
		paired.TokenHash, paired.Key, paired.Header, string(stamps), codeHash, m.clock.wall().UnixMicro()))
	if errors.Is(err, relay.ErrNoBox) {
		err = relay.ErrCode
	}
	if err != nil {
		return box, err
	}
	return box, m.Replay(ctx, box)
}

// SetTerms implements [relay.Store].
func (m *Mailbox) SetTerms(ctx context.Context, id string, terms relay.Terms) error {
	stamps, err := json.Marshal(terms.Stamps)
	if err != nil {
		return err
	}
	result, err := m.pool.ExecContext(ctx, `UPDATE boxes SET header = ?, stamps = ? WHERE id = ?`, terms.Header, string(stamps), id)
	return changed(result, err, relay.ErrNoBox)
}

// Letters implements [relay.Store]. It returns at most 100 letters, with at most 64 KiB in all. A
// single letter may be larger.
func (m *Mailbox) Letters(ctx context.Context, box relay.Box, skip int64) (relay.Letters, error) {
	const most, mostBytes = 100, 64 << 10
	var found relay.Letters
	rows, err := m.pool.QueryContext(ctx, `SELECT seq, came, sealed FROM letters INDEXED BY letters_waiting
		WHERE box = ? AND key = ? AND acked IS NULL AND seq > ? ORDER BY seq LIMIT ?`, box.ID, box.Key, skip, most+1)
	if err != nil {
		return found, err
	}
	defer rows.Close()
	size, now := 0, m.clock.now().UnixMicro()
	for rows.Next() {
		var letter relay.Letter
		var came int64
		if err := rows.Scan(&letter.Seq, &came, &letter.Sealed); err != nil {
			return found, err
		}
		letter.Age = time.Duration(max(0, now-came)) * time.Microsecond
		size += len(letter.Sealed)
		if found.More = len(found.Letters) == most || len(found.Letters) > 0 && size > mostBytes; found.More {
			break
		}
		found.Letters = append(found.Letters, letter)
	}
	if err := rows.Err(); err != nil {
		return found, err
	}
	return found, m.pool.QueryRowContext(ctx, `SELECT count(*) FROM letters INDEXED BY letters_waiting
		WHERE box = ? AND key <> ? AND acked IS NULL`, box.ID, box.Key).Scan(&found.OtherKey)
}

// Acknowledge implements [relay.Store]. It records the relay's running time, in which acknowledged
// letters do not age while the relay is off; see [clock.running].
func (m *Mailbox) Acknowledge(ctx context.Context, box relay.Box, seq int64) error {
	_, err := m.pool.ExecContext(ctx, `UPDATE letters SET acked = ? WHERE box = ? AND key = ? AND seq <= ? AND acked IS NULL`,
		m.clock.running(), box.ID, box.Key, seq)
	return err
}

// Replay implements [relay.Store]. It measures [relay.ReplayFor] in the relay's running time; see
// [clock.running].
func (m *Mailbox) Replay(ctx context.Context, box relay.Box) error {
	_, err := m.pool.ExecContext(ctx, `UPDATE letters SET acked = NULL WHERE box = ? AND key = ? AND acked > ?`,
		box.ID, box.Key, m.clock.running()-relay.ReplayFor.Microseconds())
	return err
}

func changed(result sql.Result, err, none error) error {
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows > 0 {
		return err
	}
	return none
}

func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return relay.ErrNoBox
	}
	return err
}
