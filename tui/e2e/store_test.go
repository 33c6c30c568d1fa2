package e2e_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

// distressed is a shop before a fault of its store. The console shows the QR code of an order that
// is not paid yet.
type distressed struct {
	*shop
	terminal *tuitest.Terminal
}

func distress(t *testing.T) distressed {
	t.Helper()
	d := distressed{shop: open(t, file, nil)}
	d.terminal = d.console()
	sell(d.terminal)
	return d
}

// hears sends the success event of the order and returns the status code of the answer.
func (d distressed) hears() int {
	code, _ := d.post(http.DefaultClient, success(d.service.last()), seal(webhookSecret))
	return code
}

// expectBlind fails the test if the shop acknowledges an event, or if the screen shows a payment.
func (d distressed) expectBlind(t *testing.T) {
	t.Helper()
	if code := d.hears(); code != http.StatusInternalServerError {
		t.Errorf("got status %d for an event, want 500", code)
	}
	d.terminal.Sees("No verdict can be trusted, so no code is shown", "UNKNOWN")
	if screen := d.terminal.Screen(); strings.Contains(screen, "PAID") {
		t.Errorf("the screen shows PAID\n%s", screen)
	}
}

func TestAStoreFaultHidesPaymentsUntilItEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		harm func(d distressed) (undo func() error, err error)
	}{
		{"fsync fails", func(d distressed) (func() error, error) {
			end, err := disk.Inject(t.Context(), d.terminal.PID(), "fsync:error=EIO")
			return func() error { end(); return nil }, err
		}},
		{"the database is moved away and comes back", func(d distressed) (func() error, error) {
			path := d.database()
			return func() error { return os.Rename(path+".away", path) }, os.Rename(path, path+".away")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := distress(t)
			undo, err := c.harm(d)
			if err != nil {
				t.Skip(err)
			}
			if strings.HasPrefix(c.name, "the database") {
				d.terminal.Sees("No verdict can be trusted, so no code is shown") // The console notices the fault before an event arrives.
			}
			d.expectBlind(t)
			tuitest.Must(t, undo())
			// The data of the failed commit may have reached the disk. In this case, the order is paid already.
			d.terminal.Gone("No verdict can be trusted, so no code is shown")
			if code := d.hears(); code != http.StatusOK {
				t.Errorf("got status %d for the repeated event", code)
			}
			d.terminal.Sees("PAID", "9 000 Ar")
			if now := d.expectNewest("success", "paid"); len(now.Events) != 1 {
				t.Errorf("got order %+v, want one event", now)
			}
		})
	}
}
