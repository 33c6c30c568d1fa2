package today

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// hour is the sum that was paid in an hour of the day.
type hour struct {
	at      int
	amount  payments.Ariary
	present bool
}

// hours returns the hours from 7 to 18, extended to the present hour and to every hour
// with a payment.
func (m Model) hours() (hours []hour) {
	first := 7
	last := 18
	present := -1
	sums := make(map[int]payments.Ariary)
	if m.day.From.IsZero() {
		present = m.state.Now.In(m.Zone).Hour()
		last = max(last, present)
	}
	for _, paid := range m.account.report.Hours {
		at := paid.At.In(m.Zone).Hour()
		sums[at] += paid.Amount
		first, last = min(first, at), max(last, at)
	}
	for at := first; at <= last; at++ {
		hours = append(hours, hour{at, sums[at], at == present})
	}
	return hours
}

func busiest(hours []hour) hour { return slices.MaxFunc(hours, byAmount) }

func byAmount(a, b hour) int { return cmp.Compare(a.amount, b.amount) }

// chart draws the takings by hour in rows rows, with the scale at the left.
func (m Model) chart(width, rows int) []string {
	const axis, below = 6, 3 // The hours and the unit are below.
	high := rows - below
	if !m.shown() || high < 2 {
		return nil
	}
	most := int64(scale(m.hours()))
	drawn := m.bars(6, width-axis, high)
	for i := range drawn {
		scale := ""
		if i == 0 && most >= 1000 {
			scale = i18n.Number(most / 1000)
		}
		if i == high/2 && most >= 1000 && most/1000%2 == 0 {
			scale = i18n.Number(most / 2000)
		}
		drawn[i] = m.Theme.Muted.Render(theme.Right(scale, axis-2)) + "  " + drawn[i]
	}
	return append(drawn, "", m.Theme.Muted.Render(theme.Right(m.Texts.Today.Thousands, width)))
}

// scale returns the amount of the highest bar: that of the busiest hour, unless it would
// flatten all others.
func scale(hours []hour) payments.Ariary {
	const flattens = 3 // Times the second busiest hour.
	amounts := make([]payments.Ariary, 0, len(hours))
	for _, hour := range hours {
		amounts = append(amounts, hour.amount)
	}
	slices.Sort(amounts)
	most, second := amounts[len(amounts)-1], amounts[max(0, len(amounts)-2)]
	if second > 0 && most > flattens*second {
		return second * 3 / 2
	}
	return most
}

// bars draws the hours as vertical bars of at most the given number of columns, in width
// columns and high rows, above a row of hours. If not all fit, it draws the last ones.
// bubbles has no vertical bars.
func (m Model) bars(most, width, high int) []string {
	cells := []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	hours, steps := m.hours(), len(cells)-1 // Steps in a cell.
	wide := max(2, min(most, (width+1)/len(hours)-1))
	fit := max(1, (width+1)/(wide+1))
	for last := len(hours) - 1; last >= fit && hours[last].amount == 0 && !hours[last].present; last-- {
		hours = hours[:last] // The hour is still to come.
	}
	hours = hours[max(0, len(hours)-fit):]
	highest := max(1, scale(hours))
	var blocks []string
	for _, hour := range hours {
		ink, level := m.Theme.FlowLow, int((hour.amount*payments.Ariary(high*steps)+highest-1)/highest)
		switch {
		case hour.amount == 0:
			ink, level = m.Theme.Rule, 1
		case 3*hour.amount >= 2*highest:
			ink = m.Theme.Flow
		case 3*hour.amount >= highest:
			ink = m.Theme.FlowMiddle
		}
		name := m.Theme.Muted
		if hour.present {
			name = m.Theme.Strong
		}
		var rows []string
		for y := range high {
			above := level - (high-1-y)*steps
			cell := cells[max(0, min(above, steps))]
			if y == 0 && hour.amount > highest {
				cell = "▲"
			}
			rows = append(rows, ink.Render(strings.Repeat(cell, wide)))
		}
		rows = append(rows, name.Render(theme.Center(strconv.Itoa(hour.at), wide, 1)))
		blocks = append(blocks, strings.Join(rows, "\n"), " ")
	}
	return strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")
}
