package health

import (
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
)

// form is a way to draw the panes.
type form struct {
	path    way
	hour    bool // Whether the payments of the last hour are drawn.
	calls   bool // Whether the figures about the order calls are drawn if their bars have no room.
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
		{path: boxed, hour: true},
		{path: inRow, hour: true, calls: true},
		{path: inRow, hour: true},
		{path: inRow},
		{path: inRow, scrolls: true},
		{path: down, hour: true, calls: true},
		{path: down, hour: true},
		{path: down},
	}
}

const (
	someTold = 6  // Minimum number of visible rows of findings.
	someBars = 2  // Minimum number of rows for bars.
	manyBars = 10 // Maximum number of rows for bars.
	// If there are more rows for the bars, the number of payments is above each bar.
	leastValued = 3
	air         = 1 // A blank row below the title of a pane.
)

// upper draws the panes above the findings, in the first form that fits, or none.
func (m Model) upper(path path, told told) []string {
	const edges = pane.Edges // Without a lower border, a blank row is in its place.
	frame := m.frame()
	if frame == pane.Bare {
		return nil
	}
	for _, form := range forms() {
		rows, fits := path.across(form.path == boxed)
		if form.path == down {
			rows, fits = path.downwards(), true
		}
		road := fit.Need{Least: len(rows) + edges, Good: len(rows) + edges + air}
		var hour, calls fit.Need
		if form.hour {
			least := m.hourRows() + edges
			hour = fit.Need{Least: least, Good: least + air, Most: least + manyBars - someBars + air, Grow: 1}
		}
		figures := m.callFigures(path.width)
		if form.calls && len(figures) > 0 {
			calls = fit.Need{Least: len(figures) + edges}
		}
		rest := m.size.Height - road.Good - hour.Good - calls.Least
		findings := fit.Need{Good: len(told.in(rest-edges)) + edges}
		var sizes []int
		whole := false
		for _, least := range told.heights(form.scrolls) {
			if findings.Least = least + edges; !whole {
				sizes, whole = fit.Share(m.size.Height, road, hour, findings, calls)
			}
		}
		if !whole || !fits {
			continue
		}
		all := pane.Pane{Frame: frame, Title: m.Texts.Path.Title, Right: path.verdict(), Rows: rows}.Aired(sizes[0]).Lines(m.Theme, m.size.Width, sizes[0])
		if form.hour {
			all = append(all, m.hourPanes(sizes[1])...)
		}
		if calls.Least > 0 {
			all = append(all, m.callsPane(figures).Lines(m.Theme, m.size.Width, sizes[3])...)
		}
		return all
	}
	return nil
}
