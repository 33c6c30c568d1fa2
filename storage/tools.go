package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// CopiedTable is the name of a copied table, and the number and the digest of its rows. Source and
// target have the same number and digest.
type CopiedTable = sqlstore.TableSum

// ErrInUse is returned by [Copy] if other processes use the source or the target: they could change
// the source after the copy, or write to the target.
var ErrInUse = errors.New("it is in use: end the consoles and the listener that use it")

// Copy copies a shop from one address to another: a file, or postgres://…. The target must be
// empty. A missing target file is created; a PostgreSQL database must exist. Copy reads the source
// from one snapshot and does not change it. It compares the target with the source before it
// commits. After an error nothing was copied, unless the answer to the commit was lost.
//
// Copy returns [ErrInUse] if the source or the target is in use, and [ErrVisible] if an
// address contains a password.
func Copy(ctx context.Context, from, to string) (copied []CopiedTable, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(ctx.Err(), err) // A driver may report the end of ctx as another error.
		}
	}()
	if err := errors.Join(CheckVisible(from), CheckVisible(to)); err != nil {
		return nil, err
	}
	for _, address := range []*string{&from, &to} {
		if *address, err = CheckAddress(*address); err != nil {
			return nil, err
		}
	}
	if !IsPostgres(from) {
		// Check this before claim, which would create a missing folder.
		if _, err := os.Stat(from); err != nil {
			return nil, fmt.Errorf("open the source: %w", err)
		}
	}
	release, err := claim(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("claim the source: %w", err)
	}
	defer release()
	source, err := openEndpoint(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Pool.Close()) }()
	release, err = claim(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("claim the target: %w", err)
	}
	defer release()
	made, err := Open(ctx, to, Options{})
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		return nil, err
	}
	target, err := openEndpoint(ctx, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Pool.Close()) }()
	return sqlstore.Copy(ctx, source, target)
}

func openEndpoint(ctx context.Context, address string) (sqlstore.Endpoint, error) {
	if IsPostgres(address) {
		return postgres.OpenEndpoint(ctx, address)
	}
	if err := checkFile(address); err != nil {
		return sqlstore.Endpoint{}, err
	}
	return sqlite.OpenEndpoint(ctx, address)
}

// claim returns [ErrInUse] if other processes use a database. It locks a database file until the
// caller calls release.
func claim(ctx context.Context, address string) (release func(), err error) {
	if IsPostgres(address) {
		count, err := postgres.Users(ctx, address)
		if err == nil && count > 0 {
			err = fmt.Errorf("%w (%d connections)", ErrInUse, count)
		}
		return func() {}, err
	}
	release, err = Lock(address)
	if errors.As(err, new(*LockedError)) {
		err = fmt.Errorf("%w (%w)", ErrInUse, err)
	}
	return release, err
}

// Checks are the options of [Verify].
type Checks = sqlstore.Checks

// Verification is the result of [Verify]: the numbers of orders, cash sales and events, the
// differences and the remarks.
type Verification = sqlstore.Audit

// BackupResult is the result of [Backup] and of [BackupInto].
type BackupResult = sqlite.BackupResult

// Contents is how many orders, cash sales and events a database has, and how recent they are.
type Contents = sqlite.Contents

// Count returns what the database file at an address contains; see [sqlite.Count].
func Count(ctx context.Context, address string) (Contents, error) {
	if err := checkFile(address); err != nil {
		return Contents{}, err
	}
	return sqlite.Count(ctx, address)
}

// Backup writes a copy of the database at an address into a new file; see [sqlite.Backup]. It also
// records in the database that the backup was made at the time at, for [LastBackup]. It returns
// [ErrPostgres] for a PostgreSQL database.
func Backup(ctx context.Context, address, target string, at time.Time) (BackupResult, error) {
	if err := checkFile(address); err != nil {
		return BackupResult{}, err
	}
	written, err := sqlite.Backup(ctx, address, target)
	if err == nil {
		_ = sqlite.NoteBackup(ctx, address, at) // Ignore an error: the copy is complete.
	}
	return written, err
}

// BackupTimes contains the times that show whether a database needs a backup.
type BackupTimes struct {
	Last  time.Time // Time of the last [Backup]; zero for never.
	First time.Time // When the first transfer of money was recorded; zero if none was.
}

// LastBackup returns the backup times of a database file. It returns false for a database server:
// its backups are made by other programs.
func LastBackup(ctx context.Context, store Store) (times BackupTimes, known bool, err error) {
	file, known := store.(*sqlite.Store)
	if !known {
		return times, false, nil
	}
	times.Last, times.First, err = file.LastBackup(ctx)
	return times, err == nil, err
}

// BackupInto writes a backup like [Backup] into a folder. The name of the backup contains the time.
// Then BackupInto removes the oldest backups of databases with this file name from the folder until
// keep remain; 0 keeps all. It does not create a missing folder, because the folder may be on a
// disk that is not mounted.
func BackupInto(ctx context.Context, address, folder string, at time.Time, keep int) (BackupResult, error) {
	prefix := strings.TrimSuffix(filepath.Base(address), filepath.Ext(address)) + "-"
	name := prefix + at.Format(backupTime) + backupSuffix
	written, err := Backup(ctx, address, filepath.Join(folder, name), at)
	if err != nil || keep == 0 {
		return written, err
	}
	entries, err := os.ReadDir(folder) // Sorted by name, so by time.
	if err != nil {
		return written, err
	}
	var ahead, others []string // ahead: backups made while the clock was ahead, with names later than the new one.
	for _, entry := range entries {
		rest, named := strings.CutPrefix(entry.Name(), prefix)
		_, err := time.Parse(backupTime+backupSuffix, rest)
		switch {
		case !named || err != nil || entry.Name() == name:
		case entry.Name() > name:
			ahead = append(ahead, entry.Name())
		default:
			others = append(others, entry.Name())
		}
	}
	others = append(ahead, others...)
	for _, older := range others[:max(0, len(others)-keep+1)] {
		if err := os.Remove(filepath.Join(folder, older)); err != nil {
			return written, err
		}
	}
	return written, nil
}

