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
		must(t, insert(t, store, n))
	}
	service := payments.New(store, nil, func() time.Time { return storagetest.Order(0).CreatedAt })
	var received atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		for n := range orders {
			event := storagetest.Success(storagetest.Order(n))
			if _, err := service.Receive(t.Context(), event, storagetest.Encode(event)); err != nil {
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
		expectFound(t, path) // It can be examined meanwhile, too.
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
	if last := count(t, copied.Path, "SELECT coalesce(max(sequence), 0) FROM events"); int64(last) != copied.Events {
		t.Errorf("of %d events the last one is %d", copied.Events, last)
	}
	store := openAt(t, copied.Path)
	must(t, insert(t, store, 10_000), store.Close())
}

func TestABackupThatCannotBeMadeLeavesEverythingAsItIs(t *testing.T) {
	path, folder := whole(t), t.TempDir()
	there, link, target := filepath.Join(folder, "there.db"), filepath.Join(folder, "link.db"), filepath.Join(folder, "copy.db")
	overwrite(t, there, []byte("mine"))
	must(t, os.Symlink(filepath.Join(folder, "nowhere"), link))
	empty, damaged := filepath.Join(t.TempDir(), "empty.db"), whole(t)
	overwrite(t, empty, nil)
	text := content(t, damaged)
	for i := 4096; i < len(text); i++ { // Pages that are none: the database can be opened, not copied.
		text[i] = 0xff
	}
	overwrite(t, damaged, text)
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx          context.Context
		from, target string
		want         error
	}{
		{t.Context(), path, there, sqlite.ErrExists},
		{t.Context(), path, link, sqlite.ErrExists},
		{t.Context(), path, path, sqlite.ErrExists},
		{t.Context(), path, folder, sqlite.ErrExists},
		{t.Context(), path, filepath.Join(folder, "no", "such.db"), os.ErrNotExist},
		{t.Context(), empty, target, sqlite.ErrEmpty},
		{t.Context(), damaged, target, sqlite.ErrDamaged},
		{ended, path, target, context.Canceled},
	} {
		if _, err := sqlite.Backup(c.ctx, c.from, c.target); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: error %v, want %v", c.from, c.target, err, c.want)
		}
	}
	if string(content(t, there)) != "mine" || len(files(t, folder)) != 2 {
		t.Errorf("the files are %q now", files(t, folder))
	}
}
