// Package account formats accounts, closings and the journal as text. An account has the sums since
// the till's last closing.
package account

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
)

// Width is the usual width of an account as text, in columns: the width of wide receipt paper.
const Width = 42

// Row is a label with a sum. Without a label it is a horizontal line.
type Row struct {
	Label, Amount string
	Note          string
	Strong        bool // The sum is computed from others, such as the expected cash.
	Alert         bool // The row shows a problem, such as a difference.
}

// Rows returns the rows about the cash in the drawer, with times in the zone of now. A blind
// account ([drawer.Account.Blind]) hides the expected cash, and the sums from which it could be
// computed.
func Rows(texts i18n.Texts, now time.Time, account drawer.Account) []Row {
	words := texts.Account
	labels := map[drawer.Kind]string{
		drawer.Float: words.Float, drawer.In: words.In, drawer.Cash: words.Cash,
		drawer.Paid: texts.Debts.Paid, drawer.Void: words.Void, drawer.Refund: words.Refund, drawer.Reversal: words.Reversal, drawer.Out: words.Out,
		drawer.Open: words.Opened, drawer.Restore: words.Restored,
	}
	var rows []Row
	for _, kind := range drawer.Kinds() {
		sum := account.Moves[kind]
		usual := kind == drawer.Float || kind == drawer.Cash || kind == drawer.Out
		sold := kind == drawer.Cash || kind == drawer.Paid || kind == drawer.Void || kind == drawer.Refund || kind == drawer.Reversal
		if kind == drawer.Count || sum == (money.Sum{}) && !usual || account.Blind && sold {
			continue
		}
		row := Row{Label: labels[kind], Amount: signed(kind.Sign() * sum.Amount)}
		switch {
		case kind == drawer.Float:
			row.Amount = i18n.Number(int64(sum.Amount))
		case kind == drawer.Open:
			row.Amount = i18n.Number(sum.Count) + " ×"
		case kind == drawer.Restore:
			row.Amount = i18n.Number(sum.Count) + " ×"
			row.Alert = true
		case kind == drawer.Cash && sum.Count > 0:
			row.Note = texts.Today.Count(sum.Count)
		}
		rows = append(rows, row)
	}
	expected := i18n.Number(int64(account.Expected()))
	if account.Blind {
		expected = words.Blind
	}
	rows = append(rows, Row{}, Row{Label: words.Expected, Amount: expected, Strong: true})
	for _, count := range account.Counts {
		note := i18n.Clock(count.At.In(now.Location())) + " " + count.By
		difference := count.Difference()
		rows = append(rows, Row{Label: words.Counted, Amount: i18n.Number(int64(count.Amount)), Note: note})
		rows = append(rows, Row{Label: words.Difference, Amount: signed(difference), Note: says(texts, difference), Strong: true, Alert: difference != 0})
	}
	if came := account.SinceCount(); came != 0 {
		rows = append(rows, Row{Label: words.SinceCount, Amount: signed(came)})
	}
	return rows
}

func trace(texts i18n.Texts, now time.Time, account drawer.Account, width int) (lines []string) {
	words := texts.Account
	for _, moved := range account.Trace {
		word, amount := words.Refund, -moved.Into(moved.PaidFor())
		switch {
		case moved.Kind == ledger.In:
			word, amount = words.In, moved.Amount
		case moved.Kind == ledger.Out:
			word, amount = words.Out, -moved.Amount
		case moved.Kind == ledger.Waived:
			word, amount = texts.Debts.WrittenOff, -moved.Into(ledger.WrittenOff)
		case moved.Kind == ledger.Renamed:
			word, amount = texts.Debts.Renamed, moved.Amount
		case moved.Kind == ledger.Void:
			word = words.Void
		case (moved.Kind == ledger.Sale || moved.Kind == ledger.Paid) && moved.Back():
			word = texts.Verdicts[payments.VerdictMarkedUnpaid]
		case moved.Kind == ledger.Sale, moved.Kind == ledger.Paid:
			word = texts.Verdicts[payments.VerdictMarkedPaid]
		case moved.Kind == ledger.Opened:
			word = words.Opened
		case moved.Kind == ledger.Restore:
			word = words.Restored
		case moved.Back():
			word = words.Reversal
		case moved.AtService():
			word = words.Returned
		}
		at := moved.At.In(now.Location())
		note := i18n.Moment(at) + " " + moved.By
		if at.Year() != now.Year() {
			note = moment(at) + " " + moved.By
		}
		if customer := whose(texts, account, moved); customer != "" {
			note += " · " + customer
		}
		if moved.Note != "" {
			note = texts.Frame.Labelled.With(note, moved.Note)
		}
		lines = append(lines, Row{Label: word, Amount: signed(amount)}.Lines(width)...)
		lines = append(lines, strings.Split(theme.Wrap(note, width), "\n")...)
	}
	return lines
}

