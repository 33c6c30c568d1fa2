package e2e_test

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

// distressed is a console whose customer is about to pay.
type distressed struct {
	*shop
	cmd      *exec.Cmd
	terminal *tuitest.Terminal
	made     wireOrder
}

func distress(t *testing.T) distressed {
	t.Helper()
	service := serve(t, payAt(somePage))
	d := distressed{shop: openAt(t, service.url), cmd: exec.Command(binary)}
	d.cmd.Env = d.env()
	d.terminal = tuitest.Start(t, 80, 24, d.cmd).Sees("Total", "receives payments")
	sell(d.terminal)
	d.made = service.received()[0]
	return d
}

// expectBlind demands that nothing is shown as paid and nothing acknowledged.
func (d distressed) expectBlind(t *testing.T) {
	t.Helper()
	if code := d.pay(d.made); code != http.StatusInternalServerError {
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
			end, err := disk.Inject(t.Context(), d.cmd.Process.Pid, fault)
			return func() error { end(); return nil }, err
		}
	}
	for _, c := range []struct {
		name string
		harm func(d distressed) (undo func() error, err error)
	}{
		{"S3 fsync fails", inject("fsync:error=EIO")},
		{"S3 writing fails", inject("pwrite64:error=EIO")},
		{"S3 the file system makes itself read-only", inject("pwrite64:error=EROFS")},
		{"S4 the disk is full", inject("pwrite64:error=ENOSPC")},
		{"S5 the file is read-only", func(d distressed) (func() error, error) {
			return disk.Protect(d.database())
		}},
		{"S5 the database is moved away and comes back", func(d distressed) (func() error, error) {
			path := d.database()
			return func() error { return os.Rename(path+".away", path) }, os.Rename(path, path+".away")
		}},
		{"S5 the database is swapped for another and comes back", func(d distressed) (func() error, error) {
			path := d.database()
			err := errors.Join(os.Rename(path, path+".away"), os.WriteFile(path, nil, 0o600))
			return func() error { return os.Rename(path+".away", path) }, err
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
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			// A commit that failed may have reached the disk: then it is paid already.
			d.terminal.Gone("Payments cannot be seen at the moment")
			if code := d.pay(d.made); code != http.StatusOK {
				t.Errorf("the event again is answered %d", code)
			}
			d.terminal.Sees("PAID", "9 000 Ar")
			if now := d.newest(); len(now.Events) != 1 || !now.Paid {
				t.Errorf("the order is %+v", now)
			}
		})
	}
}

func TestADatabaseThatWasCutIsNeverTrustedAgain(t *testing.T) {
	t.Parallel()
	t.Run("S9 it is cut while the console runs", func(t *testing.T) {
		t.Parallel()
		d := distress(t)
		if err := os.Truncate(d.database(), 5000); err != nil {
			t.Fatal(err)
		}
		d.expectBlind(t)
		d.terminal.Kill()
		for _, command := range [][]string{{"listen"}, {"verify"}} {
			if _, stderr, code := d.till(command...); code == 0 || !strings.Contains(stderr, "backup") {
				t.Errorf("%s: exit %d with %q", command, code, stderr)
			}
		}
	})
	t.Run("S9 a byte of an event is another one", func(t *testing.T) {
		t.Parallel()
		d := distress(t)
		if code := d.pay(d.made); code != http.StatusOK {
			t.Fatal(code)
		}
		d.terminal.Sees("PAID", "next sale").Press("enter").Sees("Type what the customer takes").Press("ctrl+c").Wait()
		content, err := os.ReadFile(d.database())
		if err != nil {
			t.Fatal(err)
		}
		body := `"event":"payment.success"`
		flipped := strings.ReplaceAll(string(content), body, strings.Replace(body, "success", "succesS", 1))
		if flipped == string(content) {
			t.Fatal("the body is not in the file")
		}
		if err := os.WriteFile(d.database(), []byte(flipped), 0o600); err != nil {
			t.Fatal(err)
		}
		if stdout, stderr, code := d.till("verify"); code != 1 || !strings.Contains(stdout, "events 1") {
			t.Errorf("verify: exit %d with %q %q", code, stdout, stderr)
		}
	})
}
