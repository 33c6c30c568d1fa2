package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

var errDisk = errors.New("disk I/O error")

// crowd holds the writer with one change, hands others over while it is held,
// releases it, and returns each one's error. So the others share a commit.
func crowd(t *testing.T, store *sqlstore.Store, changes ...func(payments.Tx) error) []error {
	t.Helper()
	release := make(chan struct{})
	errs := make([]error, len(changes))
	var group sync.WaitGroup
	group.Go(func() {
		err := store.Update(t.Context(), func(payments.Tx) error {
			<-release
			return nil
		})
		if err != nil {
			t.Errorf("the change that held the writer: %v", err)
		}
	})
	synctest.Wait()
	for i, change := range changes {
		group.Go(func() { errs[i] = store.Update(t.Context(), change) })
		synctest.Wait()
	}
	close(release)
	group.Wait()
	return errs
}

// inBubble runs a test with a store whose goroutines must all have ended when
// it is over.
func inBubble(t *testing.T, run func(t *testing.T, store *sqlstore.Store, writer, reader *faulty)) {
	t.Helper()
	path := empty(t)
	synctest.Test(t, func(t *testing.T) {
		store, writer, reader := open(t, path)
		run(t, store, writer, reader)
	})
}

func TestChangesThatWaitShareACommit(t *testing.T) {
	for _, c := range []struct {
		changes, commits int
		slow             bool // The disk.
	}{
		{32, 1, false},
		{64, 2, false},
		{128, 3, false}, // A half, a half of the other half, and the rest.
		{128, 1, true},
		{129, 2, true}, // A batch has a limit.
	} {
		t.Run(fmt.Sprintf("%d slow=%t", c.changes, c.slow), func(t *testing.T) {
			inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
				writer.fail(func(text string, _ func(string)) error {
					if c.slow && text == "COMMIT" {
						time.Sleep(time.Millisecond)
					}
					return nil
				})
				if err := store.Update(t.Context(), number("series")); err != nil {
					t.Fatal(err)
				}
				writer.reset()
				changes := make([]func(payments.Tx) error, c.changes)
				for i := range changes {
					changes[i] = number("series")
				}
				if err := errors.Join(crowd(t, store, changes...)...); err != nil {
					t.Fatal(err)
				}
				if commits := writer.count("COMMIT"); commits != c.commits {
					t.Errorf("%d commits for %d changes, want %d", commits, c.changes, c.commits)
				}
				if kept := taken(t, store, "series"); kept != int64(1+c.changes) {
					t.Errorf("%d changes are there, want %d", kept, 1+c.changes)
				}
				if store.Sequence() != int64(1+c.commits) {
					t.Errorf("the change sequence is %d, want %d", store.Sequence(), 1+c.commits)
				}
			})
		})
	}
}

func TestAChangeAloneNeedsNoSavepoint(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		if err := store.Update(t.Context(), number("series")); err != nil {
			t.Fatal(err)
		}
		if savepoints := writer.count("SAVEPOINT"); savepoints != 0 {
			t.Errorf("%d savepoints", savepoints)
		}
	})
}

func TestChangesThatShareACommitNeedNoSavepoints(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		if err := errors.Join(crowd(t, store, number("a"), number("a"), number("a"))...); err != nil {
			t.Fatal(err)
		}
		if savepoints := writer.count("SAVEPOINT"); savepoints != 0 {
			t.Errorf("%d savepoints", savepoints)
		}
	})
}

func TestWhereOneChangeFailsTheOthersAreMadeAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		own, runs := errors.New("its own error"), make([]int, 3)
		change := func(i int, err error) func(payments.Tx) error {
			return func(tx payments.Tx) error {
				runs[i]++
				return errors.Join(number("series")(tx), err)
			}
		}
		errs := crowd(t, store, change(0, nil), change(1, own), change(2, nil))
		for i, want := range []error{nil, own, nil} {
			if !errors.Is(errs[i], want) {
				t.Errorf("change %d: error %v, want %v", i, errs[i], want)
			}
		}
		if kept := taken(t, store, "series"); kept != 2 {
			t.Errorf("%d changes are there, want 2", kept)
		}
		if !slices.Equal(runs, []int{2, 2, 1}) {
			t.Errorf("they ran %v times, want [2 2 1]", runs)
		}
		if commits := writer.count("COMMIT"); commits != 1 {
			t.Errorf("%d commits, want 1", commits)
		}
	})
}