// whose returns the name of the customer in a transfer, or "" without one. For a debt that was
// moved, it returns both names.
func whose(texts i18n.Texts, account drawer.Account, moved ledger.Transfer) string {
	from, to := account.Names[moved.From], account.Names[moved.To]
	if from != "" && to != "" {
		return texts.Debts.FromTo.With(from, to)
	}
	return from + to
}

func says(texts i18n.Texts, difference money.Ariary) string {
	words := texts.Account
	switch {
	case difference < 0:
		return words.Missing.With(i18n.Money(-difference))
	case difference > 0:
		return words.Surplus.With(i18n.Money(difference))
	}
	return words.Exact
}

// signed formats a change of an amount: +5 000, −500 or 0.
func signed(amount money.Ariary) string {
	return strings.TrimSuffix(i18n.Signed(amount), " Ar")
}

// Lines returns an account before its closing as lines of width columns, with times in the zone of
// now.
func Lines(texts i18n.Texts, now time.Time, account drawer.Account, width int) []string {
	lines := sums(texts, now, account, width)
	if account.Seal != "" {
		lines = append(append(lines, Row{}.Lines(width)...), seal(texts, account).Lines(width)...)
	}
	return lines
}

func seal(texts i18n.Texts, account drawer.Account) Row {
	const group = 4
	var groups []string
	for part := range slices.Chunk([]byte(account.Seal), group) {
		groups = append(groups, string(part))
	}
	return Row{Label: texts.Account.Seal, Amount: strings.Join(groups, " ")}
}

func sums(texts i18n.Texts, now time.Time, account drawer.Account, width int) (lines []string) {
	words := texts.Account
	all := []Row{{Label: words.Received, Amount: i18n.Number(int64(account.Received.Amount)), Note: texts.Today.Count(account.Received.Count)}}
	if account.Returned != (money.Sum{}) {
		all = append(all, Row{Label: words.Returned, Amount: signed(-account.Returned.Amount)})
	}
	for _, tender := range drawer.CounterTenders() {
		flow, moved := account.Flows[tender]
		if !moved {
			continue
		}
		all = append(all, Row{
			Label: texts.TenderTitles[string(tender)], Amount: i18n.Number(int64(flow.Taken.Amount)), Note: texts.Today.Count(flow.Taken.Count),
		})
		if flow.Returned != (money.Sum{}) {
			all = append(all, Row{Label: words.Returned, Amount: signed(-flow.Returned.Amount)})
		}
	}
	for _, way := range drawer.Ways() {
		if sum, moved := account.Debts[way.Tender]; moved && way.Tender != drawer.TenderCash {
			label := texts.Frame.Labelled.With(texts.Debts.Paid, texts.TenderKeys[string(way.Tender)])
			all = append(all, Row{Label: label, Amount: signed(sum.Amount)})
		}
	}
	if account.Owed.Amount > 0 {
		all = append(all, Row{Label: texts.Debts.Owed, Amount: i18n.Number(int64(account.Owed.Amount)), Note: texts.Debts.Customers.With(account.Owed.Count)})
	}
	all = append(all, Rows(texts, now, account)...)
	for _, row := range all {
		lines = append(lines, row.Lines(width)...)
	}
	if traced := trace(texts, now, account, width); len(traced) > 0 {
		lines = append(append(lines, Row{}.Lines(width)...), traced...)
	}
	return lines
}

