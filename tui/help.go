package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/tui/component/pane"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
)

type group struct {
	title string
	rows  [][2]string
}

// groups returns the sections of the help: the keys of the open screen, then the keys that
// work on every screen.
func (m model) groups() []group {
	words := m.Texts.Guide
	var groups []group
	routes := []route{m.route}
	if m.route == routeSale {
		groups = append(groups, group{words.Type, m.forms()})
		routes = append(routes, routePay)
	}
	for _, route := range routes {
		for _, keys := range m.all[route].screen.FullHelp() {
			if len(keys.Keys) > 0 {
				groups = append(groups, group{keys.Title, m.named(keys.Keys)})
			}
		}
	}
	return append(groups, group{words.Everywhere, m.named(m.keys.common())})
}

// forms returns the rows of the help about the entry line.
func (m model) forms() [][2]string {
	var rows [][2]string
	for row, typed := range entry.Forms(m.Texts.Sale.DecimalMark) {
		rows = append(rows, [2]string{typed[0], m.Texts.Guide.Forms[row]})
	}
	return rows
}

func (m model) named(bindings []key.Binding) [][2]string {
	rows := make([][2]string, 0, len(bindings))
	for _, binding := range bindings {
		rows = append(rows, [2]string{m.Texts.KeyNames.Of(binding.Help().Key), binding.Help().Desc})
	}
	return rows
}

type column []group

// draw draws a column at most limit cells wide. Each group has a title, a rule and a row
// for each key; a long description takes more rows.
func (c column) draw(styles theme.Theme, limit int) []string {
	titles := 0
	names := 0
	does := 0
	for _, group := range c {
		titles = max(titles, theme.Width(group.title))
		for _, row := range group.rows {
			names, does = max(names, theme.Width(row[0])), max(does, theme.Width(row[1]))
		}
	}
	whole := min(max(titles, names+2+does), limit)
	var rows []string
	for i, group := range c {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, styles.Strong.Render(theme.AlignLeft(group.title, whole)), styles.Rule.Render(theme.Rule(whole)))
		for _, row := range group.rows {
			name := styles.Accent.Render(theme.AlignLeft(row[0], names))
			for _, does := range theme.Rows(row[1], whole-names-2) {
				rows = append(rows, name+"  "+theme.AlignLeft(strings.TrimRight(does, " "), whole-names-2))
				name = theme.AlignLeft("", names)
			}
		}
	}
	return rows
}

// flow arranges the groups in columns of at most height rows, as few columns as possible.
// It returns nil if several columns are needed and they are wider than width.
func (m model) flow(groups []group, width, height int) []string {
	const gap = 4
	columns := []column{nil}
	for _, group := range groups {
		last := len(columns) - 1
		longer := slices.Concat(columns[last], column{group})
		if len(longer) > 1 && len(longer.draw(m.Theme, width)) > height {
			columns = append(columns, column{group})
			continue
		}
		columns[last] = longer
	}
	var blocks []string
	for _, column := range columns {
		blocks = append(blocks, strings.Join(column.draw(m.Theme, width), "\n"), strings.Repeat(" ", gap))
	}
	flowed := theme.Beside(blocks[:len(blocks)-1]...)
	if theme.Width(flowed) > width && len(columns) > 1 {
		return nil
	}
	return strings.Split(flowed, "\n")
}

// layHelp lays out the help in columns, and in pages if it is higher than the window.
func (m *model) layHelp() {
	width, height := m.frame().Inner(m.room.Width, m.room.Height)
	if m.proves() {
		height -= proofRows
	}
	var rows []string
	for high := 1; rows == nil; high += high/8 + 1 { // Low columns use the width, and need the fewest pages.
		rows = m.flow(m.groups(), max(0, width-2), high)
	}
	rows = theme.Indent(rows, 1)
	if guide := m.sale.Guide(width); m.route == routeSale && guide != nil {
		rows = slices.Concat(guide, []string{""}, rows)
	}
	m.helped = m.helped.Show(rows, width, max(1, height))
}

// proofRows is the number of rows that the warning about proofs takes, with a blank row above the help.
const proofRows = 5

// proves reports whether the help has the warning: if a page of 20 rows still fits.
func (m model) proves() bool {
	_, height := m.frame().Inner(m.room.Width, m.room.Height)
	return height >= 20+proofRows
}

func (m model) helpPane() pane.Pane {
	words := m.Texts.Guide
	help := pane.Pane{
		Frame: m.frame(), Title: m.Texts.Bar.Keys, Right: m.Theme.Accent.Render(words.Closes),
		Rows: m.helped.Rows(), Keys: true, Scroll: m.helped.Scroll(),
	}
	if m.proves() {
		help.Rows, help.Scroll.Top = append([]string{""}, help.Rows...), 1
		width, _ := m.frame().Inner(m.room.Width, m.room.Height)
		proof := " " + m.Theme.WarningBlock.Render(" ! "+m.Texts.Code.NoProof+" ")
		if theme.Width(proof)+2+theme.Width(words.Proof) <= width {
			proof += "  " + words.Proof
		}
		help.Rows = append(help.Rows, pane.Rule(""), "", proof, "")
	}
	return help
}
