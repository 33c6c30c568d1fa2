// Package master draws a list, and the detail of its chosen row. In a window of at least 120
// columns the detail is next to the list; in a narrower window it replaces the list.
package master

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

const (
	sideBySide = 120 // Minimum width for the list and the detail next to each other.
	airedRows  = 22  // If the pane has more rows, a blank row is above the list.
)

// Master contains the list, the detail, and the sizes of both.
type Master struct {
	List list.List
	// Frame is the border of the list and the detail. Across and Beside are their widths with
	// borders. Beside is 0 if the detail replaces the list.
	Frame          pane.Frame
	Across, Beside int
	// Width and DetailWidth are the columns for the content of the list and of the detail, Rows is
	// the height of each.
	Width, DetailWidth, Rows int
	// Inside means that the detail has the focus, Single that there is no detail.
	Inside, Single bool

	theme  theme.Theme
	detail pager.Pager
	height int
}

// View is the content of a screen. All texts except Columns and Empty may be styled.
type View struct {
	Title, Right string
	// Rows above the list, and the headings of its columns.
	Head    []string
	Columns string
	// Row returns the cells of a row. Day returns the head above the first row of a day; Day may be
	// nil.
	Row, Day func(i int) string
	Chosen   *theme.Style // Style of the chosen row; nil for theme.Theme.Selected.
	Empty    string
	More     string         // Text after the number of rows, such as "+" if not all rows are loaded.
	Example  string         // Example of a row for an empty list.
	About    []string       // Rows about the chosen row, below the list.
	Foot     []string       // The last rows, such as a question; in an empty list below Empty.
	Below    []string       // Rows below About, if there is room for all of them.
	Keys     []keybar.Entry // Keys in the border of the part that has the focus.
	Detail   Detail
}

// Detail is the full description of the chosen row.
type Detail struct {
	Title      string
	Rows, Foot []string
	Asks       bool // The detail has a form or a question, so the list is dimmed.
}

// New returns a Master without rows and without a size.
func New(styles theme.Theme, texts i18n.Texts) Master {
	return Master{theme: styles, List: list.New(texts)}
}

// SetSize sets the size of list and detail together, with their borders.
func (m Master) SetSize(width, height int) Master {
	m.height, m.Frame = height, layout.FrameOf(width, height+layout.FrameRows)
	m.Across, m.Beside = width, 0
	if width >= sideBySide && !m.Single {
		m.Beside = (width - layout.Gap) * 2 / 5
		m.Across = width - layout.Gap - m.Beside
	}
	m.Width, m.Rows = m.Frame.Inner(m.Across, height)
	m.DetailWidth = m.Width
	if m.Beside > 0 {
		m.DetailWidth, _ = m.Frame.Inner(m.Beside, height)
	}
	return m
}

// SetHeight changes the height of list and detail. The kind of border stays.
func (m Master) SetHeight(height int) Master {
	m.Rows -= m.height - height
	m.height = height
	return m
}

// Fit gives the list and the detail the rows that the other parts of the view leave.
func (m Master) Fit(view View) Master {
	m.List = m.List.SetRoom(max(1, m.Rows-len(m.head(view))-len(view.About)-len(view.Foot)))
	m.detail = m.detail.Show(view.Detail.Rows, m.DetailWidth, max(1, m.Rows-len(view.Detail.Foot)))
	return m
}

// Reset scrolls the detail to its beginning.
func (m Master) Reset() Master {
	m.detail = pager.Pager{}
	return m
}

// Update passes a key to the part with the focus. taken reports whether that part uses the key.
func (m Master) Update(msg tea.KeyMsg) (_ Master, taken bool) {
	if m.Inside {
		m.detail, taken = m.detail.Update(msg)
	} else {
		m.List, taken = m.List.Update(msg)
	}
	return m, taken
}

// Draw draws a view in the size from SetSize and SetHeight. Call [Master.Fit] with the same view
// before.
func (m Master) Draw(view View) string {
	head := m.head(view)
	styles := m.theme
	if view.Chosen != nil {
		styles.Selected = *view.Chosen
	}
	content := slices.Concat(head, m.List.Rows(styles, m.Width, view.Row, view.Day), view.About)
	if m.List.Count() == 0 {
		content = m.empty(view, head)
		if below := slices.Concat(content, []string{""}, view.Foot); len(below) <= m.Rows {
			content = below
			view.Foot = nil
		}
	}
	if view.Detail.Asks && m.Beside > 0 {
		m.Inside = true // The question takes the keys.
	}
	if len(content)+len(view.Below)+len(view.Foot) <= m.Rows {
		content = append(content, view.Below...)
	}
	list := pane.Pane{
		Frame: m.Frame, Title: view.Title, Right: view.Right, Foot: m.List.Position(view.More), Keys: !m.Inside,
		Rows: content, Last: view.Foot, Scroll: m.List.Scroll(len(head)),
	}
	detail := pane.Pane{
		Frame: m.Frame, Title: view.Detail.Title, Keys: m.Inside,
		Rows: m.detail.Rows(), Last: view.Detail.Foot, Scroll: m.detail.Scroll(),
	}
	focused := &list
	if m.Inside {
		focused = &detail
	}
	focused.Offers = keybar.Offers(m.theme, view.Keys)
	switch {
	case m.Beside > 0:
		rows := list.Lines(m.theme, m.Across, m.height)
		if view.Detail.Asks {
			rows = theme.Dress(m.theme.Rule, strings.Split(theme.Bare(strings.Join(rows, "\n")), "\n"))
		}
		return theme.Beside(strings.Join(rows, "\n"), " ", detail.Draw(m.theme, m.Beside, m.height))
	case m.Inside:
		return detail.Draw(m.theme, m.Across, m.height)
	}
	return list.Draw(m.theme, m.Across, m.height)
}

// empty returns the rows of a list without rows. If there is no room, it omits the example.
func (m Master) empty(view View, head []string) []string {
	text := theme.Paragraph(m.theme.Text, view.Empty, m.Width, 0)
	example := []string{""}
	if view.Example != "" && view.Empty != "" {
		columns := m.theme.Muted.Render("  " + strings.TrimRight(view.Columns, " "))
		example = append(example, columns, "  "+m.theme.Rule.Render(theme.Bare(view.Example)), "")
	}
	if len(head) > 0 && head[0] == "" {
		head = head[1:]
	}
	if len(head)+len(example)+len(text)+len(view.Foot) > m.Rows {
		example = nil
	}
	return slices.Concat(head, example, text)
}

// head returns the rows above the list. In a low pane, it omits the first of them.
func (m Master) head(view View) []string {
	head := view.Head
	if m.Frame == pane.FullBorder && m.Rows > airedRows {
		head = append([]string{""}, head...)
	}
	if view.Columns != "" && m.List.Count() > 0 {
		columns, position := "  "+strings.TrimRight(view.Columns, " "), m.List.Position(view.More)
		if m.Frame != pane.FullBorder && theme.Width(columns+" "+position) <= m.Width {
			columns = theme.Spread(columns, position, m.Width) // The border has no place for the position.
		}
		head = append(head, m.theme.Muted.Render(theme.Truncate(columns, m.Width)))
	}
	return head[max(0, len(head)-max(0, m.Rows-2)):]
}

// Fact returns a row for a detail: a name and a value. A dash stands for a blank value.
func Fact(styles theme.Theme, name, value string) string {
	if value == "" {
		value = "—"
	}
	return styles.Muted.Render(theme.AlignLeft(name, 18)) + value
}