// Closing returns a closing as lines of width columns, with times in the zone of closing.At.
func Closing(texts i18n.Texts, closing drawer.Closing, width int) []string {
	words, taken := texts.Account, closing.Taken()
	rows := []Row{{}}
	if !closing.Since.IsZero() {
		rows = append(rows, Row{Label: words.Since, Amount: moment(closing.Since.In(closing.At.Location()))})
	}
	rows = append(rows, Row{Label: words.Takings, Amount: i18n.Number(int64(taken.Amount)), Note: texts.Today.Count(taken.Count)})
	if closing.VAT > 0 {
		rows = append(rows, Row{Label: texts.Receipt.Tax.With(closing.VAT), Amount: i18n.Number(int64(money.TaxIn(taken.Amount, closing.VAT)))})
	}
	rows = append(rows, Row{Label: words.GrandTotal, Amount: i18n.Number(int64(closing.GrandTotal))}, seal(texts, closing.Account))
	lines := sums(texts, closing.At, closing.Account, width)
	for _, row := range rows {
		lines = append(lines, row.Lines(width)...)
	}
	return lines
}

// moment is [i18n.Moment] with the year, because the paper of an account is kept.
func moment(at time.Time) string { return i18n.Date(at) + " " + i18n.Clock(at) }

// Lines returns the row as one or more lines for the given width. If the note is on the same line
// as the amount, at least two blanks separate them: "customers: 2 28 000" would be read as one
// number.
func (r Row) Lines(width int) []string {
	if r.Label == "" {
		return []string{theme.Rule(width)}
	}
	head := []string{theme.Spread(r.Label, r.Amount, width)}
	if theme.Width(r.Label)+1+theme.Width(r.Amount) > width {
		head = append(strings.Split(theme.Wrap(r.Label, width), "\n"), theme.AlignRight(r.Amount, width))
	}
	if r.Note == "" {
		return head
	}
	whole := r.Label + ", " + r.Note
	if !r.Alert && theme.Width(whole+"  "+r.Amount) <= width {
		return []string{theme.Spread(whole, r.Amount, width)}
	}
	return append(head, r.Note)
}

// Title returns the title of a closing. The time in it has a zone offset, because the date may
// differ in another zone.
func Title(texts i18n.Texts, closing drawer.Closing) string {
	return texts.Account.Closing.With(closing.Number, closing.Till, closing.By, moment(closing.At)+closing.At.Format(" -07:00"))
}

// OpenTitle returns the title of an account before its closing. The title has the time, because the
// account's seal proves nothing that was recorded later.
func OpenTitle(texts i18n.Texts, now time.Time) string {
	return texts.Account.Slip + " · " + moment(now)
}

// Open returns sentences about the takings and the cash of an account before its closing, with
// times in the zone of now. A blind account ([drawer.Account.Blind]) hides both.
func Open(texts i18n.Texts, now time.Time, account drawer.Account) []string {
	words, taken := texts.Account, account.Taken()
	if account.Blind {
		return []string{words.BlindSum}
	}
	cash, mobile := account.CashSales(), account.Received
	mobile.Amount -= account.Returned.Amount
	cash.Amount = taken.Amount - mobile.Amount // The refunds in cash are already subtracted. The loop subtracts the other tenders.
	others := ""
	for _, tender := range drawer.CounterTenders() {
		flow, moved := account.Flows[tender]
		if !moved {
			continue
		}
		left := flow.Taken.Amount - flow.Returned.Amount
		cash.Amount -= left
		others += fmt.Sprintf(", %s %s (%d)", texts.TenderKeys[string(tender)], i18n.Number(int64(left)), flow.Taken.Count)
	}
	sales := words.SoFar.With(texts.Today.Count(taken.Count))
	if !account.Since.IsZero() {
		sales = words.SinceClosing.With(texts.Today.Count(taken.Count), i18n.Moment(account.Since.In(now.Location())))
	}
	counted := words.ExpectedSum.With(i18n.Number(int64(account.Expected())))
	if count, is := account.LastCount(); is {
		counted = words.CountedSum.With(i18n.Number(int64(count.Amount)), i18n.Number(int64(count.Expected)), says(texts, count.Difference()))
	}
	if came := account.SinceCount(); came != 0 {
		counted += " " + texts.Frame.Labelled.With(words.SinceCount, signed(came)) + "."
	}
	tenders := words.Taken.With(i18n.Number(int64(mobile.Amount)), mobile.Count, i18n.Number(int64(cash.Amount)), cash.Count)
	return []string{texts.Frame.Labelled.With(sales, i18n.Money(taken.Amount)) + ".", tenders + others + ".", counted}
}
