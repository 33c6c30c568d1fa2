package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/outbox"
	"checkout/till/storage/sqlite"
)

// What this process, started by a test, does until it is killed: apply the events
// of the spool that the first names to the database that the second names.
const (
	childSpool = "TILL_TEST_SPOOL"
	childShop  = "TILL_TEST_SHOP"
)

func TestMain(m *testing.M) {
	path, shop := os.Getenv(childSpool), os.Getenv(childShop)
	if shop != "" {
		fmt.Println(applyUntilKilled(context.Background(), path, shop))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// deadly is a database whose process is killed once an event is durable.
type deadly struct{ *payments.Service }

func (d deadly) ReceiveLate(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
	if _, err := d.Service.ReceiveLate(ctx, event, body, came); err != nil {
		return payments.Receipt{}, err
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return payments.Receipt{}, err
	}
	_ = self.Kill()
	select {}
}

// applyUntilKilled applies what is kept, and is killed after the first event.
func applyUntilKilled(ctx context.Context, path, shop string) error {
	store, err := sqlite.Open(ctx, shop)
	if err != nil {
		return err
	}
	opened, err := outbox.Open(ctx, path, outbox.Config{
		Target: deadly{payments.New(store, nil, time.Now)}, Decode: gateway.DecodeEvent, Probe: store.Probe, Now: time.Now,
	})
	if err != nil {
		return err
	}
	return opened.Drain(ctx)
}

func TestP4AKillBetweenApplyingAndLettingGoAppliesOnce(t *testing.T) {
	r := newRig(t, 1)
	r.database.set(true)
	arrival := r.clock.Now()
	r.keep(payments.PaymentSuccess, 1, "")
	if err := errors.Join(r.outbox.Close(), r.store.Close()); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childSpool+"="+r.path, childShop+"="+r.shop)
	if said, err := child.CombinedOutput(); err == nil || len(said) > 0 {
		t.Fatalf("it was not killed: %v, %s", err, said)
	}
	var err error
	if r.store, err = sqlite.Open(t.Context(), r.shop); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.store.Close() }()
	r.database = &database{Service: payments.New(r.store, nil, r.clock.Now)}
	r.open()
	r.expectLeft(1)
	order, _ := r.find(1)
	if !order.Facts.PaidAt.Equal(arrival) {
		t.Fatalf("it was killed before it applied anything: %+v", order.Facts)
	}
	r.drain()
	r.expectLeft(0)
	if again, records := r.find(1); len(records) != 1 || again.Facts.PaidAt != order.Facts.PaidAt ||
		again.Verdict(payments.Conditions{}, r.clock.Now()) != payments.VerdictPaid {
		t.Errorf("P4 %+v, %+v", again.Facts, records)
	}
}
