package health

import (
	"slices"
	"strings"

	"checkout/till/tui/component/pane"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// around is the number of columns between two names besides the line of the arrow: the sign of the
// link, and four blanks.
const around = 5

// across draws the path in a row, with the state of each link on the arrow between two names. If
// boxes is true, each name is in a box. fits is false if the pane is too narrow.
func (p path) across(boxes bool) (rows []string, fits bool) {
	widest := p.widest()
	names := make([]string, len(p.points))
	spare := p.width
	for i, point := range p.points {
		names[i] = p.Theme.Strong.Render(point.name)
		if boxes {
			names[i] = p.box(point.name, widest)
		}
		spare -= theme.Width(names[i])
	}
	gap := spare / len(p.links) // All gaps are equal.
	if gap > around {
		gap -= (gap - around) % 2 // Both halves of an arrow are equally long.
	}
	least := around + 2 // Columns for an arrow with a sign.
	if boxes {
		least = around + 6
		for _, link := range p.links {
			least = max(least, theme.Width(link.word)+2, theme.Width(link.when)+2)
		}
	}
	if gap < least {
		return nil, false
	}
	at := (spare - gap*len(p.links)) / 2
	blocks := []string{theme.AlignLeft("", at), names[0]}
	captions := make([]caption, len(p.links))
	at += theme.Width(names[0])
	half := (gap - around) / 2
	for i, link := range p.links {
		sign, style := link.state.Mark(p.Theme)
		arrow := p.Theme.Muted.Render(theme.Rule(half)) + " " + style.Bold(true).Render(sign) + " " + p.Theme.Muted.Render(theme.Rule(half-1)+"▸")
		if boxes {
			arrow = style.Render(link.when) + "\n" + arrow + "\n" + style.Render(link.word)
		}
		blocks = append(blocks, theme.Center(arrow, gap, 1), names[i+1])
		captions[i] = caption{text: style.Render(link.says()), centre: at + gap/2}
		at += gap + theme.Width(names[i+1])
	}
	rows = strings.Split(theme.Beside(blocks...), "\n")
	if !boxes {
		rows = append(rows, captionRow(captions, p.width))
	}
	return rows, true
}

func (p path) downwards() (rows []string) {
	widest := p.widest() + 2
	for i, point := range p.points {
		if i > 0 {
			link := p.links[i-1]
			sign, style := link.state.Mark(p.Theme)
			line := "  " + p.Theme.Muted.Render(theme.Thin().Left) + " " + style.Bold(true).Render(sign)
			rows = append(rows, theme.AlignLeft(line, widest)+style.Render(link.says()))
		}
		rows = append(rows, theme.AlignLeft(p.Theme.Strong.Render(point.name), widest)+point.facts(p.Theme, p.width-widest, 2, 1))
	}
	return rows
}

// widest returns the width of the longest name of a point.
func (p path) widest() (widest int) {
	for _, point := range p.points {
		widest = max(widest, theme.Width(point.name))
	}
	return widest
}

func (p path) box(name string, widest int) string {
	return pane.Pane{Rows: []string{theme.Center(p.Theme.Strong.Render(name), widest, 1)}}.Draw(p.Theme, widest+pane.Borders, 1+pane.Edges)
}

// caption is a text below the path. centre is the column for its middle.
type caption struct {
	text   string
	centre int
}

// captionRow draws captions in a row of width columns, each as near to its centre as possible. If
// the row is too short, the longest captions are cut to the same width.
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

// verdict returns a text about the worst state of the links.
func (p path) verdict() string {
	state, count := worstLinks(p.links)
	says := p.Texts.Path.Whole
	switch state {
	case doctor.Fail:
		says = p.Texts.Path.Broken.With(count)
	case doctor.Warn:
		says = p.Texts.Path.Doubtful.With(count)
	case "":
		says = p.Texts.Path.Unknown
	}
	sign, style := state.Mark(p.Theme)
	return style.Bold(true).Render(sign + " " + says)
}
