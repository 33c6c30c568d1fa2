package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"checkout/till/tui/tuitest"
)

// blocks returns the code blocks of the operator's guide and of the deploy guide.
func blocks(t *testing.T) (all []string) {
	t.Helper()
	for _, page := range []string{"../../assets/docs/en/operator.md", "../../assets/deploy/README.md"} {
		guide, err := os.ReadFile(page)
		tuitest.Must(t, err)
		for _, found := range regexp.MustCompile("(?s)\n( *)```(?:sh)?\n(.*?)\n *```\n").FindAllStringSubmatch(string(guide), -1) {
			all = append(all, strings.ReplaceAll(strings.TrimPrefix(found[2], found[1]), "\n"+found[1], "\n"))
		}
	}
	return all
}

// block returns the code block that begins with a text.
func block(t *testing.T, begins string) string {
	t.Helper()
	for _, text := range blocks(t) {
		if strings.HasPrefix(text, begins) {
			return text
		}
	}
	t.Fatalf("no guide has a block that begins with %s", begins)
	return ""
}

// The test runs each block of the guides exactly as it is printed, in a separate mount namespace in
// which /etc, /usr/local and /var/lib are empty. A script replaces systemctl.
func TestTheBlocksOfTheGuidesWork(t *testing.T) {
	needs(t, "caddy")
	if !isolated(t, "127.0.0.1 localhost\n") {
		return
	}
	for _, text := range blocks(t) {
		first, _, _ := strings.Cut(text, "\n")
		switch {
		case strings.HasPrefix(text, "./till database update"), strings.HasPrefix(text, "install -m 755 ./till"):
			// TestAnUpgradeLosesNoEvent runs it.
		case strings.HasPrefix(text, "install "):
			installs(t, text)
		case strings.HasSuffix(first, ".example.mg {"):
			file := filepath.Join(t.TempDir(), "Caddyfile")
			tuitest.Must(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
			if said, err := exec.CommandContext(t.Context(), "caddy", "adapt", "--validate", "--adapter", "caddyfile", "--config", file).CombinedOutput(); err != nil {
				t.Errorf("%s\n%v\n%s", text, err, said)
			}
		case first == "server {":
			nginx(t, text)
		case strings.HasPrefix(text, "psql "), strings.HasPrefix(text, "createuser "), strings.HasPrefix(text, "createdb "):
			// TestARestoreLosesNoEventThatArrivesMeanwhile runs it.
		case strings.HasPrefix(text, "RELAY_FLAGS="):
			// TestTheUnitsFitTheProgramAndTheGuide runs it.
		case first == "cloudflared tunnel login":
			// The block needs accounts on the internet.
		case strings.HasPrefix(text, "For the shop's till"), strings.HasPrefix(text, "BOX "), strings.HasPrefix(text, "Chez Rado "):
			// It is output.
		default:
			t.Errorf("no test runs the block\n%s", text)
		}
	}
}

// systemctl starts the relay as the relay's unit does. For other units, it checks that their files
// exist.
const systemctl = `#!/bin/sh -eu
case "$*" in
daemon-reload) ;;
"enable --now till-relay")
	test -f /etc/systemd/system/till-relay.service
	mkdir -p /var/lib/till-relay
	flags=$(sed -n s/^RELAY_FLAGS=//p /etc/till/relay.env)
	STATE_DIRECTORY=/var/lib/till-relay /usr/local/bin/till relay $flags >/var/lib/log 2>&1 &
	echo $! >/var/lib/pid
	until grep -q "relay on" /var/lib/log; do kill -0 $!; sleep 0.1; done ;;
"enable --now till-listen"*)
	for unit in "$@"; do
		case "$unit" in till-listen@*.socket) test -f /etc/systemd/system/till-listen@.socket ;; till-listen@*) test -f /etc/systemd/system/till-listen@.service ;; esac
	done ;;
*) exit 1 ;;
esac
`

// installs runs a block that installs something.
func installs(t *testing.T, commands string) {
	t.Helper()
	for _, empty := range []string{"/etc", "/usr/local", "/var/lib"} {
		tuitest.Must(t, unix.Mount("tmpfs", empty, "tmpfs", 0, ""))
		defer func() { _ = unix.Unmount(empty, unix.MNT_DETACH) }()
	}
	for _, folder := range []string{"/etc/systemd/system", "/usr/local/bin"} {
		tuitest.Must(t, os.MkdirAll(folder, 0o755))
	}
	folder, tools := t.TempDir(), t.TempDir()
	tuitest.Must(t, os.CopyFS(folder, os.DirFS("../../assets/deploy")))
	program, err := os.ReadFile(binary)
	tuitest.Must(t, err)
	tuitest.Must(t, os.WriteFile(filepath.Join(folder, "till"), program, 0o755))
	if !strings.Contains(commands, "install -m 755 till ") { // The guide's reader has installed the package.
		tuitest.Must(t, os.WriteFile("/usr/local/bin/till", program, 0o755))
		tuitest.Must(t, os.CopyFS("/etc/systemd/system", os.DirFS("../../assets/deploy")))
	}
	for name, text := range map[string]string{"systemctl": systemctl, "journalctl": "#!/bin/sh\n"} {
		tuitest.Must(t, os.WriteFile(filepath.Join(tools, name), []byte(text), 0o755))
	}
	shell := exec.CommandContext(t.Context(), "/bin/sh", "-eu", "-c", commands)
	shell.Dir = folder
	shell.Env = tuitest.Environ("PATH="+tools+":/usr/local/bin:"+os.Getenv("PATH"), "HOME="+folder, "TILL_LANGUAGE=en")
	said, err := shell.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile("/var/lib/log") // Ignore the error: not every block starts the relay.
		t.Errorf("%s\n%v\n%s%s", commands, err, said, log)
	}
	if text, err := os.ReadFile("/var/lib/pid"); err == nil {
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		if relay, err := os.FindProcess(pid); err == nil && pid > 0 {
			_ = relay.Kill()
		}
	}
	if about, err := os.Stat("/etc/till"); err != nil || about.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the secrets: %v, %v", about, err)
	}
}

// nginx checks a configuration of nginx that uses a certificate of the test.
func nginx(t *testing.T, server string) {
	t.Helper()
	const program = "/usr/sbin/nginx" // The path in Debian. This folder may be missing in a user's PATH.
	if _, err := os.Stat(program); err != nil && os.Getenv("TILL_TEST_REQUIRE") == "" {
		return
	}
	folder := t.TempDir()
	certificate, key := trusted(t).certify("relay.example.mg")
	for name, text := range map[string][]byte{"fullchain.pem": certificate, "privkey.pem": key} {
		tuitest.Must(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
		server = regexp.MustCompile(`/[^ ]*/`+regexp.QuoteMeta(name)).ReplaceAllString(server, filepath.Join(folder, name))
	}
	config := fmt.Sprintf("pid %[1]s/pid; error_log stderr; events {}\nhttp { access_log off;\n%[2]s\n}\n", folder, server)
	file := filepath.Join(folder, "nginx.conf")
	tuitest.Must(t, os.WriteFile(file, []byte(config), 0o600))
	// Ignore the error, because nginx also tests whether it may write to its folders.
	said, _ := exec.CommandContext(t.Context(), program, "-t", "-p", folder, "-c", file).CombinedOutput()
	if !strings.Contains(string(said), "syntax is ok") {
		t.Errorf("%s\n%s", server, said)
	}
}
