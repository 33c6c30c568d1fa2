package cli_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// An event that arrives during an import waits for one of these transactions, not for the whole
// import.
func TestALargeTableIsImportedInShortTransactions(t *testing.T) {
	const count = 1200
	desk := newDesk(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "till.db")
	table := filepath.Join(folder, "articles.csv")
	imports := func(lines string, code int, want string) (transactions, articles int) {
		t.Helper()
		before, _ := catalogueOf(t, path)
		tuitest.Must(t, os.WriteFile(table, []byte(lines), 0o600))
		desk.says("", code, want, "catalog", "import", table, "--database", path)
		after, articles := catalogueOf(t, path)
		return after - before, articles
	}
	desk.says("", 0, "label", "catalog", "export", "--database", path)
	var lines strings.Builder
	for i := range count {
		fmt.Fprintf(&lines, "Article %d,%d,%d\n", i, i+1, i+1)
	}
	if transactions, articles := imports(lines.String()+"Wrong,free,\n", 1, "nothing was imported"); transactions != 0 || articles != 0 {
		t.Errorf("a table with a wrong line: got %d articles in %d transactions, want 0", articles, transactions)
	}
	if transactions, articles := imports(lines.String(), 0, "1 200 added"); transactions < 3 || articles != count {
		t.Errorf("got %d articles in %d transactions, want %d in 3 or more", articles, transactions, count)
	}
}

// catalogueOf returns the number of transactions that have changed a database
// and the number of its articles.
func catalogueOf(t *testing.T, path string) (transactions, articles int) {
	t.Helper()
	database, err := sql.Open("sqlite", path)
	tuitest.Must(t, err)
	defer database.Close()
	const query = "SELECT (SELECT value FROM meta WHERE key = 'change_seq'), (SELECT count(*) FROM articles)"
	tuitest.Must(t, database.QueryRowContext(t.Context(), query).Scan(&transactions, &articles))
	return transactions, articles
}

func TestTheCatalogueJSONKeepsItsForm(t *testing.T) {
	desk := newDesk(t)
	path := filepath.Join(desk.env["HOME"], "articles.csv")
	write := func(text string) {
		tuitest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	desk.prints("[]\n", "catalog", "export", "--json")
	write("label;unit_price;code;favourite;unit\nVary;3500;5449000054227;1;kg\n")
	desk.prints(`{"imported":true,"added":1,"changed":0,"unchanged":0,"encoding":"UTF-8","wrong":[]}`+"\n", "catalog", "import", path, "--json")
	vary := func(price string) string {
		return `{"label":"Vary","unit_price":` + price + `,"code":"5449000054227","favourite":1,"uses":0,"unit":"kg"}`
	}
	desk.prints("["+vary("3500")+"]\n", "catalog", "export", "--json")
	write("label;unit_price;code;favourite\nVary;4000;5449000054227;1\nCoca;2000;;\nRary;x;;\n")
	desk.prints(`{"imported":false,"added":1,"changed":1,"unchanged":0,"encoding":"UTF-8","changes":[`+
		`{"from":`+vary("3500")+`,"to":`+vary("4000")+`},`+
		`{"to":{"label":"Coca","unit_price":2000,"code":"","favourite":0,"uses":0,"unit":""}}],`+
		`"wrong":[{"line":4,"column":"unit_price","text":"x","problem":"the price is not a whole number above zero: write it as 3500 or 3 500"}]}`+"\n", "catalog", "import", path, "--dry-run", "--skip-wrong", "--json")
}
