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

// systemd binds the socket and keeps it while the program is away, so that no
// other program can take the port (S17).
func TestAListenerTakesTheSocketThatSystemdHandsOver(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	bound, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	tuitest.Must(t, err)
	socket, err := bound.File()
	tuitest.Must(t, err)
	// The number of a process is known to itself alone before it runs.
	listener := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" listen`, binary)
	listener.Env = shop.program("", "TILL_LISTEN=127.0.0.1:1").Env
	listener.ExtraFiles = []*os.File{socket}
	shop.listens(listener, "listening on http://"+bound.Addr().String()+"/")
}

// systemd starts what needs the listener once it takes requests, and restarts
// one that answers none any more.
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
			t.Fatalf("systemd is told %q (%v), want %q", message[:n], err, want)
		}
	}
}

func TestATerminalThatDoesNotKnowItsSizeIsDrawnOn(t *testing.T) {
	t.Parallel()
	home := "HOME=" + t.TempDir()
	serial := func(args string) *tuitest.Terminal {
		cmd := exec.Command("sh", "-c", `stty rows 0 cols 0; exec "$0" `+args, binary)
		cmd.Env = tuitest.Environ(home, "TILL_LANGUAGE=en", "TILL_SOUND=off")
		return tuitest.Start(t, 80, 24, cmd)
	}
	terminal := serial("demo").Sees("Total", "listens")
	serial("display --demo").Sees("Welcome")
	serial("guide").Sees("q closes")
	serial("setup").Sees("Set up till")
	sell(terminal)
}

// job runs the console as a shell's job. A line that is typed while it is
// stopped lets it go on.
const job = `set -m; "$0" & echo $! > "$1"; fg >/dev/null
for time in first second; do
echo "STOPPED $time"; stty -a | grep -o -e "-*icanon" -e "-*echo "; read line; fg >/dev/null
done; echo ENDED $?`

func TestT10AConsoleThatIsSuspendedGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	number := shop.home + "/pid"
	cmd := exec.Command("sh", "-c", job, binary, number)
	cmd.Env = shop.program("").Env
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("Total", "listens")
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
		t.Errorf("the code says %s, want %s", got, link)
	}
	stop("second")
	told := make(chan struct{})
	// The kernel takes the call, and the console answers once it goes on.
	go func() {
		defer close(told)
		shop.pay(shop.service.last())
	}()
	terminal.Press("enter").Sees("PAID", "9 000 Ar", "next sale")
	<-told
	terminal.Press("enter").Sees("Type what the customer takes").Press("ctrl+c").Sees("ENDED 0").Restored()
}
