package cli_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
	"checkout/till/tui/tuitest"
)

// wordless returns the errors that need no row in the table of errors, grouped by the reason.
func wordless() map[string][]string {
	return map[string][]string{
		"its English text is for the operator or a programmer": {
			"payments/staff.ErrInvalidCashier", "payments/sandbox.ErrData",
			"payments/gateway.ErrBaseURL", "payments/gateway.ErrUnknownScheme", "payments/gateway.ErrWeakSecret",
			"storage.ErrAddress", "storage.ErrInUse", "storage/outbox.ErrForeign",
			"storage/sqlite.ErrEmpty", "storage/sqlite.ErrRemains", "storage/sqlite.ErrUnsafe", "storage/sqlite.ErrMoved",
			"storage/sqlite.ErrReplaced", "storage/sqlite.ErrChanged", "storage/sqlite.ErrReadOnly",
			"storage/postgres.ErrAddress", "storage/postgres.ErrNoDatabase", "storage/postgres.ErrRefused",
			"storage/postgres.ErrUntrusted", "storage/postgres.ErrUnsafe", "storage/postgres.ErrTooOld",
			"storage/postgres.ErrEncoding", "storage/postgres.ErrOwner", "storage/postgres.ErrNameTaken",
			"storage/postgres.ErrForeign", "storage/internal/sqlstore.ErrNoSchema",
		},
		"a person chooses from the tenders that there are": {"payments/drawer.ErrNoTender"},
		"the row of storage.Away matches it":               {"storage/postgres.ErrUnreachable", "storage/postgres.ErrStandby"},
		"it wraps ErrInvalidReference":                     {"payments.ErrCashReference"},
		"the console has its texts under [reasons]":        {"payments.CallError"},
		"package catalog of tui/cli prints it":             {"payments/catalog.LineError"},
		"a question shows the message in it":               {"tui/component/question.InvalidError"},
		"the listener or the relay answers with it": {
			"payments/gateway.ErrMalformed", "payments/gateway.ErrNoOrderReference", "payments/gateway.ErrNoSignature",
			"payments/gateway.ErrBadSignature", "payments/relay.ErrFull", "payments/relay.ErrSenderFull",
		},
		"the sandbox answers with it": {
			"payments/sandbox.ErrAsked", "payments/sandbox.ErrLinkOver", "payments/sandbox.ErrNoSuchAction",
			"payments/sandbox.ErrNoSuchDelivery", "payments/sandbox.ErrNoSuchOrder", "payments/sandbox.ErrNumber", "payments/sandbox.ErrSnapshot",
			"payments/gateway.FieldError",
		},
		"the log has it": {
			"storage/outbox.ErrKept", "storage/outbox.ErrFull",
		},
		"its callers handle it": {
			"payments.ErrInvalidArticle", "payments/gateway.ErrUnsoundLink", "storage/internal/sqlstore.ErrClosed", "storage/internal/sqlstore.ErrStale",
		},
	}
}

// tables returns the files that contain the rows of the table of errors.
func tables() []string { return []string{"tui/wording/errortext/table.go", "tui/cli/errors.go"} }

// Each exported error of the program must have a row in the table of errors, or must be in the
// result of wordless.
func TestEveryErrorHasWords(t *testing.T) {
	errs := exportedErrors(t)
	rows := map[string]bool{}
	for _, file := range tables() {
		for _, name := range namedIn(t, file) {
			rows[canonical(errs, name)] = true
		}
	}
	without := map[string]bool{}
	for _, names := range wordless() {
		for _, name := range names {
			without[name] = true
			if _, exists := errs[name]; !exists || rows[canonical(errs, name)] {
				t.Errorf("%s has a row, or is no error: take it out of the list above", name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(errs)) {
		if is := canonical(errs, name); !rows[is] && !without[is] {
			t.Errorf("%s has no words: add a row to %s, or a reason to the list above", name, strings.Join(tables(), " or "))
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

// canonical returns the name under which an error was declared. name may be a second name under
// which another package exports the same error.
func canonical(errs map[string]string, name string) string {
	for errs[name] != "" {
		name = errs[name]
	}
	return name
}

// exportedErrors returns the exported errors of the program: variables that begin with Err, and
// types that end with Error. The value is the name of the same error in the package that declares
// it, or "" for the declaration itself. It omits the packages that only support tests.
func exportedErrors(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, folder := range []string{"payments", "storage", "tui"} {
		tuitest.Must(t, filepath.WalkDir(filepath.Join("../..", folder), func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains([]string{"tuitest", "storagetest", "e2e", "testdata"}, entry.Name()):
				return filepath.SkipDir
			case !entry.IsDir() && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
				parsed := parse(t, file)
				folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../")
				for name, value := range declared(parsed) {
					found[folder+"."+name] = imported(parsed, value)
				}
			}
			return nil
		}))
	}
	return found
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.SkipObjectResolution)
	tuitest.Must(t, err)
	return parsed
}

// declared returns the exported errors that a file declares, with their values.
func declared(file *ast.File) map[string]ast.Expr {
	found := map[string]ast.Expr{}
	for _, declaration := range file.Decls {
		general, is := declaration.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if isError(spec.Name.Name) {
					found[spec.Name.Name] = spec.Type
				}
			case *ast.ValueSpec:
				for i, name := range spec.Names {
					if isError(name.Name) && general.Tok == gotoken.VAR {
						found[name.Name] = spec.Values[i]
					}
				}
			}
		}
	}
	return found
}

func isError(name string) bool {
	return regexp.MustCompile(`^(Err[A-Z]|[A-Z]\w*Error$|Error$)`).MatchString(name)
}

// imported returns the name of the error in an expression such as sqlite.ErrFull, prefixed with the
// folder of the error's package. For other expressions, it returns "".
func imported(file *ast.File, value ast.Expr) string {
	selector, is := value.(*ast.SelectorExpr)
	if !is || !isError(selector.Sel.Name) {
		return ""
	}
	name, _ := selector.X.(*ast.Ident)
	for _, spec := range file.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		if folder, ours := strings.CutPrefix(at, "checkout/till/"); ours && name != nil && path.Base(at) == name.Name {
			return folder + "." + selector.Sel.Name
		}
	}
	return ""
}

// namedIn returns the names of the errors that occur in a file.
func namedIn(t *testing.T, file string) (names []string) {
	t.Helper()
	parsed := parse(t, filepath.Join("../..", file))
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			names = append(names, imported(parsed, node))
		case *ast.Ident:
			names = append(names, path.Dir(file)+"."+node.Name)
		}
		return true
	})
	return names
}
