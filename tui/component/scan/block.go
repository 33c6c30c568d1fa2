package scan

import (
	"math"
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

// Block is a part of the text around a QR code, such as the amount or the time left.
type Block struct {
	// Label is the title of the pane, Right a text at the right end of its upper border.
	Label, Right string
	// Figures is an amount or a time, in large digits if there is room. Until is when the link
	// ends; only a large pane shows it.
	Figures, Until string
	// Draws how much time is left, in width columns; may be nil.
	Bar func(width int) string
	// Alert and Rows are drawn below Figures. They must be wrapped to Place.Words columns. A small
	// pane omits blank rows.
	Alert, Rows []string
	// Shorter forms of Alert for a small pane, the longest first; may be nil.
	Shorter [][]string
	// Least important rows, which a small pane omits.
	Least []string
	// Drawn instead of Rows below a code, if there is not enough room; may be nil.
	Brief []string
	// The pane has the focus, and Keys in its lower border.
	Focus bool
	Keys  []keybar.Entry
}

// ToPay returns the block with the amount to pay, above the rows of about.
func ToPay(texts i18n.Texts, amount money.Ariary, about []string) Block {
	return Block{Label: texts.Pay.Total, Figures: i18n.Money(amount), Rows: about}
}

// TimeLeft returns the block with the time until the order's link ends, above the rows of about.
func TimeLeft(styles theme.Theme, texts i18n.Texts, order payments.Order, left time.Duration, about []string) Block {
	left = max(0, left)
	clock := countdown.Countdown{Remaining: left, Whole: order.Link.ExpiresAt.Sub(order.CreatedAt), Theme: styles, Texts: texts}
	return Block{Label: texts.Code.Time, Figures: i18n.Countdown(left), Rows: about, Bar: clock.Bar}
}

// Steps returns numbered steps, wrapped to width columns. A single step has no number.
func Steps(styles theme.Theme, width int, steps ...string) []string {
	const indent = 3
	var rows []string
	if len(steps) == 1 {
		return theme.Rows(steps[0], max(width, 1))
	}
	for i, step := range steps {
		number := theme.AlignLeft(styles.Strong.Render(strconv.Itoa(i+1)), indent)
		rows = append(rows, theme.Hang(number, step, max(width, indent+1))...)
	}
	return rows
}

const maxAlert = 3 // Maximum number of rows for one text of an alert.

// Alert is a message on a coloured background, for [Block.Alert].
type Alert struct {
	Style theme.Style
	Sign  string
	Texts []string
	Brief []string // Shorter texts for a small pane.
}

// Rows draws the alert. Its texts wrap at width columns.
func (a Alert) Rows(width int) []string {
	before := a.before()
	inner := max(1, width-theme.Width(before))
	var rows []string
	for _, text := range a.Texts {
		wrapped := theme.Even(text, inner)
		if aired := theme.Even(text, inner-1); len(aired) == len(wrapped) {
			wrapped = aired // Each row ends in a blank, if that needs no more rows.
		}
		for _, row := range theme.Clip(wrapped, inner, maxAlert) {
			rows = append(rows, a.Style.Render(theme.AlignLeft(before+row, width)))
			before = theme.AlignLeft("", theme.Width(before))
		}
	}
	return rows
}

// Shorter returns shorter forms of Rows for an alert with two texts, the longest first.
func (a Alert) Shorter(width int) [][]string {
	inner := max(1, width-theme.Width(a.before())-1)
	sentence, _, _ := strings.Cut(a.Texts[1], ". ")
	alone := theme.Clip(theme.Even(a.Texts[0], inner), inner, maxAlert)
	with := append(slices.Clip(alone), strings.TrimSuffix(sentence, ".")+".")
	var forms [][]string
	for _, a.Texts = range [][]string{with, a.Brief} {
		forms = append(forms, a.Rows(width))
	}
	if joined := strings.Join(a.Brief, ". "); theme.Width(joined) <= inner {
		a.Texts = []string{joined}
		forms = append(forms, a.Rows(width))
	}
	a.Texts = a.Brief[:1]
	return append(forms, a.Rows(width))
}

func (a Alert) before() string {
	if a.Sign == "" {
		return " "
	}
	return " " + a.Sign + " "
}

type form struct {
	figures int  // Maximum height of figures, in rows.
	air     int  // If above 0, a blank row separates large figures from a pane's border and from the bar. If 0, the bar is in the last row of the figures.
	part    int  // Blank rows between two blocks.
	blank   bool // Draw the blank rows of a block.
	calm    bool // Draw the blank rows of the block with the focus.
	least   bool // Draw the rows of Block.Least.
	shorter int  // Which text of Block.Shorter to draw, counted from 1; 0 for Block.Alert.
	apart   bool // A blank row separates figures and alert.
}

func forms() []form {
	const double = 2 * figures.Large
	return []form{
		{figures: double, air: 1, part: 2, blank: true, least: true, apart: true},
		{figures: figures.Large, air: 1, part: 2, blank: true, least: true, apart: true},
		{figures: figures.Large, part: 1, blank: true, least: true, apart: true},
		{figures: figures.Small, part: 1, blank: true, least: true, apart: true},
		{figures: figures.Small, part: 1, blank: true, apart: true},
		{figures: figures.Small, part: 1, blank: true, shorter: 1, apart: true},
		{figures: figures.Small, part: 1, calm: true, shorter: 1, apart: true},
		{figures: figures.Small, part: 1, shorter: 1, apart: true},
		{figures: figures.Small, part: 1, blank: true, shorter: math.MaxInt, apart: true},
		{figures: figures.Small, part: 1, shorter: 2, apart: true},
		{figures: figures.Small, part: 1, shorter: 2},
		{figures: 1, part: 1, blank: true, least: true},
		{figures: 1, part: 1},
		{figures: 1},
	}
}

// Rows draws blocks for a window without a code, in the largest form that fits height rows.
func Rows(styles theme.Theme, blocks []Block, width, height int) []string {
	var rows []string
	for _, form := range forms() {
		if rows = form.draw(styles, blocks, width); len(rows) <= height {
			break
		}
	}
	return theme.Clip(rows, width, height)
}

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

// panes draws blocks as panes of width columns, in exactly height rows, or returns nil if they need
// more.
func (f form) panes(styles theme.Theme, blocks []Block, width, height int) []string {
	parts := make([][]string, len(blocks))
	const border = 9 // Columns of an upper border besides its two texts.
	for i, block := range blocks {
		content, next := f.content(styles, block, "", inner(width))
		if f.air > 0 && block.Figures != "" {
			content = append([]string{""}, content...)
		}
		if theme.Width(block.Label+block.Right) > width-border { // The border is too short for both texts.
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
	around := 0 // If the last block has the focus, it is the first to get a blank row above and below its text.
	if blocks[len(blocks)-1].Focus {
		around = min(height, 2)
	}
	height -= around
	enough := height >= len(blocks)-1 // For a blank row in each block but the last.
	for i, block := range blocks {
		spare := height / (len(blocks) - i)
		if enough {
			spare = (height + len(blocks) - i - 1) / (len(blocks) - i)
		}
		height -= spare
		if i == len(blocks)-1 {
			spare += around
		}
		if parts[i][0] == "" { // A blank row above the text counts as spare.
			parts[i] = parts[i][1:]
			spare++
		}
		content := theme.Indent(append(make([]string, (spare+1)/2), parts[i]...), indent(width))
		part := pane.Pane{Title: block.Label, Right: block.Right, Rows: content, Keys: block.Focus, Offers: keybar.Offers(styles, block.Keys)}
		rows = append(rows, part.Lines(styles, width, len(parts[i])+spare+2)...)
	}
	return rows
}

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

// content returns the rows of a block. before precedes figures that are not large. next is the
// maximum height for the figures of the next block.
func (f form) content(styles theme.Theme, block Block, before string, width int) (rows []string, next int) {
	large := figures.Fit(styles, block.Figures, width, f.figures)
	if len(large) == figures.Small && styles.ASCII() { // In ASCII, small figures would be normal letters between blank rows.
		large = nil
	}
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
	alert := block.Alert
	if last := len(block.Shorter); f.shorter > 0 && last > 0 {
		alert = block.Shorter[min(f.shorter, last)-1]
	}
	figured := rows
	rows = slices.Concat(alert, block.Rows)
	if f.least {
		rows = append(rows, block.Least...)
	}
	if !f.blank && !(f.calm && block.Focus) {
		rows = slices.DeleteFunc(rows, isBlank)
	}
	if f.apart && len(alert) > 0 && len(figured) > 0 {
		figured = append(figured, "")
	}
	return append(figured, rows...), next
}

func (f form) roomy() bool { return f.figures > 1 && (f.blank || f.calm) && f.shorter <= 1 }

func isBlank(row string) bool { return row == "" }

func withBar(row string, block Block, width int) string {
	const gap, fewest = 2, 8 // Columns before a bar, and minimum width of a bar.
	at := theme.Width(row) + gap
	if block.Bar == nil || width-at < fewest {
		return row
	}
	return theme.AlignLeft(row, at) + block.Bar(width-at)
}
