package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"checkout/till/payments/webhook"
	"checkout/till/storage/settings"
	"checkout/till/tui/tuitest"
)

const deployFolder = "../../assets/deploy"

// deployed returns the text of a file in the deploy folder.
func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deployFolder, name))
	tuitest.Must(t, err)
	return string(text)
}

// listenerSettings returns the settings in listener.toml, the example of a settings file for a
// separate listener.
func listenerSettings(t *testing.T) settings.Settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), "listener.toml")
	tuitest.Must(t, os.WriteFile(path, []byte(strings.Replace(deployed(t, "listener.toml"), "your-webhook-secret", webhookSecret, 1)), 0o600))
	settings, err := settings.Load(settings.Sources{Path: path, Env: func(string) string { return "" }})
	tuitest.Must(t, err)
	return settings
}

// TestSystemdAcceptsTheUnits checks their form.
func TestTheUnitsFitTheProgramAndTheGuide(t *testing.T) {
	for file, lines := range map[string][]string{
		"till-listen@.service": {"TimeoutStopSec=20\n"},
		"till-relay.service": {
			"EnvironmentFile=/etc/till/relay.env\n", "ExecStart=/usr/local/bin/till relay $RELAY_FLAGS\n", "StateDirectory=till-relay\n",
			"AmbientCapabilities=CAP_NET_BIND_SERVICE\n", "Type=notify\n",
		},
		"till-console.service": {"DeviceAllow=char-usb rw", "DeviceAllow=char-lp rw"}, // The names in /proc/devices.
		"sysusers.conf":        {"m till lp"},                                         // The group of printers.
	} {
		for _, line := range lines {
			if !strings.Contains(deployed(t, file), line) {
				t.Errorf("%s has no %q", file, line)
			}
		}
	}
	if limit := webhook.DefaultLimits().Stop.Seconds(); limit > 10 {
		t.Errorf("the listener takes up to %v s to stop, and its unit permits 20 s", limit)
	}
	known := []string{"TILL_CONFIG"}
	for _, key := range settings.Keys() {
		known = append(known, key.Env(), key.Env()+"_FILE")
	}
	unit := deployed(t, "till-listen@.service")
	for _, name := range regexp.MustCompile(`TILL_[A-Z_]+`).FindAllString(unit, -1) {
		if !slices.Contains(known, name) {
			t.Errorf("there is no setting %s", name)
		}
	}
	guide, err := os.ReadFile(filepath.Join(guides, "operator.md"))
	tuitest.Must(t, err)
	commands := regexp.MustCompile(`ExecStart=/usr/local/bin/till (.+)`).FindStringSubmatch(unit)[1:]
	for _, flags := range regexp.MustCompile(`RELAY_FLAGS=(--[^\n']+)`).FindAllStringSubmatch(string(guide), -1) {
		commands = append(commands, "relay "+flags[1])
	}
	if len(commands) != 3 {
		t.Errorf("got the commands %q, want one of the unit and two of the guide", commands)
	}
	for _, command := range commands {
		newDesk(t).says("", 0, "", append(strings.Fields(command), "--help")...)
	}
	for _, command := range regexp.MustCompile("till relay (add|pair|list|remove)[^`\n]*`").FindAllString(string(guide), -1) {
		if !strings.Contains(command, " --data /var/lib/till-relay`") {
			t.Errorf("%s does not name the unit's folder", command)
		}
	}
}

// TestCaddyUsesTheListenerThatRuns checks the paths, the health check and what the log leaves out.
func TestTheCaddyfileFitsTheListener(t *testing.T) {
	caddyfile, settings := deployed(t, "Caddyfile"), listenerSettings(t)
	for what, want := range map[string]string{
		"the public name":     "\n" + strings.TrimPrefix(settings.Webhook.PublicURL, "https://") + " {\n",
		"the limit of a body": fmt.Sprintf("max_size %dKiB\n", webhook.MaxBody>>10),
	} {
		if !strings.Contains(caddyfile, want) {
			t.Errorf("%s: the Caddyfile holds no %q", what, want)
		}
	}
	guide := deployed(t, "README.md")
	for _, port := range regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindAllStringSubmatch(caddyfile, -1) {
		if !strings.Contains(guide, "till-listen@"+port[1]) {
			t.Errorf("no listener is started on port %s", port[1])
		}
	}
}

