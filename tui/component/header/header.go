// Package header draws the first row of the console, and the banner of news
// below it. It guarantees that both have the width they were given, and that
// the state stays whole where a name gives way.
package header

import (
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// Header is the first row.
type Header struct {
	Shop, Place string // Place is the till, and the cashier.
	// Mark says that no money moves, and Brief says it in one word.
	Mark, Brief string
	// State says whether payments are received, blank where that is no question. It is
	// Wrong where they are not, and Doubtful where they may not be.
	State    string
	Wrong    bool
	Doubtful bool
	Clock    string
}

const brand = " till "

// Draw returns the row, width columns wide. Where it is narrow the place gives
// way first, then the shop's name, then the mark's length, the clock, and the
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
		state = styles.BarKey.Render("● ") + bar.Render(h.State)
	}
	wide, brief := mark(styles, h.Mark, "   "), mark(styles, h.Brief, "   ")
	left := styles.Selected.Render(brand)
	right := ""
	for _, form := range []string{wide + state + clock, brief + state + clock, brief + state, mark(styles, h.Brief, "") + state} {
		if right = form; theme.Width(left+right) < width {
			break
		}
	}
	if theme.Width(left+right) >= width {
		left = "" // What must be said goes before the program's name.
	}
	room := width - theme.Width(left+right) - 2
	shop, place := h.Shop, h.Place
	switch {
	case room < theme.Width(shop) && room < minName:
		shop, place = "", ""
	case room < theme.Width(shop)+2+theme.Width(place):
		shop, place = theme.Truncate(shop, room), ""
	}
	if shop != "" {
		left += styles.HeaderStrong.Render(" "+shop) + bar.Render(" ")
	}
	if place != "" {
		left += styles.HeaderMuted.Render(" " + place)
	}
	return theme.Truncate(left+bar.Render(theme.Left("", width-theme.Width(left+right)))+right, width)
}

// minName is how many columns of a shop's name still say which it is.
const minName = 5

// Banner is what came of a payment while something else is on the screen.
type Banner struct {
	Ground theme.Style
	// Word is the sign and the word in large letters, Whole the same with the
	// reason and how many more there are, Amount the amount, as in "25 600 Ar".
	Word, Whole, Amount string
	// About is what was sold, and Reference its order.
	About, Reference string
	// Key shows it, and Does says so.
	Key, Does string
}

// Draw returns the banner, width columns wide, for a window of so many rows: with
// large letters where they fit, else in one row of text.
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
		beside := b.Ground.Render(theme.Left("", width-room))
		if y == middle {
			beside = key
		}
		rows[y] = theme.Truncate(b.Ground.Render(theme.Left(row, room))+beside, width)
	}
	return rows
}

// large are the rows in large letters, with a blank one below them and one above
// for the accents. They are blank where a letter has no large shape.
func (b Banner) large(styles theme.Theme, width int) []string {
	rows := make([]string, bannerRows)
	word, amount := figures.Draw(styles, b.Word, figures.Small), figures.Draw(styles, b.Amount, figures.Small)
	if word == nil || amount == nil {
		return rows
	}
	word, amount = high(word), high(amount)
	letters := max(theme.Width(word[1]+amount[1])+9, width*11/20)
	for y, about := range high([]string{b.About, b.Whole, b.Reference}) {
		rows[y] = theme.Left("   "+word[y]+"      "+amount[y], letters) + "  " + about
	}
	return rows
}

// bannerRows is how many rows a banner in large letters takes.
const bannerRows = figures.Small + 2

// high puts blank rows above a block, so that it ends in the last but one row.
func high(block []string) []string {
	return append(make([]string, bannerRows-1-len(block)), block...)
}

// brief is the banner in a row of at most width columns, with what there is room for.
func (b Banner) brief(width int) string {
	text := " " + b.Whole + "  " + b.Amount
	for _, more := range []string{b.Reference, b.About} {
		if theme.Width(text)+2+theme.Width(more) < width {
			text += "  " + more
		}
	}
	return text
}

// mark draws what every screen says where no money moves; blank for no word.
func mark(styles theme.Theme, word, gap string) string {
	if word == "" {
		return ""
	}
	return styles.DemoBlock.Render(" "+word+" ") + styles.Header.Render(gap)
}
