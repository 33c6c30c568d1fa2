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

// Block is a subject of its own beside a code.
type Block struct {
	// Label names it; blank for a block that goes without saying.
	Label string
	// Figures are an amount or a time, drawn large where there is room, in at most
	// High rows.
	Figures string
	High    int
	// Bar draws how much is left, in width columns.
	Bar func(width int) string
	// Rows are the rest, none wider than the words.
	Rows []string
}

// ToPay returns the block of what is to be paid, above rows about it.
func ToPay(texts i18n.Texts, amount payments.Ariary, about []string) Block {
	return Block{Label: texts.Pay.Total, Figures: i18n.Money(amount), High: 2 * figures.Large, Rows: about}
}

// TimeLeft returns the block of the time that an order's link has left, above
// rows about it.
func TimeLeft(styles theme.Theme, texts i18n.Texts, order payments.Order, left time.Duration, about []string) Block {
	left = max(0, left)
	clock := countdown.Countdown{Left: left, Whole: order.Link.ExpiresAt.Sub(order.CreatedAt), Theme: styles, Texts: texts}
	return Block{Label: texts.Code.Time, Figures: i18n.Countdown(left), High: figures.Small, Rows: about, Bar: clock.Bar}
}

// Steps returns what to do one after the other, numbered, in rows of width columns.
func Steps(styles theme.Theme, grid layout.Layout, width int, steps ...string) []string {
	var rows []string
	indent := 2 + grid.Air
	for i, step := range steps {
		number := styles.Accent.Render(strconv.Itoa(i + 1))
		for row := range strings.SplitSeq(theme.Wrap(step, max(1, width-indent)), "\n") {
			rows = append(rows, theme.Left(number, indent)+row)
			number = ""
		}
	}
	return rows
}

// Alert is what stands above all else, on a ground of its own.
type Alert struct {
	Style theme.Style
	Sign  string
	Texts []string
}

// Rows returns the alert in rows of width columns, the sign in the first.
func (a Alert) Rows(width int) []string {
	const most = 3 // Rows of a text.
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

// form is how roomy blocks are drawn: how high figures may be, how many blank rows
// stand below a label, and how many between blocks.
type form struct{ figures, air, part int }

// roomiest draws in the roomiest form of a grid that fits height rows.
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

// Rows returns blocks without a code, as roomy as they fit width columns and
// height rows.
func Rows(styles theme.Theme, grid layout.Layout, blocks []Block, width, height int) []string {
	return roomiest(grid, width, height, func(f form) []string { return f.draw(styles, blocks, width) })
}

// draw draws blocks; the label and the figures of one stand in one row where the
// figures are not large.
func (f form) draw(styles theme.Theme, blocks []Block, width int) []string {
	var rows []string
	for i, block := range blocks {
		if i > 0 {
			rows = append(rows, make([]string, f.part)...)
		}
		label, air := styles.Accent.Render(block.Label), make([]string, f.air)
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

// withBar puts the bar behind a row, gap columns away, where there is room.
func withBar(row string, block Block, gap, width int) string {
	const fewest = 8 // Columns of a bar.
	at := theme.Width(row) + gap
	if block.Bar == nil || width-at < fewest {
		return row
	}
	return theme.Left(row, at) + block.Bar(width-at)
}
