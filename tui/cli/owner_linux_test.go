package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestTheShopsUserCanStartAfterARunAsRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a program as another user")
	}
	const user = 12345
	folder, err := os.MkdirTemp("/var/tmp", "till-owner-*") //nolint:usetesting // Another user must be able to enter it.
	tuitest.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	home := filepath.Join(folder, "home")
	found, err := exec.LookPath("till")
	tuitest.Must(t, err)
	text, err := os.ReadFile(found)
	tuitest.Must(t, err)
	program := filepath.Join(folder, "till")
	tuitest.Must(t, os.WriteFile(program, text, 0o755))
	tuitest.Must(t, os.Chmod(folder, 0o755))
	tuitest.Must(t, os.MkdirAll(filepath.Join(home, "till"), 0o700))
	for _, each := range []string{home, filepath.Join(home, "till")} {
		tuitest.Must(t, os.Chown(each, user, user))
	}
	run := func(as uint32, arguments ...string) (printed string, code int) {
		command := exec.CommandContext(t.Context(), program, arguments...)
		command.Dir = folder
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: as, Gid: as}}
		return elsewhere(command, "HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "TILL_BASE_URL=http://127.0.0.1:1")
	}
	for _, as := range []uint32{0, user, 0, user} { // Root runs first and therefore creates the database.
		if printed, code := run(as, "--plain"); code != 0 {
			t.Errorf("the console of user %d ends with %d\n%s", as, code, printed)
		}
	}
	if printed, _ := run(user, "doctor"); strings.Contains(printed, "x Database") {
		t.Errorf("doctor finds\n%s", printed)
	}
	lock := filepath.Join(home, "till", "till.db.lock")
	tuitest.Must(t, os.Chown(lock, 0, 0)) // Earlier versions of the program left the lock file with this owner.
	printed, code := run(user, "doctor")
	if code != 1 || !strings.Contains(printed, "x Database") || !strings.Contains(printed, "till.db.lock") {
		t.Errorf("with root's lock, doctor ends with %d\n%s", code, printed)
	}
	if printed, code := run(user, "--plain"); code != 1 || !strings.Contains(printed, "till.db.lock") {
		t.Errorf("with root's lock, the console ends with %d\n%s", code, printed)
	}
}
