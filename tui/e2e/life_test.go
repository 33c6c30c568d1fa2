package e2e_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui/tuitest"
)

// keeps waits until the sale that is being entered is on the till's disk with
// lines of these labels: a line is drawn before it is there.
func (s *shop) keeps(t *testing.T, labels ...string) {
	t.Helper()
	path := s.file(t, "till.db")
	if drafts := s.file(t, "drafts-*.db"); drafts != "" {
		path = drafts
	}
	store, err := storage.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	eventually(t, fmt.Sprintf("the lines %q are on disk", labels), func() bool {
		sales, err := store.Sales(t.Context(), "T1")
		return err == nil && slices.ContainsFunc(sales, func(sale payments.Sale) bool {
			return sale.Name == "" && slices.EqualFunc(sale.Items, labels, func(item payments.Item, label string) bool { return item.Label == label })
		})
	})
}

// file finds a file of the shop by its name's pattern, wherever the system keeps
// such files; blank for none.
func (s *shop) file(t *testing.T, pattern string) (found string) {
	t.Helper()
	err := filepath.WalkDir(s.home, func(path string, _ fs.DirEntry, err error) error {
		if is, _ := filepath.Match(pattern, filepath.Base(path)); is && found == "" {
			found = path
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

func TestAPowerCutInMidPaymentLosesNothing(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	terminal := shop.console()
	link := sell(terminal)
	terminal.Kill()
	shop.customer(link, "success")
	terminal = shop.console()
	terminal.Sees("PAID", "9 000 Ar", "F2").Press("f2").Sees("next sale").Press("enter").Sees("Type what the customer takes")
	if order := shop.newest(); !order.Paid || order.Verdict != "paid" {
		t.Errorf("the order is %+v", order)
	}
}

func TestAPowerCutInMidSaleBringsTheLinesBack(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	terminal := shop.console()
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000")
	terminal.Type("Savo").Sees("Savo")
	shop.keeps(t, "Vary", "Coca")
	terminal.Kill()
	shop.console().Sees("Vary", "7 000", "Coca", "9 000", "The previous sale is back")
}

func TestASecondConsoleNamesTheFirst(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	cmd := exec.Command(binary)
	cmd.Env = shop.env()
	first := tuitest.Start(t, 80, 24, cmd).Sees("Total", "receives payments")
	_, stderr, code := shop.till("listen")
	if code != 1 || !strings.Contains(stderr, fmt.Sprint(cmd.Process.Pid)) {
		t.Errorf("S6 exit %d with %q, without the process %d", code, stderr, cmd.Process.Pid)
	}
	first.Type("Vary 9000").Press("enter").Sees("9 000")
}

func TestAPortThatIsTakenIsAClearMessage(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	taken, err := net.Listen("tcp", shop.listen)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	cmd := exec.Command(binary)
	cmd.Env = shop.env()
	terminal := tuitest.Start(t, 80, 24, cmd)
	if code := terminal.Wait(); code != 1 {
		t.Errorf("T12 the console ended with %d", code)
	}
	if screen := terminal.Screen(); !strings.Contains(screen, shop.listen) {
		t.Errorf("T12 the message does not name %s:\n%s", shop.listen, screen)
	}
}

func TestTheTerminalIsSaneAfterEverySignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run("T10 "+signal.String(), func(t *testing.T) {
			t.Parallel()
			shop := open(t, tenMinutes)
			terminal := shop.console()
			terminal.Type("Vary 9000").Press("enter").Sees("9 000")
			terminal.Signal(signal)
			if code := terminal.Wait(); code != 0 {
				t.Errorf("the console ended with %d", code)
			}
			terminal.Restored()
		})
	}
}
