package i18n

// Search is the search among the orders.
type Search struct {
	Key   Text `toml:"key"`
	Enter Text `toml:"enter"`
	Whole Text `toml:"whole"`
	Hint  Text `toml:"hint"` // Stands in the field until something is typed.
	None  Text `toml:"none"`
}
