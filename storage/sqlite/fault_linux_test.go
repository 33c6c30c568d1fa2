package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

func TestAReadOnlyDatabaseIsNoticedBeforeAWrite(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		h.settle()
		release, err := disk.Protect(h.path)
		if err != nil {
			t.Skip(err)
		}
		h.expectNotice("the fault")
		h.expectFault(sqlite.ErrReadOnly)
		must(t, release())
		h.expectNotice("its end")
		h.expectSound()
	})
}

func TestAProbeSaysThatTheDiskIsFull(t *testing.T) {
	disk := disk.New(t, 32<<20)
	store, err := sqlite.Open(t.Context(), filepath.Join(disk.Folder, "till.db"))
	must(t, err)
	defer func() { must(t, store.Close()) }()
	disk.Fill()
	for n := 0; err == nil && n < 200; n++ {
		err = store.Probe(t.Context())
	}
	if !errors.Is(err, sqlite.ErrFull) {
		t.Errorf("got the error %v", err)
	}
}

func TestANearlyFullDiskTakesEventsButNoOrders(t *testing.T) {
	t.Parallel()
	disk := disk.New(t, 32<<20)
	const minimum = 2 << 20
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(disk.Folder, "till.db")
		store, err := sqlite.OpenWith(t.Context(), path, func(o *sqlite.Options) { o.Minimum = minimum })
		must(t, err)
		defer func() { must(t, store.Close()) }()
		opening := storagetest.Order(1000).CreatedAt // At this time, the last order is created.
		service := payments.New(store, nil, func() time.Time { return opening })
		notices := store.Watch(t.Context())
		receive := func(n int) error {
			_, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), make([]byte, 1000))
			return err
		}
		for n := range 200 {
			must(t, insert(t, store, n))
		}

		disk.FillTo(minimum - 4096)
		if err := insert(t, store, 1000); !errors.Is(err, payments.ErrNoRoom) {
			t.Errorf("a new order: error %v, want ErrNoRoom", err)
		}
		for n := range 20 {
			must(t, receive(n))
		}

		disk.Fill()
		synctest.Wait()
		noticed(notices)
		failed := 20
		for ; failed < 200 && receive(failed) == nil; failed++ {
		}
		if failed == 200 {
			t.Fatal("the disk is not full")
		}
		if !noticed(notices) {
			t.Error("the store sent no notice")
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
			t.Error("orders can be read although the disk is full")
		}

		disk.Free()
		time.Sleep(time.Second)
		synctest.Wait()
		must(t, receive(failed), insert(t, store, 1000))
		for n := range failed + 1 {
			if order, events, err := store.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() || len(events) != 1 {
				t.Errorf("order %d: paid %v, %d events (%v)", n, order.Paid(), len(events), err)
			}
		}
		expectWhole(t, path)
	})
}

func TestOnlySQLiteOpensTheDatabaseFiles(t *testing.T) {
	folder := t.TempDir()
	path, log := filepath.Join(folder, "till.db"), filepath.Join(t.TempDir(), "log")
	if output, err := exec.Command("strace", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot be used here: %v %s", err, output)
	}
	process := startReady(t, path, "strace", "-f", "-o", log, "-e", "trace=open,openat,openat2,creat")
	for _, call := range []string{"order", "event", "read", "backup", "verify"} {
		if got := process.ask(call); strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", call, got)
		}
	}
	// Cause a fault, and let the store recover.
	must(t, os.Remove(path+"-wal"))
	process.ask("order")
	process.ask("heal")
	process.end()

	opened := 0
	for line := range strings.Lines(string(content(t, log))) {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			if !strings.Contains(line, strconv.Quote(path+suffix)) {
				continue
			}
			opened++
			// SQLite opens files with O_NOFOLLOW, and Go's library does not. A line without it means that
			// another part of the program has opened the file.
			if !strings.Contains(line, "O_NOFOLLOW") {
				t.Errorf("the file was not opened by SQLite: %s", line)
			}
		}
	}
	if opened < 10 {
		t.Errorf("got %d calls that open a file, want 10 or more: strace missed them", opened)
	}
}

func TestADiskFaultFailsEveryCallUntilItEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fault string
		once        bool // Whether the fault ends while strace still runs.
		error       string
	}{
		{"fsync fails for good", "fsync:error=EIO", false, "disk I/O error (1034)"},
		{"fsync fails once", "fsync:error=EIO:when=1", true, "disk I/O error (1034)"},
		{"writing fails for good", "pwrite64:error=EIO", false, "disk I/O error (778)"},
		{"writing fails once", "pwrite64:error=EIO:when=1", true, "disk I/O error (778)"},
		{"the disk is full", "pwrite64:error=ENOSPC", false, "database or disk is full (13)"},
		{"the quota is used up", "pwrite64:error=EDQUOT", false, "disk I/O error (778)"},
		{"the file system made itself read-only", "pwrite64:error=EROFS", false, "disk I/O error (778)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := whole(t)
			process := startReady(t, path)
			end, err := disk.Inject(t.Context(), process.Process.Pid, c.fault)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(end)
			if got := process.ask("order"); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, c.error) {
				t.Errorf("the first change: %s, want %s", got, c.error)
			}
			if !c.once {
				for _, call := range []string{"event", "read", "order"} {
					if got := process.ask(call); !strings.HasPrefix(got, "error: ") {
						t.Errorf("%s: %s", call, got)
					}
				}
				end()
			}
			if got := process.ask("heal"); got != "heal" {
				t.Errorf("afterwards: %s", got)
			}
			// strace counts the calls of each thread separately, so another thread may still get the fault. End
			// strace first.
			end()
			process.ask("heal")
			// The failed change may have stored the order.
			if got := process.ask("order"); got != "order" && !strings.Contains(got, payments.ErrReferenceTaken.Error()) {
				t.Errorf("again: %s", got)
			}
			// The failed change may have stored the event. It is applied only once, however often it is
			// delivered.
			if first, second := process.ask("event"), process.ask("event"); first != "applied" && first != "duplicate" || second != "duplicate" {
				t.Errorf("the event again: %s, then %s", first, second)
			}
			process.end()
			expectWhole(t, path)
			for query, want := range map[string]int{
				"SELECT count(*) FROM orders": 2, "SELECT count(*) FROM orders WHERE paid_at IS NOT NULL": 1,
				"SELECT count(*) FROM events": 1,
			} {
				if got := count(t, path, query); got != want {
					t.Errorf("%s: %d, want %d", query, got, want)
				}
			}
		})
	}
}

func TestTheFileSystemsOfThisMachineAreLocal(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/proc", "/"} {
		if name, err := sqlite.NetworkOf(path); name != "" || err != nil {
			t.Errorf("%s: %q (%v)", path, name, err)
		}
	}
	if _, err := sqlite.NetworkOf(t.TempDir() + "/nothing"); err == nil {
		t.Error("a missing path has a file system")
	}
}
