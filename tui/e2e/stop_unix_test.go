//go:build unix

package e2e_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestAConsoleThatIsStoppedGoesOnWithTheTruth(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	terminal := shop.console()
	sell(terminal)
	terminal.Signal(syscall.SIGSTOP)
	made, answered := service.received()[0], make(chan reply, 1)
	// The kernel takes the call, and the console answers once it goes on.
	go func() { answered <- service.tell(shop.webhook(), "payment.success", made, "") }()
	terminal.Signal(syscall.SIGCONT)
	if got := <-answered; got.Status != "success" {
		t.Errorf("T10 the event is answered %+v", got)
	}
	terminal.Sees("PAID", "9 000 Ar", "next sale").Press("enter").Sees("Type what the customer takes").Press("ctrl+c")
	if code := terminal.Wait(); code != 0 {
		t.Errorf("T10 the console ended with %d", code)
	}
	terminal.Restored()
}

// job runs the console as a shell's job. A line that is typed while it is
// stopped lets it go on.
const job = `set -m; "$0" & echo $! > "$1"; fg >/dev/null
for time in first second; do
echo "STOPPED $time"; stty -a | grep -o -e "-*icanon" -e "-*echo "; read line; fg >/dev/null
done; echo ENDED $?`

func TestT10AConsoleThatIsSuspendedGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	number := shop.home + "/pid"
	cmd := exec.Command("sh", "-c", job, binary, number)
	cmd.Env = shop.env()
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("Total", "receives payments")
	link := sell(terminal)
	text, err := os.ReadFile(number)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stop := func(time string) {
		if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
		terminal.Sees("STOPPED "+time, "icanon", "echo").Gone("-icanon", "-echo", "To pay")
	}
	stop("first")
	terminal.Press("enter").Sees("To pay")
	if got := terminal.QR(); got != link {
		t.Errorf("the code says %s, want %s", got, link)
	}
	stop("second")
	made, answered := service.received()[0], make(chan reply, 1)
	// The kernel takes the call, and the console answers once it goes on.
	go func() { answered <- service.tell(shop.webhook(), "payment.success", made, "") }()
	terminal.Press("enter").Sees("PAID", "9 000 Ar", "next sale")
	if got := <-answered; got.Status != "success" {
		t.Errorf("the event is answered %+v", got)
	}
	terminal.Press("enter").Sees("Type what the customer takes").Press("ctrl+c").Sees("ENDED 0")
	terminal.Wait()
	terminal.Restored()
	// Each time the wheel sends keys on the console's screen, and nowhere else.
	switches := regexp.MustCompile(`\x1b\[\?(1049[hl]|1007[shr])`).FindAllString(terminal.Raw(), -1)
	once := []string{"\x1b[?1049h", "\x1b[?1007s", "\x1b[?1007h", "\x1b[?1007r", "\x1b[?1049l"}
	if want := slices.Concat(once, once, once); !slices.Equal(switches, want) {
		t.Errorf("the terminal was told %q, want %q", switches, want)
	}
}
