package outcome

import (
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// word draws the word as large as it fits, at most high rows, and tells whether
// its sign is with it. Letters twice as large come before the sign.
func (p painter) word(high int) (rows []string, signed bool) {
	width, _ := p.inner()
	width -= 2
	both := p.Sign + " " + p.Word
	if high < figures.Small {
		return []string{p.text.Render(theme.Truncate(both, width))}, true
	}
	large := max(figures.Large, p.height*3/10)
	rows = figures.Fit(p.theme, both, width, min(high, large+accents(p.theme, p.Word, large)))
	alone := min(p.height/2, 2*figures.Large)
	if word := figures.Fit(p.theme, p.Word, width, min(high, alone+accents(p.theme, p.Word, alone))); p.Kind == Paid && len(word) > len(rows) || rows == nil {
		if word == nil {
			return []string{p.text.Render(theme.Truncate(both, width))}, true
		}
		return p.dressed(word, 0), false
	}
	sign := figures.Draw(p.theme, p.Sign, figures.Small)
	if factor := len(rows) / figures.Large; factor > 0 {
		sign = figures.Draw(p.theme, p.Sign, factor*figures.Large)
	}
	return p.dressed(rows, theme.Width(strings.Join(sign, "\n"))), true
}

// accents is how many rows the accents of a word take, in letters of at most high
// rows.
func accents(styles theme.Theme, word string, high int) int {
	factor := max(1, high/figures.Large)
	return len(figures.Draw(styles, word, factor*figures.Large)) - factor*figures.Large
}

// dressed colours the word: that of NOT PAID is in the text's own colour, behind a
// sign of so many columns.
func (p painter) dressed(rows []string, sign int) []string {
	for i, row := range rows {
		switch cells := []rune(row); p.Kind {
		case Paid, Check:
		case NotPaid:
			at := min(sign, len(cells))
			rows[i] = p.text.Render(string(cells[:at])) + p.theme.Strong.Render(string(cells[at:]))
		default:
			rows[i] = p.text.Render(row)
		}
	}
	return rows
}

// amount draws the amount below the word, with the sign where the word lacks it;
// nil where it stands in a row of text.
func (p painter) amount(high int, signed bool) []string {
	width, _ := p.inner()
	size := p.grid.Figures
	switch {
	case p.Amount == "", high < figures.Small, size < figures.Small:
		return nil
	case p.Kind != Paid && size < figures.Large:
		return nil
	case size == figures.Large && p.height >= 12*figures.Large:
		size = 2 * figures.Large
	}
	text := p.Amount
	if !signed {
		text = p.Sign + " " + text
	}
	rows := figures.Fit(p.theme, text, width-2, min(high, size))
	for i, row := range rows {
		if p.Kind != Paid {
			rows[i] = p.theme.Strong.Render(row)
		}
	}
	return rows
}

// band is the word on a ground of its own, between stripes.
func (p painter) band(word []string) []string {
	stripes, lines := p.stripes(), word
	if len(word) < figures.Large {
		stripes = stripes[:1]
	} else {
		above := max(0, (figures.Large+4-len(word))/2) // A row less where accents stand.
		lines = append(append(make([]string, above), word...), "")
	}
	rows := append([]string{}, stripes...)
	for _, line := range lines {
		before := max(0, (p.width-theme.Width(line))/2)
		rows = append(rows, p.block.Render(theme.Left(theme.Left("", before)+theme.Bare(line), p.width)))
	}
	return append(rows, stripes...)
}

func (p painter) stripes() []string {
	stripe := strings.Repeat("████    ", p.width/8+2)
	ink := p.theme.Ground(p.block)
	first, second := []rune(stripe), []rune(stripe)[2:]
	return []string{ink.Render(string(first[:p.width])), ink.Render(string(second[:p.width]))}
}

// framed puts the frame around the content.
func (p painter) framed(content []string) []string {
	ink, wide, glyph := p.theme.Ground(p.block), p.edge.columns, "█"
	switch p.Kind {
	case Unknown:
		glyph = "░"
	case Marked, Over:
		return p.bordered(content)
	}
	if wide == 0 {
		return content
	}
	var rows []string
	full, side := ink.Render(strings.Repeat(glyph, p.width)), ink.Render(strings.Repeat(glyph, wide))
	for range p.edge.rows {
		rows = append(rows, full)
	}
	for _, row := range content {
		rows = append(rows, side+row+side)
	}
	for range p.edge.rows {
		rows = append(rows, full)
	}
	return rows
}

// bordered puts a thin border around the content.
func (p painter) bordered(content []string) []string {
	if p.edge.columns == 0 {
		return content
	}
	border := p.theme.Glyphs().Border
	line := strings.Repeat(border.Top, p.width-2)
	rows := []string{p.text.Bold(false).Render(border.TopLeft + line + border.TopRight)}
	side := p.text.Bold(false).Render(border.Left)
	for _, row := range content {
		rows = append(rows, side+row+side)
	}
	return append(rows, p.text.Bold(false).Render(border.BottomLeft+line+border.BottomRight))
}
