package cli_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
)

// creates runs "order create", and returns the exit code and standard error.
func (c *clinic) creates(t *testing.T) (code int, said string) {
	t.Helper()
	out, err := c.out, c.err
	c.out, c.err = &buffer{}, &buffer{}
	defer func() { c.out, c.err = out, err }()
	code = c.run(t.Context(), "order", "create", "--item", "Vary:3500")
	return code, c.err.String()
}

func TestAnOrderIsMadeWithAWarningWhileEventsAreRefused(t *testing.T) {
	c := newClinic(t)
	var calls atomic.Int64
	c.desk.service(http.StatusOK, sound, func() { calls.Add(1) })
	if code, said := c.creates(t); code != 0 || !strings.Contains(said, "No listener answers at "+c.target) {
		t.Errorf("without a listener: exit code %d\n%s", code, said)
	}
	c.listening()
	c.reaches(c.target, payments.ReachReceives)
	for _, refused := range []struct {
		order string
		reach payments.Reach
	}{{"REF_9", payments.ReachReceives}, {"REF_700001", payments.ReachUnconfirmed}} {
		if c.run(t.Context(), "trigger", "payment.success", "--order-reference", refused.order, "--amount", "3500",
			"--url", "http://"+c.target+"/webhook", "--signature", "wrong") == 0 {
			t.Fatal("a wrong signature is accepted")
		}
		c.reaches(c.target, refused.reach)
	}
	before := calls.Load()
	code, said := c.creates(t)
	if calls.Load() != before+1 || !strings.Contains(said, "Payments may not be seen") {
		t.Errorf("while events are refused: exit code %d, %d calls\n%s", code, calls.Load()-before, said)
	}
	c.deliver(payments.PaymentSuccess)
	c.reaches(c.target, payments.ReachReceives)
}

func TestALiveShopMakesNoOrderWithoutAListener(t *testing.T) {
	c := newClinic(t)
	c.env["TILL_BASE_URL"] = "https://pay.example.mg"
	code, said := c.creates(t)
	if code != 1 || !strings.Contains(said, "No listener answers at "+c.target) || !strings.Contains(said, "No payment can be seen") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	if c.run(t.Context(), "order", "list", "--json"); strings.Contains(c.out.String(), "Vary") {
		t.Errorf("an order was created: %s", c.out)
	}
}

func TestAnOrderIsMadeWithAWarningIfEventsMayNotArrive(t *testing.T) {
	const warning = "Payments may not be seen"
	t.Run("by a running listener", func(t *testing.T) {
		c := newClinic(t)
		c.desk.service(http.StatusOK, sound, func() {})
		c.front.Close()
		c.listening()
		c.reaches(c.target, payments.ReachUnconfirmed)
		if code, said := c.creates(t); code != 0 || !strings.Contains(said, warning) {
			t.Errorf("exit code %d\n%s", code, said)
		}
	})
	t.Run("by the command's own listener", func(t *testing.T) {
		c := newClinic(t)
		c.desk.service(http.StatusOK, sound, func() {})
		c.front.Close()
		end := c.background("REF_700001", "order", "create", "--item", "Vary:3500", "--wait")
		if end(); !strings.Contains(c.err.String(), warning) {
			t.Errorf("no warning is printed:\n%s", c.err)
		}
	})
}
