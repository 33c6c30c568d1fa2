package scan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/theme"
)

// Block is a group of words next to a code, such as the amount or the time left.
type Block struct {
	// Label is the block's title, or blank.
	Label string
	// Figures is an amount or a time. It is drawn large if there is room, in at most High
	// rows.
	Figures string
	High    int
	// Bar draws how much is left, in width columns.
	Bar func(width int) string
	// Rows are the other rows. The caller must wrap them to the width of the words.
	Rows []string
}

// ToPay returns the block with the amount to pay, above the rows about it.
func ToPay(texts i18n.Texts, amount payments.Ariary, about []string) Block {
	return Block{Label: texts.Pay.Total, Figures: i18n.Money(amount), High: 2 * figures.Large, Rows: about}
}

// TimeLeft returns the block with the time until the order's link ends, above the rows
// about it.
func TimeLeft(styles theme.Theme, texts i18n.Texts, order payments.Order, left time.Duration, about []string) Block {
	left = max(0, left)
	clock := countdown.Countdown{Left: left, Whole: order.Link.ExpiresAt.Sub(order.CreatedAt), Theme: styles, Texts: texts}
	return Block{Label: texts.Code.Time, Figures: i18n.Countdown(left), High: figures.Small, Rows: about, Bar: clock.Bar}
}

// Steps returns numbered steps, wrapped to width columns.
func Steps(styles theme.Theme, grid layout.Layout, width int, steps ...string) []string {
	var rows []string
	indent := 2 + grid.Air
	for i, step := range steps {
		number := styles.Strong.Render(strconv.Itoa(i + 1))
		for row := range strings.SplitSeq(theme.Wrap(step, max(1, width-indent)), "\n") {
			rows = append(rows, theme.Left(number, indent)+row)
			number = ""
		}
	}
	return rows
}

// Alert is a message above all other words, on a coloured background.
type Alert struct {
	Style theme.Style
	Sign  string
	Texts []string
}

// Rows returns the alert in rows of width columns. The sign is in the first row.
func (a Alert) Rows(width int) []string {
	const most = 3 // Largest number of rows for a text.
	before := "  "
	if a.Sign != "" {
		before += a.Sign + " "
	}
	inner := max(1, width-theme.Width(before)-1)
	var rows []string
	for _, text := range a.Texts {
		for _, row := range theme.Clip(strings.Split(theme.Wrap(text, inner), "\n"), inner, most) {
			rows = append(rows, a.Style.Render(theme.Left(before+row, width)))
			before = theme.Left("", theme.Width(before))
		}
	}
	return rows
}

// form is the spacing of blocks: the largest height of figures, the blank rows below a
// label, and the blank rows between blocks.
type form struct{ figures, air, part int }

// roomiest draws in the form with the most space that fits height rows.
func roomiest(grid layout.Layout, width, height int, draw func(form) []string) []string {
	var rows []string
	for _, form := range []form{
		{grid.Figures, grid.Air, grid.Part}, {grid.Figures, 0, 1}, {figures.Small, 0, 1}, {1, 0, 1}, {1, 0, 0},
	} {
		if rows = draw(form); len(rows) <= height {
			break
		}
	}
	return theme.Clip(rows, width, height)
}

// Rows returns blocks without a code, with the most space that fits width columns and
// height rows.
func Rows(styles theme.Theme, grid layout.Layout, blocks []Block, width, height int) []string {
	return roomiest(grid, width, height, func(f form) []string { return f.draw(styles, blocks, width) })
}

// draw draws blocks. If a block's figures are not large, they are in the label's row.
func (f form) draw(styles theme.Theme, blocks []Block, width int) []string {
	var rows []string
	for i, block := range blocks {
		if i > 0 {
			rows = append(rows, make([]string, f.part)...)
		}
		label, air := styles.Strong.Render(block.Label), make([]string, f.air)
		large := figures.Fit(styles, block.Figures, width, min(f.figures, block.High))
		switch {
		case block.Label == "":
			rows = append(rows, block.Rows...)
			continue
		case block.Figures == "":
			rows = append(append(rows, label), air...)
		case large == nil:
			rows = append(rows, withBar(label+"  "+styles.Strong.Render(block.Figures), block, 2, width))
		default:
			rows = slices.Concat(rows, []string{label}, air, theme.Dress(styles.Strong, large))
			if f.air == 0 {
				rows[len(rows)-1] = withBar(rows[len(rows)-1], block, 1, width)
			} else if block.Bar != nil {
				rows = append(append(rows, air...), block.Bar(width))
			}
			if len(block.Rows) > 0 {
				rows = append(rows, air...)
			}
		}
		rows = append(rows, block.Rows...)
	}
	return rows
}

// withBar appends the bar to a row after gap columns, if there is room.
func withBar(row string, block Block, gap, width int) string {
	const fewest = 8 // Smallest width of a bar.
	at := theme.Width(row) + gap
	if block.Bar == nil || width-at < fewest {
		return row
	}
	return theme.Left(row, at) + block.Bar(width-at)
}
