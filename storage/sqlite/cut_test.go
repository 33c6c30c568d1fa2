package sqlite_test

import (
	"bufio"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

func TestS2WhatWasAcknowledgedSurvivesPowerCuts(t *testing.T) {
	cuts := storagetest.Size(5, 30)
	acknowledged, lost := cutPower(t, cuts, "")
	if len(lost) > 0 {
		t.Errorf("%d of %d changes were acknowledged and are not there: %q", len(lost), acknowledged, lost)
	}
	t.Logf("%d cuts, %d acknowledged", cuts, acknowledged)
}

// That a database which does not wait for the disk fails the test above shows
// that the test can fail.
func TestS2WithSynchronousNormalPowerCutsLoseWhatWasAcknowledged(t *testing.T) {
	const cuts = 10
	for cut := range cuts {
		if acknowledged, lost := cutPower(t, 1, lax); len(lost) > 0 {
			t.Logf("cut %d lost %d of %d acknowledged changes", cut+1, len(lost), acknowledged)
			return
		}
	}
	t.Errorf("%d cuts lost nothing: this is no power cut", cuts)
}

// cutPower cuts the power some times, each in the middle of a process's writing,
// and returns how many changes were acknowledged and which of them are lost.
func cutPower(t *testing.T, cuts int, how string) (acknowledged int, lost []string) {
	t.Helper()
	disk := disk.New(t, 64<<20)
	path := filepath.Join(disk.Folder, "till.db")
	var references []string
	for cut := range cuts {
		command, output := child(t, path, childWay+"="+how)
		lines := bufio.NewScanner(output)
		for range 40 + 23*cut%97 {
			if !lines.Scan() {
				t.Fatalf("the process ended: %v", lines.Err())
			}
			reference, stored := strings.CutPrefix(lines.Text(), "stored ")
			if !stored {
				t.Fatalf("the process said %q", lines.Text())
			}
			references = append(references, reference)
		}
		disk.Cut()
		// What the process says now may be said after the cut, when no process
		// would have power: a file system that is being shut down answers some
		// fsync with success.
		_, _ = io.Copy(io.Discard, output)
		_ = command.Process.Kill()
		_ = command.Wait()
		disk.Return()
		lost = append(lost, missing(t, path, references)...)
	}
	return len(references), lost
}

// missing opens a database after a cut, and returns which orders are not there as
// a whole.
func missing(t *testing.T, path string, references []string) (lost []string) {
	t.Helper()
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return references
	}
	expectWholeAndClosed(t, path)
	store, err := sqlite.Open(t.Context(), path)
	must(t, err)
	for _, reference := range references {
		order, events, err := store.Order(t.Context(), reference)
		switch {
		case errors.Is(err, payments.ErrNotFound):
			lost = append(lost, reference)
		case err != nil || !order.Paid() || len(order.Items) != 2 || len(events) != 1:
			t.Errorf("order %s is there in part: %d events, %v", reference, len(events), err)
		}
	}
	must(t, store.Close())
	return lost
}

// expectWholeAndClosed is expectWhole for a file whose disk goes away before the
// test ends.
func expectWholeAndClosed(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	found := column(t, db, "PRAGMA integrity_check")
	if must(t, db.Close()); !slices.Equal(found, []string{"ok"}) {
		t.Errorf("integrity_check: %q", found)
	}
}
