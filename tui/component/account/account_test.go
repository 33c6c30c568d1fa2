package account_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/component/account"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// Paper of 32 columns is the narrowest paper of receipt printers. A line that is too wide for it
// would be wrapped in the middle of an amount.
func TestNoAmountIsCutOnNarrowPaper(t *testing.T) {
	at := time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
	move := func(kind ledger.Kind, from, to ledger.Account) ledger.Transfer {
		return ledger.Transfer{At: at, Kind: kind, From: from, To: to, Amount: 1_234_500, Till: "T1", By: "Rasoanirina", Note: "sachet déchiré par terre"}
	}
	cash := ledger.Drawer("T1")
	of := drawer.Closing{Number: "T1-GT-0001", At: at, VAT: 20, GrandTotal: 123_456_700}
	of.Account = drawer.Account{
		Till: "T1", Since: at, Seal: "0123abcd4567ef89", Received: money.Sum{Count: 3, Amount: 1_234_500}, Returned: money.Sum{Count: -1, Amount: -1_234_500},
		Moves:  map[drawer.Kind]money.Sum{},
		Counts: []drawer.Tally{{Move: drawer.Move{Amount: 1_234_500, By: "Rasoanirina", At: at}, Expected: 7}},
		Trace: []ledger.Transfer{
			move(ledger.In, ledger.Owner, cash), move(ledger.Out, cash, ledger.Owner), move(ledger.Refund, cash, ledger.Sales),
			move(ledger.Refund, ledger.Service, ledger.Sales), move(ledger.Refund, ledger.Sales, cash), move(ledger.Void, cash, ledger.Sales),
			move(ledger.Sale, ledger.Sales, ledger.Service), move(ledger.Sale, ledger.Service, ledger.Sales), move(ledger.Restore, cash, cash),
		},
	}
	for _, kind := range drawer.Kinds() {
		of.Moves[kind] = money.Sum{Count: 12, Amount: 1_234_500}
	}
	for _, language := range i18n.Languages() {
		for width := 24; width <= 48; width++ {
			lines := account.Closing(i18n.Load(language), of, width)
			for _, line := range lines {
				if theme.Width(line) > width || strings.Contains(line, "…") {
					t.Errorf("%s, %d columns: %q", language, width, line)
				}
			}
			tuitest.Contains(t, strings.Join(lines, "\n"), "0123 abcd 4567 ef89")
			if got := strings.Count(strings.Join(lines, "\n"), "1 234 500"); got < 18 {
				t.Errorf("%s, %d columns: %d amounts are whole\n%s", language, width, got, strings.Join(lines, "\n"))
			}
		}
	}
}

func TestAWriteOffAndARenameNameTheCustomers(t *testing.T) {
	at := time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
	rabe, jean := ledger.Customer("r"), ledger.Customer("j")
	of := drawer.Account{
		Names: map[ledger.Account]string{rabe: "Rabe", jean: "Rabe Jean"},
		Trace: []ledger.Transfer{
			{At: at, Kind: ledger.Waived, From: rabe, To: ledger.WrittenOff, Amount: 2000, By: "Soa", Note: "moved away"},
			{At: at, Kind: ledger.Renamed, From: rabe, To: jean, Amount: 3000, By: "Soa"},
			{At: at, Kind: ledger.Out, From: ledger.Drawer("T1"), To: ledger.Owner, Amount: 500, By: "Soa", Note: "bags"},
		},
	}
	text := strings.Join(account.Lines(i18n.Load("en"), at, of, account.Width), "\n")
	tuitest.Contains(t, text, "21/11 17:00 Soa · Rabe: moved away", "21/11 17:00 Soa · from Rabe to Rabe Jean", "21/11 17:00 Soa: bags")
}

// If a clock was ahead by a year, a movement from that time must not look like one of today.
func TestAMoveOfAnotherYearShowsItsYear(t *testing.T) {
	now := time.Date(2026, 11, 21, 17, 0, 0, 0, time.FixedZone("", 3*60*60))
	for at, want := range map[time.Time]string{
		now.Add(-time.Hour):   "21/11 16:00 Soa",
		now.AddDate(1, 0, 0):  "21/11/2027 17:00 Soa",
		now.AddDate(-1, 0, 0): "21/11/2025 17:00 Soa",
	} {
		open := drawer.Account{Trace: []ledger.Transfer{{At: at.UTC(), Kind: ledger.Out, Amount: 500, By: "Soa"}}}
		tuitest.Contains(t, strings.Join(account.Lines(i18n.Load("en"), now, open, account.Width), "\n"), want)
	}
}

func TestAClosingShowsTheOffsetOfItsZone(t *testing.T) {
	at := time.Date(2026, 11, 28, 14, 48, 0, 0, time.FixedZone("", -11*60*60))
	title := account.Title(i18n.Load("en"), drawer.Closing{Number: "T1-GT-0001", By: "Soa", At: at, Account: drawer.Account{Till: "T1"}})
	tuitest.Contains(t, title, "28/11/2026 14:48 -11:00")
}

func TestAnOpenAccountShowsItsMoment(t *testing.T) {
	now := time.Date(2026, 11, 28, 14, 48, 0, 0, time.UTC)
	tuitest.Equal(t, account.OpenTitle(i18n.Load("en"), now), "X: not closed yet · 28/11/2026 14:48", "the title")
}

func TestANoteIsNotReadAsAPartOfTheAmount(t *testing.T) {
	row := account.Row{Label: "Owed in all", Amount: "28 000", Note: "customers: 2"}
	tuitest.Equal(t, row.Lines(32)[1:], []string{"customers: 2"}, "the lines below the amount")
	tuitest.Equal(t, len(row.Lines(33)), 1, "lines")
}

func TestTheTotalBeforeAClosingIsTheOneOfTheReport(t *testing.T) {
	now := time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
	of := drawer.Account{
		Received: money.Sum{Count: 26, Amount: 184_500}, Moves: map[drawer.Kind]money.Sum{drawer.Cash: {Count: 8, Amount: 78_800}},
		Flows: map[drawer.Tender]drawer.Flow{drawer.TenderAccount: {Taken: money.Sum{Count: 2, Amount: 28_000}}},
	}
	texts := i18n.Load("en")
	const sums = ": 291 300 Ar. Mobile money 184 500 (26), cash 78 800 (8), on account 28 000 (2)."
	tuitest.Equal(t, strings.Join(account.Open(texts, now, of)[:2], " "), "36 sales so far"+sums, "the sums")
	of.Since = now.AddDate(0, 0, -1)
	tuitest.Equal(t, strings.Join(account.Open(texts, now, of)[:2], " "), "36 sales since 20/11 17:00"+sums, "the sums")
}

// Cash is sold after the count.
func TestTheDifferenceBeforeAClosingIsThatOfTheCount(t *testing.T) {
	of := drawer.Account{
		Moves:  map[drawer.Kind]money.Sum{drawer.Float: {Count: 1, Amount: 50_000}, drawer.Cash: {Count: 2, Amount: 11_500}},
		Counts: []drawer.Tally{{Move: drawer.Move{Amount: 58_000}, Expected: 58_500}},
	}
	lines := account.Open(i18n.Load("en"), time.Time{}, of)
	if got, want := lines[len(lines)-1], "Drawer: 58 000 of 58 500, 500 Ar are missing. Since the count: +3 000."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