func TestTheGuidesPathsAndMetricsExist(t *testing.T) {
	guide := deployed(t, "README.md")
	desk := newDesk(t)
	address, end := desk.listening("--outbox", filepath.Join(t.TempDir(), "outbox.db"))
	base := strings.TrimSuffix(address, "/webhook")
	if response := get(t, address); response.status != http.StatusOK {
		t.Errorf("opening the webhook gives %d", response.status)
	}
	for _, path := range []string{"/readyz", "/healthz", "/metrics"} {
		if answer := get(t, base+path); answer.status != http.StatusOK || !strings.Contains(guide, "`"+path+"`") {
			t.Errorf("%s gives %d", path, answer.status)
		}
	}
	stranger := newDesk(t)
	stranger.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
	stranger.says("", 1, "401", "trigger", "payment.success", "--order-reference", "REF_1", "--amount", "1", "--url", address, "--signature", "wrong")
	told := get(t, base+"/metrics").text
	for _, metric := range regexp.MustCompile("`(till_[^`]+)`").FindAllStringSubmatch(guide, -1) {
		if !strings.Contains(told, metric[1]+" ") {
			t.Errorf("there is no metric %s in\n%s", metric[1], told)
		}
	}
	desk.stops(end)
}

type reply struct {
	status int
	text   string
}

func get(t *testing.T, address string) reply {
	t.Helper()
	response, err := http.Get(address)
	tuitest.Must(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	tuitest.Must(t, err)
	return reply{response.StatusCode, string(text)}
}

// tool returns the path of an installed program. If the program is not installed, the test is
// skipped or, if TILL_TEST_REQUIRE is set, fails.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("this machine has no ", name)
	}
	return path
}

func TestSystemdAcceptsTheUnits(t *testing.T) {
	t.Parallel()
	analyze := tool(t, "systemd-analyze")
	folder := t.TempDir()
	var units []string
	for _, name := range []string{
		"till-listen@.service", "till-listen@.socket", "till-relay.service", "till-backup.service", "till-backup.timer",
		"till-console.service", "till-backup-file.service", "till-backup-file.timer",
	} {
		// systemd-analyze fails for a program that is not installed, so name one that is.
		text := strings.ReplaceAll(deployed(t, name), "/usr/local/bin/till", "/bin/true")
		text = strings.ReplaceAll(text, "ListenStream=127.0.0.1:%i", "ListenStream=127.0.0.1:8788") // systemd-analyze would replace %i by "i", which is not a port number.
		units = append(units, filepath.Join(folder, name))
		tuitest.Must(t, os.WriteFile(units[len(units)-1], []byte(text), 0o600))
	}
	said, err := exec.CommandContext(t.Context(), analyze, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput()
	if err != nil || strings.Contains(string(said), folder) {
		t.Errorf("%v\n%s", err, said)
	}
	for _, unit := range units {
		if filepath.Ext(unit) != ".service" {
			continue
		}
		instance := strings.Replace(unit, "@.service", "@8788.service", 1)
		text, err := os.ReadFile(unit)
		tuitest.Must(t, err)
		tuitest.Must(t, os.WriteFile(instance, text, 0o600))
		// The threshold is ten times the highest permitted exposure. The exposure is a number from 0 to 10.
		said, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--threshold=30", "--no-pager", instance).CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, said)
		}
	}
}

// imageCommands returns two commands that start a sandbox in a container: the command of the image,
// and the command of the service "pay" in compose.yaml. Their keys are the host names of the
// containers.
func imageCommands(t *testing.T) map[string][]string {
	t.Helper()
	var image []string
	_, text, _ := strings.Cut(deployed(t, "Dockerfile"), "\nCMD ")
	text, _, _ = strings.Cut(strings.ReplaceAll(text, "\\\n", ""), "\n")
	tuitest.Must(t, json.Unmarshal([]byte(text), &image))
	var file struct {
		Services map[string]struct{ Command string }
	}
	tuitest.Must(t, yaml.Unmarshal([]byte(deployed(t, "compose.yaml")), &file))
	return map[string][]string{"localhost": image, "pay": strings.Fields(file.Services["pay"].Command)}
}

