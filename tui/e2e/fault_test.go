package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// database is the shop's database.
func (s *shop) database() string {
	return filepath.Join(s.home, ".local", "share", "till", "till.db")
}

// pay delivers the success of an order and returns the status of the answer.
func (s *shop) pay(order wireOrder) int {
	return s.notify(gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: order.orderReference, Reference: "PAY_1",
		Amount: payments.Ariary(order.amount), Currency: payments.Currency, Description: order.description,
	}), seal(webhookSecret))
}

func TestS5ADatabaseThatIsReplacedIsRefusedUntilARestart(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	terminal := shop.console()
	path := shop.database()
	if _, stderr, code := shop.till("backup", path+".copy"); code != 0 {
		t.Fatal(stderr)
	}
	sell(terminal)
	made := service.received()[0]
	if err := os.Rename(path+".copy", path); err != nil {
		t.Fatal(err)
	}
	terminal.Sees("Payments cannot be seen at the moment", "UNKNOWN")
	if code := shop.pay(made); code != http.StatusInternalServerError {
		t.Errorf("an event is answered %d", code)
	}
	// What the first file's log held is in the first file, wherever that is, and
	// nothing is left that could be taken for the other's.
	eventually(t, "the log is empty", func() bool {
		about, err := os.Stat(path + "-wal")
		return err == nil && about.Size() == 0
	})
	terminal.Kill()
	terminal = shop.console()
	// It is the copy that is used now, which is from before the order.
	if code := shop.pay(made); code != http.StatusNotFound {
		t.Errorf("an event of an order that is lost is answered %d", code)
	}
	if stdout, stderr, code := shop.till("verify"); code != 0 {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
	terminal.Press("ctrl+c").Wait()
}
