package health

import (
	"slices"
	"strings"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// form is a way to draw the panes. The path of a payment is always at the top, and the findings at
// the bottom.
type form struct {
	path    way
	places  bool // The address of each name on the path is shown.
	hour    bool // The last hour is between the path and the findings.
	scrolls bool // The findings may be longer than their pane.
}

// way is the way in which the path of a payment is arranged.
type way int

const (
	boxed way = iota // The names are in a row, in boxes.
	inRow            // The names are in a row.
	down             // The names are one below the other.
)

// forms returns all forms. In each form, some part is smaller than in the form before. If no form
// fits, only the findings are shown.
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
	someTold = 6 // How many rows of findings are visible in every form.
	someBars = 3 // Minimum number of rows for bars: as many as the facts next to them, without the row of the times.
	manyBars = 8 // Maximum number of rows for bars: more would not be clearer.
)

// upper draws the panes above the findings, in the first form that fits. told is the number of rows
// of the findings, and good the number with blank rows between their parts.
func (m Model) upper(found []doctor.Finding, told, good int) []string {
	frame := m.frame()
	_, room := frame.Inner(m.size.Width, m.size.Height)
	edges := m.size.Height - room
	if frame == pane.Bare {
		return nil
	}
	links := m.links(found)
	for _, form := range forms() {
		path, fits := m.path(links, form.path)
		if form.places && form.path != down {
			path = append(path, m.placeRow(m.places(found), form.path))
		}
		if form.path == down {
			path, fits = m.downwards(links, m.places(found)), true
		}
		findings := fit.Need{Least: told + edges, Good: good + edges, Grow: 1}
		if form.scrolls {
			findings.Least = min(told, someTold) + edges
		}
		var hour fit.Need
		if form.hour {
			rows := m.hourRows() + edges
			hour = fit.Need{Least: rows, Good: rows + 1, Most: rows + manyBars - someBars + 1, Grow: 1}
		}
		sizes, whole := fit.Share(m.size.Height, fit.Need{Least: len(path) + edges, Good: len(path) + edges + 1}, hour, findings)
		if !whole || !fits {
			continue
		}
		all := pane.Pane{Frame: frame, Title: m.Texts.Path.Title, Right: m.verdict(links), Rows: path}.Aired(sizes[0]).Lines(m.Theme, m.size.Width, sizes[0])
		if form.hour {
			all = append(all, m.hourPanes(sizes[1])...)
		}
		return all
	}
	return nil
}

// road says where the names of the path are in a row.
type road struct {
	names []string // The names, drawn with or without boxes.
	at    int      // Blank columns before the first name.
	gap   int      // Columns between two names.
}

// road arranges the names of the path in a row as wide as the screen.
func (m Model) road(way way) road {
	names := m.names()
	widest := 0
	for _, name := range names {
		widest = max(widest, theme.Width(name))
	}
	spare := m.inner()
	for i, name := range names {
		names[i] = m.Theme.Strong.Render(name)
		if way == boxed {
			names[i] = m.box(name, widest)
		}
		spare -= theme.Width(names[i])
	}
	steps := len(names) - 1
	gap := spare / steps
	return road{names: names, at: (spare - gap*steps) / 2, gap: gap} // All gaps are equal, and the remaining columns are at the edges.
}

// path draws the path of a payment in a row: the names, with or without boxes, and between them the
// state of each link. Between boxes, what happened last at a link is above and below its arrow;
// otherwise it is in a row below the names. fits is false if the pane is too narrow.
func (m Model) path(links []link, way way) (rows []string, fits bool) {
	road := m.road(way)
	boxes := way == boxed
	head := ""
	least := 7 // Minimum number of columns between two names, for an arrow with a sign.
	if boxes {
		head = "▸"
		for _, link := range links {
			least = max(least, theme.Width(link.word)+2, theme.Width(link.when)+2)
		}
	}
	if road.gap < least {
		return nil, false
	}
	rule := theme.Rule((road.gap - 5) / 2)
	blocks := []string{theme.AlignLeft("", road.at), road.names[0]}
	captions := make([]caption, len(links))
	at := road.at + theme.Width(road.names[0])
	for i, link := range links {
		sign, style := link.state.Mark(m.Theme)
		arrow := m.Theme.Muted.Render(rule) + " " + style.Bold(true).Render(sign) + " " + m.Theme.Muted.Render(rule+head)
		if boxes {
			arrow = style.Render(link.when) + "\n" + arrow + "\n" + style.Render(link.word)
		}
		blocks = append(blocks, theme.Center(arrow, road.gap, 1), road.names[i+1])
		captions[i] = caption{text: style.Render(link.says()), centre: at + road.gap/2}
		at += road.gap + theme.Width(road.names[i+1])
	}
	rows = strings.Split(theme.Beside(blocks...), "\n")
	if boxes {
		return rows, true
	}
	return append(rows, captionRow(captions, m.inner())), true
}

// downwards draws the path of a payment from top to bottom: each name with its place in a row, and
// each link in a row between two names.
func (m Model) downwards(links []link, places []string) (rows []string) {
	names := m.names()
	widest := theme.Width(strings.Join(names, "\n")) + 2
	for i, name := range names {
		if i > 0 {
			link := links[i-1]
			sign, style := link.state.Mark(m.Theme)
			line := "  " + m.Theme.Muted.Render(theme.Thin().Left) + " " + style.Bold(true).Render(sign)
			rows = append(rows, theme.AlignLeft(line, widest)+style.Render(link.says()))
		}
		rows = append(rows, theme.AlignLeft(m.Theme.Strong.Render(name), widest)+m.Theme.Muted.Render(places[i]))
	}
	return rows
}

// box draws a name on the path in a box. All boxes have the width for a name of widest columns.
func (m Model) box(name string, widest int) string {
	return pane.Pane{Rows: []string{theme.Center(m.Theme.Strong.Render(name), widest, 1)}}.Draw(m.Theme, widest+pane.Borders, 1+pane.Edges)
}

// placeRow draws each place below its name on the path.
func (m Model) placeRow(places []string, way way) string {
	road := m.road(way)
	captions := make([]caption, len(places))
	at := road.at
	for i, place := range places {
		width := theme.Width(road.names[i])
		captions[i] = caption{text: m.Theme.Muted.Render(place), centre: at + width/2}
		at += width + road.gap
	}
	return captionRow(captions, m.inner())
}

// caption is a text below the path. centre is the column of its middle.
type caption struct {
	text   string
	centre int
}

// captionRow draws captions in a row of width columns. Each caption is below its centre, or as near
// to it as the others allow. If the row is too short for all, each is cut to the same width.
func captionRow(captions []caption, width int) string {
	const apart = 2
	most := width
	for sum := width + 1; sum > width; most-- {
		sum = apart * (len(captions) - 1)
		for _, caption := range captions {
			sum += min(most, theme.Width(caption.text))
		}
	}
	starts := make([]int, len(captions))
	end := width
	for i, caption := range slices.Backward(captions) {
		captions[i].text = theme.Truncate(caption.text, most+1)
		wide := theme.Width(captions[i].text)
		starts[i] = min(caption.centre-wide/2, end-wide)
		end = starts[i] - apart
	}
	row := ""
	for i, caption := range captions {
		at := max(starts[i], 0)
		if i > 0 {
			at = max(at, theme.Width(row)+apart)
		}
		row = theme.AlignLeft(row, at) + caption.text
	}
	return row
}

// inner returns the width of the content of a pane as wide as the screen.
func (m Model) inner() int {
	width, _ := m.frame().Inner(m.size.Width, 0)
	return width
}
