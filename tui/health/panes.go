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
	hour    bool // The last hour and the order calls are between the path and the findings.
	scrolls bool // Not all findings need to be visible.
}

// forms returns all forms. In each form something has less room than in the form before. If none fits, there
// are only the findings.
func forms() []form {
	return []form{{boxes: true, hour: true}, {hour: true}, {}, {scrolls: true}}
}

const (
	someTold = 6 // Rows of findings that are visible in every form.
	someBars = 3 // Fewest rows of bars: as many as the facts next to them, without the row of the times.
	manyBars = 8 // More rows of bars are not clearer.
)

// upper draws the panes above the findings in the first form that fits. told is the number of rows of the
// findings.
func (m Model) upper(links []link, told int) []string {
	if m.frame() != pane.FullBorder {
		return nil
	}
	left, right := layout.Split(m.size.Width)
	last := max(1, len(m.outcomes(left-pane.Borders))) // Rows below the bars.
	for _, form := range forms() {
		path, fits := m.path(links, form.boxes)
		findings := fit.Need{Least: told + pane.Edges, Good: told + pane.Edges + 2, Grow: 1}
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
		if form.hour {
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

// path draws the path of a payment: the names, in boxes or not, the state of each link, and a text below
// it. fits is false if the pane is too narrow.
func (m Model) path(links []link, boxes bool) (rows []string, fits bool) {
	words := m.Texts.Path
	inner, _ := pane.FullBorder.Inner(m.size.Width, m.size.Height)
	names := []string{words.Phone, words.Service, words.Address, words.Listener, words.Disk}
	if m.facts.Relay.Host != "" {
		names[2] = words.Relay
	}
	above, head := "", ""
	least := 7 // Columns between two names, for an arrow with a sign.
	if boxes {
		above, head = "\n", "▸"
		least = 6
	}
	spare := inner
	for i, name := range names {
		names[i] = m.name(name, boxes)
		spare -= theme.Width(names[i])
	}
	gap := spare / len(links)
	if gap < least {
		return nil, false
	}
	rule := theme.Rule((gap - 5) / 2)
	at := (spare - gap*len(links)) / 2 // The steps are equal, and the rest of the columns is at the edges.
	blocks := []string{theme.AlignLeft("", at), names[0]}
	captions := make([]caption, len(links))
	at += theme.Width(names[0])
	for i, link := range links {
		sign, style := link.state.Mark(m.Theme)
		arrow := m.Theme.Muted.Render(rule) + " " + style.Bold(true).Render(sign) + " " + m.Theme.Muted.Render(rule+head)
		blocks = append(blocks, above+theme.Center(arrow, gap, 1), names[i+1])
		captions[i] = caption{text: style.Render(link.says), centre: at + gap/2}
		at += gap + theme.Width(names[i+1])
	}
	return append(strings.Split(theme.Beside(blocks...), "\n"), captionRow(captions, inner)), true
}

// name returns a name on the path, in a box or not.
func (m Model) name(name string, boxed bool) string {
	const width = 10 // Columns of a name in its box.
	if !boxed {
		return m.Theme.Strong.Render(name)
	}
	if theme.Width(name) == width-1 {
		name = " " + name // Center would put the one spare blank after the name.
	}
	return pane.Pane{Rows: []string{theme.Center(m.Theme.Strong.Render(name), width, 1)}}.Draw(m.Theme, width+4, 3)
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

// told draws the findings or, while the report for support is shown, the report.
func (m Model) told(found []doctor.Finding, width int) []string {
	if !m.reporting {
		return doctor.Rows(m.Texts, found, m.Theme, width)
	}
	rows := append(theme.Paragraph(m.Theme.Strong, m.Texts.Pay.Copied, width, 0), "")
	for _, row := range m.report() {
		rows = append(rows, theme.Paragraph(m.Theme.Text, row, width, 0)...)
	}
	return rows
}
