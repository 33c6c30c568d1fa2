package today

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/tui/component/account"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
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
		rows = append(rows, m.part(words.Outcomes, slices.DeleteFunc(report.verdicts(width), isBlank), width)...)
	}
	if m.latest.whole && m.shown() {
		if m.ask.Open() && len(rows)+1+len(of.Rows) > height {
			of = accounts.pane(width, false)
		}
		rows = append(rows, m.part(of.Title, of.Rows, width)...)
	}
	if m.frame() == pane.TopRule && len(rows)-1 <= height {
		height-- // A blank row is below the text that scrolls.
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

func isBlank(row string) bool { return row == "" }

// part returns a section of the text that scrolls, below a rule with its title.
func (m Model) part(title string, rows []string, width int) []string {
	rule := m.Theme.Strong.Render(title) + " " + m.Theme.Rule.Render(theme.Rule(width-theme.Width(title)-1))
	return slices.Concat([]string{rule}, rows, []string{""})
}

// offers returns the keys for the border of the drawer, without the keys in except and the keys
// that other borders show.
func (m Model) offers(except ...key.Binding) []fit.Part {
	except = append(except, append(m.ofDay(), m.keys.Check)...)
	keys := slices.DeleteFunc(m.ShortHelp(), func(binding key.Binding) bool {
		return slices.ContainsFunc(except, func(one key.Binding) bool { return one.Help() == binding.Help() })
	})
	return keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, keys...))
}

// ofDay returns the keys that show another day and export the month.
func (m Model) ofDay() []key.Binding {
	if m.ask.Open() {
		return nil
	}
	return []key.Binding{m.keys.Former, m.keys.Export}
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
