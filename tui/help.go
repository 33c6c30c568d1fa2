package tui

import (
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

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
	above         []string
	styles        theme.Styles
	width, height int
}

// group is a section of the help. Each row has a key, already styled, and what it does.
type group struct {
	title  string
	rows   [][2]string
	height [2]int // Rows in the first column, and in any other.
}

// groups returns the sections of the help on the open screen. Rare ones are at the end, and the
// last one is about the keys of every screen.
func (m model) groups() []group {
	words := m.Texts.Guide
	var groups, rare []group
	routes := []route{m.route}
	if m.route == routeSale {
		if m.sale.Steps != nil {
			groups = append(groups, group{title: m.Texts.Demo.ToTry, rows: m.sale.Steps.Table(m.Theme, m.Texts)})
		}
		groups = append(groups, group{title: words.Type, rows: m.forms()})
		routes = append(routes, routePay)
	}
	for _, route := range routes {
		for _, keys := range m.all[route].screen.FullHelp() {
			switch group := (group{title: keys.Title, rows: m.helpRows(keys.Keys)}); {
			case len(keys.Keys) == 0:
			case keys.Rare:
				rare = append(rare, group)
			default:
				groups = append(groups, group)
			}
		}
	}
	return append(append(groups, rare...), group{title: words.Everywhere, rows: m.helpRows(m.keys.common())})
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

// widths returns the widths of the keys and of the whole group, if no text wraps.
func (g group) widths() (keys, whole int) {
	for _, row := range g.rows {
		keys = max(keys, theme.Width(row[0])+2)
	}
	return keys, max(theme.Width(g.title), keys+g.does())
}

// does returns the width of the longest text about a key.
func (g group) does() (width int) {
	for _, row := range g.rows {
		width = max(width, theme.Width(row[1]))
	}
	return width
}

// draw draws a group, width cells wide. The keys get at least keys cells.
func (g group) draw(styles theme.Theme, keys, width int) []string {
	own, _ := g.widths()
	rows := append(theme.Paragraph(styles.Strong, g.title, width, 0), styles.Rule.Render(theme.Rule(width)))
	for _, row := range g.rows {
		rows = append(rows, theme.Hang(theme.AlignLeft(row[0], max(keys, own)), row[1], width)...)
	}
	return rows
}

// column draws groups below each other. What their keys do is aligned as far as no text wraps.
func column(styles theme.Theme, groups []group, width int) (rows []string) {
	aligned, widest := width, 0
	for _, group := range groups {
		keys, _ := group.widths()
		aligned, widest = min(aligned, width-group.does()), max(widest, keys)
	}
	aligned = min(aligned, widest)
	for i, group := range groups {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, group.draw(styles, aligned, width)...)
	}
	return rows
}

const (
	leastColumn = 30 // Smallest width of one of several columns in which texts wrap, in cells.
	gap         = 2  // Cells between two columns.
)

// columns returns the number of columns that fit into width cells, and the widths of the first and
// of each other one. If possible, no text of the first group wraps.
func columns(groups []group, width int) (count, first, other int) {
	_, first = groups[0].widths()
	widest := 0
	for _, group := range groups[1:] {
		_, whole := group.widths()
		widest = max(widest, whole)
	}
	unwrapped := 1 + (width-first)/(widest+gap)
	count = min(max(unwrapped, (width+gap)/(leastColumn+gap)), len(groups))
	if count < 2 {
		return 1, width, 0
	}
	if count > unwrapped {
		first = min(first, width-(count-1)*(leastColumn+gap))
	}
	return count, first, (width-first)/(count-1) - gap
}

// arranged arranges the groups in columns of about the same height. The last group is at the top of
// the second column or, if there is only one, below the first group.
func arranged(styles theme.Theme, groups []group, width int) []string {
	count, first, other := columns(groups, width)
	for i := range groups {
		groups[i].height = [2]int{len(groups[i].draw(styles, 0, first)), len(groups[i].draw(styles, 0, other))}
	}
	last := len(groups) - 1
	var second []group
	if count > 1 {
		second, groups = groups[last:], groups[:last]
	} else {
		groups = slices.Concat(groups[:1], groups[last:], groups[1:last])
	}
	var flowed [][]group
	for height := 1; flowed == nil; height++ {
		flowed = flow(groups, second, count, height)
	}
	blocks := []string{strings.Join(column(styles, flowed[0], first), "\n")}
	for _, groups := range flowed[1:] {
		blocks = append(blocks, theme.AlignLeft("", gap), strings.Join(column(styles, groups, other), "\n"))
	}
	return strings.Split(theme.Beside(blocks...), "\n")
}

// flow arranges the groups in their order in columns of at most height rows, or returns nil if they
// do not fit. second is the beginning of the second column.
func flow(groups, second []group, count, height int) [][]group {
	columns := make([][]group, count)
	columns[min(1, count-1)] = second
	at := 0
	for _, next := range groups {
		for {
			rows := next.height[min(at, 1)]
			for _, above := range columns[at] {
				rows += above.height[min(at, 1)] + 1
			}
			if rows <= height {
				columns[at] = append(slices.Clip(columns[at]), next)
				break
			}
			if at++; at == count {
				return nil
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
	rows := theme.Indent(arranged(styles, of.groups, max(0, of.width-2)), 1)
	if of.above != nil {
		rows = slices.Concat(of.above, []string{""}, rows)
	}
	h.pager = h.pager.Show(rows, of.width, max(1, of.height))
	return h
}

// pane draws the help, width columns wide without the border. It says that an SMS is no proof of a
// payment: in the lower border or, if the frame has only an upper one, in the last row.
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
	proof := styles.WarningBlock.Render(" ! " + console.Texts.Code.NoProof + " ")
	if longer := proof + "  " + words.Proof; theme.Width(longer)+pane.Borders <= width {
		proof = longer
	}
	if drawn.Foot = proof; frame == pane.TopRule {
		drawn.Last = []string{" " + proof}
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
	of.height -= map[pane.Frame]int{pane.FullBorder: 1, pane.TopRule: 3}[m.frame()] // See [help.pane].
	if m.route == routeSale {
		of.above = m.sale.Guide(m.Console, of.width)
	}
	m.help = m.help.lay(m.Theme, of)
}
