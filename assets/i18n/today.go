package i18n

import (
	"strconv"
	"strings"
	"time"
)

// Today is the day's takings, as a screen and beside the sale.
type Today struct {
	Title       Text   `toml:"title"`
	Yesterday   Text   `toml:"yesterday"`
	Taken       Text   `toml:"taken"`      // The takings of today.
	TakenThen   Text   `toml:"taken_then"` // Those of another day.
	Sale        Text   `toml:"sale"`       // For one sale.
	Sales       Phrase `toml:"sales"`      // How many.
	Mean        Phrase `toml:"mean"`       // The mean amount of a sale.
	Before      Phrase `toml:"before"`     // The takings of the day before.
	ToCheck     Phrase `toml:"to_check"`   // How many orders.
	Outcomes    Text   `toml:"outcomes"`   // The orders of the day by their outcomes.
	Open        Phrase `toml:"open"`       // The key, and how many orders are to check.
	Hours       Text   `toml:"hours"`
	Most        Phrase `toml:"most"` // The hour, its amount.
	Thousands   Text   `toml:"thousands"`
	First       Phrase `toml:"first"` // How many articles are shown, of how many.
	Last        Text   `toml:"last"`  // The last outcomes.
	Nothing     Text   `toml:"nothing"`
	NothingSold Text   `toml:"nothing_sold"`
	Reading     Text   `toml:"reading"`
	OtherDay    Text   `toml:"other_day"` // What the key does.
	Check       Text   `toml:"check"`     // What the key does.
	Days        Text   `toml:"days"`      // From Sunday on, parted by blanks.
	Months      Text   `toml:"months"`    // Parted by blanks.
}

// Count says how many sales there are.
func (t Today) Count(sales int64) string {
	if sales == 1 {
		return t.Sale
	}
	return t.Sales.With(Number(sales))
}

// DateOf writes a day: Monday 23 November.
func (t Today) DateOf(day time.Time) string {
	days, months := strings.Fields(t.Days), strings.Fields(t.Months)
	return days[int(day.Weekday())] + " " + strconv.Itoa(day.Day()) + " " + months[day.Month()-1]
}
