package storage_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage"
	"checkout/till/storage/storagetest/postgrestest"
)

const childLock = "TILL_TEST_LOCK"

// TestMain runs the tests. If the environment variable childLock names a path, this is a child
// process instead: it locks the path, prints the result, and holds the lock until standard input
// ends.
func TestMain(m *testing.M) {
	path := os.Getenv(childLock)
	if path == "" {
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
