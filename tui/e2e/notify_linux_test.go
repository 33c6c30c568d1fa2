package e2e_test

import (
	"net"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// systemd starts what needs the listener once it takes requests, and restarts
// one that answers none any more.
func TestAListenerTellsSystemdThatItIsReadyAndAlive(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = systemd.Close() })
	listener := exec.CommandContext(t.Context(), binary, "listen")
	listener.Env = shop.env("TILL_LISTEN=127.0.0.1:0", "NOTIFY_SOCKET="+systemd.LocalAddr().String(), "WATCHDOG_USEC=200000")
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(listener) })
	message := make([]byte, 64)
	for _, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if err := systemd.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := systemd.Read(message)
		if err != nil || string(message[:n]) != want {
			t.Fatalf("systemd is told %q (%v), want %q", message[:n], err, want)
		}
	}
}
