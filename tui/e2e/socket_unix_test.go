//go:build unix

package e2e_test

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// systemd binds the socket and keeps it while the program is away, so that no
// other program can take the port (S17).
func TestAListenerTakesTheSocketThatSystemdHandsOver(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	bound, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tcp, is := bound.(*net.TCPListener)
	if !is {
		t.Fatalf("a %T", bound)
	}
	socket, err := tcp.File()
	if err != nil {
		t.Fatal(err)
	}
	// The number of a process is known to itself alone before it runs.
	listener := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" listen`, binary)
	listener.Env = shop.env("TILL_LISTEN=127.0.0.1:1")
	listener.ExtraFiles = []*os.File{socket}
	out, err := listener.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(listener) })
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "listening on http://"+bound.Addr().String()+"/") {
		t.Fatalf("the listener says %q (%v)", line, err)
	}
}
