package storage_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestAnInvalidAddressIsRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	must(t, os.WriteFile(empty, nil, 0o600))
	t.Chdir(t.TempDir())
	for address, want := range map[string]error{
		"postgres://127.0.0.1:1/till":   postgres.ErrUnreachable,
		"postgresql://127.0.0.1:1/till": postgres.ErrUnreachable,
		"postgres://127.0.0.1:x/till":   postgres.ErrAddress,
		" POSTGRES://127.0.0.1:1/till":  postgres.ErrUnreachable,
		"mysql://127.0.0.1/till":        storage.ErrAddress,
		"sqlite:///srv/till.db":         storage.ErrAddress,
		"host=127.0.0.1 password=x":     storage.ErrAddress,
		"HOST = 127.0.0.1":              storage.ErrAddress,
		"":                              nil,
		empty:                           sqlite.ErrEmpty,
	} {
		store, err := storage.Open(t.Context(), address, storage.Options{})
		if err == nil || store != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: store %v, error %v, want %v", address, store, err, want)
		}
		// Backup and Verify must refuse this address, too.
		_, copied := storage.Backup(t.Context(), address, "copy.db", time.Now())
		_, examined := storage.Verify(t.Context(), address, storage.Checks{Now: time.Now()})
		if copied == nil || examined == nil || errors.Is(copied, storage.ErrPostgres) != storage.IsPostgres(address) {
			t.Errorf("%q: errors %v and %v", address, copied, examined)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("an address was created as a file: %v %v", made, err)
	}
}

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "till")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "till.db")

	ctx := context.Background()
	store, err := storage.Open(ctx, path, storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	orders, err := store.Orders(ctx, payments.Query{Status: payments.StatusPending})
	fmt.Println(len(orders), err)
	// Output: 0 <nil>
}

func openMarked(t *testing.T, path, marks string) error {
	t.Helper()
	store, err := storage.Open(t.Context(), path, storage.Options{Marks: marks})
	if err != nil {
		return err
	}
	return store.Close()
}

func TestAMissingDatabaseIsNotRecreated(t *testing.T) {
	folder, marks := filepath.Join(t.TempDir(), "disk"), filepath.Join(t.TempDir(), "state", "databases")
	path := filepath.Join(folder, "till.db")
	for range 2 {
		must(t, openMarked(t, path, marks))
	}
	noted, err := os.ReadDir(marks)
	if err != nil || len(noted) != 1 {
		t.Fatalf("%d marks (%v)", len(noted), err)
	}
	mark := filepath.Join(marks, noted[0].Name())
	// Move the database's folder away, as if its disk were not mounted.
	must(t, os.Rename(folder, folder+".away"))
	err = openMarked(t, path, marks)
	if !errors.Is(err, storage.ErrGone) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), mark) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was created again (%v)", err)
	}
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), marks)) // Another database may be created.
	must(t, os.Rename(folder+".away", folder))
	must(t, openMarked(t, path, marks))
	// An empty file instead of the database gives another error.
	must(t, os.WriteFile(path, nil, 0o600))
	if err := openMarked(t, path, marks); !errors.Is(err, sqlite.ErrEmpty) {
		t.Errorf("an empty file: error %v", err)
	}
	must(t, os.Remove(path), os.Remove(mark), openMarked(t, path, marks))
	// Open does not fail if it cannot write the marker.
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), filepath.Join(path, "marks")))
}

