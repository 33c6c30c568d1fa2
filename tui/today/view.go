package today

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/account"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// fit sets the text and the size of the pager, and enables only the keys that have an effect now.
func (m Model) fit() Model {
	m.slip = m.slip && !m.ask.Open()
	for _, of := range []*key.Binding{&m.keys.Float, &m.keys.In, &m.keys.Out, &m.keys.Count} {
		of.SetEnabled(m.today())
	}
	m.keys.Print.SetEnabled(m.slip)
	m.keys.Slip.SetEnabled(m.today() || m.shown() && len(m.account.closings) > 0)
	m.keys.Close.SetEnabled(m.today() && !m.account.open.Empty())
	if m.size.Width == 0 || !m.entered || !m.paged() {
		return m // A hidden screen need not be laid out at each change. It is when it is entered.
	}
	words := m.Texts.Today
	width, height := m.frame().Inner(m.size.Width, max(0, m.size.Height-len(m.foot())-len(m.asked(m.size.Width))))
	if m.slip {
		m.pager = m.pager.Show(m.slipRows(width, height), width, height)
		return m
	}
	var amount []string
	for _, high := range []int{figures.Large, figures.Small, 1} {
		const others = 4 // The takings leave four fifths of the first page to the other parts.
		if amount = m.amount(width, high); others*len(amount) <= height-len(amount) {
			break
		}
	}
	rows := slices.Concat(amount, m.about(width), []string{""})
	rows = append(rows, m.part(words.Outcomes, m.verdicts(width))...)
	if m.account.whole && m.shown() {
		of := m.drawerPane(width, true)
		rows = append(rows, m.part(of.Title, of.Rows)...)
	}
	rows = append(rows, m.part(words.Last, m.lastRows(width, lastOutcomes))...)
	rows = append(rows, m.part(words.Hours, m.chart(width, 6))...)
	rows = append(rows, m.part(m.Texts.Catalog.Title, m.articles(width, len(m.account.sums.Sold)))...)
	m.pager = m.pager.Show(rows, width, height)
	return m
}

// part returns a section of the pager's text: a title, rows and a blank row.
func (m Model) part(title string, rows []string) []string {
	return slices.Concat([]string{m.Theme.Strong.Render(title)}, rows, []string{""})
}

func (m Model) title() string {
	if m.day.From.IsZero() {
		return m.Texts.Today.Taken
	}
	return m.Texts.Today.TakenThen
}

func (m Model) date() string { return m.Texts.Today.DateOf(m.wanted().From.In(m.Zone)) }

// amount draws the takings of the day in figures of at most high rows. It returns nil until the day was read.
func (m Model) amount(width, high int) []string {
	if !m.shown() {
		return nil
	}
	return theme.Indent(figures.Amount(m.Theme, i18n.Money(m.taken().Amount), width-2, high), 2)
}

// about returns rows about the takings: the number of sales, and the money to check.
func (m Model) about(width int) []string {
	if !m.shown() {
		return []string{"  " + m.Texts.Today.Reading}
	}
	words, paid := m.Texts.Today, m.taken()
	about := []string{m.Theme.Strong.Render(words.Count(paid.Count))}
	if paid.Count > 0 {
		about = append(about, words.Mean.With(m.Theme.Strong.Render(i18n.Money(paid.Amount/money.Ariary(paid.Count)))))
	}
	if check := m.account.sums.ToCheck; check.Count > 0 {
		about = append(about, m.Theme.Warning.Render(words.Unchecked.With(i18n.Money(check.Amount))))
	}
	if m.account.whole && m.account.before.Count > 0 {
		about = append(about, words.Before.With(m.Theme.Strong.Render(i18n.Money(m.account.before.Amount))))
	}
	return theme.Indent(fit.Flow(about, width-2, " · "), 2)
}

// share is a row of the outcomes or the articles.
type share struct {
	name, count  string
	amount, most money.Ariary // The bar is full if they are equal.
	style        theme.Style
}

// shares draws rows with a name, a count, a bar and an amount. Narrow rows have no bar.
func (m Model) shares(all []share, width int) (rows []string) {
	const gap, bar, widest = 2, 8, 28
	names, counts := 0, 0
	for _, of := range all {
		names = max(names, min(widest, theme.Width(of.name)))
		counts = max(counts, theme.Width(of.count)+gap)
	}
	amounts := max(8, theme.Width(i18n.Number(int64(m.largest())))+gap)
	rest := width - counts - gap - amounts
	if rest-names < bar {
		names = rest
	}
	whole := names + counts
	for _, of := range all {
		row := theme.Spread(theme.Truncate(of.name, whole-theme.Width(of.count)-1), m.Theme.Strong.Render(of.count), whole) + strings.Repeat(" ", gap)
		if rest > names {
			row += m.Theme.Bar(of.style, float64(of.amount)/float64(max(1, of.most)), rest-names)
		}
		rows = append(rows, row+m.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(of.amount)), amounts)))
	}
	return rows
}

