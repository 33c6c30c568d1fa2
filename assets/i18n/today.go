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

// DatesOf formats a date in several ways, the longest first: Monday 23 November, Monday 23/11 and
// 23/11.
func (t Today) DatesOf(day time.Time) []string {
	short := day.Format("02/01")
	return []string{t.DateOf(day), t.Days[day.Weekday()] + " " + short, short}
}
