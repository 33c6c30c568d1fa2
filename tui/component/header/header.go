// Package header draws the first row of the console, and the banner with the outcome of a payment.
package header

import (
	"cmp"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// Header contains the texts of the console's first row. Each may be blank.
type Header struct {
	Shop, Place string // Place is the name of the till, with the cashier.
	// Mark is a warning that no real money moves, Brief the same in one word.
	Mark, Brief string
	State       string // Text of the most urgent finding.
	Short       string // Short form of State; may be blank.
	Wrong       bool   // State is a failure.
	Doubtful    bool   // State is a warning.
	Clock       string
}

// Weights of the parts of the row: the parts with the smallest weights are dropped first.
const (
	_         = iota
	longMark  // The warning in more than one word.
	longState // State instead of Short.
	place
	wideMark  // Blank columns after the warning.
	wholeShop // The whole name of the shop.
	anyShop   // At least the beginning of the shop's name.
	clock
	program
)

const minName = 5 // Minimum width of a shortened shop name.

// Draw returns the row, width columns wide. Without room for all parts, the state and the mark take
// precedence.
func (h Header) Draw(styles theme.Theme, width int) string {
	bar := styles.Header
	wide := mark(styles, h.Mark, "   ")
	brief := mark(styles, h.Brief, "   ")
	tight := mark(styles, h.Brief, " ")
	state := fit.Fixed("")
	switch {
	case h.Wrong:
		state = fit.Fixed(styles.DangerBlock.Render(" ✗ " + h.State + " "))
	case h.Doubtful:
		doubt := func(state string) string { return styles.WarningBlock.Render(" ! " + state + " ") }
		state = fit.Drop(longState, doubt(h.State)).Or(fit.Must, doubt(cmp.Or(h.Short, h.State)))
	case h.State != "":
		light := styles.HeaderFlow.Render("● ")
		state = fit.Drop(longState, light+bar.Render(h.State)).Or(fit.Must, light+bar.Render(cmp.Or(h.Short, h.State)))
	}
	row, _ := fit.Line(width,
		fit.Drop(program, styles.BarKeyBlock.Render(" till ")),
		fit.Drop(wholeShop, shop(styles, h.Shop)).Or(anyShop, shop(styles, theme.Truncate(h.Shop, minName))),
		fit.Drop(place, styles.HeaderMuted.Render(" "+h.Place+" ")),
		fit.Drop(longMark, wide).Or(wideMark, brief).Or(fit.Must, tight), state,
		fit.Drop(clock, styles.HeaderStrong.Render("   "+h.Clock+" ")))
	spare := width - theme.Width(strings.Join(row, ""))
	if name := theme.Width(row[1]); name > 0 && name < theme.Width(shop(styles, h.Shop)) { // The name gets the unused columns.
		row[1] = shop(styles, theme.Truncate(h.Shop, name-2+spare))
		spare = width - theme.Width(strings.Join(row, ""))
	}
	row[2] += bar.Render(theme.AlignLeft("", spare))
	return theme.Truncate(strings.Join(row, ""), width)
}

func shop(styles theme.Theme, name string) string {
	if name == "" {
		return ""
	}
	return styles.HeaderStrong.Render(" "+name) + styles.Header.Render(" ")
}

// Banner announces the outcome of a payment while another screen is open. It can also announce
// several payments that came while the till was off.
type Banner struct {
	Ground theme.Style
	// Word is for large letters, such as "✓ PAYÉ". Whole may also have the reason and the number of
	// other outcomes: "✓ PAYÉ (+1)".
	Word, Whole, Amount string
	About, Reference    string // Description of what was paid, and reference of the order; may be blank.
	Key, Does           string // Name and label of the key that opens the outcome.
}

// Draw returns the banner, width columns wide. In a window of at least 26 rows it has five rows,
// with large letters if they fit. Otherwise it is one row.
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

// large returns the banner in large letters. All rows are blank if a letter has no large shape.
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

// high puts blank rows above a block, so that the block fills the banner except its last row.
func high(block []string) []string {
	return append(make([]string, bannerRows-1-len(block)), block...)
}

func (b Banner) brief(width int) string {
	text := " " + b.Whole + "  " + b.Amount
	for _, more := range []string{b.Reference, b.About} {
		if theme.Width(text)+2+theme.Width(more) < width {
			text += "  " + more
		}
	}
	return text
}

func mark(styles theme.Theme, word, gap string) string {
	if word == "" {
		return ""
	}
	return styles.DemoBlock.Render(" "+word+" ") + styles.Header.Render(gap)
}
