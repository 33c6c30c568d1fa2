package i18n

// Keys are the words of the help beside each key.
type Keys struct {
	LineKeys
	PlaceKeys
}

// LineKeys are the words for what is done on a screen.
type LineKeys struct {
	Enter  Text `toml:"enter"`
	Charge Text `toml:"charge"`
	Back   Text `toml:"back"`
	Move   Text `toml:"move"`
	Edit   Text `toml:"edit"`
	More   Text `toml:"more"`
	Less   Text `toml:"less"`
	Remove Text `toml:"remove"`
	Undo   Text `toml:"undo"`
}

// PlaceKeys are the words for what is done from any screen.
type PlaceKeys struct {
	Help    Text `toml:"help"`
	News    Text `toml:"news"`
	Orders  Text `toml:"orders"`
	Board   Text `toml:"board"`
	Catalog Text `toml:"catalog"`
	Health  Text `toml:"health"`
	Hold    Text `toml:"hold"`
	// Language names the next language in that language.
	Language Text `toml:"language"`
	Switch   Text `toml:"switch"`
	Quit     Text `toml:"quit"`
}

// SaleKeys are the words of the help beside the keys of a sale alone.
type SaleKeys struct {
	Keep   Text `toml:"keep"`
	Pick   Text `toml:"pick"`
	Reduce Text `toml:"reduce"`
	Note   Text `toml:"note"`
	Quick  Text `toml:"quick"`
	Resume Text `toml:"resume"`
	Drop   Text `toml:"drop"`
	Yes    Text `toml:"yes"`
}

// PayKeys are the words of the help beside the keys of one order.
type PayKeys struct {
	Done     Text `toml:"done"`
	Leave    Text `toml:"leave"`
	Again    Text `toml:"again"`
	Resend   Text `toml:"resend"`
	Link     Text `toml:"link"`
	Copy     Text `toml:"copy"`
	Open     Text `toml:"open"`
	Paid     Text `toml:"paid"`
	Unpaid   Text `toml:"unpaid"`
	Match    Text `toml:"match"`
	DemoPay  Text `toml:"demo_pay"`
	DemoFail Text `toml:"demo_fail"`
	DemoStop Text `toml:"demo_stop"`
	DemoOver Text `toml:"demo_over"`
}

// CatalogKeys are the words of the help beside the keys of the articles.
type CatalogKeys struct {
	New   Text `toml:"new"`
	Place Text `toml:"place"`
	Page  Text `toml:"page"`
	Ends  Text `toml:"ends"`
	Next  Text `toml:"next"`
	Field Text `toml:"field"`
	Save  Text `toml:"save"`
}
