package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest/disk"
)

// protect makes a file read-only for whoever runs the tests, until release.
func protect(t *testing.T, path string) (release func()) {
	t.Helper()
	unprotect, err := disk.Protect(path)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { must(t, unprotect()) })
	return func() { must(t, unprotect()) }
}

func TestBothWaysToLookAtANameSeeTheSame(t *testing.T) {
	path := whole(t)
	if same, err := sqlite.SameSight(path); !same || err != nil {
		t.Errorf("same %v (%v)", same, err)
	}
	if _, err := sqlite.SameSight(path + ".not"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestS5WhatADeletedDatabaseHeldIsRescued(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's")
	path := filepath.Join(folder, "till.db")
	store := openAt(t, path)
	insert := func(n int) error {
		return store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(orderFor(n)) })
	}
	must(t, insert(1), insert(2))
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		must(t, os.Remove(name))
	}
	if err := insert(3); !errors.Is(err, sqlite.ErrMoved) {
		t.Errorf("error %v", err)
	}
	err := store.Close()
	if !errors.Is(err, sqlite.ErrDeleted) || !strings.Contains(err.Error(), path+".rescued") {
		t.Fatalf("error %v", err)
	}
	if left := files(t, folder); !slices.Equal(left, []string{"till.db.rescued"}) {
		t.Errorf("files %q are left", left)
	}
	expectMode(t, path+".rescued", 0o600)
	must(t, os.Rename(path+".rescued", path))
	expectFound(t, path)
	acknowledged := fmt.Sprintf("SELECT count(*) FROM orders WHERE reference IN ('%s', '%s')",
		orderFor(1).Reference, orderFor(2).Reference)
	if got := count(t, path, acknowledged); got != 2 {
		t.Errorf("%d of the 2 orders that were acknowledged were rescued", got)
	}
	must(t, openAt(t, path).Close())
}

func TestS5WhatWasMovedAwayOrRescuedBeforeIsNotRescued(t *testing.T) {
	path := whole(t)
	store := openAt(t, path)
	must(t, os.Rename(path, path+".away"), store.Close())
	if _, err := os.Stat(path + ".rescued"); err == nil {
		t.Error("a database that was moved was rescued")
	}
	must(t, os.Rename(path+".away", path))
	overwrite(t, path+".rescued", []byte("of an earlier day"))
	store = openAt(t, path)
	must(t, store.Probe(t.Context()), os.Remove(path), store.Close())
	if string(content(t, path+".rescued")) != "of an earlier day" {
		t.Error("what was rescued before was written over")
	}
}

func TestS3AReadOnlyDatabaseIsNoticedBeforeAnythingIsWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		h.settle()
		release := protect(t, h.path)
		h.expectNotice("the fault")
		h.expectFault(sqlite.ErrReadOnly)
		release()
		h.expectNotice("its end")
		h.expectSound()
	})
}
