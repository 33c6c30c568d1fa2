package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// harmed is an open database that a test damages, in a synctest bubble.
type harmed struct {
	*sqlite.Store
	t       *testing.T
	path    string
	notices <-chan struct{}
	next    int
}

// inBubble opens a database inside a synctest bubble and runs a test on it.
func inBubble(t *testing.T, test func(t *testing.T, h *harmed), changes ...func(*sqlite.Options)) {
	t.Helper()
	path := whole(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		store, err := sqlite.OpenWith(ctx, path, changes...)
		must(t, err)
		defer func() {
			leave()
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		}()
		h := &harmed{Store: store, t: t, path: path, notices: store.Watch(ctx), next: 2}
		must(t, h.tryInsert())
		test(t, h)
	})
}

func (h *harmed) tryInsert() error {
	h.next++
	return insert(h.t, h.Store, h.next)
}

func (h *harmed) idle() error {
	return h.Update(h.t.Context(), func(tx payments.Tx) error { return tx.DropSale("nobody's") })
}

// grow makes the main database file larger.
func (h *harmed) grow() {
	h.t.Helper()
	must(h.t, h.Update(h.t.Context(), func(tx payments.Tx) (err error) {
		for n := range 100 {
			err = errors.Join(err, tx.InsertOrder(storagetest.Order(100_000+n)))
		}
		return err
	}))
	script(h.t, h.path, "PRAGMA wal_checkpoint")
	must(h.t, h.tryInsert())
	h.settle()
}

// settle waits until the store has checked its files, and drops the notices that have come.
func (h *harmed) settle() {
	time.Sleep(2 * time.Second)
	synctest.Wait()
	noticed(h.notices)
}

// expectNotice fails the test unless a watcher gets a notice within a second.
func (h *harmed) expectNotice(what string) {
	h.t.Helper()
	select {
	case <-h.notices:
		return
	case <-time.After(time.Second):
	}
	synctest.Wait() // A notice due at exactly one second is in time.
	if !noticed(h.notices) {
		h.t.Fatalf("%s was not noticed within a second", what)
	}
}

// expectFault fails the test unless every call fails with this error.
func (h *harmed) expectFault(want error) {
	h.t.Helper()
	calls := storagetest.Calls(h.t, h.Store, storagetest.Order(1).Reference)
	calls["insert"], calls["probe"] = h.tryInsert(), h.Probe(h.t.Context())
	for call, err := range calls {
		if !errors.Is(err, want) {
			h.t.Errorf("%s: error %v, want %v", call, err, want)
		}
	}
}

// expectSound fails the test unless the store works and the last order is durable: it must be in a
// copy of the files, as after a crash.
func (h *harmed) expectSound() {
	h.t.Helper()
	_, err := h.Orders(h.t.Context(), payments.Query{})
	must(h.t, err, h.tryInsert())
	copied := filepath.Join(h.t.TempDir(), "till.db")
	for _, suffix := range []string{"", "-wal"} {
		overwrite(h.t, copied+suffix, content(h.t, h.path+suffix))
	}
	last := storagetest.Order(h.next).Reference
	if count(h.t, copied, "SELECT count(*) FROM orders WHERE reference = $1", last) != 1 {
		h.t.Errorf("order %s was acknowledged but is not in the files", last)
	}
}

func TestAMissingOrReplacedDatabaseIsAFaultUntilItReturns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		want  error
		moved []string // Suffixes of the files that are moved; if nil, the whole folder is moved.
		comes string   // What replaces the file: "copy", "empty" or nothing ("").
	}{
		{"moved away without its log", sqlite.ErrMoved, []string{""}, ""},
		{"moved away with its log", sqlite.ErrMoved, []string{"", "-wal", "-shm"}, ""},
		{"its folder moved away", sqlite.ErrMoved, nil, ""},
		{"replaced by a copy", sqlite.ErrReplaced, []string{""}, "copy"},
		{"replaced by an empty file", sqlite.ErrReplaced, []string{""}, "empty"},
	} {
		harm := func(t *testing.T, path string) (undo func()) {
			t.Helper()
			copied := content(t, path)
			from := path
			moved := c.moved
			if len(moved) == 0 {
				from, moved = filepath.Dir(path), []string{""}
			}
			to := from + ".away"
			move := func(from, to string) {
				for _, suffix := range moved {
					must(t, os.Rename(from+suffix, to+suffix))
				}
			}
			move(from, to)
			if c.comes != "" {
				overwrite(t, path, copied[:map[string]int{"copy": len(copied)}[c.comes]])
			}
			return func() { move(to, from) }
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			t.Run("while the store is idle", func(t *testing.T) {
				inBubble(t, func(t *testing.T, h *harmed) {
					h.settle()
					undo := harm(t, h.path)
					h.expectNotice("the fault")
					h.expectFault(c.want)
					h.settle()
					h.expectFault(c.want)
					undo()
					h.expectNotice("its end")
					h.expectSound()
				})
			})
			for name, call := range map[string]func(h *harmed) error{
				"by the next change": (*harmed).tryInsert, "by what writes nothing": (*harmed).idle,
			} {
				t.Run(name, func(t *testing.T) {
					inBubble(t, func(t *testing.T, h *harmed) {
						undo := harm(t, h.path)
						if err := call(h); !errors.Is(err, c.want) {
							t.Errorf("error %v, want %v", err, c.want)
						}
						undo()
						h.settle()
						h.expectSound()
					})
				})
			}
		})
	}
}