// largest returns the largest of the sums of the day's outcomes, such as PAID or cash.
func (m Model) largest() (most money.Ariary) {
	for _, sum := range m.account.sums.Tendered {
		most = max(most, sum.Amount)
	}
	for _, sum := range m.account.sums.Verdicts {
		most = max(most, sum.Amount)
	}
	return most
}

// verdicts returns a row for each outcome, with the number and the sum of its sales. PAID, cash,
// NOT PAID and CHECK always have a row. Any other outcome has a row only if a sale has that
// outcome. The last row names the key of the list to check.
func (m Model) verdicts(width int) []string {
	if !m.shown() {
		return nil
	}
	const usual = 3
	sums, most := m.account.sums.Verdicts, m.largest()
	var all []share
	cash := func(tag string, sum money.Sum) {
		all = append(all, share{m.Theme.Strong.Render(tag), i18n.Number(sum.Count), sum.Amount, most, m.Theme.Text})
	}
	for i, verdict := range badge.Verdicts() {
		sum := sums[verdict]
		if i >= usual && sum.Count == 0 {
			continue
		}
		look := badge.Of(m.Texts, payments.Order{}, verdict)
		style, _ := look.Kind.Styles(m.Theme)
		all = append(all, share{style.Render(look.Tag()), i18n.Number(sum.Count), sum.Amount, most, style.Bold(false)})
		if verdict == payments.VerdictPaid {
			for _, tender := range drawer.CounterTenders() {
				if sum := m.account.sums.Tendered[tender]; sum.Count > 0 || tender == drawer.TenderCash {
					cash(badge.OfTender(m.Texts, tender).Tag(), sum)
				}
			}
		}
	}
	if refunds := m.account.sums.Refunds(); refunds != (money.Sum{}) {
		cash(m.Texts.Account.Refund, money.Sum{Count: refunds.Count, Amount: -refunds.Amount})
	}
	if voided := m.account.sums.Voided; voided.Count > 0 {
		cash("¤ "+m.Texts.Cash.Voided, money.Sum{Count: voided.Count, Amount: -voided.Amount})
	}
	debts := m.account.sums
	for tag, sum := range []money.Sum{debts.Debts, debts.WrittenOff, debts.Owed} {
		if sum != (money.Sum{}) {
			cash([]string{m.Texts.Debts.Paid, m.Texts.Debts.WrittenOff, m.Texts.Debts.Owed}[tag], sum)
		}
	}
	if later := m.account.sums.Later; later.Count > 0 {
		cash(m.Texts.Account.CameLater, later)
	}
	rows := m.shares(all, width)
	if count := m.state.ToCheck(); count > 0 {
		check := m.Theme.Accent.Render(m.Texts.KeyNames.Of(m.keys.Check.Help().Key))
		rows = append(rows, "", m.Texts.Today.Open.With(check, count))
	}
	return rows
}

// articles returns a row for each sold article, the largest amount first, at most limit rows.
func (m Model) articles(width, limit int) []string {
	if !m.shown() {
		return nil
	}
	sold := m.account.sums.Sold
	if len(sold) == 0 {
		return theme.Paragraph(m.Theme.Text, m.Texts.Today.NothingSold, width, 0)
	}
	var all []share
	for _, article := range sold[:max(0, min(limit, len(sold)))] {
		all = append(all, share{article.Label, wording.SoldQuantity(m.Texts, article), article.Amount, sold[0].Amount, m.Theme.Flow})
	}
	return m.shares(all, width)
}

func (m Model) offers() []fit.Part {
	return keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))
}

// Last draws the last outcomes of the day as a pane, the newest first.
func (m Model) Last(width, height int) string {
	inner, rows := pane.FullBorder.Inner(width, height)
	last := pane.Pane{Title: m.Texts.Today.Last, Rows: []string{""}}
	if m.shown() {
		last.Right = m.Texts.Today.Count(m.taken().Count) + " · " + i18n.Money(m.taken().Amount)
		shown := rows - 1
		last.Rows = append(last.Rows, m.lastRows(inner, shown)...)
		if decided := m.decided(); int64(shown) < decided {
			last.Foot = m.Texts.Catalog.Count.With(strconv.Itoa(shown), i18n.Number(decided))
		}
	}
	return last.Draw(m.Theme, width, height)
}

