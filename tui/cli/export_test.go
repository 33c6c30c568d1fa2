package cli_test

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// traded returns a desk with the orders of [desk.taken] and two cash sales of today. One cash sale
// has a label that a spreadsheet would read as a formula. The other one is voided.
func traded(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.tag()
	desk.taken()
	desk.says("", 0, "", "cash", "sale", "--item", "=SUM(A1); été:1200:2", "--by", "Soa")
	desk.says("", 0, "", "cash", "sale", "--item", "Coca:2000")
	desk.says("", 0, "", "cash", "void", "T1-GT-C-000002", "--reason", "wrong")
	desk.says("", 0, "", "refund", "B1", "--all", "--from", "merchant-area", "broken")
	return desk
}

func TestTheExportHasARowForEachSale(t *testing.T) {
	desk := traded(t)
	rows, err := csv.NewReader(strings.NewReader(desk.output("export"))).ReadAll()
	tuitest.Must(t, err)
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join(append(row[:1:1], row[3:]...), "|"))
	}
	want := []string{
		"Date|Till|Cashier|Reference|Articles|Tender|Amount|Refunded|Outcome",
		"2026-11-21|T1||A2|2 × Vary, Coca|Mobile money|9000|0|paid",
		"2026-11-21|T1||B1|2 × =1+1, Coca|Mobile money|9000|9000|refunded",
		"2026-11-21|T1|Soa|B3|2 × Vary, Coca|Mobile money|9000|0|marked paid",
		"2026-11-21|T1|Soa|T1-GT-C-000001|2 × =SUM(A1); été|Cash|2400|0|cash",
		"2026-11-21|T1||T1-GT-C-000002|Coca|Cash|2000|2000|voided",
	}
	for _, row := range want {
		if !strings.Contains(strings.Join(got, "\n"), row) {
			t.Errorf("got\n%s\nwant the row\n%s", strings.Join(got, "\n"), row)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d rows, want %d", len(got), len(want))
	}
	// 20 400 = 27 000 by mobile money - 9 000 refunded + 2 400 in cash.
	desk.says("", 0, `"taken":{"count":4,"amount":20400}`, "report", "--json")
	days := desk.output("export", "--days", "--from", "2026-11-20")
	if want := "2026-11-20,1,9000,0,0,0,9000\r\n2026-11-21,4,27000,9000,4400,2000,20400\r\n"; !strings.HasSuffix(days, want) {
		t.Errorf("got\n%swant it to end with\n%s", days, want)
	}
	desk.says("", 0, `"tender":"cash","amount":2000,"refunded":2000,"outcome":"voided"}`, "export", "--json")
	desk.says("", 2, "give --sales or --days, not both", "export", "--sales", "--days")
	desk.says("", 2, "give --csv or --json, not both", "export", "--csv", "--json")
}

// Python and a French LibreOffice read the exported file.
func TestSpreadsheetsReadTheExportInFrench(t *testing.T) {
	desk := traded(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "journal.csv")
	tuitest.Must(t, os.WriteFile(file, []byte(desk.output("export", "--lang", "fr")), 0o600))
	t.Run("Python", func(t *testing.T) {
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("there is no python3")
		}
		sums, err := exec.CommandContext(t.Context(), python, "-c", `
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8-sig", newline=""), delimiter=";"))
print(sum(int(r["Montant"]) for r in rows), sum(int(r["Somme rendue"]) for r in rows), [r["Lignes"] for r in rows if r["Moyen"] == "Espèces"][0])
`, file).CombinedOutput()
		if want := "31400 11000 2 × =SUM(A1); été\n"; err != nil || string(sums) != want {
			t.Errorf("got %v\n%swant %s", err, sums, want)
		}
	})
	t.Run("LibreOffice", func(t *testing.T) {
		office, err := exec.LookPath("soffice")
		if err != nil {
			t.Skip("there is no LibreOffice")
		}
		convert := exec.CommandContext(t.Context(), office, "--headless", "-env:UserInstallation=file://"+folder+"/profile",
			"--infilter=CSV:59,34,76,1", "--convert-to", "html", "--outdir", folder, file)
		if said, err := convert.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		page, err := os.ReadFile(filepath.Join(folder, "journal.html"))
		tuitest.Must(t, err)
		for _, want := range []string{`sdval="2400"`, "SUM(A1); ", "Somme rendue"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("the sheet lacks %q:\n%s", want, page)
			}
		}
	})
}