const (
	backupTime   = "2006-01-02-150405"
	backupSuffix = ".db"
)

// Restored is the result of [Restore]. Its BackupResult describes the database after the restore.
type Restored struct {
	BackupResult

	Kept string `json:"kept"` // New path of the replaced database; "" if there was no database.
	// Thousand says that each series of numbers continues above its next thousand, because the last
	// numbers of the replaced database are unknown.
	Thousand bool `json:"next_thousand"`
}

// Restore replaces the database file at an address by a backup. The replaced file is kept under
// another name in its folder. The numbers of the shop continue above those of the replaced
// database; see [sqlstore.SkipNumbers]. The restore is recorded before the backup is put in place;
// see [drawer.Service.NoteRestore]. After an error, the former database is in its place again,
// unless it could not be moved back.
//
// Restore returns [ErrPostgres] for a PostgreSQL database, [ErrDemo] for a backup of the demo, and a
// [*LockedError] if the database is in use.
func Restore(ctx context.Context, address, backup, till string, at time.Time) (restored Restored, err error) {
	if err := checkFile(address); err != nil {
		return restored, err
	}
	if address, err = filepath.Abs(address); err != nil { // Package sqlite needs an absolute path: it puts a slash before a relative one.
		return restored, err
	}
	release, err := Lock(address) // Lock also creates the folder.
	if err != nil {
		return restored, err
	}
	defer release()
	draft := address + ".restoring"
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(draft + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return restored, err
		}
	}
	if restored.BackupResult, err = sqlite.Restore(ctx, backup, draft); err != nil {
		return restored, err
	}
	former, err := freeName(strings.TrimSuffix(address, filepath.Ext(address)) + "-before-" + at.Format(backupTime))
	if err != nil {
		return restored, err
	}
	if restored.Thousand, err = sqlite.SkipNumbers(ctx, draft, address, till, at); err != nil {
		return restored, fmt.Errorf("continue the numbers: %w", err)
	}
	if err := noteRestore(ctx, draft, till, at); err != nil {
		return restored, fmt.Errorf("record the restore: %w", err)
	}
	moved, err := moveDatabase(address, former)
	if err == nil {
		_, err = moveDatabase(draft, address)
	}
	if err != nil {
		_, undone := moveDatabase(former, address)
		return restored, fmt.Errorf("put the backup in place: %w", errors.Join(err, undone))
	}
	restored.Path = address
	if moved {
		restored.Kept = former
	}
	return restored, nil
}

func noteRestore(ctx context.Context, database, till string, at time.Time) error {
	store, err := sqlite.Open(ctx, database)
	if err != nil {
		return err
	}
	service := drawer.New(store, payments.New(store, nil, func() time.Time { return at }))
	return errors.Join(service.NoteRestore(ctx, till), store.Close())
}

// moveDatabase moves a database file together with its log, and reports whether any of these files
// existed. It moves the log even if the database is missing: otherwise SQLite would apply the log
// to the new database.
func moveDatabase(from, to string) (moved bool, err error) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(from+suffix, to+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return moved, err
		}
		moved = moved || err == nil
	}
	return moved, nil
}

// Verify verifies the database at an address without changing it; see [sqlstore.Verify]. The
// database may be in use. On a server, Verify checks the rows of one snapshot, but not the files,
// and the server's time replaces checks.Now.
func Verify(ctx context.Context, address string, checks Checks) (Verification, error) {
	database, err := openEndpoint(ctx, address)
	if err != nil {
		return Verification{Path: database.Name}, err
	}
	defer database.Pool.Close()
	if IsPostgres(address) {
		if checks.Now, err = postgres.Now(ctx, database); err != nil {
			return Verification{Path: database.Name}, err
		}
	}
	return sqlstore.Verify(ctx, database, checks)
}

// Examination is the result of [Examine].
type Examination struct {
	Free    int64  // Free bytes on a file's disk; 0 if unknown.
	Version string // Version of the server; empty for a file.
	Owner   bool   // Whether the till's database user owns the tables: the rights that [Roles] grants then do not limit it.
}

// Examine tests an open database by a write and a read. For a file, SQLite also checks the
// structure; a server also reports its version and whether the user owns the tables. An error means
// that no order should be created now, and says what to do about it.
func Examine(ctx context.Context, store Store) (found Examination, err error) {
	if err := store.Probe(ctx); err != nil {
		return found, err
	}
	switch store := store.(type) {
	case *sqlite.Store:
		found.Free, err = store.Examine(ctx)
	case *postgres.Store:
		found.Version, found.Owner, err = store.Server(ctx)
	}
	return found, err
}

// freeName returns a path that no file has: name, a number if that path exists, and the suffix of a backup.
func freeName(name string) (string, error) {
	for i := 1; ; i++ {
		free := name + backupSuffix
		if i > 1 {
			free = fmt.Sprintf("%s-%d%s", name, i, backupSuffix)
		}
		switch _, err := os.Lstat(free); {
		case errors.Is(err, fs.ErrNotExist):
			return free, nil
		case err != nil:
			return "", fmt.Errorf("keep the former database: %w", err)
		}
	}
}