// decided returns how many payments of the day have an outcome; see outcomes.
func (m Model) decided() (count int64) {
	count = m.account.sums.AtCounter().Count
	for verdict, sum := range m.account.sums.Verdicts {
		if verdict != payments.VerdictWaiting && verdict != payments.VerdictPaidOtherwise {
			count += sum.Count
		}
	}
	return count
}

// Pane draws today's figures as a pane next to the sale: the takings, the number of sales,
// the number of orders to check, the last outcomes, and the takings by hour. A low pane has only
// outcomes in place of the takings by hour, because a cashier looks for them.
func (m Model) Pane(width, height int) string {
	const hours = 4 // Rows of the chart of the takings by hour, with its labels.
	words, day := m.Texts.Today, pane.Pane{Title: m.Texts.Today.Title}
	if !m.shown() || !m.day.From.IsZero() {
		return day.Draw(m.Theme, width, height)
	}
	inner, room := pane.FullBorder.Inner(width, height)
	about := words.Count(m.taken().Count)
	if count := m.state.ToCheck(); count > 0 {
		about += m.Theme.Muted.Render(" · ") + m.Theme.Warning.Render("! "+words.ToCheck.With(count))
	}
	amount := figures.Amount(m.Theme, i18n.Money(m.taken().Amount), inner, figures.Small)
	if m.taken().Amount == 0 { // As the total of an empty sale.
		amount = theme.Dress(m.Theme.Rule, figures.Fit(m.Theme, i18n.Money(0), inner, figures.Small))
	}
	day.Rows = slices.Concat([]string{""}, amount, []string{"", about, ""})
	left := room - len(day.Rows) - 1
	if left < 1 {
		return day.Draw(m.Theme, width, height)
	}
	if left >= hours+5 && m.taken().Count > 0 {
		all := m.hours()
		if most := slices.MaxFunc(all, byAmount); most.Amount > 0 {
			day.Right = words.Most.With(most.Name, i18n.Number(most.Amount))
		}
		day.Last = append(append([]string{""}, bars.Draw(m.Theme, soFar(all), bars.Scale(all), 6, inner, hours-1)...), "")
		left -= len(day.Last) - 1
	}
	rows := m.shortRows(m.outcomes(left), inner)
	if len(rows) == 0 {
		rows = theme.Paragraph(m.Theme.Text, words.Nothing, inner, left)
	}
	day.Rows = append(day.Rows, rows...)
	return day.Draw(m.Theme, width, height)
}

// shortRows returns a row for each outcome, with its time, tag, amount and what was sold.
func (m Model) shortRows(found []outcome, width int) []string {
	rows := m.outcomeRows(found, 1, 7)
	for i, outcome := range found {
		rows[i] = theme.Truncate(rows[i]+"  "+outcome.about, width)
	}
	return rows
}

// With says what today has taken before and after a paid order, and in how many sales. It returns a blank until a
// read of the day has the order.
func (m Model) With(order payments.Order) string {
	read := slices.ContainsFunc(m.account.last, func(one payments.Order) bool {
		return one.OrderReference == order.OrderReference && one.Paid()
	})
	if !read || !m.shown() || !m.day.From.IsZero() {
		return " "
	}
	taken, words := m.taken(), m.Texts.Today
	return words.Raised.With(i18n.Number(int64(taken.Amount-order.Amount)), i18n.Money(taken.Amount), words.Count(taken.Count))
}

// LastSale returns a row of the day's last outcome, or "" before the first one.
func (m Model) LastSale(width int) string {
	if !m.shown() || !m.day.From.IsZero() {
		return ""
	}
	return strings.Join(m.shortRows(m.outcomes(1), width), "")
}

// foot returns the rows below the day: an error, the result of a key, or the title of the till's last
// closing of the day. A question has a pane of its own.
func (m Model) foot() []string {
	width := m.size.Width - 2
	var rows []string
	closing, closed := m.closed()
	switch {
	case m.notice != nil:
		rows = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	case m.said != nil:
		rows = theme.Paragraph(m.Theme.Strong, m.said.In(m.Texts), width, 0)
	case closed:
		rows = theme.Paragraph(m.Theme.Strong, account.Title(m.Texts, closing), width, 0)
	}
	return theme.Indent(rows, 1)
}
