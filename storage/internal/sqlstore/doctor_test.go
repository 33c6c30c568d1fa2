package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

var (
	errFault  = errors.New("the disk is gone")
	errNoRoom = errors.New("no room")
)

// strict is a dialect for which a fault of the disk is one.
type strict struct{ dialect }

func (strict) Fault(err error) bool { return errors.Is(err, errDisk) || errors.Is(err, errFault) }

// keeper is one that a test lets find faults.
type keeper struct {
	mu       sync.Mutex
	look     error
	account  error
	commit   error
	room     error
	tend     error
	mend     func(ctx context.Context, repair sqlstore.Repair) error
	mended   []error // The causes.
	accounts int
	tended   int
}

// set changes what the keeper finds.
func (k *keeper) set(change func(k *keeper)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change(k)
}

func (k *keeper) get(find func(k *keeper) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return find(k)
}

func (k *keeper) Look() error           { return k.get(func(k *keeper) error { return k.look }) }
func (k *keeper) Begin() error          { return k.Look() }
func (k *keeper) Committed(int64) error { return k.get(func(k *keeper) error { return k.commit }) }
func (k *keeper) Room() error           { return k.get(func(k *keeper) error { return k.room }) }

func (k *keeper) Account(int64, int64) error {
	return k.get(func(k *keeper) error {
		k.accounts++
		return k.account
	})
}

func (k *keeper) Tend() error {
	return k.get(func(k *keeper) error {
		k.tended++
		return k.tend
	})
}

func (k *keeper) Mend(ctx context.Context, repair sqlstore.Repair) error {
	k.mu.Lock()
	k.mended = append(k.mended, repair.Cause)
	mend := k.mend
	k.mu.Unlock()
	if mend == nil {
		return nil
	}
	return mend(ctx, repair)
}

// causes returns the faults that were to be mended.
func (k *keeper) causes() []error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.mended)
}

// ward is a store in a doctor's care.
type ward struct {
	*sqlstore.Store
	t              *testing.T
	keeper         *keeper
	writer, reader *faulty
	notices        <-chan struct{}
}

// inWard opens a store in a bubble.
func inWard(t *testing.T, test func(t *testing.T, w *ward)) {
	t.Helper()
	path := empty(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		w := &ward{t: t, keeper: &keeper{}}
		writers, writer := pool(t, path, 1)
		readers, reader := pool(t, path, sqlstore.ReaderCount)
		w.writer, w.reader = writer, reader
		store, err := sqlstore.New(ctx, sqlstore.Config{
			Writer: writers, Readers: readers, Dialect: strict{}, Keeper: w.keeper,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		defer leave()
		w.Store, w.notices = store, store.Watch(ctx)
		test(t, w)
	})
}

// told tells whether a watcher was woken.
func (w *ward) told() bool {
	synctest.Wait()
	select {
	case <-w.notices:
		return true
	default:
		return false
	}
}

// expect fails the test unless every call ends with this error, or without one.
func (w *ward) expect(want error) {
	w.t.Helper()
	ctx := w.t.Context()
	_, orders := w.Orders(ctx, payments.Query{})
	_, unmatched := w.Unmatched(ctx, 1)
	for call, err := range map[string]error{
		"update": w.Update(ctx, number("x")), "probe": w.Probe(ctx), "orders": orders, "unmatched": unmatched,
	} {
		if !errors.Is(err, want) {
			w.t.Errorf("%s: error %v, want %v", call, err, want)
		}
	}
}

func TestAFaultThatIsFoundFailsEveryCallUntilItIsMended(t *testing.T) {
	for name, find := range map[string]func(k *keeper, fault error){
		"by a look":               func(k *keeper, fault error) { k.look = fault },
		"by comparing":            func(k *keeper, fault error) { k.account = fault },
		"while things are tended": func(k *keeper, fault error) { k.tend = fault },
	} {
		t.Run(name, func(t *testing.T) {
			inWard(t, func(t *testing.T, w *ward) {
				w.keeper.set(func(k *keeper) {
					find(k, errFault)
					k.mend = func(context.Context, sqlstore.Repair) error { return errFault }
				})
				time.Sleep(time.Second)
				if !w.told() {
					t.Error("nobody was told within a second")
				}
				w.expect(errFault)
				time.Sleep(10 * time.Second)
				w.expect(errFault)
				if tries := len(w.keeper.causes()); tries < 10 || tries > 30 {
					t.Errorf("%d tries to mend it in 11 s", tries)
				}
				w.keeper.set(func(k *keeper) { find(k, nil); k.mend = nil })
				time.Sleep(time.Second)
				if !w.told() {
					t.Error("nobody was told of its end within a second")
				}
				w.expect(nil)
			})
		})
	}
}

func TestWhileThereIsAFaultTheDatabaseIsLeftAlone(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.expect(nil)
		w.keeper.set(func(k *keeper) {
			k.look = errFault
			k.mend = func(context.Context, sqlstore.Repair) error { return errFault }
		})
		time.Sleep(time.Second)
		synctest.Wait()
		w.writer.reset()
		w.reader.reset()
		w.expect(errFault)
		time.Sleep(time.Minute)
		synctest.Wait()
		if w.writer.count("")+w.reader.count("") != 0 {
			t.Errorf("statements ran: %q, %q", w.writer.ran, w.reader.ran)
		}
	})
}

