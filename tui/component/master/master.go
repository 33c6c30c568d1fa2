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
	// Width and DetailWidth are the columns for the content of the list and for that
	// of the detail, which takes the list's place where it does not stand beside it,
	// and Rows the rows of both.
	Width, DetailWidth, Rows int
	// Height is what they are given, with their borders.
	Height int
	// Inside says that the detail has the keys, Single that there is none.
	Inside, Single bool

	theme  theme.Theme
	detail pager.Pager
}

// View is what a screen shows. All but Columns and Empty may be dressed.
type View struct {
	Title, Right string
	// Head stands above the rows, and Columns, their names, last in it.
	Head    []string
	Columns string
	// Row returns the cells of a row, and Day what stands above the first one of a
	// day; nil where days have no heads.
	Row, Day func(i int) string
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
	m.Height, m.Grid = height, layout.Of(width, height+2)
	if m.Single {
		m.Grid.List, m.Grid.Detail = width, 0
	}
	m.Width, m.Rows = m.Grid.Frame.Inner(m.Grid.List, height)
	m.DetailWidth = m.Width
	if m.Grid.Detail > 0 {
		m.DetailWidth, _ = m.Grid.Frame.Inner(m.Grid.Detail, height)
	}
	return m
}

// Fit fits the rows and the detail into what a view leaves of the room.
func (m Master) Fit(view View) Master {
	m.List = m.List.SetRoom(max(1, m.Rows-len(m.head(view))-len(view.Foot)))
	m.detail = m.detail.Show(view.Detail.Rows, m.DetailWidth, max(1, m.Rows-len(view.Detail.Foot)))
	return m
}

// Reset shows the detail from its beginning.
func (m Master) Reset() Master {
	m.detail = pager.Pager{}
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
	head := m.head(view)
	content := slices.Concat(head, m.List.Rows(m.theme, m.Width, view.Row, view.Day))
	if m.List.Count() == 0 {
		content = append(content, theme.Paragraph(m.theme.Text, view.Empty, m.Width, 0)...)
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
		return theme.Beside(list.Draw(m.theme, m.Grid.List, m.Height), " ", detail.Draw(m.theme, m.Grid.Detail, m.Height))
	case m.Inside:
		return detail.Draw(m.theme, m.Grid.List, m.Height)
	}
	return list.Draw(m.theme, m.Grid.List, m.Height)
}

// head is what stands above the rows. Where two rows have no room below it, its
// first ones give way.
func (m Master) head(view View) []string {
	head := append(make([]string, m.Grid.Air), view.Head...)
	if view.Columns != "" && m.List.Count() > 0 {
		columns, position := "  "+strings.TrimRight(view.Columns, " "), m.List.Position(view.More)
		if m.Grid.Frame != pane.Whole && theme.Width(columns+" "+position) <= m.Width {
			columns = theme.Spread(columns, position, m.Width) // There is no border for it.
		}
		head = append(head, m.theme.Muted.Render(theme.Truncate(columns, m.Width)))
	}
	return head[max(0, len(head)-max(0, m.Rows-2)):]
}

// Fact is a row of a detail: a name, and what is known under it.
func Fact(styles theme.Theme, name, value string) string {
	if value == "" {
		value = "—"
	}
	return styles.Muted.Render(theme.Left(name, 18)) + value
}
