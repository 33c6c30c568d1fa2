package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// Scripts parse standard output, so a command with --json prints one value in one line, and no
// other text.
func TestEveryCommandThatPrintsDataPrintsOneJSONValue(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.tag()
	table := filepath.Join(desk.env["HOME"], "articles.csv")
	tuitest.Must(t, os.WriteFile(table, []byte("Vary;3500\n"), 0o600))
	file := func(name string) string { return filepath.Join(desk.env["HOME"], name) }
	for _, args := range [][]string{
		{"version"},
		{"order", "create", "--item", "Vary:3500", "--reference", "A1"},
		{"order", "list"},
		{"order", "list", "--search", "nothing"},
		{"order", "show", "A1"},
		{"order", "resolve", "A1", "--unpaid", "--by", "Rado"},
		{"report"},
		{"close", "--yes"},
		{"close", "--list"},
		{"export"},
		{"export", "--days"},
		{"export", "--transfers"},
		{"cash", "sale", "--item", "Vary:3500"},
		{"cash", "void", "T1-GT-C-000001", "--reason", "wrong"},
		{"cash", "float", "50000"},
		{"cash", "count", "0"},
		{"cashier", "list"},
		{"catalog", "import", table},
		{"catalog", "export"},
		{"backup", file("copy.db")},
		{"verify"},
		{"database", "copy", file("till/till.db"), file("other.db")},
	} {
		t.Run(strings.Join(args[:min(2, len(args))], " "), func(t *testing.T) {
			desk.says("", 0, "", append(args, "--json")...)
			printed := desk.out.String()
			values := json.NewDecoder(strings.NewReader(printed))
			var value any
			if err := values.Decode(&value); err != nil || strings.Count(printed, "\n") != 1 {
				t.Errorf("%v in\n%s", err, printed)
			}
			if err := values.Decode(&value); err != io.EOF {
				t.Errorf("more than one JSON value (%v) in\n%s", err, printed)
			}
		})
	}
	desk.noSecrets()
}
