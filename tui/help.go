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
	title string
	rows  [][2]string
	fills bool // Whether the group may be in any column that has room, not only after the others.
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
			switch group := (group{keys.Title, m.helpRows(keys.Keys), keys.Rare}); {
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
	return slices.Concat(first, groups, []group{{words.Everywhere, m.helpRows(m.keys.common()), true}}, rare)
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
	c.groups = append(slices.Clone(c.groups), added)
	return c
}

// draw draws each group below a rule with its title.
func (c column) draw(styles theme.Theme) (rows []string) {
	keys := 0
	for _, group := range c.groups {
		for _, row := range group.rows {
			keys = max(keys, theme.Width(row[0])+2)
		}
	}
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

// arranged arranges the groups in pages of at most height rows: in columns of about the same height
// if one page has room for all groups.
func arranged(styles theme.Theme, groups []group, width, height int) (rows []string) {
	count := max(1, min((width+gap)/(leastColumn+gap), len(groups)))
	empty := column{width: (width - (count-1)*gap) / count}
	var columns []column
	for high := 1; high <= height; high++ {
		if columns = flow(styles, groups, empty, high, count == 1); len(columns) <= count && count > 1 {
			break
		}
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
func flow(styles theme.Theme, groups []group, empty column, height int, splits bool) []column {
	columns := []column{empty}
	for _, group := range groups {
		fits := func(in column, rows int) bool {
			part := group
			part.rows = part.rows[:rows]
			return len(in.with(part).draw(styles)) <= height
		}
		for len(group.rows) > 0 {
			at := len(columns) - 1
			if group.fills {
				at = max(0, slices.IndexFunc(columns, func(in column) bool { return fits(in, len(group.rows)) }))
			}
			if fits(columns[at], len(group.rows)) {
				columns[at] = columns[at].with(group)
				break
			}
			at, rows := len(columns)-1, 0
			for fits(columns[at], rows+1) {
				rows++
			}
			part := group
			switch whole := fits(empty, len(group.rows)); {
			case len(columns[at].groups) == 0:
				rows = max(1, rows)
			case whole && !splits, rows < leastRows:
				rows = 0
			}
			if part.rows, group.rows = group.rows[:rows], group.rows[rows:]; rows > 0 {
				columns[at] = columns[at].with(part)
			}
			if len(group.rows) > 0 {
				columns = append(columns, empty)
			}
		}
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
