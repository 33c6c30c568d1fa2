// Package sheet lists the facts about an order or a sale at the counter, in one language.
package sheet

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/theme"
)

// Sheet contains the facts about a payment: an order or a sale at the counter.
type Sheet struct {
	Title  string // Reference of the order, or number of the sale at the counter.
	Badge  badge.Badge
	Till   string
	Made   time.Time
	Amount money.Ariary
	Total  money.Ariary // Price of all items: more than Amount if the sale is paid in parts.
	Items  []payments.Item
	Sums   []Row    // Other amounts, such as the change and the refunds.
	Why    []string // Why a person must look at the order, or how the sale was paid otherwise.
	Reason string   // Why the order has no link or was not paid; may be blank.
	Known  []Row    // What the cashier knows of the customer; no value is blank. The line mode shows these rows, too.
	Facts  []Row
	Steps  []Step
}

// Row is a fact with its label. Value is blank if the fact is not known.
type Row struct {
	Label, Value string
	Long         bool // The value may be too long for a pane of the console.
}

// Step is something that happened to a payment.
type Step struct {
	At    time.Time // Zero for what has not happened yet.
	Sign  string
	Style theme.Style
	Texts []string // What happened, then details.
}

// Teller makes sheets in one language.
type Teller struct {
	Texts  i18n.Texts
	Theme  theme.Theme
	Zone   *time.Location
	Moment func(time.Time) string
}

// known returns the rows that have a value.
func known(rows ...Row) (valued []Row) {
	for _, row := range rows {
		if row.Value != "" {
			valued = append(valued, row)
		}
	}
	return valued
}

// part returns the row about a payment of a part of a sale. If it pays the rest, number is the
// number of an earlier payment; else number is empty.
func (t Teller) part(amount money.Ariary, number string) Row {
	label := t.Texts.Cash.Part
	if number != "" {
		label = t.Texts.Cash.RestOf.With(number)
	}
	return Row{Label: label, Value: i18n.Number(int64(amount))}
}

func (t Teller) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return t.Moment(at.In(t.Zone))
}
