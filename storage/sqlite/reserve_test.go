package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/storage/sqlite"
)

func TestTheReserveIsMadeOnceAndByACommandThatTakesLonger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(700 * time.Millisecond) // The clock's next second is none of its own.
		short, err := sqlite.Open(t.Context(), path)
		must(t, err)
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		must(t, short.Close())
		if _, err := os.Stat(path + ".reserve"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a short command left a reserve (%v)", err)
		}
		var made []os.FileInfo
		for range 2 {
			store, err := sqlite.Open(t.Context(), path)
			must(t, err)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			must(t, store.Close())
			about, err := os.Stat(path + ".reserve")
			must(t, err)
			made = append(made, about)
		}
		if made[0].Size() != 8<<20 || !os.SameFile(made[0], made[1]) || !made[0].ModTime().Equal(made[1].ModTime()) {
			t.Errorf("it was made as %+v, then %+v", made[0], made[1])
		}
	})
	expectMode(t, path+".reserve", 0o600)
}

func TestAReserveThatACrashLeftShortIsMadeWhole(t *testing.T) {
	path := whole(t)
	overwrite(t, path+".reserve", []byte("short"))
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlite.Open(t.Context(), path)
		must(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		must(t, store.Close())
	})
	if about, err := os.Stat(path + ".reserve"); err != nil || about.Size() != 8<<20 {
		t.Errorf("it is %+v (%v)", about, err)
	}
}
