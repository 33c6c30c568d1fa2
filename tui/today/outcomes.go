package today

import (
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
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

// heads returns the beginning of each row: the time followed by gap blanks, the outcome and the
// amount.
func (r Report) heads(found []outcome, gap int) (heads []string) {
	amounts := 7
	wide := theme.Width(badge.Of(r.Texts, payments.Order{}, payments.VerdictCheck).Tag())
	for _, row := range found {
		wide = max(wide, theme.Width(row.tag))
		amounts = max(amounts, theme.Width(i18n.Number(int64(row.amount)))+1)
	}
	for _, row := range found {
		heads = append(heads, r.clock(row, gap)+theme.AlignLeft(row.tag, wide)+
			r.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(row.amount)), amounts)))
	}
	return heads
}

// shape is a way to lay out rows of outcomes: the blanks after the time and before the articles,
// and whether the rows say why an order is not paid, and the number.
type shape struct {
	clock, sold int
	why, number bool
}

func shapes() []shape {
	return []shape{
		{clock: 2, sold: 3, why: true, number: true},
		{clock: 2, sold: 3, number: true},
		{clock: 2, sold: 3},
		{clock: 1, sold: 2},
		{clock: 1, sold: 1},
	}
}

// rows returns a row for each outcome, in the first shape that fits all of them.
func (r Report) rows(found []outcome, width int) (rows []string) {
	for _, shape := range shapes() {
		var fits bool
		if rows, fits = r.laid(found, shape, width); fits {
			break
		}
	}
	return rows
}

// laid returns a row for each outcome. fits reports whether all reasons are whole and the first
// article of each row is whole or has enough room.
func (r Report) laid(found []outcome, shape shape, width int) (rows []string, fits bool) {
	const enough = 24
	heads, numbers := r.heads(found, shape.clock), 0
	if shape.number {
		for _, outcome := range found {
			numbers = max(numbers, theme.Width(outcome.number)+2)
		}
	}
	room := width - theme.Width(strings.Join(heads, "\n")) - shape.sold - numbers
	fits = true
	for i, outcome := range found {
		why := ""
		if shape.why && outcome.why != "" {
			why = " · " + outcome.why
		}
		first, _, _ := strings.Cut(outcome.about, ", ")
		about := theme.TruncateList(outcome.about, room-theme.Width(why))
		rest, whole := strings.CutPrefix(about, first)
		whole = whole && !strings.HasSuffix(rest, "…")
		fits = fits && (whole || why == "" && room >= enough)
		row := theme.AlignLeft("", shape.sold) + theme.AlignLeft(about+r.Theme.Muted.Render(why), room)
		rows = append(rows, theme.Truncate(heads[i]+row+r.Theme.Muted.Render(theme.AlignRight(outcome.number, numbers)), width))
	}
	return rows, fits
}

// lastRows returns a row for each of the last outcomes, at most limit, or a text that says that
// there is none.
func (r Report) lastRows(width, limit int) []string {
	found := r.outcomes(limit)
	if len(found) == 0 {
		return theme.Paragraph(r.Theme.Text, r.Texts.Today.Nothing, width, 0)
	}
	return theme.Indent(r.rows(found, width-2), 1)
}
