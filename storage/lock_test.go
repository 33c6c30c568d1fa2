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
)

// childLock names the database that this process, started by a test, locks.
const childLock = "TILL_TEST_LOCK"

// TestAnotherProcess is what another process does: it takes the lock, says so,
// and keeps it until its input ends.
func TestAnotherProcess(t *testing.T) {
	path := os.Getenv(childLock)
	if path == "" {
		return // Not as another process.
	}
	if _, err := storage.Lock(path); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// another starts a process that takes the lock, and returns what it said.
func another(t *testing.T, path string) (process *exec.Cmd, said string) {
	t.Helper()
	process = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAnotherProcess$")
	process.Env = append(os.Environ(), childLock+"="+path)
	if _, err := process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := process.StdoutPipe()
	must(t, err)
	must(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill(); _ = process.Wait() })
	said, err = bufio.NewReader(output).ReadString('\n')
	must(t, err)
	return process, strings.TrimSpace(said)
}

// expectLocked fails the test unless a lock is held by a process.
func expectLocked(t *testing.T, path string, pid int) {
	t.Helper()
	lock, err := storage.Lock(path)
	if err == nil {
		_ = lock.Release()
	}
	locked, ok := errors.AsType[*storage.LockedError](err)
	if !ok || locked.PID != pid {
		t.Fatalf("error %v, want one that names process %d", err, pid)
	}
	if !strings.HasPrefix(err.Error(), fmt.Sprintf("another till (process %d) has this database open as its listener", pid)) {
		t.Errorf("error %v", err)
	}
}

func TestS6ASecondInstanceIsToldWhoTheFirstIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "till.db")
	lock, err := storage.Lock(path)
	must(t, err)
	_, said := another(t, path)
	if want := (&storage.LockedError{PID: os.Getpid()}).Error(); said != want {
		t.Errorf("the other process said %q, want %q", said, want)
	}
	expectLocked(t, path, os.Getpid())
	must(t, lock.Release())
	first, said := another(t, path)
	if said != "locked" {
		t.Fatalf("after the release the other process said %q", said)
	}
	expectLocked(t, path, first.Process.Pid)
}

func TestS6ALockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	process, said := another(t, path)
	if said != "locked" {
		t.Fatal(said)
	}
	expectLocked(t, path, process.Process.Pid)
	_ = process.Process.Kill()
	_ = process.Wait()
	lock, err := storage.Lock(path)
	if err != nil {
		t.Fatalf("after the other process was killed: %v", err)
	}
	if _, said := another(t, path); !strings.Contains(said, fmt.Sprint(os.Getpid())) {
		t.Errorf("the other process said %q: it was told of a process that is gone", said)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}

func TestALockNeverTouchesTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	lock, err := storage.Lock(path)
	must(t, err)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the database's file: %v", err)
	}
	store, err := storage.Open(t.Context(), path)
	must(t, err)
	if err := errors.Join(store.Probe(t.Context()), store.Close(), lock.Release()); err != nil {
		t.Error(err)
	}
}

func TestAPlaceThatCannotBeLockedIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{"", filepath.Join(file, "till.db")} {
		if lock, err := storage.Lock(path); err == nil {
			_ = lock.Release()
			t.Errorf("%q was locked", path)
		}
	}
}

// Listeners at a database server hold nothing of their own.
func TestADatabaseAtAServerHasRoomForSeveralListeners(t *testing.T) {
	for range 2 {
		lock, err := storage.Lock("postgres://127.0.0.1:1/till")
		must(t, err)
		t.Cleanup(func() {
			if err := lock.Release(); err != nil {
				t.Error(err)
			}
		})
	}
}

// S14: whoever may write to the folder cannot have another file written over.
func TestALockFollowsNoSymbolicLink(t *testing.T) {
	folder := t.TempDir()
	path, victim := filepath.Join(folder, "till.db"), filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600))
	if err := os.Symlink(victim, path+".pid"); err != nil {
		t.Skip(err)
	}
	lock, err := storage.Lock(path)
	must(t, err)
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
	must(t, os.Remove(path+".lock"))
	must(t, os.Symlink(filepath.Join(filepath.Dir(victim), "new"), path+".lock"))
	if lock, err := storage.Lock(path); err == nil {
		_ = lock.Release()
		t.Error("a lock was taken through a link")
	}
	entries, err := os.ReadDir(filepath.Dir(victim))
	if text, unread := os.ReadFile(victim); err != nil || unread != nil || string(text) != "mine" || len(entries) != 1 {
		t.Errorf("the victim holds %q, and there are %d files (%v %v)", text, len(entries), err, unread)
	}
}
