package today

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/payments/drawer"
	"checkout/till/tui/component/account"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// fit enables and disables keys, and sets the text that scrolls.
func (m Model) fit() Model {
	accounts := m.accounts()
	m.stated = m.stated && !m.ask.Open() && len(accounts.statements()) > 0
	for _, of := range []*key.Binding{&m.keys.Float, &m.keys.In, &m.keys.Out, &m.keys.Count} {
		of.SetEnabled(accounts.present)
	}
	m.keys.Print.SetEnabled(m.stated)
	m.keys.Slip.SetEnabled(accounts.present || m.shown() && len(m.latest.closings) > 0)
	m.keys.Close.SetEnabled(accounts.present && !m.latest.open.Empty())
	if m.size.Width == 0 || !m.entered || !m.paged() {
		return m // A hidden screen is drawn when it is opened.
	}
	words, report := m.Texts.Today, m.Report()
	width, height := m.frame().Inner(m.size.Width, max(0, m.size.Height-len(m.foot())-m.pageAsked()))
	if right, beside := m.paperPane(); beside {
		width = right - pane.Borders
	}
	if m.stated {
		m.pager = m.pager.Show(accounts.statementRows(width, height), width, height)
		return m
	}
	if m.frame() == pane.TopRule {
		height-- // A blank row is below the title.
	}
	about, of := append(outdented(report.about(width)), ""), accounts.pane(width, true)
	var amount []string
	for _, high := range []int{figures.Large, figures.Small, 1} {
		if amount = outdented(report.amount(width, high)); len(amount) > 1 {
			amount = append(amount, "")
		}
		others := 4 * len(amount) // The takings use at most one fifth of the first page.
		if m.ask.Open() {         // A question is about the drawer, which must be in view.
			others = len(about) + 1 + len(of.Rows)
		}
		if others <= height-len(amount) {
			break
		}
	}
	rows := slices.Concat(amount, about)
	if !m.ask.Open() {
		outcomes, others := report.verdicts(width)
		rows = append(rows, m.part(words.Outcomes, append(outcomes, others...), width, m.keys.Former, m.keys.Export)...)
	}
	if m.latest.whole && m.shown() {
		if m.ask.Open() && len(rows)+1+len(of.Rows) > height {
			of = accounts.pane(width, false)
		}
		rows = append(rows, m.part(of.Title, of.Rows, width, m.moving()...)...)
	}
	if m.frame() == pane.TopRule && len(rows) <= height {
		height-- // A blank row is below the text that scrolls.
		if height-len(rows) < leastPart {
			height = min(height, len(rows)) // The next part begins on the next page.
		}
	}
	if m.ask.Open() {
		m.pager = m.pager.Show(rows[:len(rows)-1], width, height)
		return m
	}
	rows = append(rows, m.part(words.Last, report.lastRows(width, lastOutcomes), width)...)
	rows = append(rows, m.part(words.Hours, report.chart(width, 6), width)...)
	rows = append(rows, m.part(m.Texts.Catalog.Title, report.articles(width, len(m.latest.sums.Sold)), width)...)
	m.pager = m.pager.Show(rows, width, height)
	return m
}

// outdented returns rows without the blanks at their beginning: all parts of the text that scrolls
// begin in the same column.
func outdented(rows []string) []string {
	for i, row := range rows {
		rows[i] = strings.TrimPrefix(row, "  ")
	}
	return rows
}

// leastPart is the minimum number of visible rows of a part of the text that scrolls.
const leastPart = 3

// part returns a section of the text that scrolls, below a rule with its title and its keys.
func (m Model) part(title string, rows []string, width int, bindings ...key.Binding) []string {
	const between = 2 // Columns between the rule and the words on it, at least.
	keys := ""
	if room := width - theme.Width(title) - 2*between; !m.ask.Open() && room > 0 {
		keys = keybar.Row(m.Theme, keybar.Of(m.Texts.KeyNames, bindings...), room)
	}
	if keys != "" {
		keys = " " + keys
	}
	rule := m.Theme.Strong.Render(title) + " " + m.Theme.Rule.Render(theme.Rule(width-theme.Width(title)-1-theme.Width(keys)))
	return slices.Concat([]string{rule + keys}, rows, []string{""})
}

// dayKeys returns the keys for the whole day: the ones for the border of a pane that is width columns
// wide, and more keys for which that border has no room.
func (m Model) dayKeys(width int) (more, border []keybar.Entry) {
	return m.split(width, m.keys.Former, m.keys.Export, m.keys.Check, m.keys.Back)
}

// drawerKeys returns the keys for the till's drawer, like [Model.dayKeys], in the order of their use
// during a day. Most days have one float.
func (m Model) drawerKeys(width int) (more, border []keybar.Entry) {
	return m.split(width, append(m.moving(), m.keys.Slip, m.keys.Count, m.keys.Close)...)
}

// moving returns the keys that put money in the drawer or take it out.
func (m Model) moving() []key.Binding {
	float := m.keys.Float
	float.SetEnabled(float.Enabled() && m.latest.open.Moves[drawer.Float].Count == 0)
	return []key.Binding{float, m.keys.In, m.keys.Out}
}

// split divides keys in two parts. The last part fits in the border of a pane that is width columns
// wide.
func (m Model) split(width int, bindings ...key.Binding) (more, border []keybar.Entry) {
	const between, around = 3, 6 // Columns between two keys, and between the keys and the corners.
	if m.ask.Open() {
		return nil, nil
	}
	all := keybar.Of(m.Texts.KeyNames, bindings...)
	first, room := len(all), width-around+between
	for _, text := range slices.Backward(keybar.Texts(m.Theme, all)) {
		if room -= theme.Width(text) + between; room < 0 {
			break
		}
		first--
	}
	return all[:first], all[first:]
}

func (m Model) foot() []string {
	width := m.size.Width - 2
	var rows []string
	closing, closed := m.accounts().lastClosing()
	switch {
	case m.notice != nil:
		rows = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	case m.said != nil:
		rows = theme.Paragraph(m.Theme.Strong, m.said.In(m.Texts), width, 0)
	case closed && !m.stated: // A statement already shows the title.
		rows = theme.Paragraph(m.Theme.Strong, account.Title(m.Texts, closing), width, 0)
	}
	return theme.Indent(rows, 1)
}
