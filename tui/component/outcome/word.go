package outcome

import (
	"slices"
	"strings"

	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// word draws the sign and the short word in large letters, at most high rows tall.
func (p painter) word(high int) []string {
	if p.words[high] == nil {
		p.words[high] = p.drawWord(high)
	}
	return slices.Clone(p.words[high])
}

func (p painter) drawWord(high int) []string {
	var rows []string
	both := p.Sign + " " + p.Short
	if p.Lined {
		both = p.Short
	}
	if high >= figures.Small {
		rows = p.letters(both, max(figures.Large, p.height*4/11), high)
		alone := p.letters(p.Short, min(p.height/2, 2*figures.Large), high)
		if p.Kind == badge.Paid && len(alone) > len(rows) || rows == nil && alone != nil {
			return p.dressed(alone, 0)
		}
	}
	if rows == nil {
		return []string{p.text.Render(theme.Truncate(both, p.columns-2))}
	}
	sign := figures.Draw(p.theme, p.Sign, max(figures.Small, len(rows)-len(rows)%figures.Large))
	return p.dressed(rows, theme.Width(strings.Join(sign, "\n")))
}

// letters draws text in large letters, or returns nil if they do not fit. high is the maximum
// height of the letters without accents, most the maximum with accents.
func (p painter) letters(text string, high, most int) []string {
	high = max(figures.Large, high)
	whole := high - high%figures.Large
	accents := len(figures.Draw(p.theme, p.Short, whole)) - whole
	return figures.Fit(p.theme, text, p.large, min(most, high+accents))
}

// dressed colours the rows of the word. For NOT PAID, only the sign has the colour of the
// outcome. sign is the width of the sign in columns.
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

func (p painter) amount(high int) []string {
	if p.Amount == "" || high < figures.Small {
		return nil
	}
	return theme.Dress(p.strong, figures.Fit(p.theme, p.Amount, p.large, high))
}

// band draws the word on a band, with slanted stripes above and below, which are gap rows high. A
// solid row separates the letters from the stripes.
func (p painter) band(word []string, gap int) []string {
	stripes := func(shifts ...int) []string {
		first := 8 - (p.width+3)%8/2 // Both ends of the row have the same blanks.
		ink, tape := p.theme.Ground(p.block), []rune(strings.Repeat("▟███▛   ", p.width/8+3))[first:]
		rows := make([]string, len(shifts))
		for i, shift := range shifts {
			rows[i] = ink.Render(string(tape[shift : shift+p.width]))
		}
		return rows
	}
	upper, lower := stripes(0, 1), stripes(7, 0) // In each row, the stripes are one column further to the left.
	if len(word) == 1 {
		gap = 0
	}
	upper, lower = upper[:gap], lower[len(lower)-gap:]
	above := 1 // Solid rows above the word.
	if gap > 1 {
		above = max(above, (figures.Large+4-len(word))/2) // A word with accents has fewer solid rows.
	}
	word = append(append(make([]string, above), word...), "")
	for i, row := range word {
		before := max(0, (p.width-theme.Width(row))/2)
		word[i] = p.block.Render(theme.AlignLeft(theme.AlignLeft("", before)+theme.Bare(row), p.width))
	}
	return slices.Concat(upper, word, lower)
}

// frame is the border around an outcome. columns and rows are its width and height at each side.
type frame struct {
	columns, rows int
	border        theme.Border
}

func frameOf(kind badge.Kind) frame {
	switch kind {
	case badge.NotPaid:
		return frame{2, 1, solid("█")}
	case badge.Unknown:
		return frame{2, 1, solid("▒")}
	case badge.Paid, badge.Check, badge.Counter:
		return frame{}
	}
	return frame{1, 1, theme.Thin()}
}

func solid(cell string) theme.Border {
	return theme.Border{
		Top: cell, Bottom: cell, Left: cell, Right: cell, TopLeft: cell, TopRight: cell, BottomLeft: cell, BottomRight: cell,
	}
}

func (p painter) framed(content []string) []string {
	ink := p.text.Bold(false)
	if p.Kind == badge.NotPaid {
		ink = p.theme.Ground(p.block)
	}
	border := p.frame.border
	upper := ink.Render(p.side(border.TopLeft) + strings.Repeat(border.Top, p.columns) + p.side(border.TopRight))
	lower := ink.Render(p.side(border.BottomLeft) + strings.Repeat(border.Bottom, p.columns) + p.side(border.BottomRight))
	for i, row := range content {
		content[i] = ink.Render(p.side(border.Left)) + row + ink.Render(p.side(border.Right))
	}
	whole := slices.Concat(slices.Repeat([]string{upper}, p.frame.rows), content, slices.Repeat([]string{lower}, p.frame.rows))
	if p.News != "" && p.frame.rows > 0 {
		news := " " + theme.Truncate(p.News, p.columns-2) + " "
		left := (p.columns - theme.Width(news)) / 2
		line := func(columns int) string { return strings.Repeat(border.Bottom, columns) }
		whole[len(whole)-1] = ink.Render(p.side(border.BottomLeft)+line(left)) + news + ink.Render(line(p.columns-left-theme.Width(news))+p.side(border.BottomRight))
	}
	return whole
}

func (p painter) side(cell string) string { return strings.Repeat(cell, p.frame.columns) }
