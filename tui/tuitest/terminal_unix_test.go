//go:build unix

package tuitest_test

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// The frame in this test is a synchronized update that the program writes in two parts.
func TestAFrameIsSeenAsAWhole(t *testing.T) {
	t.Parallel()
	terminal := tuitest.Start(t, 20, 2, exec.Command("sh", "-c",
		`printf 'old\r\033[?2026hone '; read -r go; printf '\033[H\033[Ktwo\033[?2026l\r'; read -r go`))
	if got := terminal.Shows("one").Screen(); !strings.HasPrefix(got, "old") {
		t.Errorf("half a frame is on the screen:\n%s", got)
	}
	terminal.Press("enter").Sees("two")
}

func TestAnAddressIsVacatedWhenNoProcessHasItsListener(t *testing.T) {
	t.Parallel()
	address := tuitest.FreeAddress(t)
	listener, err := net.Listen("tcp", address)
	tuitest.Must(t, err)
	copied, err := listener.(*net.TCPListener).File()
	tuitest.Must(t, err)
	child := exec.CommandContext(t.Context(), "cat")
	child.ExtraFiles = []*os.File{copied}
	input, err := child.StdinPipe()
	tuitest.Must(t, err, child.Start(), copied.Close(), listener.Close())
	if _, err := net.Listen("tcp", address); err == nil {
		t.Fatal("the child has no copy of the listener")
	}
	time.AfterFunc(20*time.Millisecond, func() { _ = input.Close() })
	tuitest.Vacated(t, address)
	again, err := net.Listen("tcp", address)
	tuitest.Must(t, err)
	tuitest.Must(t, again.Close(), child.Wait())
}
