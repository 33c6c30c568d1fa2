// Package header draws the first row of the console, and below it the banner with the
// outcome of a payment ([Banner]). Both have exactly the given width.
package header

import (
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// Header has the contents of the console's first row.
type Header struct {
	Shop, Place string // Place is the name of the till.
	// Mark is a warning that no real money moves, as in the demo. Brief is the same in one word.
	Mark, Brief string
	State       string // Says whether the till can see payments; may be blank.
	Wrong       bool   // The till cannot see payments.
	Doubtful    bool   // The till may be unable to see payments.
	Clock       string
}

// Draw returns the row, width columns wide. If there is too little room, Draw drops or
// shortens parts in this order: the mark, the place, the shop's name, the clock, and the
// program's name.
func (h Header) Draw(styles theme.Theme, width int) string {
	bar := styles.Header
	clock := styles.HeaderStrong.Render("   " + h.Clock + " ")
	state := ""
	switch {
	case h.Wrong:
		state = styles.DangerBlock.Render(" ✗ " + h.State + " ")
	case h.Doubtful:
		state = styles.WarningBlock.Render(" ! " + h.State + " ")
	case h.State != "":
		state = styles.HeaderFlow.Render("● ") + bar.Render(h.State)
	}
	wide, brief := mark(styles, h.Mark, "   "), mark(styles, h.Brief, "   ")
	left := styles.BarKeyBlock.Render(" till ")
	right := wide + state + clock
	if theme.Width(left+right+h.Shop+h.Place)+4 > width {
		right = brief + state + clock
	}
	for _, form := range []string{brief + state, mark(styles, h.Brief, "") + state} {
		if theme.Width(left+right) >= width {
			right = form
		}
	}
	if theme.Width(left+right) >= width {
		left = "" // The mark and the state matter more than the program's name.
	}
	room := width - theme.Width(left+right) - 2
	if h.Shop != "" && room >= min(minName, theme.Width(h.Shop)) {
		left += styles.HeaderStrong.Render(" "+theme.Truncate(h.Shop, room)) + bar.Render(" ")
	}
	if h.Place != "" && room >= theme.Width(h.Shop)+2+theme.Width(h.Place) {
		left += styles.HeaderMuted.Render(" " + h.Place)
	}
	return theme.Truncate(left+bar.Render(theme.AlignLeft("", width-theme.Width(left+right)))+right, width)
}

const minName = 5 // Fewest columns of a shortened shop name. With less room the name is left out.

// Banner announces the outcome of a payment while another screen is open.
type Banner struct {
	Ground theme.Style
	// Word is the verdict with its sign, such as "✓ PAYÉ", for large letters. Whole is the same
	// with the reason, if any, and with the number of other orders that have news: "✓ PAYÉ (+1)".
	// Amount is a text such as "25 600 Ar".
	Word, Whole, Amount string
	About, Reference    string // About describes the sale; Reference is the order's.
	Key, Does           string // Name and label of the key that opens the outcome.
}

// Draw returns the banner, width columns wide, for a window of the given height. It uses
// large letters if the window has at least 26 rows and they fit, else one row of text.
func (b Banner) Draw(styles theme.Theme, width, window int) []string {
	rows := []string{""}
	if window >= 26 {
		rows = b.large(styles, width)
	}
	key := b.Ground.Reverse(true).Render(" "+b.Key+" ") + b.Ground.Render(" "+b.Does+"   ")
	middle, room := len(rows)/2, max(0, width-theme.Width(key))
	if whole := rows[middle]; whole == "" || theme.Width(whole) > room {
		rows = make([]string, len(rows))
		rows[middle] = b.brief(room)
	}
	for y, row := range rows {
		beside := b.Ground.Render(theme.AlignLeft("", width-room))
		if y == middle {
			beside = key
		}
		rows[y] = theme.Truncate(b.Ground.Render(theme.AlignLeft(row, room))+beside, width)
	}
	return rows
}

// large returns the banner in large letters, with a row for accents above and a blank row
// below. All rows are blank if a letter has no large shape.
func (b Banner) large(styles theme.Theme, width int) []string {
	rows := make([]string, bannerRows)
	word, amount := figures.Draw(styles, b.Word, figures.Small), figures.Draw(styles, b.Amount, figures.Small)
	if word == nil || amount == nil {
		return rows
	}
	word, amount = high(word), high(amount)
	letters := max(theme.Width(word[1]+amount[1])+9, width*11/20)
	for y, about := range high([]string{b.About, b.Whole, b.Reference}) {
		rows[y] = theme.AlignLeft("   "+word[y]+"      "+amount[y], letters) + "  " + about
	}
	return rows
}

const bannerRows = figures.Small + 2

// high puts blank rows above a block, so that the block ends in the second to last row of
// the banner.
func high(block []string) []string {
	return append(make([]string, bannerRows-1-len(block)), block...)
}

// brief returns the banner as one row of text. It adds the reference and About if they fit width
// columns.
func (b Banner) brief(width int) string {
	text := " " + b.Whole + "  " + b.Amount
	for _, more := range []string{b.Reference, b.About} {
		if theme.Width(text)+2+theme.Width(more) < width {
			text += "  " + more
		}
	}
	return text
}

// mark draws word, the warning that no real money moves, and then gap. It returns "" for a blank
// word.
func mark(styles theme.Theme, word, gap string) string {
	if word == "" {
		return ""
	}
	return styles.DemoBlock.Render(" "+word+" ") + styles.Header.Render(gap)
}
