package i18n

// Orders is the list of orders.
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
}

// Search is the search among the orders.
type Search struct {
	Key   Text `toml:"key"`
	Enter Text `toml:"enter"`
	Whole Text `toml:"whole"`
	Hint  Text `toml:"hint"` // Stands in the field until something is typed.
	None  Text `toml:"none"`
}
