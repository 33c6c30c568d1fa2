package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
)

// The tests of payments/webhook prove when events may not arrive.
func TestAnOrderIsMadeOnlyIfItsPaymentMayBeSeen(t *testing.T) {
	const warning = "Payments may not be seen"
	create := []string{"order", "create", "--item", "Vary:3500"}
	for name, tt := range map[string]struct {
		plant func(c *clinic)
		code  int
		want  string
	}{
		"a test shop without a listener": {func(*clinic) {}, 0, "No listener answers at "},
		"a live shop without a listener": {func(c *clinic) { c.env["TILL_BASE_URL"] = "https://pay.example.mg" }, 1, "No payment can be seen"},
		"events that may not arrive": {func(c *clinic) {
			c.front.Close()
			c.listening()
			c.reaches(c.target, payments.ReachUnconfirmed)
		}, 0, warning},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClinic(t)
			c.desk.service(http.StatusOK, sound, func() {})
			tt.plant(c)
			c.says("", tt.code, tt.want, create...)
			if listed := c.output("order", "list", "--json"); strings.Contains(listed, "Vary") != (tt.code == 0) {
				t.Errorf("the orders are %s", listed)
			}
		})
	}
	t.Run("by the command's own listener", func(t *testing.T) {
		c := newClinic(t)
		c.desk.service(http.StatusOK, sound, func() {})
		c.front.Close()
		end := c.background("REF_700001", append(create, "--wait")...)
		if end(); !strings.Contains(c.err.String(), warning) {
			t.Errorf("no warning is printed:\n%s", c.err)
		}
	})
}
