package cli_test

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
	"checkout/till/tui/tuitest"
)

// wordless returns the errors that need no row in the table of errors, grouped by the reason. An
// error's name begins with the name of its package.
func wordless() map[string][]string {
	return map[string][]string{
		"its English text is for the operator or a programmer": {
			"staff.ErrInvalidCashier", "sandbox.ErrData",
			"gateway.ErrBaseURL", "gateway.ErrUnknownScheme", "gateway.ErrWeakSecret",
			"storage.ErrAddress", "storage.ErrInUse", "outbox.ErrForeign",
			"sqlite.ErrEmpty", "sqlite.ErrRemains", "sqlite.ErrUnsafe", "sqlite.ErrMoved",
			"sqlite.ErrReplaced", "sqlite.ErrChanged", "sqlite.ErrReadOnly",
			"postgres.ErrAddress", "postgres.ErrNoDatabase", "postgres.ErrRefused",
			"postgres.ErrUntrusted", "postgres.ErrUnsafe", "postgres.ErrTooOld",
			"postgres.ErrEncoding", "postgres.ErrOwner", "postgres.ErrNameTaken",
			"postgres.ErrForeign", "sqlstore.ErrNoSchema",
		},
		"a person chooses from the tenders that there are": {"drawer.ErrNoTender"},
		"the row of storage.Away matches it":               {"postgres.ErrUnreachable", "postgres.ErrStandby"},
		"it wraps ErrInvalidReference":                     {"payments.ErrCashReference"},
		"the console has its texts under [reasons]":        {"payments.CallError"},
		"package catalog of tui/cli prints it":             {"catalog.LineError"},
		"a question shows the message in it":               {"question.InvalidError"},
		"the listener or the relay answers with it": {
			"gateway.ErrMalformed", "gateway.ErrNoOrderReference", "gateway.ErrNoSignature",
			"gateway.ErrBadSignature", "relay.ErrFull", "relay.ErrSenderFull",
		},
		"the sandbox answers with it": {
			"sandbox.ErrAsked", "sandbox.ErrLinkOver", "sandbox.ErrNoSuchAction",
			"sandbox.ErrNoSuchDelivery", "sandbox.ErrNoSuchOrder", "sandbox.ErrNumber", "sandbox.ErrSnapshot",
			"gateway.FieldError",
		},
		"the log has it": {
			"outbox.ErrKept", "outbox.ErrFull",
		},
		"its callers handle it": {
			"payments.ErrInvalidArticle", "gateway.ErrUnsoundLink", "sqlstore.ErrClosed", "sqlstore.ErrStale",
		},
	}
}

// declaration matches an exported error at its declaration: a variable that begins with Err, or a type
// that ends with Error. Its groups are the names, and the error of another package for which the name
// is a second one.
const declaration = `(?m)^(?:var |\t)(Err[A-Z]\w*)(?: +error)? += (\w+\.Err\w+$)?|^type ([A-Z]\w*Error|Error)\b(?: = (\w+\.\w+Error))?`

// declared returns the exported errors of the program. The value is the name of the same error in the
// package that declares it, or "" for the declaration itself. It omits the packages that only support
// tests.
func declared(t *testing.T) map[string]string {
	t.Helper()
	found, tests := map[string]string{}, regexp.MustCompile(`tuitest|storagetest|e2e|testdata|_test\.go$`)
	for _, folder := range []string{"payments", "storage", "tui"} {
		tuitest.Must(t, filepath.WalkDir(filepath.Join("../..", folder), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || tests.MatchString(file) {
				return err
			}
			text, err := os.ReadFile(file)
			for _, match := range regexp.MustCompile(declaration).FindAllStringSubmatch(string(text), -1) {
				found[filepath.Base(filepath.Dir(file))+"."+match[1]+match[3]] = match[2] + match[4]
			}
			return err
		}))
	}
	return found
}

// Each exported error of the program must have a row in the table of errors, or must be in the
// result of wordless.
func TestEveryErrorHasWords(t *testing.T) {
	errs := declared(t)
	canonical := func(name string) string {
		for errs[name] != "" {
			name = errs[name]
		}
		return name
	}
	rows, without := map[string]bool{}, map[string]bool{}
	for file, own := range map[string]string{"../wording/errortext/table.go": "errortext", "errors.go": "cli"} {
		text, err := os.ReadFile(file)
		tuitest.Must(t, err)
		code := regexp.MustCompile(`//.*`).ReplaceAllString(string(text), "")
		for _, match := range regexp.MustCompile(`(?:\b(\w+)\.)?\b(Err[A-Z]\w*|\w*Error)\b`).FindAllStringSubmatch(code, -1) {
			rows[canonical(cmp.Or(match[1], own)+"."+match[2])] = true
		}
	}
	for _, names := range wordless() {
		for _, name := range names {
			without[name] = true
			if _, exists := errs[name]; !exists || rows[canonical(name)] {
				t.Errorf("%s has a row, or is no error: take it out of the list above", name)
			}
		}
	}
	for name := range errs {
		if is := canonical(name); !rows[is] && !without[is] {
			t.Errorf("%s has no words: add a row to tui/wording/errortext/table.go or tui/cli/errors.go, or a reason to the list above", name)
		}
	}
}

func TestACrashSaysThatNothingIsLost(t *testing.T) {
	var told strings.Builder
	app := &cli.App{Env: func(string) string { return "" }, In: strings.NewReader(""), Out: io.Discard, Err: &told, Now: time.Now}
	code := cli.Execute(t.Context(), app, func(*cli.App) *cobra.Command {
		return &cobra.Command{Use: "till", RunE: func(*cobra.Command, []string) error { return fmt.Errorf("show: %w", tea.ErrProgramPanic) }}
	})
	if code != 1 || !strings.Contains(told.String(), "start till again") {
		t.Errorf("exit code %d, %q", code, told.String())
	}
}
