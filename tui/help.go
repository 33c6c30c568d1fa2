package tui

import (
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// help is the list of the keys, which covers the screen while it is open.
type help struct {
	open  bool
	pager pager.Pager
	laid  content // What the pager was last filled with.
}

// content is what the help is drawn from.
type content struct {
	groups        []group
	above         []string // How to begin with real payments; nil if that is known.
	styles        theme.Styles
	width, height int
}

// group is a section of the help. Each row has a key, already styled, and what it does.
type group struct {
	title  string
	rows   [][2]string
	fills  bool     // Whether the group may be in any column that has room, not only after the others.
	widths [][2]int // Widths of the texts in rows. Only [arranged] sets them.
}

// cut returns the group with only the rows from a row to before another one.
func (g group) cut(from, to int) group {
	g.rows, g.widths = g.rows[from:to], g.widths[from:to]
	return g
}

// groups returns the sections of the help on the open screen: first the ones about the demo, then the
// others in the order of a sale. The keys of every screen, and rare ones, fill the columns.
func (m model) groups() []group {
	words := m.Texts.Guide
	var first, groups, rare []group
	routes := []route{m.route}
	if m.route == routeSale {
		if m.sale.Steps != nil {
			first = append(first, group{title: m.Texts.Demo.ToTry, rows: demo.Table(m.Theme, m.Texts)})
		}
		groups = append(groups, group{title: words.Type, rows: m.forms()})
		routes = append(routes, routePay)
	}
	for _, route := range routes {
		for _, keys := range m.all[route].screen.FullHelp() {
			switch group := (group{title: keys.Title, rows: m.helpRows(keys.Keys), fills: keys.Rare}); {
			case len(keys.Keys) == 0:
			case keys.Title == words.Demo:
				first = append(first, group)
			case keys.Rare:
				rare = append(rare, group)
			default:
				groups = append(groups, group)
			}
		}
	}
	return slices.Concat(first, groups, []group{{title: words.Everywhere, rows: m.helpRows(m.keys.common()), fills: true}}, rare)
}

// forms returns the help about what can be typed into the entry line.
func (m model) forms() (rows [][2]string) {
	for row, typed := range entry.Forms(m.Texts.Sale.DecimalMark) {
		rows = append(rows, [2]string{m.Theme.Strong.Render(typed[0]), m.Texts.Guide.Forms[row]})
	}
	return rows
}

func (m model) helpRows(bindings []key.Binding) (rows [][2]string) {
	for _, binding := range bindings {
		rows = append(rows, [2]string{m.Theme.Accent.Render(m.Texts.KeyNames.Of(binding.Help().Key)), binding.Help().Desc})
	}
	return rows
}

const (
	leastColumn = 36 // Minimum width of one of several columns, in cells.
	gap         = 2  // Cells between two columns.
	leastRows   = 3  // Minimum number of rows of a group before it continues in the next column.
)

// column is a column of a page, width cells wide. All its texts begin in the same cell.
type column struct {
	groups []group
	width  int
}

func (c column) with(added group) column {
	c.groups = append(slices.Clip(c.groups), added)
	return c
}

// keys returns the width of the keys, with the blanks after them.
func (c column) keys() (width int) {
	for _, group := range c.groups {
		for _, widths := range group.widths {
			width = max(width, widths[0]+2)
		}
	}
	return width
}

// draw draws each group below a rule with its title.
func (c column) draw(styles theme.Theme) (rows []string) {
	keys := c.keys()
	for i, group := range c.groups {
		if i > 0 {
			rows = append(rows, "")
		}
		titles := theme.Paragraph(styles.Strong, group.title, c.width, 0)
		last := titles[len(titles)-1] + " "
		rows = append(append(rows, titles[:len(titles)-1]...), last+styles.Rule.Render(theme.Rule(c.width-theme.Width(last))))
		for _, row := range group.rows {
			rows = append(rows, theme.Hang(theme.AlignLeft(row[0], keys), row[1], c.width)...)
		}
	}
	return rows
}

// height returns how many rows draw returns. It is much faster than draw.
func (c column) height() int {
	keys, rows := c.keys(), len(c.groups)-1
	for _, group := range c.groups {
		rows += lines(group.title, theme.Width(group.title), c.width)
		for i, row := range group.rows {
			rows += lines(row[1], group.widths[i][1], c.width-keys)
		}
	}
	return rows
}

// lines returns how many rows a text needs that is long cells long, in rows of width cells.
func lines(text string, long, width int) int {
	if long <= width {
		return 1
	}
	return len(theme.Rows(text, width))
}

// takes reports whether a group fits below the groups of the column, in at most height rows.
func (c column) takes(added group, height int) bool { return c.with(added).height() <= height }

// arranged arranges the groups in pages of at most height rows: in columns of about the same height
// if one page has room for all groups.
func arranged(styles theme.Theme, groups []group, width, height int) (rows []string) {
	count := max(1, min((width+gap)/(leastColumn+gap), len(groups)))
	empty := column{width: (width - (count-1)*gap) / count}
	all := 0
	for i, group := range groups {
		for _, row := range group.rows {
			groups[i].widths = append(groups[i].widths, [2]int{theme.Width(row[0]), theme.Width(row[1])})
		}
		all += empty.with(groups[i]).height()
	}
	high := min(height, all/count) // No lower columns have room for all groups.
	columns := flow(groups, empty, high, count == 1)
	for len(columns) > count && high < height {
		high++
		columns = flow(groups, empty, high, count == 1)
	}
	for page := range slices.Chunk(columns, count) {
		var blocks []string
		for _, column := range page {
			blocks = append(blocks, strings.Join(column.draw(styles), "\n"), theme.AlignLeft("", gap))
		}
		drawn := strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")
		if len(columns) > count { // The next page begins at the top of the window.
			drawn = slices.Concat(drawn, make([]string, max(0, height-len(drawn))))
		}
		rows = append(rows, drawn...)
	}
	return rows
}

// flow puts the groups in columns of at most height rows. A group that is higher than a column, or
// any group if splits is true, continues in the next column, below its title.
func flow(groups []group, empty column, height int, splits bool) []column {
	columns := []column{empty}
	for _, group := range groups {
		at := len(columns) - 1
		for i, column := range columns {
			if group.fills && column.takes(group, height) {
				at = i
				break
			}
		}
		for !columns[at].takes(group, height) {
			at = len(columns) - 1
			first := len(columns[at].groups) == 0
			if first && len(group.rows) == 1 {
				break // No column has room for less.
			}
			rows := 0
			for columns[at].takes(group.cut(0, rows+1), height) {
				rows++
			}
			switch {
			case first:
				rows = max(1, rows)
			case rows < leastRows, !splits && empty.takes(group, height):
				rows = 0
			}
			if rows > 0 {
				columns[at] = columns[at].with(group.cut(0, rows))
				group = group.cut(rows, len(group.rows))
			}
			columns = append(columns, empty)
			at++
		}
		columns[at] = columns[at].with(group)
	}
	return columns
}

// lay arranges the sections in columns and pages. If the content is the same as before, it does
// nothing, because trying the heights of the columns takes long.
func (h help) lay(styles theme.Theme, of content) help {
	if of.styles = *styles.Styles; reflect.DeepEqual(of, h.laid) {
		return h
	}
	h.laid = of
	if of.above != nil {
		of.above = append(of.above, "")
	}
	rows := theme.Indent(arranged(styles, of.groups, max(0, of.width-2), max(1, of.height-len(of.above))), 1)
	rows = slices.Concat(of.above, rows)
	h.pager = h.pager.Show(rows, of.width, max(1, of.height))
	return h
}

// proofRows is the height of the rows below the help in a frame without a lower border.
const proofRows = 2

// pane draws the help, width columns wide without the border. It says that an SMS is no proof of a
// payment: in the lower border or, if the frame has only an upper one, in the last rows.
func (h help) pane(console live.Console, frame pane.Frame, width int) pane.Pane {
	words, styles := console.Texts.Guide, console.Theme
	drawn := pane.Pane{
		Frame: frame, Title: console.Texts.Bar.Keys, Right: styles.Accent.Render(words.Closes),
		Rows: h.pager.Rows(), Keys: true,
	}
	drawn.Scroll = h.scroll(console)
	if frame == pane.Bare {
		return drawn
	}
	drawn.Rows = append([]string{""}, drawn.Rows...)
	drawn.Scroll.Top = 1
	warning := styles.WarningBlock.Render(" ! " + console.Texts.Code.NoProof + " ")
	if drawn.Foot = warning + "  " + words.Proof; frame == pane.TopRule {
		drawn.Last = theme.Indent(theme.Clip([]string{warning, words.Proof}, width-1, proofRows), 1)
	}
	return drawn
}

func (h help) scroll(console live.Console) pane.Scroll {
	scroll := h.pager.Scroll()
	scroll.Key = console.Theme.Accent.Render(console.Texts.KeyNames.Of("pgdn"))
	return scroll
}

// bar returns the text of the key bar for a window in which [help.pane] has no border: which key
// closes the help, and how many rows are hidden.
func (h help) bar(console live.Console, width int) string {
	closes := console.Theme.Accent.Render(console.Texts.Guide.Closes)
	return fit.Join(width, "  ", fit.Fixed(closes), fit.Drop(1, h.scroll(console).Hidden()))
}

func (m *model) layHelp() {
	of := content{groups: m.groups()}
	of.width, of.height = m.frame().Inner(m.room.Width, m.room.Height)
	of.height -= map[pane.Frame]int{pane.FullBorder: 2, pane.TopRule: 2 + proofRows}[m.frame()] // See [help.pane].
	if m.route == routeSale {
		of.above = m.sale.Guide(m.Console, of.width)
	}
	m.help = m.help.lay(m.Theme, of)
}
