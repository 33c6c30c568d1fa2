package tui

import (
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
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
	// Whether the help also warns that an SMS is no proof of a payment.
	proof bool
	laid  content // What the pager was last filled with.
}

// content is what the help is drawn from.
type content struct {
	groups        []group
	above         []string
	styles        theme.Styles
	width, height int
}

type group struct {
	title string
	rows  [][2]string
}

// groups returns the sections of the help on the open screen.
func (m model) groups() []group {
	words := m.Texts.Guide
	var groups []group
	routes := []route{m.route}
	if m.route == routeSale {
		groups = append(groups, group{words.Type, forms(m.Texts)})
		routes = append(routes, routePay)
	}
	for _, route := range routes {
		for _, keys := range m.all[route].screen.FullHelp() {
			if len(keys.Keys) > 0 {
				groups = append(groups, group{keys.Title, helpRows(m.Texts, keys.Keys)})
			}
		}
	}
	return append(groups, group{words.Everywhere, helpRows(m.Texts, m.keys.common())})
}

// forms returns the help about what can be typed into the entry line.
func forms(texts i18n.Texts) [][2]string {
	var rows [][2]string
	for row, typed := range entry.Forms(texts.Sale.DecimalMark) {
		rows = append(rows, [2]string{typed[0], texts.Guide.Forms[row]})
	}
	return rows
}

func helpRows(texts i18n.Texts, bindings []key.Binding) [][2]string {
	rows := make([][2]string, 0, len(bindings))
	for _, binding := range bindings {
		rows = append(rows, [2]string{texts.KeyNames.Of(binding.Help().Key), binding.Help().Desc})
	}
	return rows
}

type column []group

// widths returns the widths of the names of the keys and of the whole column, which is at most
// limit cells wide.
func (c column) widths(limit int) (names, whole int) {
	titles := 0
	does := 0
	for _, group := range c {
		titles = max(titles, theme.Width(group.title))
		for _, row := range group.rows {
			names, does = max(names, theme.Width(row[0])), max(does, theme.Width(row[1]))
		}
	}
	return names, min(max(titles, names+2+does), limit)
}

// height returns the number of rows that draw returns for the same limit.
func (c column) height(limit int) int {
	names, whole := c.widths(limit)
	height := len(c) - 1
	for _, group := range c {
		height += 2
		for _, row := range group.rows {
			height += len(theme.Rows(row[1], whole-names-2))
		}
	}
	return height
}

// draw draws a column at most limit cells wide.
func (c column) draw(styles theme.Theme, limit int) []string {
	names, whole := c.widths(limit)
	var rows []string
	for i, group := range c {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, styles.Strong.Render(theme.AlignLeft(group.title, whole)), styles.Rule.Render(theme.Rule(whole)))
		for _, row := range group.rows {
			name := styles.Accent.Render(theme.AlignLeft(row[0], names))
			rows = append(rows, theme.Hang(name+"  ", row[1], whole)...)
		}
	}
	return rows
}

const (
	leastHalved = 70 // Smallest width for two columns in which the texts wrap.
	gap         = 4  // Cells between two columns of the help.
)

// arranged arranges the groups in columns. If only one column fits a window of at least leastHalved
// cells, it tries two columns in which long texts wrap.
func arranged(styles theme.Theme, groups []group, width int) (rows []string) {
	for _, limit := range []int{width, (width - gap) / 2} {
		flowed, columns := []string(nil), 0
		high := 1
		for ; flowed == nil; high += high/8 + 1 { // Low columns first: more of them fit side by side.
			flowed, columns = flow(styles, groups, limit, width, high)
		}
		for wider := limit + 1; columns > 1 && wider <= width; wider++ { // Wider columns, so that fewer texts wrap.
			rows, count := flow(styles, groups, wider, width, len(flowed))
			if count != columns {
				break
			}
			flowed = rows
		}
		if rows == nil || columns > 1 {
			rows = flowed
		}
		if columns > 1 || width < leastHalved {
			break
		}
	}
	return rows
}

// flow arranges the groups in their order in columns of at most height rows and limit cells. A
// group with more rows has a column of its own. The last group begins the second column, so that it
// is on the first page. If several columns do not fit into width, flow returns nil. count is the
// number of columns.
func flow(styles theme.Theme, groups []group, limit, width, height int) (rows []string, count int) {
	columns := []column{nil}
	add := func(group group) {
		last := len(columns) - 1
		longer := slices.Concat(columns[last], column{group})
		if len(longer) > 1 && longer.height(limit) > height {
			columns = append(columns, column{group})
			return
		}
		columns[last] = longer
	}
	others, everywhere := groups[:len(groups)-1], groups[len(groups)-1]
	placed := false
	for _, group := range others {
		if first := slices.Concat(columns[0], column{group}); !placed && len(first) > 1 && first.height(limit) > height {
			columns = append(columns, column{everywhere})
			placed = true
		}
		add(group)
	}
	if !placed {
		add(everywhere)
	}
	total := -gap
	for _, column := range columns {
		_, whole := column.widths(limit)
		total += whole + gap
	}
	if total > width && len(columns) > 1 {
		return nil, 0
	}
	var blocks []string
	for _, column := range columns {
		blocks = append(blocks, strings.Join(column.draw(styles, limit), "\n"), strings.Repeat(" ", gap))
	}
	return strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n"), len(columns)
}

const proofRows = 5

// lay arranges the sections in columns and pages. If the content is the same as before, it does
// nothing, because trying the heights of the columns takes long.
func (h help) lay(styles theme.Theme, of content) help {
	if of.styles = *styles.Styles; reflect.DeepEqual(of, h.laid) {
		return h
	}
	h.laid = of
	height := of.height
	if h.proof = height >= 20+proofRows; h.proof {
		height -= proofRows
	}
	rows := theme.Indent(arranged(styles, of.groups, max(0, of.width-2)), 1)
	if of.above != nil {
		rows = slices.Concat(of.above, []string{""}, rows)
	}
	h.pager = h.pager.Show(rows, of.width, max(1, height))
	return h
}

func (h help) pane(console live.Console, frame pane.Frame, width int) pane.Pane {
	words, styles := console.Texts.Guide, console.Theme
	drawn := pane.Pane{
		Frame: frame, Title: console.Texts.Bar.Keys, Right: styles.Accent.Render(words.Closes),
		Rows: h.pager.Rows(), Keys: true, Scroll: h.pager.Scroll(),
	}
	if h.proof {
		drawn.Rows, drawn.Scroll.Top = append([]string{""}, drawn.Rows...), 1
		proof := " " + styles.WarningBlock.Render(" ! "+console.Texts.Code.NoProof+" ")
		if theme.Width(proof)+2+theme.Width(words.Proof) <= width {
			proof += "  " + words.Proof
		}
		drawn.Rows = append(drawn.Rows, pane.Rule(""), "", proof, "")
	}
	return drawn
}

func (m *model) layHelp() {
	of := content{groups: m.groups()}
	of.width, of.height = m.frame().Inner(m.room.Width, m.room.Height)
	if m.route == routeSale {
		of.above = m.sale.Guide(m.Console, of.width)
	}
	m.help = m.help.lay(m.Theme, of)
}
