package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// Spreadsheets of different languages need different tables. For a French one, the exported table
// has semicolons, a byte order mark and French headings. An import accepts the tables of all
// languages.
func TestTheArticlesAreExportedForTheSpreadsheetOfTheLanguage(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	articles := filepath.Join(t.TempDir(), "articles.csv")
	tuitest.Must(t, os.WriteFile(articles, []byte("label,unit_price,code,favourite,unit\nBœuf «haché»,12500,611,2,kg\n\"a;=1\",1,,,\n"), 0o600))
	desk.says("", 0, "", "catalog", "import", articles)
	for language, head := range map[string]string{
		"en": "label,unit_price,code,favourite,unit\r\n",
		"fr": "\ufefflibellé;prix;code-barres;favori;unité\r\n",
		"mg": "\ufeffanarana;vidiny;kaody;tiana;refy\r\n",
	} {
		written := filepath.Join(t.TempDir(), "out.csv")
		desk.says("", 0, "", "catalog", "export", written, "--lang", language)
		table, err := os.ReadFile(written)
		tuitest.Must(t, err)
		if !strings.HasPrefix(string(table), head) {
			t.Errorf("%s: the table begins %q", language, table)
		}
		desk.says("", 0, `"added":0,"changed":0,"unchanged":2`, "catalog", "import", written, "--json")
	}
	tuitest.Must(t, os.WriteFile(articles, []byte("label,unit_price,code,favourite,unit\nVary,3500,,,lb\n"), 0o600))
	desk.says("", 0, `unknown units are ignored: "lb". `, "catalog", "import", articles, "--lang", "en", "--dry-run")
	tuitest.Must(t, os.WriteFile(articles, []byte("label,unit_price,code,favourite,unit\na,1,,,1\nb,1,,,2\nc,1,,,3\nd,1,,,4\ne,1,,,5\nf,1,,,6\n"), 0o600))
	desk.says("", 0, `"5", …. `, "catalog", "import", articles, "--lang", "en", "--dry-run")
	// This is the table as a French Excel saves it, in the encoding Windows-1252.
	tuitest.Must(t, os.WriteFile(articles, []byte("libell\xe9;prix;code;favori;unit\xe9\r\nB\x9cuf \xabhach\xe9\xbb;12\xa0500;611;2;kg\r\nCaf\xe9 5 \x80;1;;;\r\n"), 0o600))
	desk.says("", 1, "not in UTF-8", "catalog", "import", articles)
	tuitest.Must(t, os.WriteFile(articles, []byte("libell\xe9;prix;code;favori;unit\xe9\r\nB\x9cuf \xabhach\xe9\xbb;12\xa0500;611;2;kg\r\n"), 0o600))
	desk.says("", 0, `"unchanged":1`, "catalog", "import", articles, "--json")
}
