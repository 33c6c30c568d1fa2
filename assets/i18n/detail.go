package i18n

// Detail is the whole of one order.
type Detail struct {
	OrderReference Text   `toml:"order_reference"`
	Created        Text   `toml:"created"`
	Expires        Text   `toml:"expires"`
	PaidAt         Text   `toml:"paid_at"`
	Status         Text   `toml:"status"`
	Events         Text   `toml:"events"`
	NoEvents       Text   `toml:"no_events"`
	Times          Phrase `toml:"times"`    // How many deliveries of one event.
	Proposal       Phrase `toml:"proposal"` // Event kind, order reference.
	Finding        Text   `toml:"finding"`
	Why            Text   `toml:"why"`
	Outdated       Text   `toml:"outdated"` // Of a finding before the last event.
	Code           Text   `toml:"code"`     // The key that shows it.
}
