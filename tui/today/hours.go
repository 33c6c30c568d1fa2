package today

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments/money"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/theme"
)

// hours returns a bar for each hour from 7 to 18. The range is longer if there were takings outside
// it, or if the present hour is later.
func (r Report) hours() (hours []bars.Bar) {
	first := 7
	last := 18
	present := -1
	sums := make(map[int]money.Ariary)
	hourOf := func(at time.Time) int { // Hours after midnight that belong to the day before count as 24, 25 and so on.
		hour := at.In(r.Zone).Hour()
		if at.In(r.Zone).Day() != r.wanted.From.Day() {
			hour += 24
		}
		return hour
	}
	if r.present {
		present = hourOf(r.state.Now)
		last = max(last, present)
	}
	for _, paid := range r.sums.Hours {
		at := hourOf(paid.At)
		sums[at] += paid.Amount
		first, last = min(first, at), max(last, at)
	}
	for at := first; at <= last; at++ {
		hours = append(hours, bars.Bar{Name: strconv.Itoa(at % 24), Amount: int64(sums[at]), Present: at == present})
	}
	return hours
}

// soFar drops hours without takings at the end. It keeps the hour after the present hour, and at
// least six hours, because fewer bars would be too wide.
func soFar(hours []bars.Bar) []bars.Bar {
	const few = 6
	end := max(few, slices.IndexFunc(hours, func(hour bars.Bar) bool { return hour.Present })+2)
	for len(hours) > end && hours[len(hours)-1].Amount == 0 {
		hours = hours[:len(hours)-1]
	}
	return hours
}

// busiest returns a text about the hour with the highest takings, or "" without any.
func (r Report) busiest(hours []bars.Bar) string {
	most := slices.MaxFunc(hours, func(a, b bars.Bar) int { return cmp.Compare(a.Amount, b.Amount) })
	if most.Amount <= 0 {
		return ""
	}
	return r.Texts.Today.Most.With(most.Name, i18n.Number(most.Amount))
}

// chart draws the takings by hour as bars in rows rows, with a scale.
func (r Report) chart(width, rows int) []string {
	const hours, some, many = 1, 2, 5 // Rows for the names of the hours, for low bars and for high bars.
	high := rows - hours
	if high >= many {
		high-- // A blank row is above the bars.
	}
	if !r.read || high < 1 {
		return nil
	}
	if high > some {
		high -= high % 2 // The line for half the amount is then at the edge of a row.
	}
	bars := r.scaled(width, high)
	return append(make([]string, (rows-len(bars)+1)/2), bars...) // The other blank rows are below.
}

// scaled draws bars that are high rows tall, and a scale with the amount of a full bar and half of
// it.
func (r Report) scaled(width, high int) []string {
	hours := r.hours()
	if r.present {
		hours = soFar(hours)
	}
	most := bars.Scale(hours)
	if most > 0 {
		most = round(most)
	}
	axis := theme.Width(i18n.Number(most)) + 2 // Width of the scale, in columns.
	scales := make(map[int]string)             // Amounts by their row.
	if most > 0 {
		scales[0] = i18n.Number(most)
		scales[high/2] = i18n.Number(most / 2)
	}
	drawn := bars.Draw(r.Theme, hours, most, width-axis, high, slices.Collect(maps.Keys(scales))...)
	for i := range drawn {
		scale := scales[i]
		drawn[i] = r.Theme.Muted.Render(theme.AlignRight(scale, axis-2)) + "  " + drawn[i]
	}
	return drawn
}

// round returns the smallest round amount that is not less than amount. Half of it is round, too.
func round(amount int64) int64 {
	for unit := int64(10); ; unit *= 10 {
		for _, digit := range []int64{1, 2, 3, 4, 5, 6, 8} {
			if digit*unit >= amount {
				return digit * unit
			}
		}
	}
}
