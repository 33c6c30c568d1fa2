package i18n

import (
	"strconv"
	"time"
)

// Count returns a number of sales as text, such as "3 sales".
func (t Today) Count(sales int64) string {
	if sales == 1 {
		return t.Sale
	}
	return t.Sales.With(Number(sales))
}

// DateOf formats a date: Monday 23 November.
func (t Today) DateOf(day time.Time) string {
	return t.Days[day.Weekday()] + " " + strconv.Itoa(day.Day()) + " " + t.Months[day.Month()-1]
}
