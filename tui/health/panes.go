package health

import (
	"slices"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
)

// form is a way to draw the panes.
type form struct {
	path    way
	hour    bool // Whether the payments of the last hour are drawn.
	calls   bool // Whether the order calls are drawn if there is no room for them next to the hour.
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
	air         = 1 // A blank row.
)

// upper draws the panes above the findings, in the first form that fits, or none.
func (m Model) upper(path path, told told) []string {
	const edges = pane.Edges // Without a lower border, a blank row is in its place.
	frame := m.frame()
	if frame == pane.Bare {
		return nil
	}
	unsigned := told
	unsigned.signs = nil // The signs only fill rows that are left.
	for _, form := range forms() {
		rows, fits := path.across(form.path == boxed)
		if form.path == down {
			rows, fits = path.downwards(), true
		}
		road := fit.Need{Least: len(rows) + edges, Good: len(rows) + edges + air}
		var hour, calls fit.Need
		if form.hour {
			least := m.hourRows() + edges
			hour = fit.Need{Least: least, Good: least + 2*air, Most: least + manyBars - someBars + 2*air, Grow: 1}
		}
		if form.calls && !m.halved() && m.timed() {
			least := len(m.callFigures(path.width)) + edges
			calls = fit.Need{Least: least, Good: least + someBars + 1 + air}
		}
		rest := m.size.Height - road.Least - hour.Good - calls.Good
		findings := fit.Need{Good: len(unsigned.in(rest-edges)) + edges}
		var sizes []int
		whole := false
		for _, least := range told.heights(form.scrolls) {
			if findings.Least = least + edges; !whole {
				sizes, whole = fit.Share(m.size.Height, hour, calls, findings, road)
			}
		}
		if !whole || !fits {
			continue
		}
		all := pane.Pane{Frame: frame, Title: m.Texts.Path.Title, Right: path.verdict(), Rows: rows}.Aired(sizes[3]).Lines(m.Theme, m.size.Width, sizes[3])
		if form.hour {
			all = append(all, m.hourPanes(sizes[0])...)
		}
		if calls.Least > 0 {
			all = append(all, m.calls(m.size.Width, sizes[1]).Lines(m.Theme, m.size.Width, sizes[1])...)
		}
		return all
	}
	return nil
}

// under returns the rows of a pane with room for a number of rows: bars with their times, and the
// figures below them, which are in the same row in both panes. First the figures get a blank row above
// them, then the bars do.
func (m Model) under(room int, figures []string, draw func(high int) []string) []string {
	if len(figures) > 0 {
		figures = append(slices.Clip(figures), make([]string, max(0, m.belowBars()-len(figures)))...)
	}
	high := room - 1 - len(figures)
	if high < 1 {
		return figures
	}
	var rows []string
	if len(figures) > 0 && high > someBars {
		figures = append([]string{""}, figures...)
		high--
	}
	if high > someBars {
		rows = append(rows, "")
		high--
	}
	return slices.Concat(rows, draw(high), figures)
}