func TestChangesWhoseConnectionIsLostAreMadeOnAnother(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		lost := false
		writer.fail(func(text string, _ func(string)) error {
			if lost = lost || strings.HasPrefix(text, "INSERT INTO counters"); lost && writer.opened == 1 {
				return errLost
			}
			return nil
		})
		if err := errors.Join(crowd(t, store, number("a"), number("a"))...); err != nil {
			t.Error(err)
		}
		writer.fail(nil)
		if kept := taken(t, store, "a"); kept != 2 || writer.opened != 2 {
			t.Errorf("%d changes are there, want 2; %d connections were opened, want 2", kept, writer.opened)
		}
	})
}

func TestAChangeThatWritesNothingCommitsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		nothing := func(tx payments.Tx) error { return tx.Sales().DropSale("nobody's") }
		if err := errors.Join(crowd(t, store, nothing, nothing)...); err != nil {
			t.Fatal(err)
		}
		if commits := writer.count("COMMIT"); commits != 0 || store.Sequence() != 0 {
			t.Errorf("%d commits, change sequence %d", commits, store.Sequence())
		}
	})
}

func TestAFailedCommitIsEverybodysError(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		once := errDisk
		writer.fail(func(text string, _ func(string)) error {
			if text != "COMMIT" {
				return nil
			}
			defer func() { once = nil }()
			return once
		})
		own := errors.New("its own error")
		errs := crowd(t, store, number("a"), func(payments.Tx) error { return own }, number("a"))
		for i, want := range []error{errDisk, own, errDisk} {
			if !errors.Is(errs[i], want) {
				t.Errorf("change %d: %v, want %v", i, errs[i], want)
			}
		}
		if store.Sequence() != 0 {
			t.Error("watchers were told of a commit that failed")
		}
		if err := store.Update(t.Context(), number("a")); err != nil {
			t.Errorf("the next change: %v", err)
		}
		if writer.opened != 2 {
			t.Errorf("%d connections were opened: after a fault there must be a new one", writer.opened)
		}
		if kept := taken(t, store, "a"); kept != 1 {
			t.Errorf("%d changes are there, want 1", kept)
		}
	})
}

func TestAFaultBeforeTheChangesRunIsEverybodysError(t *testing.T) {
	for _, statement := range []string{"BEGIN IMMEDIATE", "SELECT value FROM meta WHERE key = 'change_seq'"} {
		inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
			never := func(payments.Tx) error {
				t.Error("the change ran")
				return nil
			}
			writer.fail(func(text string, _ func(string)) error {
				if text == statement {
					return errDisk
				}
				return nil
			})
			if err := store.Update(t.Context(), never); !errors.Is(err, errDisk) {
				t.Errorf("%s: %v", statement, err)
			}
			writer.fail(nil)
			if err := store.Update(t.Context(), number("a")); err != nil {
				t.Errorf("after %s: %v", statement, err)
			}
		})
	}
}

// SQLite itself takes a whole transaction back when the disk is full or fails
// in the middle of it.
func TestALostTransactionCostsOnlyThoseWhoWereInIt(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		writer.fail(func(text string, run func(string)) error {
			if strings.HasPrefix(text, "DELETE FROM sales") {
				run("ROLLBACK")
				return errDisk
			}
			return nil
		})
		meets := func(tx payments.Tx) error { return tx.Sales().DropSale("x") }
		errs := crowd(t, store, number("before"), meets, number("after"), number("after"))
		if errs[0] == nil || !errors.Is(errs[1], errDisk) {
			t.Errorf("those in the lost transaction were told %v and %v", errs[0], errs[1])
		}
		if err := errors.Join(errs[2:]...); err != nil {
			t.Errorf("those after it were told %v", err)
		}
		writer.fail(nil)
		for series, want := range map[string]int64{"before": 0, "after": 2} {
			if kept := taken(t, store, series); kept != want {
				t.Errorf("%s: %d changes are there, want %d", series, kept, want)
			}
		}
	})
}

