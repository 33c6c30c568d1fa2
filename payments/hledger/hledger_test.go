package hledger_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments/drawer"
	"checkout/till/payments/hledger"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/sqlitetest"
)

// zone returns the time zone of Madagascar.
func zone() *time.Location { return time.FixedZone("EAT", 3*60*60) }

// evening returns 23:00 in the shop's time zone.
func evening() time.Time { return time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func journal(t *testing.T, zone *time.Location, transfers []ledger.Transfer, articles map[ledger.Payment]string) string {
	t.Helper()
	var written strings.Builder
	must(t, hledger.Write(&written, zone, transfers, articles, map[ledger.Account]string{"customer/A1": "Rabe: \"Jean\" ; (2)"}))
	return written.String()
}

// ask runs a command of hledger on a journal, and returns its output.
func ask(t *testing.T, journal string, command ...string) []byte {
	t.Helper()
	program, err := exec.LookPath("hledger")
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("this machine has no hledger")
	}
	asked := exec.CommandContext(t.Context(), program, append([]string{"-f", "-"}, command...)...)
	asked.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // In another locale hledger may refuse accents.
	asked.Stdin = strings.NewReader(journal)
	var printed, said bytes.Buffer
	asked.Stdout, asked.Stderr = &printed, &said
	if err := asked.Run(); err != nil {
		t.Fatalf("hledger %s: %v\n%s\n%.4000s", strings.Join(command, " "), err, said.String(), journal)
	}
	return printed.Bytes()
}

// evenings returns transfers of most kinds, and the articles of their payments.
func evenings() ([]ledger.Transfer, map[ledger.Payment]string) {
	order := ledger.Payment{Kind: ledger.ByOrder, Ref: "T1-20261121-GT-0001"}
	sale := ledger.Payment{Kind: ledger.AtCounter, Ref: "T1-GT-C-000001"}
	closing := ledger.Payment{Kind: ledger.OfClosing, Ref: "T1-GT-0001"}
	till := ledger.Drawer("T1")
	transfers := []ledger.Transfer{
		{Kind: ledger.Float, From: ledger.Owner, To: till, Amount: 50_000, By: "Soa"},
		{Kind: ledger.Sale, From: ledger.Sales, To: till, Amount: 2000, By: "Soa", Payment: sale},
		{Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service, Amount: 9000, Payment: order},
		{Kind: ledger.Refund, From: till, To: ledger.Sales, Amount: 1000, By: "Soa", Payment: order, Note: "broken"},
		{Kind: ledger.Refund, From: ledger.Sales, To: till, Amount: 1000, By: "Rado", Payment: order, Corrects: 4, Note: "a mistake"},
		{Kind: ledger.Void, From: till, To: ledger.Sales, Amount: 2000, By: "Soa", Payment: sale, Note: "wrong"},
		{Kind: ledger.Out, From: till, To: ledger.Owner, Amount: 5000, By: "Soa", Note: "bread"},
		{Kind: ledger.Count, From: till, To: till, Amount: 44_000, By: "Soa"},
		{Kind: ledger.Missed, From: till, To: ledger.Difference, Amount: 1000, By: "Soa", Payment: closing},
		{Kind: ledger.Closing, From: till, To: ledger.Owner, Amount: 44_000, By: "Soa", Payment: closing},
		{Kind: ledger.Restore, From: till, To: till, By: "T1"},
	}
	for i := range transfers {
		transfers[i].ID = int64(i + 1)
		transfers[i].Till = "T1"
		transfers[i].At = evening().Add(time.Duration(i) * 10 * time.Minute)
		transfers[i].Booked = transfers[i].At
	}
	transfers[9].At = evening() // The clock was set back: this transfer belongs to the day before.
	transfers[9].Booked = transfers[9].At
	transfers[2].Booked = evening().Add(2 * time.Hour) // The proof came late.
	return transfers, map[ledger.Payment]string{order: "2 × Vary, Coca", sale: "Kafe; être"}
}

func TestAJournalHasATransactionForEachTransfer(t *testing.T) {
	transfers, articles := evenings()
	got := journal(t, zone(), transfers, articles)
	want, err := os.ReadFile("testdata/evening.journal")
	if err != nil || got != string(want) {
		t.Errorf("got\n%s\nwant\n%s (%v)", got, want, err)
	}
	checked(t, got)
}

