package scan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Block is a part of the text around a QR code, such as the amount or the time left. With
// enough room, each block is a pane.
type Block struct {
	// Label is the block's title. Right is at the right end of the pane's upper border.
	Label, Right string
	// Figures is an amount or a time, and is drawn large if there is room. Until is the time at
	// which the link ends. A large pane shows Until next to Figures.
	Figures, Until string
	// Bar draws how much time is left, in width columns. It may be nil.
	Bar func(width int) string
	// Alert and Rows are drawn below the figures. Their rows must be wrapped to Place.Words
	// columns. A small pane omits the blank rows.
	Alert, Rows []string
	// Least are the least important rows. A small pane omits them.
	Least []string
	// Focus marks the pane that has the focus. Keys are in the pane's lower border.
	Focus bool
	Keys  []keybar.Entry
}

// ToPay returns the block with the amount to pay, above the rows of about.
func ToPay(texts i18n.Texts, amount money.Ariary, about []string) Block {
	return Block{Label: texts.Pay.Total, Figures: i18n.Money(amount), Rows: about}
}

// TimeLeft returns the block with the time until the order's link ends (the parameter left), above
// the rows of about.
func TimeLeft(styles theme.Theme, texts i18n.Texts, order payments.Order, left time.Duration, about []string) Block {
	left = max(0, left)
	clock := countdown.Countdown{Remaining: left, Whole: order.Link.ExpiresAt.Sub(order.CreatedAt), Theme: styles, Texts: texts}
	return Block{Label: texts.Code.Time, Figures: i18n.Countdown(left), Rows: about, Bar: clock.Bar}
}

// Steps returns numbered steps, wrapped to width columns.
func Steps(styles theme.Theme, width int, steps ...string) []string {
	const indent = 3
	var rows []string
	for i, step := range steps {
		number := styles.Strong.Render(strconv.Itoa(i + 1))
		for row := range strings.SplitSeq(theme.Wrap(step, max(1, width-indent)), "\n") {
			rows = append(rows, theme.AlignLeft(number, indent)+row)
			number = ""
		}
	}
	return rows
}

// Alert is a message on a coloured background.
type Alert struct {
	Style theme.Style
	Sign  string
	Texts []string
}

// Rows returns the alert in rows of width columns. The sign is in the first row.
func (a Alert) Rows(width int) []string {
	const most = 3 // Largest number of rows for a text.
	before := " "
	if a.Sign != "" {
		before += a.Sign + " "
	}
	inner := max(1, width-theme.Width(before))
	var rows []string
	for _, text := range a.Texts {
		wrapped := strings.Split(theme.Wrap(text, inner), "\n")
		if aired := strings.Split(theme.Wrap(text, inner-1), "\n"); len(aired) == len(wrapped) {
			wrapped = aired // There is a blank at the end of each row, too.
		}
		for _, row := range theme.Clip(wrapped, inner, most) {
			rows = append(rows, a.Style.Render(theme.AlignLeft(before+row, width)))
			before = theme.AlignLeft("", theme.Width(before))
		}
	}
	return rows
}

type form struct {
	figures int  // Largest height of figures.
	air     int  // Blank rows around figures.
	part    int  // Blank rows between two blocks.
	blank   bool // Draw the blank rows of a block.
	least   bool // Draw Block.Least.
}

func forms() []form {
	const double = 2 * figures.Large
	return []form{
		{double, 1, 2, true, true},
		{figures.Large, 1, 2, true, true},
		{figures.Large, 0, 1, true, true},
		{figures.Small, 0, 1, true, true},
		{figures.Small, 0, 1, true, false},
		{figures.Small, 0, 1, false, false},
		{1, 0, 1, true, true},
		{1, 0, 1, false, false},
		{1, 0, 0, false, false},
	}
}

// Rows draws blocks for a window without a code, in width columns. It uses the roomiest form
// that fits height rows.
func Rows(styles theme.Theme, blocks []Block, width, height int) []string {
	var rows []string
	for _, form := range forms() {
		if rows = form.draw(styles, blocks, width); len(rows) <= height {
			break
		}
	}
	return theme.Clip(rows, width, height)
}

