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

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// The secrets of a shop under test. They are nobody's, and no program may write
// them anywhere but into a settings file: each [Terminal] looks for them when its
// test ends, on the screen, in the process list and in the files of its home.
const (
	AccessToken   = "TGP_planted_not_a_real_token"
	WebhookSecret = "whsec_planted_not_a_real_secret"
)

// SearchText fails the test if a text that a program wrote holds a secret, or the
// static signature, which is one as well.
func SearchText(t testing.TB, where string, text []byte) {
	t.Helper()
	text = bytes.ToLower(text)
	for _, secret := range []string{
		AccessToken, WebhookSecret, gateway.Sign(gateway.Static, payments.NewSecret(WebhookSecret), nil),
	} {
		if bytes.Contains(text, bytes.ToLower([]byte(secret))) {
			t.Errorf("W30 %s… stands in %s", secret[:12], where)
		}
	}
}

// SearchFolder does the same with every file below a folder but settings files.
func SearchFolder(t testing.TB, folder string) {
	t.Helper()
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".toml" {
			return nil //nolint:nilerr // It is gone, or no test's to read.
		}
		text, _ := os.ReadFile(path)
		SearchText(t, path, text)
		return nil
	})
}

// searchProcesses does the same with what the process list says of a program and
// its children, where the system has that as files.
func searchProcesses(t testing.TB, pid int) {
	t.Helper()
	family := []string{strconv.Itoa(pid)}
	lists, _ := filepath.Glob("/proc/" + family[0] + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		family = append(family, strings.Fields(string(children))...)
	}
	for _, member := range family {
		text, _ := os.ReadFile("/proc/" + member + "/cmdline") // Empty once it has ended.
		SearchText(t, "the process list", text)
	}
}

// search looks for the secrets in everything that the program has written.
func (t *Terminal) search() {
	t.t.Helper()
	written := ansi.Strip(t.Raw())
	SearchText(t.t, "the terminal", []byte(t.Raw()+written+strings.NewReplacer("\r", "", "\n", "").Replace(written)))
	home := ""
	for _, variable := range t.cmd.Env { // The last one counts.
		if value, is := strings.CutPrefix(variable, "HOME="); is {
			home = value
		}
	}
	if home != "" && home != os.Getenv("HOME") {
		SearchFolder(t.t, home)
	}
}
