// Package outcome draws the outcome of a payment over a whole window. Only PAID fills the window
// with colour. If the window is large enough, the outcomes also differ in shape, so that they can
// be distinguished without colour and from a distance:
//
//   - NOT PAID has a frame of full blocks (█).
//   - UNKNOWN has a frame of shade (▒).
//   - A sale at the counter is between two chequered bands, and begins at the left edge.
//   - CHECK has a solid band, between slanted stripes like a barrier tape if there is room.
//   - Every other outcome except PAID, such as MARKED PAID, has a thin border.
package outcome

import (
	"slices"
	"strings"

	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/theme"
)

// View is the content of the window. Every field except the badge may be left out.
type View struct {
	// The badge determines the colours and the shape. Its sign and short word are drawn in the
	// largest size that fits.
	badge.Badge
	Amount string // Drawn large if there is room.
	About  string // Description of the sale, what the customer owes, or a thank-you text.
	Facts  string // Details, such as the reference and the time.
	Day    string // Takings of the day, including this payment. A blank (" ") keeps a row free.
	// Picture of the day's takings by hour, below Day if there is room. All rows have the same width.
	Hours  []string
	Says   string
	Change string   // Cash to give back, which may be 0; drawn larger than the word.
	Advice []string // Paragraphs that say what to do.
	Keys   []keybar.Entry
	// The keys are not shown yet. Their rows are blank, so that no row moves.
	Held bool
	// All rows begin in the same column, for the area next to a receipt. Otherwise each row is
	// centred.
	Lined bool
	// Message in the row above the keys; blank for none.
	Note string
	// Message that does not concern the outcome, such as the mark of the demo, in the last row.
	News string
}

const (
	minWidth  = 40  // A narrower window has no frame and no band.
	minHeight = 12  // A lower window has no frame and no band.
	lowFrame  = 18  // In a lower window, the frame is one row high.
	wideFrame = 100 // From this width and the height tallFrame on, a frame of █ or ▒, or a band, is twice as thick.
	tallFrame = 34
	maxText   = 68 // Maximum width of a sentence, in columns.
)

// Draw returns the outcome in exactly width columns and height rows.
func (o View) Draw(styles theme.Theme, width, height int) string {
	p := painter{View: o, theme: styles, width: width, height: height}
	p.text, p.block = o.Kind.Styles(styles)
	p.plain = styles.Text
	p.strong = styles.Strong
	p.muted = styles.Muted
	if o.Kind == badge.Paid {
		p.text = p.block
		p.plain = p.block
		p.strong = p.block
		p.muted = p.block.Bold(false)
		p.filled = p.block
	}
	if p.whole = width >= minWidth && height >= minHeight; p.whole {
		p.frame = frameOf(o.Kind)
		switch wide := p.frame.columns > 1; {
		case height < lowFrame:
			p.frame.rows = min(p.frame.rows, 1)
		case wide && width >= wideFrame && height >= tallFrame:
			p.frame.rows *= 2
			p.frame.columns *= 2
		}
	}
	p.columns, p.rows = max(0, width-2*p.frame.columns), max(0, height-2*p.frame.rows)
	p.large = p.columns - 2
	if o.Kind == badge.Paid { // A margin separates large letters from the receipt.
		p.large = p.columns - 2*max(1, p.columns/24)
	}
	if o.Kind == badge.Counter {
		return p.counter()
	}
	p.note = p.paragraph(p.plain, p.Note, theme.Even)
	for i, wrap := range []func(text string, width int) []string{theme.Sentences, theme.Even} {
		p.says[i] = p.paragraph(p.strong, p.Says, wrap)
		for _, text := range p.Advice {
			p.advice[i] = append(p.advice[i], p.paragraph(p.plain, text, wrap)...)
		}
	}
	p.facts = theme.Dress(p.muted, p.flowed(p.Facts))
	p.words = make(map[int][]string)
	return strings.Join(p.framed(p.content()), "\n")
}

