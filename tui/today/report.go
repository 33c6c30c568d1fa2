package today

import (
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// Report draws the figures of a day.
type Report struct {
	live.Console
	reading
	state   counter.Picture
	wanted  money.Period
	present bool // The day is today.
	read    bool // Whether the figures of the day were read.
}

func (r Report) taken() money.Sum { return r.sums.Taken() }

// amount draws the day's takings in digits that are at most high rows tall.
func (r Report) amount(width, high int) []string {
	if !r.read {
		return nil
	}
	return theme.Indent(figures.Amount(r.Theme, i18n.Money(r.taken().Amount), width-2, high), 2)
}

func (r Report) about(width int) []string {
	if !r.read {
		return []string{"  " + r.Texts.Today.Reading}
	}
	words, paid := r.Texts.Today, r.taken()
	about := []string{r.Theme.Strong.Render(words.Count(paid.Count))}
	if paid.Count > 0 {
		about = append(about, r.mean())
	}
	if check := r.sums.ToCheck; check.Count > 0 {
		about = append(about, r.Theme.Warning.Render(words.Unchecked.With(i18n.Money(check.Amount))))
	}
	if r.whole && r.before != (money.Sum{}) {
		about = append(about, words.Before.With(r.Theme.Strong.Render(i18n.Money(r.before.Amount))))
	}
	return theme.Indent(fit.Flow(about, width-2, " · "), 2)
}

// mean returns a text about the mean amount of a sale. There must be a sale.
func (r Report) mean() string {
	taken := r.taken()
	return r.Texts.Today.Mean.With(r.Theme.Strong.Render(i18n.Money(taken.Amount / money.Ariary(taken.Count))))
}

// shares draws a row for each outcome or article. The columns are as wide for articles as for
// outcomes.
func (r Report) shares(all []bars.Share, width int) []string {
	return bars.Shares(r.Theme, all, width, theme.Width(i18n.Number(int64(r.largest()))))
}

func (r Report) largest() (most money.Ariary) {
	for _, sum := range r.sums.Tendered {
		most = max(most, sum.Amount)
	}
	for _, sum := range r.sums.Verdicts {
		most = max(most, sum.Amount)
	}
	return most
}

// verdicts returns a row for each outcome, and rows for other sums such as refunds. The usual
// outcomes have a row even without payments.
func (r Report) verdicts(width int) (outcomes, others []string) {
	if !r.read {
		return nil, nil
	}
	const usual = 3
	sums, most := r.sums.Verdicts, r.largest()
	var all []bars.Share
	add := func(style theme.Style, tag string, sum money.Sum) {
		all = append(all, bars.Share{Name: style.Render(tag), Count: i18n.Number(sum.Count), Amount: sum.Amount, Most: most, Style: style.Bold(false)})
	}
	for i, verdict := range badge.Verdicts() {
		sum := sums[verdict]
		if i >= usual && sum.Count == 0 {
			continue
		}
		look := badge.Of(r.Texts, payments.Order{}, verdict)
		style, _ := look.Kind.Styles(r.Theme)
		add(style, look.Tag(), sum)
		if verdict != payments.VerdictPaid {
			continue
		}
		for _, tender := range drawer.CounterTenders() {
			if sum := r.sums.Tendered[tender]; sum != (money.Sum{}) || tender == drawer.TenderCash {
				look := badge.OfTender(r.Texts, tender)
				style, _ := look.Kind.Styles(r.Theme)
				add(style, look.Tag(), sum)
			}
		}
	}
	ended := len(all)
	most = 0 // The other sums are no parts of the outcomes.
	if refunds := r.sums.Refunds(); refunds != (money.Sum{}) {
		add(r.Theme.Strong, r.Texts.Account.Refund, money.Sum{Count: refunds.Count, Amount: -refunds.Amount})
	}
	if voided := r.sums.Voided; voided != (money.Sum{}) {
		add(r.Theme.Strong, "¤ "+r.Texts.Cash.Voided, money.Sum{Count: voided.Count, Amount: -voided.Amount})
	}
	words := r.Texts.Debts
	given := money.Sum{Count: r.sums.WrittenOff.Count, Amount: -r.sums.WrittenOff.Amount}
	for place, sum := range []money.Sum{r.sums.Debts, given, r.sums.Owed} {
		if sum.Amount != 0 {
			add(r.Theme.Strong, []string{words.Paid, words.WrittenOff, words.Owed}[place], sum)
		}
	}
	if later := r.sums.Later; later != (money.Sum{}) {
		add(r.Theme.Strong, r.Texts.Account.CameLater, later)
	}
	rows := r.shares(all, width)
	return rows[:ended], rows[ended:]
}

// ruled returns the rows of [Report.verdicts], with a line before the other sums.
func (r Report) ruled(width int) []string {
	outcomes, others := r.verdicts(width)
	if len(others) > 0 {
		others = append([]string{r.Theme.Rule.Render(theme.Rule(width))}, others...)
	}
	return append(outcomes, others...)
}

// articles returns a row for each sold article, the largest amount first, at most limit rows. The
// last one is the sum of the articles for which there is no room.
func (r Report) articles(width, limit int) []string {
	if !r.read || !r.whole {
		return nil
	}
	sold := r.sums.Sold
	if len(sold) == 0 {
		return theme.Paragraph(r.Theme.Text, r.Texts.Today.NothingSold, width, 0)
	}
	if len(sold) > limit {
		limit-- // The last row is about the others.
	}
	var all []bars.Share
	for _, article := range sold[:max(0, min(limit, len(sold)))] {
		all = append(all, bars.Share{
			Name: article.Label, Count: wording.SoldQuantity(r.Texts, article), Amount: article.Amount, Most: sold[0].Amount, Style: r.Theme.Flow,
		})
	}
	if others := sold[len(all):]; len(others) > 0 {
		var amount money.Ariary
		for _, article := range others {
			amount += article.Amount
		}
		all = append(all, bars.Share{Name: r.Texts.Today.Rest.With(len(others)), Amount: amount})
	}
	return r.shares(all, width)
}

// articlesPane returns the pane of the sold articles. width and height are without the borders.
func (r Report) articlesPane(width, height int) pane.Pane {
	return pane.Pane{Title: r.Texts.Catalog.Title, Rows: append([]string{""}, r.articles(width, height-1)...)}
}

// Last draws the day's last outcomes as a pane, newest first, with the takings in its title.
func (r Report) Last(width, height int) string {
	last := r.lastPane(layout.FrameAt(width), width, height)
	taken := i18n.Money(r.taken().Amount)
	switch {
	case !r.read:
	case last.Right != "":
		last.Right = taken + " · " + last.Right
	default:
		last.Right = r.Texts.Today.Count(r.taken().Count) + " · " + taken
	}
	return last.Draw(r.Theme, width, height)
}

func (r Report) lastPane(frame pane.Frame, width, height int) pane.Pane {
	inner, rows := frame.Inner(width, height)
	last := pane.Pane{Frame: frame, Title: r.Texts.Today.Last, Rows: []string{""}}
	if r.read {
		shown := rows - frame.Air()
		last.Rows = append(last.Rows, r.lastRows(inner, shown)...)
		if decided := r.decided(); int64(shown) < decided {
			last.Foot = r.Texts.Catalog.Count.With(strconv.Itoa(shown), i18n.Number(decided))
			if frame == pane.TopRule { // There is no lower border.
				last.Right = last.Foot
			}
		}
	}
	return last
}

func (r Report) decided() (count int64) {
	count = int64(len(r.sums.Sales)) // One row for each payment at the counter.
	for verdict, sum := range r.sums.Verdicts {
		if verdict != payments.VerdictWaiting && verdict != payments.VerdictPaidOtherwise {
			count += sum.Count
		}
	}
	return count
}

// Pane draws today's figures as a pane next to the sale. A low pane omits the takings by hour,
// because a cashier looks for the outcomes.
func (r Report) Pane(width, height int) string {
	words, day := r.Texts.Today, pane.Pane{Title: r.Texts.Today.Title}
	if !r.read || !r.present {
		return day.Draw(r.Theme, width, height)
	}
	inner, room := pane.FullBorder.Inner(width, height)
	dot := r.Theme.Muted.Render(" · ")
	about := words.Count(r.taken().Count)
	if count := r.state.ToCheck(); count > 0 {
		about += dot + r.Theme.Warning.Render("! "+words.ToCheck.With(count))
	}
	if r.taken().Count > 0 && theme.Width(about+dot+r.mean()) <= inner {
		about += dot + r.mean()
	}
	amount := figures.Amount(r.Theme, i18n.Money(r.taken().Amount), inner, figures.Small)
	if r.taken().Amount == 0 { // Draw 0 like the total of an empty sale.
		amount = theme.Dress(r.Theme.Rule, figures.Fit(r.Theme, i18n.Money(0), inner, figures.Small))
	}
	day.Rows = slices.Concat([]string{""}, amount, []string{"", about, ""})
	left := room - len(day.Rows) - 1
	if left < 1 {
		return day.Draw(r.Theme, width, height)
	}
	hours := min(10, max(4, left/4)) // Rows for the takings by hour, with their labels.
	if left >= hours+5 && r.taken() != (money.Sum{}) {
		all := r.hours()
		day.Right = r.busiest(all)
		day.Last = append([]string{""}, bars.Draw(r.Theme, soFar(all), bars.Scale(all), inner, hours-1)...)
		left -= len(day.Last) - 1
	}
	rows := r.rows(r.outcomes(left), inner)
	if len(rows) == 0 {
		rows = theme.Paragraph(r.Theme.Text, words.Nothing, inner, left)
	}
	day.Rows = append(day.Rows, rows...)
	return day.Draw(r.Theme, width, height)
}

const hoursWidth = 40 // Width of the takings by hour below a payment.

// RaisedBy returns a text about today's takings before and after a payment, and a picture of the
// takings by hour. reference is the reference of the paid order, or the number of the sale at the
// counter. Until the payment was read, and while the screen shows another day, the text is a blank.
func (r Report) RaisedBy(reference string, amount money.Ariary) (text string, hours []string) {
	read := slices.ContainsFunc(r.last, func(one payments.Order) bool {
		return one.Reference == reference && one.Paid()
	}) || slices.ContainsFunc(r.sums.Sales, func(one drawer.CounterSale) bool { return one.Number == reference })
	if !read || !r.read || !r.present {
		return " ", nil
	}
	taken, words := r.taken(), r.Texts.Today
	text = words.Raised.With(i18n.Number(int64(taken.Amount-amount)), i18n.Money(taken.Amount), words.Count(taken.Count))
	all := soFar(r.hours())
	for _, row := range bars.Draw(r.Theme, all, bars.Scale(all), hoursWidth, 1) {
		hours = append(hours, theme.AlignLeft(theme.Bare(row), hoursWidth))
	}
	return text, hours
}

// Brief returns today's takings in a few words. Until they are read, and while the screen shows
// another day, it returns "".
func (r Report) Brief() string {
	if !r.read || !r.present {
		return ""
	}
	return r.Theme.Muted.Render(r.Texts.Today.Title) + " " + r.Theme.Strong.Render(i18n.Money(r.taken().Amount))
}

// LastSale returns a row about today's last outcome. Until the day is read, and while the screen
// shows another day, it returns "".
func (r Report) LastSale(width int) string {
	if !r.read || !r.present {
		return ""
	}
	return strings.Join(r.rows(r.outcomes(1), width), "")
}

func (r Report) title() string {
	if r.present {
		return r.Texts.Today.Taken
	}
	return r.Texts.Today.TakenThen
}

// date returns the day in the longest form that fits next to the title on a border of width columns.
func (r Report) date(width int) string {
	const around = 9 // Columns between the title, the date and the corners.
	dates := r.Texts.Today.DatesOf(r.wanted.From.In(r.Zone))
	for _, date := range dates {
		if theme.Width(r.title())+theme.Width(date)+around <= width {
			return date
		}
	}
	return dates[len(dates)-1]
}