func TestAChangeThatHidesALostTransactionIsNotAcknowledged(t *testing.T) {
	for _, others := range []int{0, 1} {
		inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
			writer.fail(func(text string, run func(string)) error {
				if strings.HasPrefix(text, "DELETE FROM sales") {
					run("ROLLBACK")
					return errDisk
				}
				return nil
			})
			hides := func(tx payments.Tx) error {
				err := number("a")(tx)
				_ = tx.Sales().DropSale("x")
				return err
			}
			changes := []func(payments.Tx) error{hides, number("b")}
			errs := crowd(t, store, changes[:1+others]...)
			if errs[0] == nil {
				t.Error("a change that is not there was acknowledged")
			}
			writer.fail(nil)
			if kept := taken(t, store, "a"); kept != 0 {
				t.Errorf("%d changes are there", kept)
			}
		})
	}
}

func TestAPanicTellsWhere(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, _, _ *faulty) {
		err := store.Update(t.Context(), func(payments.Tx) error { panic("a mistake") })
		panicked, ok := errors.AsType[*sqlstore.PanicError](err)
		if !ok || panicked.Value != "a mistake" || !strings.Contains(string(panicked.Stack), "writer_test.go") {
			t.Errorf("error %v", err)
		}
	})
}

func TestAWriterThatIsEndedLeavesNobodyWaiting(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, _, _ *faulty) {
		ends := func(payments.Tx) error {
			runtime.Goexit()
			return nil
		}
		errs := crowd(t, store, number("a"), ends, number("a"))
		for i, err := range append(errs, store.Update(t.Context(), number("a"))) {
			if err == nil {
				t.Errorf("change %d was acknowledged", i)
			}
		}
	})
}

// To be handed over and answered costs more than a change does.
func TestAChangeThatIsAloneIsMadeByItsCaller(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		synctest.Wait() // Until the writer waits, too.
		var group sync.WaitGroup
		group.Go(func() {
			_ = store.Update(t.Context(), func(tx payments.Tx) error {
				if err := number("a")(tx); err != nil {
					return err
				}
				runtime.Goexit()
				return nil
			})
			t.Error("the change was made by another goroutine than its caller's")
		})
		group.Wait()
		if err := store.Update(t.Context(), number("a")); err != nil {
			t.Errorf("the next change: %v", err)
		}
		if kept := taken(t, store, "a"); kept != 1 {
			t.Errorf("%d changes are there, want 1: the other was never whole", kept)
		}
		if writer.opened != 2 {
			t.Errorf("%d connections were opened, want another one for the next change", writer.opened)
		}
	})
}

func TestCloseDoesWhatWasHandedOver(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, _, _ *faulty) {
		release := make(chan struct{})
		var group sync.WaitGroup
		errs := make([]error, 3)
		group.Go(func() {
			errs[0] = store.Update(t.Context(), func(tx payments.Tx) error {
				<-release
				return number("a")(tx)
			})
		})
		synctest.Wait()
		group.Go(func() { errs[1] = store.Update(t.Context(), number("a")) })
		synctest.Wait()
		group.Go(store.Close)
		synctest.Wait()
		errs[2] = store.Update(t.Context(), number("a"))
		close(release)
		group.Wait()
		if errs[0] != nil || errs[1] != nil || !errors.Is(errs[2], sqlstore.ErrClosed) {
			t.Errorf("errors %v", errs)
		}
	})
}

func TestACallerWhoLeavesIsNotWaitedFor(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		release := make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			_ = store.Update(t.Context(), func(payments.Tx) error {
				<-release
				return nil
			})
		})
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		for range 3 {
			group.Go(func() {
				err := store.Update(ctx, number("a"))
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
			})
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		close(release)
		group.Wait()
		if writer.count("INSERT INTO counters") != 0 {
			t.Error("the change of a caller who had left ran")
		}
	})
}

