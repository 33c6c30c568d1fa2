// Package account formats a till's account as rows: the sums since the till's last closing. The
// screen of the day, the command "till close" and the printed closing use this package, so that
// they show the same sums.
package account

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/theme"
)

// Width is the usual width of an account as text, in columns: the width of wide receipt paper.
const Width = 42

// Row is a label and a sum. A row without a label is drawn as a horizontal line.
type Row struct {
	Label, Amount string
	Note          string // A detail, such as the number of sales or who counted the money.
	Strong        bool   // The sum is calculated, such as the expected cash.
	Alert         bool   // The row shows a problem, such as a difference.
}

// Rows returns the rows about the cash in the drawer: the money put in and taken out, the expected
// cash and, if it was counted, the counted cash.
func Rows(texts i18n.Texts, zone *time.Location, account drawer.Account) []Row {
	words := texts.Account
	labels := map[drawer.Kind]string{
		drawer.Float: words.Float, drawer.In: words.In, drawer.Cash: words.Cash,
		drawer.Void: words.Void, drawer.Refund: words.Refund, drawer.Reversal: words.Reversal, drawer.Out: words.Out,
		drawer.Restore: words.Restored,
	}
	var rows []Row
	for _, kind := range drawer.Kinds() {
		sum := account.Moves[kind]
		usual := kind == drawer.Float || kind == drawer.Cash || kind == drawer.Out
		if kind == drawer.Count || sum.Count == 0 && !usual {
			continue
		}
		row := Row{Label: labels[kind], Amount: signed(kind.Sign() * sum.Amount)}
		switch {
		case kind == drawer.Float:
			row.Amount = i18n.Number(int64(sum.Amount))
		case kind == drawer.Restore:
			row.Amount = i18n.Number(sum.Count) + " ×"
			row.Alert = true
		case kind == drawer.Cash && sum.Count > 0:
			row.Note = texts.Today.Count(sum.Count)
		}
		rows = append(rows, row)
	}
	rows = append(rows, Row{}, Row{Label: words.Expected, Amount: i18n.Number(int64(account.Expected())), Strong: true})
	difference, counted := account.Difference()
	if !counted {
		return rows
	}
	count := account.Counted
	note := i18n.Clock(count.At.In(zone)) + " " + count.By
	rows = append(rows, Row{Label: words.Counted, Amount: i18n.Number(int64(count.Amount)), Note: note})
	result := Row{Label: words.Difference, Amount: signed(difference), Note: says(texts, difference), Strong: true, Alert: difference != 0}
	return append(rows, result)
}

// says returns a sentence about the difference between counted and expected cash: how much is
// missing or surplus, or that the sums are equal.
func says(texts i18n.Texts, difference payments.Ariary) string {
	words := texts.Account
	switch {
	case difference < 0:
		return words.Missing.With(i18n.Money(-difference))
	case difference > 0:
		return words.Surplus.With(i18n.Money(difference))
	}
	return words.Exact
}

// signed formats a change of the money in the drawer: + 5 000, - 500 or 0.
func signed(amount payments.Ariary) string {
	switch {
	case amount > 0:
		return "+ " + i18n.Number(int64(amount))
	case amount < 0:
		return "- " + i18n.Number(int64(-amount))
	}
	return "0"
}

// Lines returns the account as lines of width columns: first the mobile money, then the cash.
func Lines(texts i18n.Texts, zone *time.Location, account drawer.Account, width int) (lines []string) {
	words := texts.Account
	all := []Row{{Label: words.Received, Amount: i18n.Number(int64(account.Received.Amount)), Note: texts.Today.Count(account.Received.Count)}}
	if account.Returned.Count > 0 {
		all = append(all, Row{Label: words.Returned, Amount: signed(-account.Returned.Amount)})
	}
	for _, row := range append(all, Rows(texts, zone, account)...) {
		lines = append(lines, row.Lines(width)...)
	}
	return lines
}

// Lines returns the row, width columns wide. The note is on a second line if it does not fit, or if
// the row is an alert.
func (r Row) Lines(width int) []string {
	if r.Label == "" {
		return []string{theme.Rule(width)}
	}
	if r.Note == "" {
		return []string{theme.Spread(r.Label, r.Amount, width)}
	}
	whole := r.Label + ", " + r.Note
	if !r.Alert && theme.Width(whole+" "+r.Amount) <= width {
		return []string{theme.Spread(whole, r.Amount, width)}
	}
	return []string{theme.Spread(r.Label, r.Amount, width), r.Note}
}

// Title returns the title of a closing: its number, its till, the person who made it and the time.
func Title(texts i18n.Texts, zone *time.Location, closing drawer.Closing) string {
	return texts.Account.Closing.With(closing.Number, closing.Till, closing.By, i18n.Moment(closing.At.In(zone)))
}

// Open returns two sentences about an account before its closing. The first names the takings: in
// total, by mobile money and in cash. The second names the expected and the counted cash.
func Open(texts i18n.Texts, account drawer.Account) []string {
	words, taken := texts.Account, account.Taken()
	cash, mobile := account.CashSales(), account.Received
	mobile.Amount -= account.Returned.Amount
	counted := words.NotCounted
	if difference, is := account.Difference(); is {
		counted = words.CountedSum.With(i18n.Number(int64(account.Counted.Amount)), says(texts, difference))
	}
	return []string{
		words.Taken.With(
			texts.Today.Count(taken.Count), i18n.Money(taken.Amount), mobile.Count, i18n.Number(int64(mobile.Amount)),
			cash.Count, i18n.Number(int64(cash.Amount))),
		words.ExpectedSum.With(i18n.Number(int64(account.Expected())), counted),
	}
}
