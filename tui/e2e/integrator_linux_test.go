package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"checkout/till/tui/tuitest"
)

// newcomer follows the integrator's guide in a temporary folder, and uses only what the guide
// shows.
type newcomer struct {
	t      *testing.T
	folder string
	shown  map[string][]string // The guide's code blocks, keyed by the language of the code.
}

// types returns a command that runs the text in bash, in a new process group.
func (n *newcomer) types(text string) *exec.Cmd {
	n.t.Helper()
	shell := exec.CommandContext(n.t.Context(), "bash", "-e", "-c", text)
	shell.Dir, shell.Stderr = n.folder, n.t.Output()
	shell.Env = []string{"HOME=" + n.folder, "PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH")}
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	return shell
}

// stays starts a command that runs until the test ends, and waits until the command's server
// answers at the address.
func (n *newcomer) stays(text, address string) {
	n.t.Helper()
	program := n.types(text)
	program.Stdout = n.t.Output()
	tuitest.Must(n.t, program.Start())
	n.t.Cleanup(func() { _ = program.Wait() }) // The end of the test's context has killed the command.
	eventually(n.t, address+" answers", func() bool {
		code, _, _ := get(address)
		return code != 0
	})
}

// prints returns the output of a command.
func (n *newcomer) prints(text string) string {
	n.t.Helper()
	out, err := n.types(text).Output()
	if err != nil {
		n.t.Fatalf("%s: %v", text, err)
	}
	return string(out)
}

func TestTheIntegratorsGuideLeadsToAPayment(t *testing.T) {
	needs(t, "bash", "curl", "python3")
	if !isolated(t, "127.0.0.1 localhost\n127.0.0.2 pay.test\n127.0.0.3 shop.test\n") {
		return
	}
	n := &newcomer{t: t, folder: t.TempDir(), shown: make(map[string][]string)}
	for _, block := range regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(n.prints("till guide integrator"), -1) {
		n.shown[block[1]] = append(n.shown[block[1]], block[2])
	}
	steps := n.shown["sh"]
	tuitest.Must(t, os.WriteFile(filepath.Join(n.folder, "receiver.py"), []byte(n.shown["python"][0]), 0o600))
	exports, _, _ := strings.Cut(steps[0], "till sandbox")
	n.stays(exports+steps[1], "http://pay.test:8789/healthz")
	n.stays("export HOST=0.0.0.0\n"+steps[2], "http://shop.test:3000/")
	reply := n.prints(strings.ReplaceAll(steps[3], "127.0.0.1", "pay.test"))
	order, link := regexp.MustCompile(`REF_\d+`).FindString(reply), regexp.MustCompile(`http://pay\.test:8789/c/\w+`).FindString(reply)
	n.prints(strings.ReplaceAll(steps[4], "REF_700001", order))
	n.prints("curl " + link + " -d outcome=success")
	_, _, deliveries := get("http://pay.test:8789/lab/deliveries?after=0&wait=60s")
	if booked := n.prints("cat events.txt"); !strings.Contains(booked, order+" success PAID ") {
		t.Errorf("the order %s is booked as %s\n%s\n%s", order, booked, reply, deliveries)
	}
}