// checked fails the test if hledger refuses the journal.
func checked(t *testing.T, journal string) {
	t.Helper()
	ask(t, journal, "check", "-s")
	ask(t, journal, "check", "ordereddates")
}

func TestEachCustomerHasAnAccount(t *testing.T) {
	transfers := []ledger.Transfer{
		{ID: 1, Kind: ledger.Sale, From: ledger.Sales, To: ledger.Customer("A1"), Amount: 1},
		{ID: 2, Kind: ledger.Sale, From: ledger.Sales, To: ledger.Customer("A2"), Amount: 2},
		{ID: 3, Kind: ledger.Sale, From: ledger.Sales, To: ledger.Customer("A3"), Amount: 3},
	}
	var written strings.Builder
	must(t, hledger.Write(&written, zone(), transfers, nil, map[ledger.Account]string{
		"customer/A1": "Rabe (Soa)", "customer/A2": "Rabe /Soa/", "customer/A3": "Rabe",
	}))
	for _, want := range []string{"    assets:customer:Rabe -Soa A1  1 Ar\n", "    assets:customer:Rabe -Soa A2  2 Ar\n", "    assets:customer:Rabe  3 Ar\n"} {
		if !strings.Contains(written.String(), want) {
			t.Errorf("the journal lacks %q:\n%s", want, written.String())
		}
	}
	checked(t, written.String())
}

func TestAJournalWithoutTransfersIsAJournal(t *testing.T) {
	got := journal(t, zone(), nil, nil)
	if want := "commodity Ar\n\naccount assets:service\naccount equity:owner\naccount expenses:difference\naccount income:sales\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checked(t, got)
}

type read struct {
	Code        string      `json:"tcode"`
	Description string      `json:"tdescription"`
	Tags        [][2]string `json:"ttags"`
	Postings    []struct {
		Account string `json:"paccount"`
	} `json:"tpostings"`
}

func TestTextsCannotChangeTheMeaningOfAJournal(t *testing.T) {
	for name, c := range map[string]struct{ text, code, description, tag string }{
		"plain letters":     {"Soa", "Soa", "Soa", "Soa"},
		"a code that ends":  {"A) B (C)", "A] B (C]", "A) B (C)", "A) B (C)"},
		"a comment":         {"Vary; Coca", "Vary; Coca", "Vary, Coca", "Vary. Coca"},
		"a payee":           {"Vary | Coca", "Vary | Coca", "Vary / Coca", "Vary | Coca"},
		"tags":              {"a, due:2026-01-01, date:1/1", "a, due:2026-01-01, date:1/1", "a, due:2026-01-01, date:1/1", "a. due.2026-01-01. date.1/1"},
		"tags of ledger":    {":x:y: z:: 1", ":x:y: z:: 1", ":x:y: z:: 1", ".x.y. z.. 1"},
		"a date of ledger":  {"[2 pieces]", "[2 pieces]", "[2 pieces]", "(2 pieces)"},
		"a posting":         {"x\n    assets:service  5 Ar", "x assets:service 5 Ar", "x assets:service 5 Ar", "x assets.service 5 Ar"},
		"line ends":         {"a\r\nb\rc\u2028d\u0085e\vf", "a b c d e f", "a b c d e f", "a b c d e f"},
		"control and zeros": {"a\x00b\x1b[2J", "ab[2J", "ab[2J", "ab(2J"},
		"French":            {"« Crème brûlée » – 1,2 kg à Noël", "« Crème brûlée » – 1,2 kg à Noël", "« Crème brûlée » – 1,2 kg à Noël", "« Crème brûlée » – 1.2 kg à Noël"},
		"Malagasy":          {"tsaramasô n̈y vôankazo", "tsaramasô n̈y vôankazo", "tsaramasô n̈y vôankazo", "tsaramasô n̈y vôankazo"},
		"not UTF-8":         {"caf\xe9", "caf\ufffd", "caf\ufffd", "caf\ufffd"},
		"signs before":      {"* ! = ~ @ \"{(x", "* ! = ~ @ \"{(x", "* ! = ~ @ \"{(x", "* ! = ~ @ \"{(x"},
	} {
		t.Run(name, func(t *testing.T) {
			transfers, _ := evenings()
			sale := transfers[1]
			sale.Payment.Ref, sale.Till, sale.By, sale.Note = c.text, c.text, c.text, c.text
			out := transfers[6]
			out.Note = c.text
			written := journal(t, zone(), []ledger.Transfer{sale, out}, map[ledger.Payment]string{sale.Payment: c.text})
			for _, want := range []string{
				"* (" + c.code + ") sale: " + c.description + "\n", "* out: " + c.description + "\n",
				"; transfer:2, till:" + c.tag + ", by:" + c.tag + "\n", "; note:" + c.tag + "\n",
			} {
				if !strings.Contains(written, want) {
					t.Fatalf("the journal lacks %q:\n%s", want, written)
				}
			}
			checked(t, written)
			var got []read
			must(t, json.Unmarshal(ask(t, written, "print", "-O", "json"), &got))
			if len(got) != 2 || len(got[0].Postings) != 2 || got[0].Code != c.code || got[0].Description != "sale: "+c.description ||
				got[1].Code != "" || got[1].Description != "out: "+c.description {
				t.Fatalf("hledger reads %+v from\n%s", got, written)
			}
			want := fmt.Sprint([][2]string{{"transfer", "2"}, {"till", c.tag}, {"by", c.tag}, {"note", c.tag}})
			if tags := fmt.Sprint(got[0].Tags); tags != want {
				t.Errorf("hledger finds the tags %s, want %s", tags, want)
			}
		})
	}
}