type painter struct {
	View
	theme         theme.Theme
	width, height int
	whole         bool // The window is large enough for a frame or a band.
	frame         frame
	columns, rows int // Size within the frame.
	large         int // Columns for large letters.
	text, block   theme.Style
	// Styles of a row. filled is for the blanks around its text.
	plain, strong, muted, filled theme.Style
	// Rows that are the same in each form.
	says, advice [2][]string // First with each sentence in rows of its own, then in as few rows as possible.
	note, facts  []string
	words        map[int][]string // Rows of the word, by the maximum height of its letters.
}

type form struct {
	letters  int  // Maximum height of the word, in rows.
	amount   int  // Maximum height of the amount, in rows.
	gap      int  // Blank rows between two parts.
	air      bool // Blanks around the keys, and a blank row above the word.
	brief    bool // The amount is next to the word.
	joined   bool // No blank row is between the amount and its facts.
	merged   bool // The description of the sale is in the row of the facts, if both fit.
	day      bool // The takings of the day have a row.
	hours    bool // The takings by hour are below the day's.
	beside   bool // [View.News] is in the row of the keys.
	dayApart bool // A blank row is above the takings of the day.
	apart    bool // A blank row is above [View.News].
	spaced   bool // A blank row is between two rows of keys.
	dense    bool // A row may contain parts of two sentences.
}

// forms returns the forms for the window, the largest first.
func (p painter) forms() []form {
	forms := []form{
		{letters: p.height, amount: p.height, gap: 2, air: true},
		{letters: p.height, amount: 3 * figures.Large, gap: 2, air: true},
		{letters: p.height, amount: 2 * figures.Large, gap: 2, air: true},
		{letters: p.height, amount: figures.Large, gap: 2, air: true},
		{letters: p.height, amount: figures.Large, gap: 1, air: true},
		{letters: p.height, amount: figures.Small, gap: 1, air: true},
		{letters: figures.Large, amount: figures.Small, gap: 1, air: true},
		{letters: figures.Small, amount: figures.Small, gap: 1, air: true},
		{letters: figures.Small, amount: figures.Small, air: true},
		{letters: figures.Small, air: true},
		{letters: figures.Small},
		{letters: 1, air: true},
		{letters: 1},
		{letters: 1, brief: true},
	}
	if p.Kind == badge.Paid { // Try smaller gaps before smaller digits of the amount.
		forms = slices.Insert(forms, 3, form{letters: p.height, amount: 2 * figures.Large, gap: 1, air: true})
	}
	if p.theme.ASCII() { // Small figures would be normal letters.
		for i := range forms {
			forms[i].amount -= forms[i].amount % figures.Large
		}
	}
	return forms
}

// fill returns the form, in which as few rows are joined or omitted as the window allows. fits is
// false if the form is too high even with all savings.
func (p painter) fill(f form) (_ form, fits bool) {
	// Only for PAID, large digits of the amount may touch the facts below.
	joins := f.gap > 0 && (p.Kind == badge.Paid || f.amount <= figures.Small)
	// Only for PAID, a large amount is more important than the blank row above the news.
	apart := p.News != "" && p.frame.rows == 0 && f.air && (p.Kind == badge.Paid || f.amount <= figures.Small)
	savings := []struct {
		of           *bool
		saved, saves bool // saved is the value of the field that saves rows; saves means that it may be used.
	}{ // A saving is made only if those below it do not suffice.
		{&f.day, false, p.Day != ""},
		{&f.joined, true, joins},
		{&f.beside, true, p.newsBesideKeys()},
		{&f.apart, false, apart},
		{&f.dayApart, false, p.Day != ""},
		{&f.merged, true, p.About != ""},
		{&f.dense, true, len(p.says[0])+len(p.advice[0]) > len(p.says[1])+len(p.advice[1])},
		{&f.spaced, false, len(p.Keys) > 1},
		{&f.hours, false, len(p.Hours) > 0},
	}
	for _, saving := range savings {
		*saving.of = !saving.saved
	}
	if p.fits(f) {
		return f, true
	}
	for _, saving := range savings {
		*saving.of = saving.saved == (saving.saves && f.gap < 2)
	}
	if !p.fits(f) {
		return f, false
	}
	for _, saving := range savings {
		needed := *saving.of
		if *saving.of = !saving.saved; !p.fits(f) {
			*saving.of = needed
		}
	}
	return f, true
}

