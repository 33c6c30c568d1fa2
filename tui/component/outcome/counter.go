package outcome

import (
	"slices"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// counterForm is a way to draw a sale at the counter.
type counterForm struct {
	word int  // Maximum height of the word, in rows.
	gap  int  // Blank rows between two parts.
	air  bool // Blank rows next to the bands, and a row for an accent even if the word has none.
	day  bool // The takings of the day have a row.
}

// counter draws a sale at the counter: all parts begin at the left edge, between two chequered
// bands. The cash to give back is the largest part, also if it is 0; without [View.Change], the amount
// is.
func (p painter) counter() string {
	bands := 0
	switch {
	case p.whole && p.width >= wideFrame && p.height >= tallFrame:
		bands = 2
	case p.whole:
		bands = 1
	}
	margin := max(1, p.width/20)
	p.large = max(1, p.width-2*margin)
	p.columns = p.large + 2 // Texts have a margin of one column.
	p.rows = max(0, p.height-2*bands)
	p.note = p.paragraph(p.plain, p.Note, theme.Even)
	rows, keys := p.largest(bands > 0)
	free := max(0, p.rows-len(keys))
	rows = theme.Clip(rows, p.columns, free)
	above := (free - len(rows)) / 2
	rows = slices.Concat(make([]string, above), rows, make([]string, free-above-len(rows)), keys[max(0, len(keys)-p.rows):])
	for i, row := range rows {
		rows[i] = theme.AlignLeft(theme.Truncate(strings.Repeat(" ", margin)+row, p.width), p.width)
	}
	return strings.Join(slices.Concat(p.chequers(bands, ""), rows, p.chequers(bands, p.News)), "\n")
}

// largest returns the rows above the keys and the keys, in the largest form that fits. If no form
// fits, it returns the smallest one. The figures may be a third smaller, if the takings of the day
// then have a row.
func (p painter) largest(banded bool) (rows, keys []string) {
	rows, keys, high := p.fitted(banded, false)
	if withDay, its, lower := p.fitted(banded, true); p.Day != "" && 3*lower >= 2*high {
		return withDay, its
	}
	return rows, keys
}

// fitted returns the rows of the largest form that fits, and the height of its figures. If day is
// true, only forms with the takings of the day count; without one that fits, the height is 0.
func (p painter) fitted(banded, day bool) (rows, keys []string, high int) {
	for _, figure := range p.figures() {
		for _, form := range counterForms(len(figure)) {
			if day && !form.day {
				continue
			}
			rows, keys = p.stack(form, figure), p.answers(form, banded)
			if len(rows)+len(keys) <= p.rows {
				return rows, keys, len(figure)
			}
		}
	}
	return rows, keys, 0
}

// counterForms returns the forms for figures of the given height, the largest first.
func counterForms(figure int) []counterForm {
	if figure <= figures.Small {
		return []counterForm{{word: 1, gap: 1, air: true, day: true}, {word: 1, gap: 1, air: true}, {word: 1, gap: 1}, {word: 1}}
	}
	high := max(figures.Small, figure/2)
	return []counterForm{
		{word: high, gap: 3, air: true, day: true},
		{word: high, gap: 2, air: true, day: true},
		{word: high, gap: 1, air: true, day: true},
		{word: figures.Small, gap: 1, air: true, day: true},
		{word: figures.Small, gap: 1, air: true},
	}
}

// figures draws the change or else the amount in each size that fits the width, the largest first. A
// shorter text is not drawn larger than one of usual length: a large 0 would look important.
func (p painter) figures() (drawn [][]string) {
	const usual = "10 000 Ar"
	text := p.Amount
	if p.Change != "" {
		text = p.Change
	}
	if text == "" {
		return [][]string{nil}
	}
	for _, high := range figureHeights(p.height) {
		rows := figures.Draw(p.theme, text, high)
		width := theme.Width(strings.Join(append(figures.Draw(p.theme, usual, high), rows...), "\n"))
		if len(rows) > 0 && width <= p.large && (high > figures.Small || !p.theme.ASCII()) {
			drawn = append(drawn, theme.Dress(p.strong, rows))
		}
	}
	return append(drawn, []string{p.strong.Render(text)})
}

// figureHeights returns the heights of amounts up to most rows, the largest first.
func figureHeights(most int) (heights []int) {
	for high := most - most%figures.Large; high > 0; high -= figures.Large {
		heights = append(heights, high)
		switch high {
		case 2 * figures.Large:
			heights = append(heights, figures.Medium)
		case figures.Large:
			heights = append(heights, figures.Small)
		}
	}
	return heights
}

// stack returns the rows above the keys.
func (p painter) stack(form counterForm, figure []string) []string {
	var rows []string
	for _, part := range [][]string{p.sale(form), append(p.change(form), figure...), p.today(form)} {
		if len(rows) > 0 && len(part) > 0 {
			rows = append(rows, make([]string, form.gap)...)
		}
		rows = append(rows, part...)
	}
	if form.air {
		rows = append([]string{""}, rows...)
	}
	return rows
}

// sale returns the word, and the facts of the sale at the right edge if there is room.
func (p painter) sale(form counterForm) []string {
	var facts []string
	switch {
	case p.Change != "" && p.Amount != "":
		facts = []string{p.strong.Render(p.Amount)}
	case p.brief():
		facts = []string{p.strong.Render(p.Says)}
	}
	word := p.sign(form)
	if len(word) == 1 {
		return slices.Concat(word, facts, theme.Dress(p.muted, p.flowed(p.Facts)))
	}
	if p.Facts != "" {
		facts = append(facts, theme.Dress(p.plain, strings.Split(p.Facts, dot))...)
		facts[len(facts)-1] = p.muted.Render(theme.Bare(facts[len(facts)-1]))
	}
	letters := len(word) - len(word)%figures.Large // An accent has rows above the letters.
	if len(word) < figures.Large {
		letters = figures.Small
	}
	if form.air && len(word) == letters { // Leave room for an accent, so that the other parts are in the same rows in every language.
		word = append(make([]string, accents(letters)), word...)
	}
	wide := theme.Width(strings.Join(facts, "\n"))
	if theme.Width(strings.Join(word, "\n"))+3+wide > p.large || len(facts) > letters {
		return slices.Concat(word, make([]string, min(1, len(facts))), facts)
	}
	from := len(word) - letters + (letters-len(facts))/2
	for i, fact := range facts {
		word[from+i] = theme.Spread(word[from+i], fact, p.large)
	}
	return word
}

// brief reports whether View.Says has only a few words, such as what a customer owes. They are
// then drawn as one of the facts.
func (p painter) brief() bool {
	return p.Change == "" && len(p.Advice) == 0 && p.Says != "" && theme.Width(p.Says) <= theme.Width(p.Facts)
}

// sign draws the sign and the word in large letters. If they are too wide, it draws only the word.
func (p painter) sign(form counterForm) []string {
	if form.word >= figures.Large || form.word >= figures.Small && p.theme.HalfBlocks() {
		for _, text := range []string{p.Sign + " " + p.Short, p.Short} {
			if rows := figures.Fit(p.theme, text, p.large, form.word+accents(form.word)); rows != nil {
				return theme.Dress(p.strong, rows)
			}
		}
	}
	return []string{p.strong.Render(theme.Truncate(p.Sign+" "+p.Short, p.large))}
}

// accents returns the number of rows that an accent needs above letters of the given height.
func accents(letters int) int { return max(1, letters/figures.Large) }

// change returns the rows above the figures: what the figures are, and the banknotes of the change.
func (p painter) change(form counterForm) []string {
	rows := theme.Paragraph(p.strong, p.About, p.large, 0)
	notes := strings.Join(p.Advice, " ")
	if p.brief() {
		return append(rows, make([]string, min(len(rows), form.gap))...)
	}
	if both := p.strong.Render(p.Says) + "    " + p.plain.Render(notes); p.Says != "" && notes != "" && theme.Width(both) <= p.large {
		rows = append(rows, both)
	} else {
		rows = slices.Concat(rows, theme.Paragraph(p.strong, p.Says, p.large, 0), theme.Paragraph(p.plain, notes, p.large, 0))
	}
	if len(rows) > 0 && form.gap > 0 {
		rows = append(rows, "")
	}
	return rows
}

func (p painter) today(form counterForm) []string {
	if !form.day || p.Day == "" {
		return nil
	}
	rows := fit.Flow(strings.Split(p.Day, dot), p.large, dot)
	if theme.Width(rows[0]) > p.large {
		return nil
	}
	return theme.Dress(p.plain, rows[:1])
}

// answers returns the rows at the end of the window: the note or a blank row, the keys, and the news
// if there are no bands.
func (p painter) answers(form counterForm, banded bool) []string {
	keys := p.keyRows(p.large)
	if p.Held {
		clear(keys)
	}
	above := p.note
	if len(above) == 0 && form.gap > 0 {
		above = []string{""}
	}
	rows := slices.Concat(above, keys)
	if form.air {
		rows = append(rows, "")
	}
	if p.News != "" && !banded {
		rows = append(rows, theme.Truncate(p.News, p.columns))
	}
	return rows
}

// chequers draws a band, with the news in the middle of its last row.
func (p painter) chequers(high int, news string) []string {
	rows := slices.Repeat([]string{p.chequered(0, p.width)}, high)
	if news != "" && high > 0 {
		news = " " + theme.Truncate(news, p.width-4) + " "
		left := (p.width - theme.Width(news)) / 2
		right := left + theme.Width(news)
		rows[high-1] = p.chequered(0, left) + news + p.chequered(right, p.width-right)
	}
	return rows
}

// chequered draws columns of a band, from the column from.
func (p painter) chequered(from, columns int) string {
	cells := []rune(strings.Repeat("▚▞", columns/2+1))
	return p.theme.Muted.Render(string(cells[from%2 : from%2+columns]))
}
