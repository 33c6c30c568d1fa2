package sandbox_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/sandbox"
)

// customer is a customer on the page of one order, without a network.
type customer struct {
	t    *testing.T
	made *sandbox.Sandbox
	all  *inbox // What the merchant is sent.

	path, reference string
}

// newCustomer starts a sandbox in a synctest bubble, with an order.
func newCustomer(t *testing.T, change func(*sandbox.Config)) *customer {
	t.Helper()
	transport, all := listen(t, always(http.StatusOK))
	made := begin(t, change, transport)
	path, reference := localOrder(t, made, "T1-20261121-0007")
	return &customer{t, made, all, path, reference}
}

// give gives a number and returns the address of the page that waits.
func (c *customer) give(number string) string {
	c.t.Helper()
	recorder := post(c.made, c.path, "step", "number", "number", number)
	if recorder.Code != http.StatusSeeOther || recorder.Header().Get("Location") != c.path+"?asked=1" {
		c.t.Fatalf("the number gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
	}
	return recorder.Header().Get("Location")
}

// look asks for a page.
func (c *customer) look(target string) *httptest.ResponseRecorder {
	return local(c.made, http.MethodGet, target, "")
}

// sent returns the kinds of the events so far.
func (c *customer) sent() string {
	synctest.Wait()
	return c.all.kinds()
}

func TestTheNumberDecidesTheOutcome(t *testing.T) {
	tests := []struct {
		name, number string
		span         time.Duration // Until the phone has answered.
		event, why   string
		text         string
	}{
		{"X1 any other is paid", "034 12 345 67", 4 * time.Second, "success", "", "You paid"},
		{"X1 01 is too low a balance", "034 12 345 01", 4 * time.Second, "failed", "Solde insuffisant", "Your balance is too low."},
		{
			"X1 02 is refused on the phone", "034 12 345 02", 4 * time.Second, "failed",
			"Transaction refusée par le client", "It was refused on your phone.",
		},
		{"X1 03 is no answer", "034 12 345 03", 32 * time.Second, "", "", "No answer from your phone"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCustomer(t, nil)
				waiting := c.give(test.number)
				pass(test.span - time.Second)
				masked := "034\u00a0••\u00a0•••\u00a0" + test.number[11:]
				if page := c.look(waiting); !contains(page, "Confirm on your phone") || !contains(page, masked) || c.sent() != "" {
					t.Errorf("too early: %q %s", c.sent(), page.Body)
				}
				pass(time.Second)
				if after := c.look(waiting); after.Code != http.StatusSeeOther || after.Header().Get("Location") != c.path {
					t.Errorf("afterwards the page gets %d to %q", after.Code, after.Header().Get("Location"))
				}
				if page := c.look(c.path); page.Code != http.StatusOK || !contains(page, test.text) {
					t.Errorf("got %d %s", page.Code, page.Body)
				}
				if c.sent() != test.event || len(c.all.list()) > 0 && c.all.list()[0].event.Error.Text != test.why {
					t.Errorf("got %+v", c.all.list())
				}
				if test.event != "success" { // The link is open for another try.
					c.give("034 12 345 99")
					pass(4 * time.Second)
					if want := strings.TrimSpace(test.event + " success"); c.sent() != want {
						t.Errorf("sent %q, want %q", c.sent(), want)
					}
				}
				pass(time.Hour)
				if strings.Contains(c.sent(), "expired") {
					t.Errorf("sent %q", c.sent())
				}
			})
		})
	}
}

func TestNothingPaysTwice(t *testing.T) {
	tests := []struct {
		name   string
		form   []string
		during int // What it gets while the phone is asked; afterwards it gets 410.
		events string
	}{
		{"another number", []string{"step", "number", "number", "032 00 000 00"}, http.StatusConflict, "success"},
		{"a wrong number", []string{"step", "number", "number", "032"}, http.StatusConflict, "success"},
		{"the button that pays at once", []string{"outcome", "success"}, http.StatusConflict, "success"},
		{"the button that fails at once", []string{"outcome", "failed"}, http.StatusConflict, "success"},
		{"the button that cancels", []string{"outcome", "canceled"}, http.StatusSeeOther, "canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCustomer(t, nil)
				c.give("034 12 345 67")
				pass(time.Second)
				during := post(c.made, c.path, test.form...)
				if during.Code != test.during || during.Code == http.StatusConflict && !contains(during, "Confirm on your phone") {
					t.Errorf("while the phone is asked it gets %d: %s", during.Code, during.Body)
				}
				pass(10 * time.Second)
				if after := post(c.made, c.path, test.form...); after.Code != http.StatusGone || c.sent() != test.events {
					t.Errorf("afterwards it gets %d, sent %q", after.Code, c.sent())
				}
			})
		})
	}
}

func TestTheNumberStaysWithTheCustomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c := newCustomer(t, func(config *sandbox.Config) { config.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		waiting := c.give("034 55 777 02")
		shown := c.look(waiting).Body.String() + dashboard(c.made).Body.String()
		pass(time.Minute)
		shown += c.look(c.path).Body.String() + lab(c.made, http.MethodGet, "/lab/orders", "").Body.String() + log.String()
		for _, part := range []string{"55 777", "55777"} {
			if strings.Contains(shown, part) {
				t.Errorf("%q is shown: %s", part, shown)
			}
		}
	})
}

func TestANumberIsReadAsPeopleWriteIt(t *testing.T) {
	give := func(t *testing.T, number string) (*sandbox.Sandbox, *httptest.ResponseRecorder) {
		made := quietSandbox(t)
		path, _ := localOrder(t, made, "T1-20261121-0007")
		return made, post(made, path, "step", "number", "number", number)
	}
	for _, number := range []string{
		"034 12 345 67", "0341234567", "034.12.345.67", "034-12-345-67", "  034 12 345 67 ", "034\u00a012\u202f345\u00a067",
		"+261 34 12 345 67", "+261 (0)34 12 345 67", "00261 34 12 345 67", "261341234567", "34 12 345 67",
	} {
		t.Run("taken is "+number, func(t *testing.T) {
			made, recorder := give(t, number)
			page := local(made, http.MethodGet, recorder.Header().Get("Location"), "")
			if recorder.Code != http.StatusSeeOther || !contains(page, "034\u00a0••\u00a0•••\u00a067") || contains(page, "345") {
				t.Errorf("got %d %s", recorder.Code, page.Body)
			}
		})
	}
	for name, number := range map[string]string{
		"nothing": "", "blanks": "   ", "too short": "034 12 345 6", "too long": "034 12 345 678", "a landline": "020 22 345 67",
		"another country": "+33 6 12 34 56 78", "letters": "034 12 E45 67", "a sign in the middle": "034+12 345 67",
		"digits of another script": "٠٣٤١٢٣٤٥٦٧", "markup": "<script>0341234567",
	} {
		t.Run("refused is "+name, func(t *testing.T) {
			_, recorder := give(t, number)
			if recorder.Code != http.StatusUnprocessableEntity || !contains(recorder, `id="number-problem"`) ||
				contains(recorder, "<script>0") {
				t.Errorf("got %d %s", recorder.Code, recorder.Body)
			}
		})
	}
}