// The random histories contain late proofs, both kinds of refunds, voids, counts and closings.
func TestBalancesInHledgerAreThoseOfTheLedger(t *testing.T) {
	store := sqlitetest.Open(t)
	storagetest.RunDrawer(t, store)
	history := storagetest.NewHistory(t, store, 1, storagetest.Size(200, 2000))
	late := history.Sell()
	history.Steps(5)
	_, err := history.ReceiveLate(t.Context(), storagetest.Success(late), []byte("{}"), late.CreatedAt)
	must(t, err)
	transfers, articles, err := drawer.New(store, history.Service).Transfers(t.Context(), money.Period{To: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)})
	must(t, err)
	written := journal(t, midnight(t, transfers), transfers, articles)
	checked(t, written)
	for _, part := range []string{"; booked:", "; counted:", "; corrects:", " void: ", " difference", " closing", "sale: 2 × Vary"} {
		if !strings.Contains(written, part) {
			t.Errorf("no transaction has %q", part)
		}
	}
	want := map[string]money.Ariary{}
	for _, transfer := range transfers {
		want[named(transfer.To)] += transfer.Amount
		want[named(transfer.From)] -= transfer.Amount
	}
	if got := balances(t, written); !maps.Equal(got, want) {
		t.Errorf("hledger has %v\nwant %v", got, want)
	}
	if dates := strings.Count(written, "\n20"); dates != len(transfers) || dates < 20 {
		t.Errorf("%d transactions for %d transfers", dates, len(transfers))
	}
}

// midnight returns a time zone in which a late proof was recorded at midnight, so that its transfer
// was booked a day after the payment.
func midnight(t *testing.T, transfers []ledger.Transfer) *time.Location {
	t.Helper()
	late := slices.IndexFunc(transfers, func(t ledger.Transfer) bool { return t.Booked.After(t.At) })
	if late < 0 {
		t.Fatal("no proof came late")
	}
	booked := transfers[late].Booked
	return time.FixedZone("", int(booked.Truncate(24*time.Hour).Add(24*time.Hour).Sub(booked).Seconds()))
}

// named returns the name that an account must have in the journal.
func named(account ledger.Account) string {
	if code, is := strings.CutPrefix(string(account), "drawer/"); is {
		return "assets:drawer:" + code
	}
	if code, is := strings.CutPrefix(string(account), "customer/"); is {
		return "assets:customer:" + code
	}
	kinds := map[ledger.Account]string{"sales": "income", "owner": "equity", "difference": "expenses", "written_off": "expenses"}
	return cmp.Or(kinds[account], "assets") + ":" + string(account)
}

// balances returns the balances of all accounts in hledger.
func balances(t *testing.T, journal string) map[string]money.Ariary {
	t.Helper()
	printed := ask(t, journal, "balance", "--flat", "--empty", "--no-total", "-O", "csv")
	rows, err := csv.NewReader(bytes.NewReader(printed)).ReadAll()
	must(t, err)
	found := map[string]money.Ariary{}
	for _, row := range rows[1:] {
		var amount money.Ariary
		_, err := fmt.Sscan(row[1], &amount) // "9000 Ar", or "0".
		must(t, err)
		found[row[0]] = amount
	}
	return found
}
