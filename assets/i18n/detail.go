package i18n

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
	Times          Phrase `toml:"times"`    // How many deliveries of one event.
	Proposal       Phrase `toml:"proposal"` // Event kind, order reference.
	Why            Text   `toml:"why"`
	Outdated       Text   `toml:"outdated"` // Of a finding before the last event.
	Code           Text   `toml:"code"`     // The key that shows it.
}
