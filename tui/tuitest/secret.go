package tuitest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// The secrets of a shop under test, which are not real. At the end, each [Terminal] searches for
// them in the output, in the process list, and in the files of the program's own home folder. Only
// settings files may contain them.
const (
	AccessToken   = "TGP_planted_not_a_real_token"
	WebhookSecret = "whsec_planted_not_a_real_secret"
)

// Secrets returns the secrets of a shop under test by name, with the value of a static signature
// header.
func Secrets() map[string]string {
	return map[string]string{
		"token": AccessToken, "secret": WebhookSecret, "signature": gateway.Sign(gateway.Static, secret.New(WebhookSecret), nil),
	}
}

// SearchText fails the test if a text contains a secret.
func SearchText(t testing.TB, where string, text []byte) {
	t.Helper()
	text = bytes.ToLower(text)
	for name, planted := range Secrets() {
		if bytes.Contains(text, bytes.ToLower([]byte(planted))) {
			t.Errorf("the %s is in %s", name, where)
		}
	}
}

// SearchFolder fails the test if a file in a folder contains a secret. It ignores settings files.
func SearchFolder(t testing.TB, folder string) {
	t.Helper()
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".toml" {
			return nil //nolint:nilerr // The file is gone or unreadable.
		}
		text, _ := os.ReadFile(path)
		SearchText(t, path, text)
		return nil
	})
}

// searchProcesses fails the test if the command line of a program or its children contains a
// secret. It needs /proc.
func searchProcesses(t testing.TB, pid int) {
	t.Helper()
	family := []string{strconv.Itoa(pid)}
	lists, _ := filepath.Glob("/proc/" + family[0] + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		family = append(family, strings.Fields(string(children))...)
	}
	for _, member := range family {
		text, _ := os.ReadFile("/proc/" + member + "/cmdline") // The text is empty if the process has ended.
		SearchText(t, "the process list", text)
	}
}

// search searches the program's output and home folder for the secrets, after the program has ended.
// It does not search the home folder of the person who runs the tests.
func (t *Terminal) search() {
	t.t.Helper()
	written := ansi.Strip(t.Raw())
	SearchText(t.t, "the terminal", []byte(t.Raw()+written+strings.NewReplacer("\r", "", "\n", "").Replace(written)))
	home := ""
	for _, variable := range t.cmd.Env { // The last value of HOME counts.
		if value, is := strings.CutPrefix(variable, "HOME="); is {
			home = value
		}
	}
	if home != "" && home != os.Getenv("HOME") {
		SearchFolder(t.t, home)
	}
}
