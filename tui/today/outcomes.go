package today

import (
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// outcome is a sale at the counter, or an order that does not wait for its payment any more.
type outcome struct {
	at     time.Time
	tag    string // Sign and word of the outcome, already styled.
	amount money.Ariary
	about  string
	why    string // Why the order is not paid, or why the sale was voided; may be blank.
	number string // Last part of the reference; see [live.Console.ShortNumber].
}

// outcomes returns at most limit outcomes of the day, newest first. It omits an order whose sale
// was paid otherwise, because the other payment has a row.
func (r Report) outcomes(limit int) (found []outcome) {
	for _, order := range r.last {
		verdict := r.state.Verdict(order)
		if verdict == payments.VerdictWaiting || verdict == payments.VerdictPaidOtherwise {
			continue
		}
		look := badge.Of(r.Texts, order, verdict)
		style, _ := look.Kind.Styles(r.Theme)
		row := outcome{at: order.CountedAt(), tag: style.Render(look.Tag()), amount: order.Amount, about: order.Description, number: r.ShortNumber(order.Till, order.Reference)}
		if !order.Paid() {
			row.why = r.Texts.Reasons.Of(order.Reason)
		}
		found = append(found, row)
	}
	for _, sale := range r.sums.Sales {
		look := badge.OfTender(r.Texts, sale.Tender())
		style, _ := look.Kind.Styles(r.Theme)
		if sale.Voided() {
			look.Short = r.Texts.Cash.Voided
			style = r.Theme.Strong
		}
		found = append(found, outcome{
			at: sale.At, tag: style.Render(look.Tag()), amount: sale.Amount, about: sale.Description, why: sale.Reason(),
			number: r.ShortNumber(sale.Till, sale.Number),
		})
	}
	slices.SortStableFunc(found, func(a, b outcome) int { return b.at.Compare(a.at) })
	return found[:max(0, min(limit, len(found)))]
}

// newFor is how long an outcome is marked as new. It includes the time in which the cashier looks
// at PAID.
const newFor = 10 * time.Second

// clock returns the time of an outcome, followed by gap blanks. A new outcome has a plus sign.
func (r Report) clock(of outcome, gap int) string {
	text := theme.AlignLeft("", gap)
	at := i18n.Clock(of.at.In(r.Zone))
	if age := r.state.Now.Sub(of.at); age >= 0 && age < newFor {
		return r.Theme.Strong.Render(at+"+") + text[1:]
	}
	return r.Theme.Muted.Render(at) + text
}

// outcomeRows returns a row for each outcome. gap is the number of blanks after the time. amounts
// is the minimum width of the amounts.
func (r Report) outcomeRows(found []outcome, gap, amounts int) (rows []string) {
	wide := theme.Width(badge.Of(r.Texts, payments.Order{}, payments.VerdictCheck).Tag())
	for _, row := range found {
		wide = max(wide, theme.Width(row.tag))
		amounts = max(amounts, theme.Width(i18n.Number(int64(row.amount)))+1)
	}
	for _, row := range found {
		rows = append(rows, r.clock(row, gap)+theme.AlignLeft(row.tag, wide)+
			r.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(row.amount)), amounts)))
	}
	return rows
}

// Parts of a row with an outcome, in the order in which they are dropped.
const (
	why = iota
	number
	sold
)

// lastRows returns a row for each of the last outcomes, at most limit, or a text that says that
// there is none.
func (r Report) lastRows(width, limit int) []string {
	const fewest = 16 // Minimum width of the text about the sold articles.
	found := r.outcomes(limit)
	if len(found) == 0 {
		return theme.Paragraph(r.Theme.Text, r.Texts.Today.Nothing, width, 0)
	}
	rows := r.outcomeRows(found, 2, 8)
	for i, outcome := range found {
		reason := fit.Part{}
		if outcome.why != "" {
			reason = fit.Drop(why, "  "+r.Theme.Muted.Render("· "+outcome.why))
		}
		rows[i] = fit.Row(width, fit.Fixed(" "+rows[i]), fit.Rest(sold, fewest, "   "+outcome.about), reason,
			fit.Drop(number, r.Theme.Muted.Render("  "+outcome.number+"  ")))
	}
	return rows
}
