package health

import (
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
)

// form is a way to draw the panes.
type form struct {
	path    way
	places  bool // Whether a path in a row has the address or place of each point below its name.
	hour    bool // Whether the payments of the last hour are drawn.
	scrolls bool // Whether the findings may be longer than their pane.
}

// way is how the path of a payment is arranged.
type way int

const (
	boxed way = iota // The names are in a row, in boxes.
	inRow            // The names are in a row, without boxes.
	down             // The names are one below the other, next to their places.
)

// forms returns all forms, the largest first. The last two are for a window in which the path is
// too wide for a row.
func forms() []form {
	return []form{
		{path: boxed, places: true, hour: true},
		{path: inRow, places: true, hour: true},
		{path: inRow, hour: true},
		{path: inRow},
		{path: inRow, scrolls: true},
		{path: down, hour: true},
		{path: down},
	}
}

const (
	someTold = 6 // Minimum number of visible rows of findings.
	someBars = 3 // Minimum number of rows for bars.
	manyBars = 8 // Maximum number of rows for bars.
)

// upper draws the panes above the findings, in the first form that fits, or none.
func (m Model) upper(path path, told told) []string {
	frame := m.frame()
	_, room := frame.Inner(m.size.Width, m.size.Height)
	edges := m.size.Height - room
	if frame == pane.Bare {
		return nil
	}
	for _, form := range forms() {
		rows, fits := path.across(form)
		if form.path == down {
			rows, fits = path.downwards(), true
		}
		road := fit.Need{Least: len(rows) + edges, Good: len(rows) + edges + frame.Air()}
		var hour fit.Need
		if form.hour {
			least := m.hourRows() + edges
			hour = fit.Need{Least: least, Good: least + frame.Air(), Most: least + manyBars - someBars + frame.Air(), Grow: 1}
		}
		rest := m.size.Height - road.Good - hour.Good
		findings := fit.Need{Good: len(told.in(rest-edges)) + edges}
		var sizes []int
		whole := false
		for _, least := range told.heights(form.scrolls) {
			if findings.Least = least + edges; !whole {
				sizes, whole = fit.Share(m.size.Height, road, hour, findings)
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