func TestADatabaseMayBeASymbolicLink(t *testing.T) {
	folder := t.TempDir()
	link, target := filepath.Join(folder, "shop", "till.db"), filepath.Join(folder, "disk", "shop.db")
	for _, each := range []string{link, target} {
		must(t, os.Mkdir(filepath.Dir(each), 0o700))
	}
	if err := os.Symlink(filepath.Join("..", "disk", "shop.db"), link); err != nil {
		t.Skip(err)
	}
	if store, err := storage.Open(t.Context(), link, storage.Options{}); err == nil {
		_ = store.Close()
		t.Error("a link without a target is opened")
	}
	store := openStore(t, target)
	must(t, store.Update(t.Context(), storagetest.TakeNumber), store.Close())
	store = openStore(t, link)
	must(t, store.Update(t.Context(), storagetest.TakeNumber), store.Probe(t.Context()))
	_, err := storage.Examine(t.Context(), store)
	must(t, err, store.Close())
	_, err = storage.Verify(t.Context(), link, storage.Checks{Now: time.Now()})
	must(t, err)
	_, err = storage.Backup(t.Context(), link, filepath.Join(folder, "copy.db"), time.Now())
	must(t, err)
	release, err := storage.Lock(link)
	must(t, err)
	if _, err := storage.Lock(target); !errors.As(err, new(*storage.LockedError)) {
		t.Errorf("the target of a locked link: error %v", err)
	}
	release()
	if entries, err := os.ReadDir(filepath.Dir(link)); err != nil || len(entries) != 1 {
		t.Errorf("next to the link are %v (%v)", entries, err)
	}
}

const childLock = "TILL_TEST_LOCK"

// TestMain runs the tests. If the environment variable childLock names a path, this is a child
// process instead: it locks the path, prints the result, and holds the lock until standard input
// ends.
func TestMain(m *testing.M) {
	path := os.Getenv(childLock)
	if path == "" {
		_ = flag.Set("test.parallel", "6") // The parallel tests mostly wait, so more can run than there are processors.
		os.Exit(postgrestest.Run(m))
	}
	release, err := storage.Lock(path)
	fmt.Println("locked", err)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err == nil {
		release()
	}
}

// another starts a child process that locks path. It returns the process and its output.
func another(t *testing.T, path string) (process *os.Process, said string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childLock+"="+path)
	_, err := command.StdinPipe()
	must(t, err)
	output, err := command.StdoutPipe()
	must(t, err, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	said, err = bufio.NewReader(output).ReadString('\n')
	must(t, err)
	return command.Process, strings.TrimSpace(said)
}

func expectLocked(t *testing.T, path string, pid int) {
	t.Helper()
	_, err := storage.Lock(path)
	locked, is := errors.AsType[*storage.LockedError](err)
	if !is || locked.PID != pid || !strings.HasPrefix(err.Error(), fmt.Sprintf("another till (process %d) has this database open", pid)) {
		t.Fatalf("error %v, want a LockedError of process %d", err, pid)
	}
}

func TestALockNamesTheProcessThatHoldsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "till.db")
	for range 2 {
		release, err := storage.Lock(path)
		must(t, err)
		if _, said := another(t, path); said != "locked "+(&storage.LockedError{PID: os.Getpid()}).Error() {
			t.Errorf("the other process printed %q", said)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the database file exists: %v", err)
		}
		release()
		first, said := another(t, path)
		if said != "locked <nil>" {
			t.Fatalf("after the release the other process printed %q", said)
		}
		expectLocked(t, path, first.Pid)
		_ = first.Kill()
		_, _ = first.Wait()
	}
}

func TestAPathThatCannotBeLockedIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{"", filepath.Join(file, "till.db")} {
		if release, err := storage.Lock(path); err == nil {
			release()
			t.Errorf("%q was locked", path)
		}
	}
}

// A user who can write to the folder could put a symbolic link there. Lock must not overwrite the
// target of the link.
func TestALockFollowsNoSymbolicLink(t *testing.T) {
	folder := t.TempDir()
	path, victim := filepath.Join(folder, "till.db"), filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600))
	if err := os.Symlink(victim, path+".pid"); err != nil {
		t.Skip(err)
	}
	release, err := storage.Lock(path)
	must(t, err)
	release()
	must(t, os.Remove(path+".lock"), os.Symlink(filepath.Join(filepath.Dir(victim), "new"), path+".lock"))
	if release, err := storage.Lock(path); err == nil {
		release()
		t.Error("the lock followed a symbolic link")
	}
	entries, err := os.ReadDir(filepath.Dir(victim))
	if text, unread := os.ReadFile(victim); err != nil || unread != nil || string(text) != "mine" || len(entries) != 1 {
		t.Errorf("the link's target holds %q, and its folder has %d files (%v %v)", text, len(entries), err, unread)
	}
}