func TestAFaultThatAStatementMeetsIsMendedAtOnce(t *testing.T) {
	for name, meet := range map[string]func(w *ward) error{
		"a change": func(w *ward) error {
			w.writer.at(3)
			return w.Update(w.t.Context(), number("x"))
		},
		"a commit": func(w *ward) error {
			w.writer.fail(func(text string, _ func(string)) error {
				if text == "COMMIT" {
					return errDisk
				}
				return nil
			})
			return w.Update(w.t.Context(), number("x"))
		},
		"a reading": func(w *ward) error {
			w.reader.at(2)
			_, err := w.Orders(w.t.Context(), payments.Query{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWard(t, func(t *testing.T, w *ward) {
				w.expect(nil)
				w.told()
				w.keeper.set(func(k *keeper) {
					k.mend = func(_ context.Context, repair sqlstore.Repair) error {
						w.writer.fail(nil)
						w.reader.fail(nil)
						w.writer.reset()
						w.reader.reset()
						repair.Release()
						return nil
					}
				})
				start := time.Now()
				if err := meet(w); !errors.Is(err, errDisk) {
					t.Fatalf("error %v", err)
				}
				if !w.told() || time.Since(start) != 0 {
					t.Errorf("it took %v, or nobody was told", time.Since(start))
				}
				w.expect(nil)
				if causes := w.keeper.causes(); len(causes) != 1 || !errors.Is(causes[0], errDisk) {
					t.Errorf("mended %v", causes)
				}
				if w.writer.opened != 1 || w.reader.opened != 1 {
					t.Errorf("%d connections to write and %d to read were opened since", w.writer.opened, w.reader.opened)
				}
			})
		})
	}
}

func TestAFaultIsOverOnlyOnceSomethingWasWritten(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.writer.fail(func(text string, _ func(string)) error {
			if strings.HasPrefix(text, "UPDATE meta") {
				return errDisk
			}
			return nil
		})
		if err := w.Probe(t.Context()); !errors.Is(err, errDisk) {
			t.Fatalf("error %v", err)
		}
		time.Sleep(10 * time.Second)
		w.expect(errDisk)
		w.writer.fail(nil)
		time.Sleep(time.Second)
		synctest.Wait()
		w.expect(nil)
	})
}

func TestAFaultThatComesBackAtOnceIsNotMendedInALoop(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.reader.fail(func(text string, _ func(string)) error {
			if strings.HasPrefix(text, "SELECT id") {
				return errDisk
			}
			return nil
		})
		for range 1000 {
			_, _ = w.Orders(t.Context(), payments.Query{})
			time.Sleep(10 * time.Millisecond)
		}
		if tries := len(w.keeper.causes()); tries < 10 || tries > 21 {
			t.Errorf("it was mended %d times in 10 s", tries)
		}
	})
}

func TestACallDoesNotWaitForTheMending(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.keeper.set(func(k *keeper) {
			k.look = errFault
			k.mend = func(ctx context.Context, _ sqlstore.Repair) error {
				select {
				case <-ctx.Done():
				case <-time.After(time.Hour):
				}
				return errFault
			}
		})
		time.Sleep(time.Second)
		start := time.Now()
		w.expect(errFault)
		if took := time.Since(start); took != 0 {
			t.Errorf("the calls took %v", took)
		}
	})
}

func TestWhatIsCommittedWhereNobodyFindsItIsNotAcknowledged(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.expect(nil)
		w.told()
		w.keeper.set(func(k *keeper) { k.commit = errFault })
		errs := crowd(t, w.Store, number("x"), number("y"))
		for i, err := range errs {
			if !errors.Is(err, errFault) {
				t.Errorf("change %d: error %v", i, err)
			}
		}
		time.Sleep(time.Second)
		w.expect(errFault)
	})
}

func TestWithoutRoomNoOrderIsBegunAndAllElseGoesOn(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		w.keeper.set(func(k *keeper) { k.room = errNoRoom })
		err := w.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(payments.Order{Reference: "A"}) })
		if !errors.Is(err, errNoRoom) {
			t.Errorf("error %v", err)
		}
		w.expect(nil)
		if len(w.keeper.causes()) != 0 {
			t.Error("it was taken for a fault")
		}
	})
}

func TestASoundStoreIsLookedAtEverySecondAndNothingIsWritten(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		time.Sleep(time.Second) // It has connected.
		synctest.Wait()
		w.writer.reset()
		w.keeper.set(func(k *keeper) { k.accounts, k.tended = 0, 0 })
		time.Sleep(10 * time.Second)
		synctest.Wait()
		w.keeper.set(func(k *keeper) {
			if k.accounts != 10 || k.tended != 10 {
				t.Errorf("in 10 s it was compared %d and tended %d times, want 10", k.accounts, k.tended)
			}
		})
		if w.writer.count("") != 0 || w.told() {
			t.Errorf("something was written: %q", w.writer.ran)
		}
	})
}

func TestAStoreAtFaultCanBeClosed(t *testing.T) {
	inWard(t, func(t *testing.T, w *ward) {
		var ended error
		w.keeper.set(func(k *keeper) {
			k.mend = func(ctx context.Context, _ sqlstore.Repair) error {
				ended = ctx.Err()
				return errFault
			}
			k.look = errFault
		})
		// Nobody called and no time passed: the last look finds it.
		w.Close()
		if ended == nil {
			t.Error("nothing was done about the fault before the connections were closed")
		}
		if _, open := <-w.notices; open {
			<-w.notices
		}
		if err := w.Update(t.Context(), number("x")); err == nil {
			t.Error("a closed store can be written")
		}
	})
}