// The file disappears before a commit that several changes share. SQLite itself reports no error.
func TestACommitToAMovedFileIsAcknowledgedToNoneOfItsChanges(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		errs := storagetest.Together(t, h.Store, 20, func(i int, tx payments.Tx) error {
			_ = os.Rename(h.path, h.path+".away") // Only the first change finds the file.
			return tx.InsertOrder(storagetest.Order(1000 + i))
		})
		shared := 0 // Number of changes that share the commit; a later change is refused before it begins.
		for i, err := range errs {
			if !errors.Is(err, sqlite.ErrMoved) {
				t.Errorf("change %d: error %v, want %v", i, err, sqlite.ErrMoved)
			}
			if errors.Is(err, payments.ErrCommitUnknown) {
				shared++
			}
		}
		if shared < 2 {
			t.Errorf("%d changes have an unknown result", shared)
		}
		must(t, os.Rename(h.path+".away", h.path))
		h.settle()
		h.expectSound()
	})
}

func TestADeletedLogIsNoticedAndRecreated(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		go func() { // The health screen reads this at any time, also while the store reopens its files.
			for range 3000 {
				_, _, _ = h.LastBackup(t.Context())
				time.Sleep(time.Millisecond)
			}
		}()
		h.settle()
		must(t, os.Remove(h.path+"-wal"))
		if err := h.idle(); !errors.Is(err, sqlite.ErrChanged) {
			t.Errorf("error %v, want %v: a commit to a deleted log is lost", err, sqlite.ErrChanged)
		}
		h.expectNotice("the fault")
		h.settle()
		h.expectSound()
		if orders := count(t, h.path, "SELECT count(*) FROM orders"); orders != h.next-1 {
			t.Errorf("got %d orders, want %d", orders, h.next-1)
		}
	})
}

func TestATruncatedOrOverwrittenDatabaseStaysUnusable(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(t *testing.T, path string)
	}{
		{"cut to nothing", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
		{"cut in the middle", func(t *testing.T, path string) { must(t, os.Truncate(path, 5000)) }},
		{"an older copy is written over it", func(t *testing.T, path string) {
			overwrite(t, path, content(t, path+".old"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *harmed) {
				overwrite(t, h.path+".old", content(t, h.path))
				h.grow()
				c.harm(t, h.path)
				h.expectNotice("the fault")
				for range 3 {
					time.Sleep(5 * time.Second)
					if _, err := h.Orders(t.Context(), payments.Query{}); err == nil {
						t.Error("the store can be read")
					}
					if err := h.tryInsert(); err == nil {
						t.Error("the store can be written")
					}
				}
			})
		})
	}
}

func TestHarmlessUseByAnotherProgramIsNoFault(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]string{
		"it reads": "SELECT * FROM orders",
		"it changes something and brings the log home": "UPDATE meta SET value = value + 1 WHERE key = 'change_seq'; PRAGMA wal_checkpoint",
		"it makes the file smaller":                    "VACUUM; PRAGMA wal_checkpoint",
		"it empties the log":                           "PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, h *harmed) {
				h.grow()
				for range 3 {
					script(t, h.path, does)
					h.settle()
					h.expectSound()
				}
			})
		})
	}
	t.Run("another till writes orders", func(t *testing.T) {
		t.Parallel()
		inBubble(t, func(t *testing.T, h *harmed) {
			others := openAt(t, h.path)
			for n := range storagetest.Size(250, 600) { // This is enough for several checkpoints by both stores.
				must(t, insert(t, others, 10_000+n))
				if n%3 == 0 {
					must(t, h.tryInsert())
				}
				if n%10 == 0 {
					time.Sleep(300 * time.Millisecond)
				}
			}
			must(t, others.Close())
			h.settle()
			h.expectSound()
		})
	})
}

func TestAReplacedDatabaseIsOpenedWithoutTheOldLog(t *testing.T) {
	path := whole(t)
	fresh := content(t, whole(t))
	store := openAt(t, path)
	must(t, insert(t, store, 2))
	overwrite(t, path+".new", fresh)
	must(t, os.Rename(path, path+".first"), os.Rename(path+".new", path), store.Close())
	for name, want := range map[string]int{path: 1, path + ".first": 2} {
		expectWhole(t, name)
		if got := count(t, name, "SELECT count(*) FROM orders"); got != want {
			t.Errorf("%s has %d orders, want %d", filepath.Base(name), got, want)
		}
	}
}
