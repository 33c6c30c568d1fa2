package i18n

import (
	"strconv"
	"time"
)

// Orders is the list of orders, and the search in it.
type Orders struct {
	ToCheck     Text `toml:"to_check"`
	History     Text `toml:"history"`
	Amount      Text `toml:"amount"`
	Time        Text `toml:"time"`
	Verdict     Text `toml:"verdict"`
	TimeOver    Text `toml:"time_over"` // The verdict where a row has no room for all of it.
	Orphan      Text `toml:"orphan"`    // The outcome of a payment that no order has.
	Refused     Text `toml:"refused"`   // The same for a refusal by the service.
	NoneToCheck Text `toml:"none_to_check"`
	NoneYet     Text `toml:"none_yet"`
	NoneFound   Text `toml:"none_found"`
	Search      Text `toml:"search"` // The keys that begin a search, find, and leave it.
	Enter       Text `toml:"enter"`
	Whole       Text `toml:"whole"`
	Hint        Text `toml:"hint"` // Stands in the field until something is typed.
}

// Detail is the whole of one order.
type Detail struct {
	OrderReference Text   `toml:"order_reference"`
	Expires        Text   `toml:"expires"`
	PaidAt         Text   `toml:"paid_at"`
	Status         Text   `toml:"status"`
	Events         Text   `toml:"events"`
	Lines          Text   `toml:"lines"`
	Saved          Phrase `toml:"saved"` // The till.
	Waits          Text   `toml:"waits"`
	Empty          Text   `toml:"empty"` // What stands there once there is an order.
	Paid           Text   `toml:"paid"`
	Refused        Text   `toml:"refused"`
	Canceled       Text   `toml:"canceled"`
	Expired        Text   `toml:"expired"`
	Proposal       Phrase `toml:"proposal"` // Event kind, order reference.
	Why            Text   `toml:"why"`
	Code           Text   `toml:"code"` // The key that shows it.
}

// Today is the day's takings, as a screen and beside the sale.
type Today struct {
	Title       Text     `toml:"title"`
	Yesterday   Text     `toml:"yesterday"`
	Taken       Text     `toml:"taken"`      // The takings of today.
	TakenThen   Text     `toml:"taken_then"` // Those of another day.
	Sale        Text     `toml:"sale"`       // For one sale.
	Sales       Phrase   `toml:"sales"`      // How many.
	Mean        Phrase   `toml:"mean"`       // The mean amount of a sale.
	Before      Phrase   `toml:"before"`     // The takings of the day before.
	ToCheck     Phrase   `toml:"to_check"`   // How many orders.
	Outcomes    Text     `toml:"outcomes"`   // The orders of the day by their outcomes.
	Open        Phrase   `toml:"open"`       // The key, and how many orders are to check.
	Hours       Text     `toml:"hours"`
	Most        Phrase   `toml:"most"` // The hour, its amount.
	Thousands   Text     `toml:"thousands"`
	First       Phrase   `toml:"first"` // How many articles are shown, of how many.
	Last        Text     `toml:"last"`  // The last outcomes.
	Nothing     Text     `toml:"nothing"`
	NothingSold Text     `toml:"nothing_sold"`
	Reading     Text     `toml:"reading"`
	OtherDay    Text     `toml:"other_day"` // What the key does.
	Close       Text     `toml:"close"`     // What the key does.
	Export      Phrase   `toml:"export"`    // The day.
	Days        [7]Text  `toml:"days"`      // From Sunday on.
	Months      [12]Text `toml:"months"`
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
	return t.Days[day.Weekday()] + " " + strconv.Itoa(day.Day()) + " " + t.Months[day.Month()-1]
}
