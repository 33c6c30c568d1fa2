// Package master is a list and the detail of what is chosen in it: side by side
// from 120 columns on, and else one in the place of the other. It guarantees that
// every list of the console looks alike: a head, the rows, the position, and in
// the last rows what is asked or remarked.
package master

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Master is the cursor of the list, the part of the detail that is in view, and
// the room of both.
type Master struct {
	List list.List
	// Grid is that of the window.
	Grid layout.Layout
	// Inside says that the detail has the keys.
	Inside bool

	theme         theme.Theme
	detail        pager.Pager
	width, height int
}

// View is what a screen shows. All but Columns and Empty may be dressed.
type View struct {
	Title, Right string
	// Head stands above the rows, and Columns, their names, last in it.
	Head    []string
	Columns string
	// Row returns the cells of a row in width columns, and Day what stands above
	// the first one of a day; nil where days have no heads.
	Row func(i, width int) string
	Day func(i int) string
	// Empty is said where there are no rows.
	Empty string
	// More stands behind the number of rows where not all were read.
	More string
	// Foot are the last rows: a question, or a remark.
	Foot   []string
	Detail Detail
}

// Detail is the whole of what is chosen.
type Detail struct {
	Title      string
	Rows, Foot []string
}

// New returns an empty list.
func New(styles theme.Theme, texts i18n.Texts) Master {
	return Master{theme: styles, List: list.New(texts)}
}

// SetSize gives both their room, in cells.
func (m Master) SetSize(width, height int) Master {
	m.width, m.height, m.Grid = width, height, layout.Of(width, height+2)
	return m
}

// Single leaves the whole width to the list: there is no detail.
func (m Master) Single() Master {
	m.Grid.List, m.Grid.Detail = m.width, 0
	return m
}

// Rooms returns the columns for the content of the list and for that of the
// detail, which takes the list's place where it does not stand beside it, and the
// rows of both.
func (m Master) Rooms() (list, detail, rows int) {
	list, rows = m.Grid.Frame.Inner(m.Grid.List, m.height)
	detail = list
	if m.Grid.Detail > 0 {
		detail, _ = m.Grid.Frame.Inner(m.Grid.Detail, m.height)
	}
	return list, detail, rows
}

// Fit fits the rows and the detail into what a view leaves of the room.
func (m Master) Fit(view View) Master {
	_, width, rows := m.Rooms()
	m.List = m.List.SetRoom(max(1, rows-len(m.head(view))-len(view.Foot)))
	m.detail = m.detail.Show(view.Detail.Rows, width, max(1, rows-len(view.Detail.Foot)))
	return m
}

// Reset shows the detail from its beginning, and gives the keys to the list.
func (m Master) Reset() Master {
	m.detail, m.Inside = pager.Pager{}, false
	return m
}

// Update takes a key, and tells whether it moved the cursor or the detail.
func (m Master) Update(msg tea.KeyMsg) (_ Master, taken bool) {
	if m.Inside {
		m.detail, taken = m.detail.Update(msg)
	} else {
		m.List, taken = m.List.Update(msg)
	}
	return m, taken
}

// Draw draws a view in the room that there is.
func (m Master) Draw(view View) string {
	width, _, _ := m.Rooms()
	head := m.head(view)
	content := slices.Concat(head, m.List.Rows(m.theme, width, func(i int) string { return view.Row(i, width-2) }, view.Day))
	if m.List.Count() == 0 && view.Empty != "" {
		content = append(content, theme.Paragraph(m.theme.Text, view.Empty, width, 0)...)
	}
	list := pane.Pane{
		Frame: m.Grid.Frame, Title: view.Title, Right: view.Right, Foot: m.List.Position(view.More), Keys: !m.Inside,
		Rows: content, Last: view.Foot, Scroll: m.List.Scroll(len(head)),
	}
	detail := pane.Pane{
		Frame: m.Grid.Frame, Title: view.Detail.Title, Keys: m.Inside,
		Rows: m.detail.Rows(), Last: view.Detail.Foot, Scroll: m.detail.Scroll(),
	}
	switch {
	case m.Grid.Detail > 0:
		return theme.Beside(list.Draw(m.theme, m.Grid.List, m.height), " ", detail.Draw(m.theme, m.Grid.Detail, m.height))
	case m.Inside:
		return detail.Draw(m.theme, m.width, m.height)
	}
	return list.Draw(m.theme, m.Grid.List, m.height)
}

// head is what stands above the rows. Where two rows have no room below it, its
// first ones give way.
func (m Master) head(view View) []string {
	width, _, rows := m.Rooms()
	head := append(make([]string, m.Grid.Air), view.Head...)
	if view.Columns != "" && m.List.Count() > 0 {
		columns, position := "  "+strings.TrimRight(view.Columns, " "), m.List.Position(view.More)
		if m.Grid.Frame != pane.Whole && theme.Width(columns+" "+position) <= width {
			columns = theme.Spread(columns, position, width) // There is no border for it.
		}
		head = append(head, m.theme.Muted.Render(theme.Truncate(columns, width)))
	}
	return head[max(0, len(head)-max(0, rows-2)):]
}

// Fact is a row of a detail: a name, and what is known under it.
func Fact(styles theme.Theme, name, value string) string {
	if value == "" {
		value = "—"
	}
	return styles.Muted.Render(theme.Left(name, 18)) + value
}
