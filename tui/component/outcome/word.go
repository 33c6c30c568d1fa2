package outcome

import (
	"slices"
	"strings"

	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// word draws the word in the largest letters that fit, at most high rows, and reports
// whether the sign is with it. It drops the sign if the word does not fit with it, or for
// PAID if the letters get larger without it.
func (p painter) word(high int) (rows []string, signed bool) {
	both := p.Sign + " " + p.Short
	if high >= figures.Small {
		rows = p.letters(both, max(figures.Large, p.height*3/10), high)
		alone := p.letters(p.Short, min(p.height/2, 2*figures.Large), high)
		if p.Kind == badge.Paid && len(alone) > len(rows) || rows == nil && alone != nil {
			return p.dressed(alone, 0), false
		}
	}
	if rows == nil {
		return []string{p.text.Render(theme.Truncate(both, p.columns-2))}, true
	}
	sign := figures.Draw(p.theme, p.Sign, max(figures.Small, len(rows)-len(rows)%figures.Large))
	return p.dressed(rows, theme.Width(strings.Join(sign, "\n"))), true
}

// letters draws text in letters of at most high rows. Accents may add rows above, up to
// most rows in all. It returns nil if the text does not fit.
func (p painter) letters(text string, high, most int) []string {
	high = max(figures.Large, high)
	whole := high - high%figures.Large
	accents := len(figures.Draw(p.theme, p.Short, whole)) - whole
	return figures.Fit(p.theme, text, p.columns-2, min(most, high+accents))
}

// dressed colours the word. For NOT PAID only the sign, the first sign columns, has the
// outcome's colour; the word has the strong style.
func (p painter) dressed(rows []string, sign int) []string {
	ink := p.text
	if p.Kind == badge.NotPaid {
		ink = p.strong
	}
	for i, row := range rows {
		cells := []rune(row)
		at := min(sign, len(cells))
		rows[i] = p.text.Render(string(cells[:at])) + ink.Render(string(cells[at:]))
	}
	return rows
}

// amount draws the amount in large letters, with the sign if the word has none. It returns
// nil if the amount belongs in a row of text.
func (p painter) amount(high int, signed bool) []string {
	size, text := p.grid.Figures, p.Amount
	switch {
	case text == "", high < figures.Small, size < figures.Small:
		return nil
	case p.Kind != badge.Paid && size < figures.Large:
		return nil
	case size == figures.Large && p.height >= 12*figures.Large:
		size = 2 * figures.Large
	}
	if !signed {
		text = p.Sign + " " + text
	}
	return theme.Dress(p.strong, figures.Fit(p.theme, text, p.columns-2, min(high, size)))
}

// band draws the word on a coloured background between stripes.
func (p painter) band(word []string) []string {
	ink, stripe := p.theme.Ground(p.block), []rune(strings.Repeat("████    ", p.width/8+2))
	stripes := []string{ink.Render(string(stripe[:p.width])), ink.Render(string(stripe[2 : 2+p.width]))}
	if len(word) < figures.Large {
		stripes = stripes[:1]
	} else {
		above := max(0, (figures.Large+4-len(word))/2) // One row less if the word has accents.
		word = append(append(make([]string, above), word...), "")
	}
	rows := append([]string{}, stripes...)
	for _, row := range word {
		before := max(0, (p.width-theme.Width(row))/2)
		rows = append(rows, p.block.Render(theme.AlignLeft(theme.AlignLeft("", before)+theme.Bare(row), p.width)))
	}
	return append(rows, stripes...)
}

// frame surrounds an outcome: columns at each side, rows above and below. below is the
// number of blank rows below the keys.
type frame struct {
	columns, rows, below int
	border               theme.Border
}

// frameOf returns the frame of a kind; PAID and CHECK have none.
func frameOf(kind badge.Kind) frame {
	switch kind {
	case badge.NotPaid:
		return frame{2, 1, 2, solid("█")}
	case badge.Unknown:
		return frame{3, 2, 2, solid("░")}
	case badge.Paid, badge.Check:
		return frame{below: 1}
	}
	return frame{1, 1, 1, theme.Thin()}
}

func solid(cell string) theme.Border {
	return theme.Border{
		Top: cell, Bottom: cell, Left: cell, Right: cell, TopLeft: cell, TopRight: cell, BottomLeft: cell, BottomRight: cell,
	}
}

func (p painter) framed(content []string) []string {
	ink := p.text.Bold(false)
	if p.Kind == badge.NotPaid || p.Kind == badge.Unknown {
		ink = p.theme.Ground(p.block)
	}
	border := p.frame.border
	upper := ink.Render(p.side(border.TopLeft) + strings.Repeat(border.Top, p.columns) + p.side(border.TopRight))
	lower := ink.Render(p.side(border.BottomLeft) + strings.Repeat(border.Bottom, p.columns) + p.side(border.BottomRight))
	var above, below []string
	for range p.frame.rows {
		above, below = append(above, upper), append(below, lower)
	}
	for i, row := range content {
		content[i] = ink.Render(p.side(border.Left)) + row + ink.Render(p.side(border.Right))
	}
	return slices.Concat(above, content, below)
}

// side returns one row of a side of the frame.
func (p painter) side(cell string) string { return strings.Repeat(cell, p.frame.columns) }
