package e2e_test

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

// distressed is a console whose customer is about to pay.
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

// hears tells that the order is paid, and returns the status of the answer.
func (d distressed) hears() int {
	code, _ := d.post(http.DefaultClient, success(d.service.last()), seal(webhookSecret))
	return code
}

// expectBlind demands that nothing is shown as paid and nothing acknowledged.
func (d distressed) expectBlind(t *testing.T) {
	t.Helper()
	if code := d.hears(); code != http.StatusInternalServerError {
		t.Errorf("an event is answered %d", code)
	}
	d.terminal.Sees("Payments cannot be seen at the moment", "UNKNOWN")
	if screen := d.terminal.Screen(); strings.Contains(screen, "PAID") {
		t.Errorf("the screen says\n%s", screen)
	}
}

func TestWhileTheStoreCannotBeTrustedNothingIsPaidAndItHealsByItself(t *testing.T) {
	t.Parallel()
	inject := func(fault string) func(d distressed) (func() error, error) {
		return func(d distressed) (func() error, error) {
			end, err := disk.Inject(t.Context(), d.terminal.PID(), fault)
			return func() error { end(); return nil }, err
		}
	}
	away := func(d distressed) (func() error, error) {
		path := d.database()
		return func() error { return os.Rename(path+".away", path) }, os.Rename(path, path+".away")
	}
	for _, c := range []struct {
		name string
		harm func(d distressed) (undo func() error, err error)
	}{
		{"S3 fsync fails", inject("fsync:error=EIO")},
		{"S3 writing fails", inject("pwrite64:error=EIO")},
		{"S3 the file system makes itself read-only", inject("pwrite64:error=EROFS")},
		{"S4 the disk is full", inject("pwrite64:error=ENOSPC")},
		{"S5 the file is read-only", func(d distressed) (func() error, error) { return disk.Protect(d.database()) }},
		{"S5 the database is moved away and comes back", away},
		{"S5 the database is swapped for another and comes back", func(d distressed) (func() error, error) {
			undo, err := away(d)
			return undo, errors.Join(err, os.WriteFile(d.database(), nil, 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := distress(t)
			undo, err := c.harm(d)
			if err != nil {
				t.Skip(err)
			}
			if strings.HasPrefix(c.name, "S5") {
				d.terminal.Sees("Payments cannot be seen at the moment") // Nobody called: it looks.
			}
			d.expectBlind(t)
			tuitest.Must(t, undo())
			// A commit that failed may have reached the disk: then it is paid already.
			d.terminal.Gone("Payments cannot be seen at the moment")
			if code := d.hears(); code != http.StatusOK {
				t.Errorf("the event again is answered %d", code)
			}
			d.terminal.Sees("PAID", "9 000 Ar")
			if now := d.stands("success", "paid"); len(now.Events) != 1 {
				t.Errorf("the order is %+v", now)
			}
		})
	}
}

func TestS9ADatabaseThatWasCutIsNeverTrustedAgain(t *testing.T) {
	t.Parallel()
	d := distress(t)
	tuitest.Must(t, os.Truncate(d.database(), 5000))
	d.expectBlind(t)
	d.terminal.Kill()
	for _, command := range []string{"listen", "verify"} {
		if _, stderr, code := d.till(command); code == 0 || !strings.Contains(stderr, "backup") {
			t.Errorf("%s: exit %d with %q", command, code, stderr)
		}
	}
}

func TestS5ADatabaseThatIsReplacedIsRefusedUntilARestart(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	d, path := distressed{shop, shop.console()}, shop.database()
	if _, stderr, code := d.till("backup", path+".copy"); code != 0 {
		t.Fatal(stderr)
	}
	sell(d.terminal)
	tuitest.Must(t, os.Rename(path+".copy", path))
	d.expectBlind(t)
	// What the first file's log held is in the first file, wherever that is, and
	// nothing is left that could be taken for the other's.
	eventually(t, "the log is empty", func() bool {
		about, err := os.Stat(path + "-wal")
		return err == nil && about.Size() == 0
	})
	d.terminal.Kill()
	d.terminal = d.console()
	// It is the copy that is used now, which is from before the order.
	if code := d.hears(); code != http.StatusNotFound {
		t.Errorf("an event of an order that is lost is answered %d", code)
	}
	if stdout, stderr, code := d.till("verify"); code != 0 {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
}