// A request to a published port arrives at the container's address in the container network. This
// is not a loopback address.
func TestTheSandboxOfAContainerServesItsMachine(t *testing.T) {
	addresses, err := net.InterfaceAddrs()
	tuitest.Must(t, err)
	at := slices.IndexFunc(addresses, func(address net.Addr) bool {
		network, ok := address.(*net.IPNet)
		return ok && network.IP.To4() != nil && !network.IP.IsLoopback()
	})
	for name, command := range imageCommands(t) {
		desk := newDesk(t)
		delete(desk.env, "TILL_BASE_URL")
		end := desk.background("try it:", strings.Fields(strings.Replace(strings.Join(command, " "), ":8789", ":0", 1))...)
		port := regexp.MustCompile(`sandbox on http://127\.0\.0\.1:(\d+)`).FindStringSubmatch(desk.out.String())[1]
		desk.says("", 0, "ok", "health", "http://127.0.0.1:"+port)
		if at >= 0 {
			request := httptest.NewRequest(http.MethodGet, "http://"+addresses[at].(*net.IPNet).IP.String()+":"+port+"/lab/orders", nil)
			request.RequestURI, request.Host = "", name+":8789"
			response, err := http.DefaultTransport.RoundTrip(request)
			tuitest.Must(t, err)
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("by the name %s the fault lab answers %s", name, response.Status)
			}
		}
		end()
	}
}

func TestCaddyUsesTheListenerThatRuns(t *testing.T) {
	t.Parallel()
	caddy := tool(t, "caddy")
	first, second := newDesk(t), newDesk(t)
	path := listenerSettings(t).Webhook.Path
	first.env["TILL_LISTEN"], second.env["TILL_LISTEN"] = tuitest.FreeAddress(t), tuitest.FreeAddress(t)
	_, endOne := first.listening("--webhook-path", path)
	_, endTwo := second.listening("--webhook-path", path)
	address := tuitest.FreeAddress(t)
	caddyfile := strings.NewReplacer(
		"127.0.0.1:8788", first.env["TILL_LISTEN"], "127.0.0.1:8790", second.env["TILL_LISTEN"], "\n{\n", "\n{\n\tadmin off\n",
		"\nshop.example.mg {", "\nhttp://"+address+" {\n\tbind 127.0.0.1",
	).Replace(deployed(t, "Caddyfile"))
	config := filepath.Join(t.TempDir(), "Caddyfile")
	tuitest.Must(t, os.WriteFile(config, []byte(caddyfile), 0o600))
	log := &buffer{}
	command := exec.CommandContext(t.Context(), caddy, "run", "--adapter", "caddyfile", "--config", config)
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	command.Stdout, command.Stderr = log, log
	tuitest.Must(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	first.await(log, "serving initial configuration")
	base := "http://" + address
	for what, want := range map[string]int{path: 200, path + "/": 404, "/": 404, "/metrics": 404, "/healthz": 404, "/readyz": 404, "/success": 200} {
		if answer := get(t, base+what); answer.status != want {
			t.Errorf("%s gives %d, want %d", what, answer.status, want)
		}
	}
	if status := first.post(base + path); status != http.StatusNotFound { // No order matches the event.
		t.Errorf("an event gives %d\n%s", status, log)
	}
	first.stops(endOne)
	second.waits("the other listener gets the event", func() bool { return first.post(base+path) == http.StatusNotFound })
	second.stops(endTwo)
	if status := first.post(base + path); status < http.StatusInternalServerError {
		t.Errorf("without a listener an event gives %d", status)
	}
	first.await(log, "http.log.error")
	tuitest.SearchText(t, "the log", []byte(log.String()))
}