func TestAReaderThatFailedIsReplaced(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, _, reader *faulty) {
		for _, statement := range []string{"BEGIN", "SELECT id, reference", "ROLLBACK"} {
			reader.fail(nil)
			if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
				t.Fatal(err)
			}
			reader.fail(func(text string, _ func(string)) error {
				if strings.HasPrefix(text, statement) {
					return errDisk
				}
				return nil
			})
			_, err := store.Orders(t.Context(), payments.Query{})
			if (statement == "ROLLBACK") != (err == nil) {
				t.Errorf("%s: error %v", statement, err)
			}
			reader.fail(nil)
			reader.reset()
			for range sqlstore.ReaderCount {
				if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
					t.Errorf("after %s: %v", statement, err)
				}
			}
			if reader.opened == 0 {
				t.Errorf("after %s the failed connection is still used", statement)
			}
		}
	})
}

func TestReadsBeyondThePlacesWaitOrLeave(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, _, reader *faulty) {
		release := make(chan struct{})
		reader.fail(func(text string, _ func(string)) error {
			if text == "BEGIN" {
				<-release
			}
			return nil
		})
		var group sync.WaitGroup
		for i := range sqlstore.ReaderCount + 1 {
			group.Go(func() {
				if _, err := store.Sales(t.Context(), fmt.Sprint(i)); err != nil {
					t.Errorf("read %d: %v", i, err)
				}
			})
		}
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		group.Go(func() {
			if _, err := store.Sales(ctx, "T1"); !errors.Is(err, context.Canceled) {
				t.Errorf("a read whose caller left: %v", err)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(release)
		group.Wait()
	})
}

// What a lone change wrote before it failed is taken back even when something
// else has to be committed.
func TestALoneChangeThatFailsIsNotCommittedAfterAFailedCommit(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, _ *faulty) {
		writer.fail(func(text string, _ func(string)) error {
			if text == "COMMIT" {
				return errDisk
			}
			return nil
		})
		if err := store.Update(t.Context(), number("series")); !errors.Is(err, errDisk) {
			t.Fatalf("error %v, want %v", err, errDisk)
		}
		writer.fail(nil)
		err := store.Update(t.Context(), func(tx payments.Tx) error {
			if _, err := tx.Sales().NextNumber("series"); err != nil {
				return err
			}
			return errDisk
		})
		if !errors.Is(err, errDisk) {
			t.Errorf("error %v, want %v", err, errDisk)
		}
		if kept := taken(t, store, "series"); kept != 0 {
			t.Errorf("%d changes are there, want none", kept)
		}
	})
}

func TestWhatIsBegunOnALostConnectionIsBegunOnAnother(t *testing.T) {
	inBubble(t, func(t *testing.T, store *sqlstore.Store, writer, reader *faulty) {
		if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
			t.Fatal(err)
		}
		for _, f := range []*faulty{writer, reader} {
			lost := false
			f.fail(func(text string, _ func(string)) error {
				if strings.HasPrefix(text, "BEGIN") && !lost {
					lost = true
					return errLost
				}
				return nil
			})
		}
		if err := store.Update(t.Context(), number("series")); err != nil {
			t.Errorf("update: %v", err)
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
			t.Errorf("orders: %v", err)
		}
		for _, f := range []*faulty{writer, reader} {
			f.fail(func(string, func(string)) error { return errLost })
		}
		if err := store.Update(t.Context(), number("series")); !errors.Is(err, errLost) {
			t.Errorf("update: %v", err)
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); !errors.Is(err, errLost) {
			t.Errorf("orders: %v", err)
		}
		for _, f := range []*faulty{writer, reader} {
			f.fail(nil)
		}
		if kept := taken(t, store, "series"); kept != 1 {
			t.Errorf("%d changes are there, want 1", kept)
		}
	})
}
