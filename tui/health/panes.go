package health

import (
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
)

// form is a way to draw the panes. The path of a payment is at the top, then the payments of the
// last hour if they are drawn, and then the findings.
type form struct {
	path    way
	places  bool // The address of each name on the path is shown.
	hour    bool // The payments of the last hour are between the path and the findings.
	scrolls bool // The findings may be longer than their pane.
}

// way is the way in which the path of a payment is arranged.
type way int

const (
	boxed way = iota // The names are in a row, in boxes.
	inRow            // The names are in a row.
	down             // The names are one below the other.
)

// forms returns all forms. The last two are for a window in which the path is too wide for a row.
// Of the others, each has some part that is smaller than in the form before. If no form fits, only
// the findings are shown.
func forms() []form {
	return []form{
		{path: boxed, places: true, hour: true},
		{path: inRow, places: true, hour: true},
		{path: inRow, hour: true},
		{path: inRow, places: true},
		{path: inRow},
		{path: inRow, scrolls: true},
		{path: down, places: true, hour: true},
		{path: down, places: true},
	}
}

const (
	someTold = 6 // Minimum number of visible rows of findings, if there are so many.
	someBars = 3 // Minimum number of rows for bars. With the row of the times below, the chart then is as high as the four facts next to it.
	manyBars = 8 // Maximum number of rows for bars: more would not be clearer.
)

// upper draws the panes above the findings, in the first form that fits. The blank row below what to
// do is more important than those of the panes above. If no form fits, upper returns nil.
func (m Model) upper(path path, told told) []string {
	frame := m.frame()
	_, room := frame.Inner(m.size.Width, m.size.Height)
	edges := m.size.Height - room
	if frame == pane.Bare {
		return nil
	}
	for _, form := range forms() {
		rows, fits := path.across(form.path)
		if form.places && form.path != down {
			rows = append(rows, path.placeRow(form.path))
		}
		if form.path == down {
			rows, fits = path.downwards(), true
		}
		findings := fit.Need{Good: len(told.aired()) + edges, Grow: 1}
		var hour fit.Need
		if form.hour {
			least := m.hourRows() + edges
			hour = fit.Need{Least: least, Good: least + 1, Most: least + manyBars - someBars + 1, Grow: 1}
		}
		var sizes []int
		whole := false
		for _, least := range told.heights(form.scrolls) {
			if findings.Least = least + edges; !whole {
				sizes, whole = fit.Share(m.size.Height, fit.Need{Least: len(rows) + edges, Good: len(rows) + edges + 1}, hour, findings)
			}
		}
		if !whole || !fits {
			continue
		}
		all := pane.Pane{Frame: frame, Title: m.Texts.Path.Title, Right: path.verdict(), Rows: rows}.Aired(sizes[0]).Lines(m.Theme, m.size.Width, sizes[0])
		if form.hour {
			all = append(all, m.hourPanes(sizes[1])...)
		}
		return all
	}
	return nil
}