func (p painter) fits(form form) bool {
	return p.above(form)+len(p.story(form))+len(p.end(form)) <= p.rows
}

func (p painter) content() []string {
	var rows, end []string
	for _, form := range p.forms() {
		form, fits := p.fill(form)
		if rows, end = p.story(form), p.end(form); fits {
			break
		}
	}
	free := max(0, p.rows-len(end))
	rows = theme.Clip(rows, p.columns, free)
	above := 0
	if p.Kind != badge.Check {
		above = (free - len(rows) + 1) / 2
	}
	below := free - len(rows) - above
	rows = slices.Concat(make([]string, above), rows, make([]string, below), end[max(0, len(end)-p.rows):])
	widest := 0
	for i, row := range rows {
		rows[i] = theme.Truncate(row, p.columns)
		widest = max(widest, theme.Width(rows[i]))
	}
	for i, row := range rows {
		left := (p.columns - theme.Width(row)) / 2
		if p.Lined {
			left = (p.columns - widest) / 2
		}
		rows[i] = p.filled.Render(theme.AlignLeft("", left)) + row + p.filled.Render(theme.AlignLeft("", p.columns-left-theme.Width(row)))
	}
	return rows
}

// above returns the minimum number of blank rows above the word, so that large letters do not
// touch the edge. An accent may touch it.
func (p painter) above(form form) int {
	word := len(p.word(form.letters))
	accent := word > figures.Large && word%figures.Large != 0
	if !form.air || !p.whole || accent || p.Kind == badge.Check || p.Kind != badge.Paid && p.height < lowFrame {
		return 0
	}
	return 1
}

func (p painter) end(form form) []string {
	width := p.columns - 2
	if form.air {
		width -= 2
	}
	var end []string
	if form.beside {
		keys := p.keyRows(width)[0]
		if p.Held {
			keys = p.blanks(theme.Width(keys))
		}
		gap := min(widestGap, width-theme.Width(keys)-theme.Width(p.News))
		return append(slices.Clip(p.noteOrBlank()), keys+p.blanks(gap)+p.News)
	}
	for i, row := range p.keyRows(width) {
		if i > 0 && form.spaced {
			end = append(end, "")
		}
		end = append(end, row)
	}
	if p.Held {
		clear(end)
	}
	note := slices.Clip(p.note)
	if len(end) > 0 && form.air && p.height >= minHeight {
		note = slices.Clip(p.noteOrBlank())
		if p.frame.rows > 0 || p.News == "" || form.apart {
			end = append(end, "")
		}
	}
	end = append(note, end...)
	if p.News != "" && p.frame.rows == 0 { // A frame has the news in its last row.
		end = append(end, p.News)
	}
	return end
}

func (p painter) noteOrBlank() []string {
	if p.note == nil {
		return []string{""}
	}
	return p.note
}

// Blanks between the keys and [View].News in a row.
const (
	leastGap  = 5
	widestGap = 14
)

// newsBesideKeys reports whether a row has room for the keys and [View].News.
func (p painter) newsBesideKeys() bool {
	if p.News == "" || p.frame.rows > 0 || len(p.Keys) == 0 || p.height < minHeight {
		return false
	}
	keys := p.keyRows(p.columns - 4)
	return len(keys) == 1 && theme.Width(keys[0])+leastGap+theme.Width(p.News) <= p.columns-4
}

func (p painter) blanks(columns int) string { return p.plain.Render(theme.AlignLeft("", columns)) }

