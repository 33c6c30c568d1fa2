package cli_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/tui/tuitest"
)

// traded returns a desk with the orders of [desk.taken] and with two cash sales of today. The label
// of one cash sale would be a formula in a spreadsheet. The other cash sale is voided.
func traded(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.tag()
	desk.taken()
	desk.says("", 0, "", "cash", "sale", "--item", "=SUM(A1); été:1200:2", "--by", "Soa")
	desk.says("", 0, "", "cash", "sale", "--item", "Coca:2000")
	desk.says("", 0, "", "cash", "void", "T1-GT-C-000002", "--reason", "wrong", "--json")
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
		"Date|Till|Cashier|Reference|Articles|Tender|Amount|Refunded|Outcome|Debt paid",
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
	for _, text := range []string{"\ufeffJour;Heure;Ticket;Caisse;", `;"2 × =SUM(A1); été";Espèces;2400;0;`} { // For a French spreadsheet.
		desk.says("", 0, text, "export", "--lang", "fr")
	}
	// 20 400 = 27 000 by mobile money - 9 000 refunded + 2 400 in cash.
	desk.says("", 0, `"taken":{"count":4,"amount":20400}`, "report", "--json")
	days := desk.output("export", "--days", "--from", "2026-11-20")
	others := strings.Repeat(",0", len(drawer.CounterTenders())-1) // The columns of all tenders except cash.
	if want := "2026-11-20,1,9000,0,0" + others + ",0,9000,0,0\r\n2026-11-21,4,27000,9000,4400" + others + ",2000,20400,0,0\r\n"; !strings.HasSuffix(days, want) {
		t.Errorf("got\n%swant it to end with\n%s", days, want)
	}
	desk.says("", 0, `"day":"2026-11-21"`, "export", "--days", "--json")
	desk.says("", 0, `"tender":"mobile_money","amount":9000,"refunded":0,"outcome":"paid"}`, "export", "--json")
	desk.says("", 0, `"tender":"cash","amount":2000,"refunded":2000,"outcome":"voided"}`, "export", "--json")
	desk.says("", 2, "give only one of --sales, --days", "export", "--sales", "--days")
	desk.says("", 2, "give --csv or --json, not both", "export", "--csv", "--json")
}

// refundedLate returns a desk with the orders of [desk.taken]. For one of the orders, a refund was
// recorded and later taken back. The second of these transfers was recorded a day late.
func refundedLate(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.taken()
	store := desk.store()
	refund := ledger.Transfer{
		At: desk.now(), Booked: desk.now(), Kind: ledger.Refund, From: ledger.Drawer("T1"), To: ledger.Sales, Amount: 1200, Till: "T1", By: "Soa",
		Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: "A2"}, Note: "=1+1",
	}
	back := refund
	back.From, back.To, back.Corrects, back.Note = refund.To, refund.From, 5, "typing error; Soa"
	back.Booked = back.At.AddDate(0, 0, 1)
	for _, transfer := range []ledger.Transfer{refund, back} {
		tuitest.Must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.Post(transfer) }))
	}
	return desk
}

func TestTheExportHasARowForEachTransfer(t *testing.T) {
	desk := refundedLate(t)
	at, late := desk.now().Local().Format(time.RFC3339), desk.now().Local().AddDate(0, 0, 1).Format(time.RFC3339)
	rows, err := csv.NewReader(strings.NewReader(desk.output("export", "--transfers", "--from", "2026-11-20"))).ReadAll()
	tuitest.Must(t, err)
	if len(rows) != 7 || rows[1][0] != "1" || rows[1][3] != "sale" {
		t.Fatalf("got %v", rows)
	}
	for number, want := range map[int]string{
		0: "Number|Moved|Recorded|Kind|From|To|Amount|Till|By|Payment|Reference|Takes back|Note",
		5: "5|" + at + "|" + at + "|refund|drawer/T1|sales|1200|T1|Soa|order|A2||'=1+1",
		6: "6|" + at + "|" + late + "|refund|sales|drawer/T1|1200|T1|Soa|order|A2|5|typing error; Soa",
	} {
		if got := strings.Join(rows[number], "|"); got != want {
			t.Errorf("row %d: got\n%s\nwant\n%s", number, got, want)
		}
	}
	if day := desk.output("export", "--transfers", "--from", "2026-11-20", "--to", "2026-11-20"); strings.Count(day, "\n") != 2 {
		t.Errorf("got more or less than one transfer on the day before:\n%s", day)
	}
	desk.says("", 0, `"from":"sales","to":"drawer/T1","amount":1200,"till":"T1","by":"Soa","payment":"order","reference":"A2","corrects":5,`,
		"export", "--transfers", "--json")
	desk.says("", 2, "give only one of --sales, --days", "export", "--transfers", "--days")
}

func TestTheExportWritesAJournalForHledger(t *testing.T) {
	desk := refundedLate(t)
	want := `
    ; transfer:5, till:T1, by:Soa
    ; note:=1+1
    income:sales  1200 Ar
    assets:drawer:T1  -1200 Ar

2026-11-21 * (A2) refund: 2 × Vary, Coca
    ; transfer:6, till:T1, by:Soa
    ; corrects:5
    ; note:typing error. Soa
    ; booked:2026-11-22
    assets:drawer:T1  1200 Ar
    income:sales  -1200 Ar
`
	got := desk.output("export", "--hledger", "--lang", "fr")
	if !strings.HasPrefix(got, "commodity Ar\n") || !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant it to end with\n%s", got, want)
	}
	for _, form := range []string{"--csv", "--json"} {
		desk.says("", 2, "give --hledger without --csv and --json", "export", "--hledger", form)
	}
	desk.says("", 2, "give only one of --sales, --days", "export", "--hledger", "--sales")
}

func TestTheExportIsWrittenToANewFile(t *testing.T) {
	t.Parallel()
	desk := traded(t)
	folder := t.TempDir()
	for _, form := range []string{"--csv", "--days", "--transfers", "--hledger", "--json"} {
		file := filepath.Join(folder, "journal"+form)
		desk.says("", 0, "wrote "+file, "export", form, "--output", file)
		if desk.out.String() != "" {
			t.Errorf("%s: standard output has\n%s", form, desk.out)
		}
		written, err := os.ReadFile(file)
		tuitest.Must(t, err)
		if want := desk.output("export", form); string(written) != want {
			t.Errorf("%s: the file has\n%s\nwant\n%s", form, written, want)
		}
		if about, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", form, about.Mode(), err)
		}
	}
	kept := filepath.Join(folder, "kept.csv")
	tuitest.Must(t, os.WriteFile(kept, []byte("kept"), 0o600))
	for _, form := range []string{"--csv", "--json"} {
		desk.says("", 1, kept+" is there already: name another one", "export", form, "--output", kept)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "kept" {
		t.Errorf("an existing file has %q, %v", text, err)
	}
	missing := filepath.Join(folder, "missing")
	desk.says("", 1, "there is no folder "+missing, "export", "--output", filepath.Join(missing, "journal.csv"))
	if text := desk.output("export", "--output", "-"); text != desk.output("export") {
		t.Errorf("to standard output it writes\n%s", text)
	}
	left, err := filepath.Glob(filepath.Join(folder, ".till-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %q, %v", left, err)
	}
}
