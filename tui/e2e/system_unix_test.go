//go:build unix

package e2e_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// systemd opens the socket and keeps it open while the program is not running, so that no other
// program can use the port.
func TestAListenerTakesTheSocketThatSystemdHandsOver(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	bound, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	tuitest.Must(t, err)
	socket, err := bound.File()
	tuitest.Must(t, err)
	// LISTEN_PID must be the ID of the process itself, which is known only after the start.
	listener := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" listen`, binary)
	listener.Env = shop.program("", "TILL_LISTEN=127.0.0.1:1").Env
	listener.ExtraFiles = []*os.File{socket}
	shop.listens(listener, "listening on http://"+bound.Addr().String()+"/")
}

// systemd starts dependent units after the message READY, and restarts a unit that stops sending
// WATCHDOG.
func TestAListenerTellsSystemdThatItIsReadyAndAlive(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"})
	tuitest.Must(t, err)
	t.Cleanup(func() { _ = systemd.Close() })
	shop.listens(shop.program("listen", "TILL_LISTEN=127.0.0.1:0", "NOTIFY_SOCKET="+systemd.LocalAddr().String(), "WATCHDOG_USEC=200000"), "listening")
	message := make([]byte, 64)
	for _, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		tuitest.Must(t, systemd.SetReadDeadline(time.Now().Add(30*time.Second)))
		n, err := systemd.Read(message)
		if err != nil || string(message[:n]) != want {
			t.Fatalf("systemd got %q (%v), want %q", message[:n], err, want)
		}
	}
}

func TestATerminalOfUnknownSizeIsDrawnOn(t *testing.T) {
	t.Parallel()
	home := "HOME=" + t.TempDir()
	serial := func(args string) *tuitest.Terminal {
		cmd := exec.Command("sh", "-c", `stty rows 0 cols 0; exec "$0" `+args, binary)
		cmd.Env = tuitest.Environ(home, "TILL_LANGUAGE=en", "TILL_SOUND=off")
		return tuitest.Start(t, 80, 24, cmd)
	}
	terminal := serial("demo --empty").Sees("Total", "awaits")
	serial("display --demo").Sees("Welcome")
	serial("guide").Sees("q closes")
	serial("setup").Sees("Set up till")
	sell(terminal)
}

// job runs the console as a job of a shell. When a line is typed while the console is suspended,
// the shell resumes the console.
const job = `set -m; "$0" & echo $! > "$1"; fg >/dev/null
for time in first second; do
echo "STOPPED $time"; stty -a | grep -o -e "-*icanon" -e "-*echo "; read line; fg >/dev/null
done; echo ENDED $?`

func TestASuspendedConsoleRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	number := shop.home + "/pid"
	cmd := exec.Command("sh", "-c", job, binary, number)
	cmd.Env = shop.program("").Env
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("Total", "awaits")
	link := sell(terminal)
	text, err := os.ReadFile(number)
	tuitest.Must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	tuitest.Must(t, err)
	stop := func(time string) {
		tuitest.Must(t, syscall.Kill(pid, syscall.SIGTSTP))
		terminal.Sees("STOPPED "+time, "icanon", "echo").Gone("-icanon", "-echo", "To pay")
	}
	stop("first")
	if got := terminal.Press("enter").Sees("To pay").QR(); got != link {
		t.Errorf("got code %s, want %s", got, link)
	}
	stop("second")
	told := make(chan struct{})
	// The kernel accepts the connection while the console is suspended. The console answers after it
	// was resumed.
	go func() {
		defer close(told)
		shop.pay(shop.service.last())
	}()
	terminal.Press("enter").Sees("PAID", "9 000 Ar", "next sale")
	<-told
	terminal.Press("enter").Sees("Type what the customer takes").Press("ctrl+c").Sees("ENDED 0").Restored()
}