func (p painter) keyRows(width int) []string {
	keys := p.keys()
	rows := fit.Flow(keys, width, p.blanks(5), p.blanks(2))
	if len(rows) > 1 {
		inRow := (len(keys) + len(rows) - 1) / len(rows)
		if table := fit.Columns(keys, inRow, width, p.blanks); table != nil {
			rows = table
		}
	}
	widest := theme.Width(strings.Join(rows, "\n"))
	for i, row := range rows {
		rows[i] = row + p.blanks(widest-theme.Width(row))
	}
	return rows
}

func (p painter) keys() []string {
	keys := make([]string, len(p.Keys))
	for i, entry := range p.Keys {
		block := p.strong.Reverse(!p.strong.GetReverse()).Bold(false)
		switch {
		case i == 0 && p.Kind != badge.Paid:
			block = p.block
		case p.Kind != badge.Paid: // Every other outcome has the terminal's own background.
			block = p.theme.BarKeyBlock
		}
		keys[i] = block.Render(" "+entry.Key+" ") + p.plain.Render(" "+entry.Label)
	}
	return keys
}

const dot = " · "

func (p painter) flowed(text string) []string {
	if text == "" {
		return nil
	}
	width := p.columns - 2
	if p.Lined { // A margin separates the rows from the receipt.
		width -= 4
	}
	return fit.Flow(strings.Split(text, dot), width, dot)
}

func (p painter) head(form form) (word, amount []string) {
	word = p.word(form.letters)
	high := form.amount
	if large := len(word) > figures.Small || len(word) == figures.Small && p.theme.HalfBlocks(); large { // The amount is not taller than the word.
		high = min(high, len(word))
	}
	amount = p.amount(high)
	if p.Kind == badge.Check && p.whole {
		word = p.band(word, form.gap)
	}
	return word, amount
}

func (p painter) story(form form) []string {
	word, amount := p.head(form)
	var day []string
	wide := func(fact string) bool { return theme.Width(fact) > p.columns-2 }
	if form.day && p.Day != "" && !slices.ContainsFunc(strings.Split(p.Day, dot), wide) {
		day = theme.Dress(p.plain, p.flowed(p.Day))[:1]
	}
	about := theme.Paragraph(p.strong, theme.Truncate(p.About, p.columns), p.columns, 0)
	money, facts := p.strong.Render(p.Amount), p.facts
	if both := p.strong.Render(p.About) + p.muted.Render(dot+p.Facts); form.merged && p.About != "" && theme.Width(both) <= p.columns-2 {
		about = nil
		facts = []string{both}
	}
	switch { // An amount in normal letters shares a row with the facts if both fit.
	case len(amount) > 0, p.Amount == "":
		about = append(about, facts...)
	case form.brief:
		word[0] += p.plain.Render("  ") + money
		about = append(about, facts...)
	case len(facts) != 1 || theme.Width(money)+3+theme.Width(p.Facts) > p.columns:
		about = append(append(about, money), facts...)
	default:
		about = append(about, money+p.plain.Render("   ")+facts[0])
	}
	if form.dayApart && len(day) > 0 {
		about = append(about, "")
	}
	about = append(about, day...)
	if form.hours && len(day) > 0 && len(p.Hours) > 0 {
		about = slices.Concat(about, []string{""}, theme.Dress(p.muted, p.Hours))
	}
	texts := 0
	if form.dense {
		texts = 1
	}
	var rows []string
	if form.joined {
		about = append(amount, about...)
		amount = nil
	}
	if form.gap == 0 && len(word) > 1 && len(amount) > 1 { // Large letters that touch cannot be read.
		amount = append([]string{""}, amount...)
	}
	for _, part := range [][]string{word, amount, about, p.says[texts], p.advice[texts]} {
		if len(rows) > 0 && len(part) > 0 {
			rows = append(rows, make([]string, form.gap)...)
		}
		rows = append(rows, part...)
	}
	return rows
}

func (p painter) paragraph(style theme.Style, text string, wrap func(text string, width int) []string) []string {
	if text == "" {
		return nil
	}
	return theme.Dress(style, wrap(text, min(p.columns-2, maxText)))
}
