package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// turn takes a key while the help lies over the screen: what turns its pages,
// and any other closes it.
func (m *model) turn(msg tea.KeyMsg) {
	last := pages(len(m.helped()), m.size.height) - 1
	switch {
	case key.Matches(msg, m.keys.Next):
		m.page = min(m.page+1, last)
	case key.Matches(msg, m.keys.Previous):
		m.page = max(min(m.page, last)-1, 0)
	default:
		m.overlay = noOverlay
	}
}

// pages is how many pages rows take in a window: one where all of them fit, and
// otherwise each page keeps a row for its number.
func pages(rows, height int) int {
	if rows <= height {
		return 1
	}
	each := max(1, height-1)
	return (rows + each - 1) / each
}

// help names all keys of the open screen, and those of every screen: on several
// pages where the window is too small for them.
func (m model) help() string {
	rows := m.helped()
	width := theme.Width(strings.Join(rows, "\n"))
	for i, row := range rows {
		rows[i] = theme.Left(row, width)
	}
	if count := pages(len(rows), m.size.height); count > 1 {
		each, page := max(1, m.size.height-1), min(m.page, count-1)
		rows = rows[page*each : min((page+1)*each, len(rows))]
		for len(rows) < each {
			rows = append(rows, strings.Repeat(" ", width))
		}
		rows = append(rows, m.Theme.Muted.Render(m.Texts.Frame.HelpPage.With(page+1, count)))
	}
	return m.place(rows)
}

// helped is the rows of the help; in several columns where rows are few.
func (m model) helped() []string {
	var names, does []string
	for _, column := range m.FullHelp() {
		for _, binding := range column {
			names = append(names, m.Texts.KeyNames.Of(binding.Help().Key))
			does = append(does, binding.Help().Desc)
		}
	}
	widest := theme.Width(strings.Join(names, "\n")) + 2
	for i, name := range names {
		does[i] = m.Theme.Accent.Render(theme.Left(name, widest)) + does[i]
	}
	rows := m.inColumns(does)
	// The keys matter more than what stands around them.
	if len(rows)+2 <= m.size.height {
		rows = append([]string{m.Theme.Strong.Render(m.Texts.Frame.HelpTitle), ""}, rows...)
	}
	return rows
}

// inColumns puts cells below each other, and beside each other when they are
// too many for that and there is room.
func (m model) inColumns(cells []string) []string {
	width := theme.Width(strings.Join(cells, "\n")) + 2
	fit := max(1, (m.size.width+2)/width)
	room := max(1, m.size.height-4) // The heading with a blank row, and room around.
	columns := min(fit, (len(cells)+room-1)/room)
	if columns < 2 {
		return cells
	}
	rows := make([]string, (len(cells)+columns-1)/columns)
	for i, cell := range cells {
		rows[i%len(rows)] += theme.Left(cell, width)
	}
	return rows
}

// narrow says, in a window that is too small for the screen, which size it
// needs; what came of a payment comes first.
func (m model) narrow() []string {
	var rows []string
	if news := m.state.News(); len(news) > 0 {
		order := news[0]
		rows = append(rows, m.badge.Dressed(order, m.state.Verdict(order)), i18n.Money(order.Amount)+"  "+order.Reference)
	}
	text := theme.Wrap(m.Texts.Frame.TooSmall.With(minWidth, minHeight), m.size.width)
	return append(rows, strings.Split(text, "\n")...)
}
