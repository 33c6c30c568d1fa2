package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

func TestS7ABackupIsOfOneMomentWhileEventsCome(t *testing.T) {
	const orders = 400
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	for n := range orders {
		must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) }))
	}
	service := payments.New(store, nil, func() time.Time { return storagetest.Order(0).CreatedAt })
	var received atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		for n := range orders {
			if _, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), storagetest.Encode(storagetest.Success(storagetest.Order(n)))); err != nil {
				t.Error(err)
			}
			received.Add(1)
		}
	})
	for n := 0; received.Load() < orders; n++ {
		before := received.Load()
		copied, err := sqlite.Backup(t.Context(), path, filepath.Join(t.TempDir(), "copy.db"))
		after := received.Load()
		must(t, err)
		if copied.Orders != orders || copied.Events < before || copied.Events > after+1 {
			t.Errorf("%d events were received before the backup and %d after it; it has %d", before, after, copied.Events)
		}
		expectPrefix(t, copied)
	}
	group.Wait()
}

// expectPrefix fails the test unless a backup has the first events and nothing
// of the later ones, and can be used like any database.
func expectPrefix(t *testing.T, copied sqlite.BackupResult) {
	t.Helper()
	expectMode(t, copied.Path, 0o600)
	expectFound(t, copied.Path)
	if left := files(t, filepath.Dir(copied.Path)); !slices.Equal(left, []string{filepath.Base(copied.Path)}) {
		t.Errorf("files %q are there", left)
	}
	if about, err := os.Stat(copied.Path); err != nil || about.Size() != copied.Bytes {
		t.Errorf("%d bytes, said to be %d (%v)", about.Size(), copied.Bytes, err)
	}
	first := count(t, copied.Path, "SELECT count(*) FROM events WHERE sequence <= (SELECT count(*) FROM events)")
	if int64(first) != copied.Events {
		t.Errorf("of %d events only %d are the first", copied.Events, first)
	}
	store := openAt(t, copied.Path)
	next := storagetest.Order(10_000)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(next) }), store.Close())
}

func TestABackupRefusesAPlaceWhereItCannotBe(t *testing.T) {
	path := whole(t)
	folder := t.TempDir()
	there := filepath.Join(folder, "there.db")
	overwrite(t, there, []byte("mine"))
	link := filepath.Join(folder, "link.db")
	must(t, os.Symlink(filepath.Join(folder, "nowhere"), link))
	for target, want := range map[string]error{
		there: sqlite.ErrExists, link: sqlite.ErrExists, path: sqlite.ErrExists, folder: sqlite.ErrExists,
		filepath.Join(folder, "no", "such.db"): os.ErrNotExist,
	} {
		if _, err := sqlite.Backup(t.Context(), path, target); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", target, err, want)
		}
	}
	if string(content(t, there)) != "mine" || len(files(t, folder)) != 2 {
		t.Errorf("the files are %q now", files(t, folder))
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "copy.db")
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := sqlite.Backup(ended, whole(t), target); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty.db")
	overwrite(t, empty, nil)
	if _, err := sqlite.Backup(t.Context(), empty, target); !errors.Is(err, sqlite.ErrEmpty) {
		t.Errorf("of an empty file: error %v", err)
	}
	// A page that is no page any more: the database can be opened, not copied.
	damaged := whole(t)
	text := content(t, damaged)
	for i := 4096; i < len(text); i++ {
		text[i] = 0xff
	}
	overwrite(t, damaged, text)
	if _, err := sqlite.Backup(t.Context(), damaged, target); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("of a damaged file: error %v", err)
	}
	if left := files(t, folder); len(left) != 0 {
		t.Errorf("files %q are left", left)
	}
}

func TestABackupIsMadeUnderAnyName(t *testing.T) {
	path := whole(t)
	for _, name := range []string{"a b.db", "it's.db", "100%.db", "?mode=memory", "file:x.db", "été.db", "$1"} {
		copied, err := sqlite.Backup(t.Context(), path, filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if left := files(t, filepath.Dir(copied.Path)); !slices.Equal(left, []string{name}) {
			t.Errorf("files %q are there, want %q alone", left, name)
		}
	}
}

func TestABackupKeepsWhatIsWrong(t *testing.T) {
	path := whole(t)
	script(t, path, "UPDATE orders SET status = 'success'")
	copied, err := sqlite.Backup(t.Context(), path, filepath.Join(t.TempDir(), "copy.db"))
	must(t, err)
	expectFound(t, copied.Path, "its status is success")
}
