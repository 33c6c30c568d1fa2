//go:build unix

package receipt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
)

// A backend of CUPS, which prints to a file, or says that there is no paper or that the cover is open.
const driver = `#!/bin/sh
[ $# = 0 ] && exit 0
case "$DEVICE_URI" in
*dry) echo "STATE: +media-empty-error" >&2; exec sleep 100 ;;
*open) echo "STATE: +media-empty-error,cover-open-error" >&2; exec sleep 100 ;;
*low) echo "STATE: +media-empty-warning" >&2; exec sleep 100 ;;
*) exec cat "${6:--}" >"${DEVICE_URI#till:}" ;;
esac
`

// spooler starts a separate CUPS server with five queues: Ticket prints to the file paper, Stopped
// is stopped, Dry has no paper, Open has an open cover, too, and Low only warns.
func spooler(t *testing.T) (paper string) {
	t.Helper()
	server, err := exec.LookPath("/usr/sbin/cupsd")
	if err != nil && os.Getenv("TILL_TEST_REQUIRE") != "" {
		t.Fatal(err)
	}
	if err != nil || os.Getuid() != 0 {
		t.Skip("the test needs root, cupsd and the package cups-client")
	}
	folder := t.TempDir()
	for _, name := range []string{"root", "state", "cache", "spool", "tmp", "bin/backend"} {
		tuitest.Must(t, os.MkdirAll(filepath.Join(folder, name), 0o755))
	}
	paper = filepath.Join(folder, "paper")
	files, daemon := filepath.Join(folder, "cups-files.conf"), filepath.Join(folder, "cupsd.conf")
	tuitest.Must(t,
		os.Symlink("/usr/lib/cups/daemon", filepath.Join(folder, "bin/daemon")),
		os.Symlink("/usr/lib/cups/filter", filepath.Join(folder, "bin/filter")),
		os.WriteFile(filepath.Join(folder, "bin/backend/till"), []byte(driver), 0o700), // CUPS runs a backend as root if only root may run it.
		os.WriteFile(files, fmt.Appendf(nil, "ServerRoot %[1]s/root\nServerBin %[1]s/bin\nStateDir %[1]s/state\nCacheDir %[1]s/cache\n"+
			"RequestRoot %[1]s/spool\nTempDir %[1]s/tmp\nAccessLog %[1]s/access\nErrorLog %[1]s/error\nPageLog %[1]s/page\nSystemGroup root\n", folder), 0o600),
		os.WriteFile(daemon, fmt.Appendf(nil, "Listen %s/socket\nBrowsing Off\nWebInterface No\n"+
			"<Policy default>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>\n", folder), 0o600),
	)
	running := exec.CommandContext(t.Context(), server, "-f", "-c", daemon, "-s", files)
	running.Cancel = func() error { return running.Process.Signal(os.Interrupt) }
	running.WaitDelay = 5 * time.Second
	tuitest.Must(t, running.Start())
	t.Cleanup(func() { _ = running.Wait() })
	t.Setenv("CUPS_SERVER", filepath.Join(folder, "socket"))
	started := time.Now()
	for queue, device := range map[string]string{"Ticket": paper, "Stopped": paper, "Dry": "dry", "Open": "open", "Low": "low"} {
		// The server makes its socket before it answers, and lpstat -r succeeds also without a server.
		for exec.CommandContext(t.Context(), "lpadmin", "-p", queue, "-E", "-v", "till:"+device).Run() != nil {
			if time.Since(started) > 10*time.Second {
				t.Fatal("CUPS does not start")
			}
		}
	}
	tuitest.Must(t, exec.CommandContext(t.Context(), "cupsdisable", "-r", "Paper jam", "Stopped").Run())
	return paper
}

// A stopped queue accepts every job without an error, but does not print it.
func TestAQueueOfCUPSThatDoesNotPrintSaysWhy(t *testing.T) {
	paper := spooler(t)
	ticket := tenLines()
	prints := func(queue string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := receipt.Printer{Address: "lp:" + queue}.Print(ctx, ticket)
		return err
	}
	tuitest.Must(t, prints("Ticket"))
	if printed, err := os.ReadFile(paper); err != nil || string(printed) != string(ticket) {
		t.Errorf("the queue printed %q, %v", printed, err)
	}
	err := prints("Stopped")
	if stopped, is := errors.AsType[*receipt.QueueError](err); !is || stopped.Reason != "Paper jam" {
		t.Errorf("a stopped queue: %v", err)
	}
	if _, err := (receipt.Printer{Address: "lp:Stopped"}).Check(t.Context()); !errors.As(err, new(*receipt.QueueError)) {
		t.Errorf("Check of a stopped queue: %v", err)
	}
	if err := prints("Dry"); !errors.Is(err, receipt.ErrNoPaper) {
		t.Errorf("a queue without paper: %v", err)
	}
	if err := prints("Open"); !errors.Is(err, receipt.ErrCoverOpen) {
		t.Errorf("a queue with two alerts: %v", err)
	}
	if err := prints("None"); !errors.Is(err, receipt.ErrUnreachable) || !strings.Contains(err.Error(), "None") {
		t.Errorf("an unknown queue: %v", err)
	}
	// The driver prints forever, so watch only until CUPS knows its alert.
	tuitest.Must(t, receipt.Enqueue(t.Context(), "Low", ticket, 600*time.Millisecond), exec.CommandContext(t.Context(), "cancel", "-a", "Low").Run())
	left, err := exec.CommandContext(t.Context(), "lpstat", "-o").Output()
	if err != nil || strings.TrimSpace(string(left)) != "" {
		t.Errorf("receipts that were not printed are left in the queues: %s, %v", left, err)
	}
}