// draw draws blocks without borders. Figures that are not drawn large are in the row of the
// label.
func (f form) draw(styles theme.Theme, blocks []Block, width int) []string {
	var rows []string
	for i, block := range blocks {
		if i > 0 {
			rows = append(rows, make([]string, f.part)...)
		}
		label := ""
		if block.Label != "" {
			label = styles.Strong.Render(block.Label) + "  "
		}
		content, next := f.content(styles, block, label, width)
		if label != "" && (block.Figures == "" || next > 0) {
			rows = append(rows, label)
		}
		rows = append(rows, content...)
		f.figures = next
	}
	return rows
}

// panes draws blocks as panes, one below the other, which together have height rows. It
// returns nil if they do not fit.
func (f form) panes(styles theme.Theme, blocks []Block, width, height int) []string {
	parts := make([][]string, len(blocks))
	const border = 9 // Columns that a border needs besides its words.
	for i, block := range blocks {
		content, next := f.content(styles, block, "", inner(width))
		if f.air > 0 && block.Figures != "" {
			content = append([]string{""}, content...)
		}
		if theme.Width(block.Label+block.Right) > width-border { // The border has no room for both texts.
			content = append([]string{block.Right}, content...)
		}
		parts[i] = content
		height -= len(content) + 2
		f.figures = next
	}
	if height < 0 {
		return nil
	}
	var rows []string
	for i, block := range blocks {
		spare := height / (len(blocks) - i) // The last pane gets the rest.
		height -= spare
		content := theme.Indent(append(make([]string, (spare+1)/2), parts[i]...), indent(width))
		part := pane.Pane{Title: block.Label, Right: block.Right, Rows: content, Keys: block.Focus, Offers: keybar.Offers(styles, block.Keys)}
		rows = append(rows, part.Lines(styles, width, len(parts[i])+spare+2)...)
	}
	return rows
}

// indent returns the number of blank columns on each side of the text in a pane. In a wide pane the
// text then begins below the title.
func indent(width int) int {
	const narrow = 40
	if width < narrow {
		return 0
	}
	return 1
}

func inner(width int) int {
	columns, _ := pane.FullBorder.Inner(width, 0)
	return columns - 2*indent(width)
}

// content returns the rows of a block. before is the text in front of figures in normal letters.
// next is the largest height that the figures of the next block may have, in rows.
func (f form) content(styles theme.Theme, block Block, before string, width int) (rows []string, next int) {
	large := figures.Fit(styles, block.Figures, width, f.figures)
	next = (len(large) + 1) / 2
	switch {
	case block.Figures == "":
		next = f.figures
	case large == nil:
		rows = []string{withBar(before+styles.Strong.Render(block.Figures), block, width)}
	default:
		rows = theme.Dress(styles.Strong, large)
		last := len(rows) - 1
		if f.air == 0 {
			rows[last] = withBar(rows[last], block, width)
			break
		}
		if until := rows[last] + "    " + styles.Muted.Render(block.Until); theme.Width(until) <= width {
			rows[last] = until
		}
		if block.Bar != nil {
			rows = append(rows, "", block.Bar(width))
		}
	}
	if f.air > 0 && len(block.Alert) > 0 {
		rows = append(rows, "")
	}
	rows = slices.Concat(rows, block.Alert, block.Rows)
	if f.least {
		rows = append(rows, block.Least...)
	}
	if !f.blank {
		rows = slices.DeleteFunc(rows, isBlank)
	}
	return rows, next
}

func isBlank(row string) bool { return row == "" }

// withBar appends the bar of a block to a row, if there is room for it.
func withBar(row string, block Block, width int) string {
	const gap, fewest = 2, 8 // Columns before a bar, and its smallest width.
	at := theme.Width(row) + gap
	if block.Bar == nil || width-at < fewest {
		return row
	}
	return theme.AlignLeft(row, at) + block.Bar(width-at)
}
