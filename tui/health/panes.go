package health

import (
	"slices"
	"strings"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// form is a way to draw the panes. The path of a payment is at the top, the findings are at the bottom.
type form struct {
	boxes   bool // The names on the path are in boxes.
	places  bool // Below each name is its address.
	hour    bool // The last hour and the order calls are between the path and the findings.
	scrolls bool // Not all findings need to be visible.
}

// forms returns all forms. In each form something has less room than in the form before. If none fits, there
// are only the findings.
func forms() []form {
	return []form{
		{boxes: true, places: true, hour: true}, {places: true, hour: true}, {hour: true}, {places: true}, {}, {scrolls: true},
	}
}

const (
	someTold = 6 // Rows of findings that are visible in every form.
	someBars = 3 // Fewest rows of bars: as many as the facts next to them, without the row of the times.
	manyBars = 8 // More rows of bars are not clearer.
)

// upper draws the panes above the findings in the first form that fits. told is the number of rows of the
// findings, good the number with blank rows.
func (m Model) upper(found []doctor.Finding, told, good int) []string {
	if m.frame() != pane.FullBorder {
		return nil
	}
	links := m.links(found)
	left, right := layout.Split(m.size.Width)
	if len(m.called) == 0 {
		left = m.size.Width
	}
	last := max(1, len(m.outcomes(left-pane.Borders))) // Rows below the bars.
	for _, form := range forms() {
		path, fits := m.path(links, form.boxes)
		if form.places {
			path = append(path, m.placeRow(m.places(found), form.boxes))
		}
		findings := fit.Need{Least: told + pane.Edges, Good: good + pane.Edges, Grow: 1}
		if form.scrolls {
			findings.Least = min(told, someTold) + pane.Edges
		}
		var hour fit.Need
		if form.hour {
			bars := 1 + last + pane.Edges // Rows besides the bars.
			hour = fit.Need{Least: someBars + bars, Good: someBars + bars + 1, Most: manyBars + bars + 1, Grow: 1}
			fits = fits && m.size.Width >= layout.Halves
		}
		sizes, whole := fit.Share(m.size.Height, fit.Need{Least: len(path) + pane.Edges, Good: len(path) + pane.Edges + 1}, hour, findings)
		if !whole || !fits {
			continue
		}
		all := pane.Pane{Title: m.Texts.Path.Title, Right: m.verdict(links), Rows: path}.Aired(sizes[0]).Lines(m.Theme, m.size.Width, sizes[0])
		switch {
		case form.hour && len(m.called) == 0:
			all = append(all, m.chart(left, sizes[1], last).Lines(m.Theme, left, sizes[1])...)
		case form.hour:
			chart, calls := m.chart(left, sizes[1], last), m.calls(right, sizes[1], last)
			all = append(all, strings.Split(theme.Beside(chart.Draw(m.Theme, left, sizes[1]), " ", calls.Draw(m.Theme, right, sizes[1])), "\n")...)
		}
		return all
	}
	return nil
}

// barsIn returns the height of the bars in a pane of height rows. Below the bars are their times and last
// rows.
func barsIn(height, last int) int {
	room := height - pane.Edges - 1 - last
	if room > someBars {
		room-- // A blank row is above the bars.
	}
	return room
}

// road is how the names of the path are arranged in a row.
type road struct {
	names []string // The names, in boxes or not.
	at    int      // Blank columns before the first name.
	gap   int      // Columns between two names.
}

// road arranges the names of the path in the width of the screen.
func (m Model) road(boxes bool) road {
	names := m.names()
	widest := 0
	for _, name := range names {
		widest = max(widest, theme.Width(name))
	}
	spare := m.inner()
	for i, name := range names {
		names[i] = m.Theme.Strong.Render(name)
		if boxes {
			names[i] = m.box(name, widest)
		}
		spare -= theme.Width(names[i])
	}
	steps := len(names) - 1
	gap := spare / steps
	return road{names: names, at: (spare - gap*steps) / 2, gap: gap} // The steps are equal, and the rest of the columns is at the edges.
}

// path draws the path of a payment: the names, in boxes or not, the state of each link, and what is known of it,
// above and below the arrow between boxes, else in a row below the names. fits is false if the pane is too narrow.
func (m Model) path(links []link, boxes bool) (rows []string, fits bool) {
	road := m.road(boxes)
	head := ""
	least := 7 // Columns between two names, for an arrow with a sign.
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

// box returns a name on the path in a box for names of up to widest columns.
func (m Model) box(name string, widest int) string {
	return pane.Pane{Rows: []string{theme.Center(m.Theme.Strong.Render(name), widest, 1)}}.Draw(m.Theme, widest+pane.Borders, 1+pane.Edges)
}

// placeRow draws each place below its name on the path.
func (m Model) placeRow(places []string, boxes bool) string {
	road := m.road(boxes)
	captions := make([]caption, len(places))
	at := road.at
	for i, place := range places {
		width := theme.Width(road.names[i])
		captions[i] = caption{text: m.Theme.Muted.Render(place), centre: at + width/2}
		at += width + road.gap
	}
	return captionRow(captions, m.inner())
}

// caption is a text below the column centre.
type caption struct {
	text   string
	centre int
}

// captionRow draws captions in width columns. Each is below its centre, or as near to it as the others allow. If
// they are too long together, each is cut to the same width.
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
func (m Model) inner() int { return m.size.Width - pane.Borders }
