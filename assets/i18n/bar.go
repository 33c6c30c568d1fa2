package i18n

// Bar are the labels of the bar of keys, and short ones for a narrow window.
type Bar struct {
	Keys          Text   `toml:"keys"`
	KeysShort     Text   `toml:"keys_short"`
	News          Text   `toml:"news"`
	NewsShort     Text   `toml:"news_short"`
	Orders        Text   `toml:"orders"`
	OrdersShort   Text   `toml:"orders_short"`
	Waiting       Text   `toml:"waiting"`
	WaitingShort  Text   `toml:"waiting_short"`
	Hold          Text   `toml:"hold"`
	HoldShort     Text   `toml:"hold_short"`
	Articles      Text   `toml:"articles"`
	ArticlesShort Text   `toml:"articles_short"`
	Health        Text   `toml:"health"`
	HealthShort   Text   `toml:"health_short"`
	Today         Text   `toml:"today"`
	TodayShort    Text   `toml:"today_short"`
	Close         Text   `toml:"close"`
	Leave         Text   `toml:"leave"`
	Stay          Text   `toml:"stay"`
	Language      Phrase `toml:"language"` // The next one.
}

// Guide is what the console's help says beside the bindings: the titles of its groups, and
// examples of what can be typed.
type Guide struct {
	Closes      Text `toml:"closes"`
	Type        Text `toml:"type"`
	Sale        Text `toml:"sale"`
	Line        Text `toml:"line"`
	Held        Text `toml:"held"`
	Outcome     Text `toml:"outcome"`
	Code        Text `toml:"code"`
	Demo        Text `toml:"demo"`
	Lists       Text `toml:"lists"`
	Order       Text `toml:"order"`
	Articles    Text `toml:"articles"`
	Form        Text `toml:"form"`
	Health      Text `toml:"health"`
	Everywhere  Text `toml:"everywhere"`
	Part        Text `toml:"part"`
	PartDoes    Text `toml:"part_does"`
	Twice       Text `toml:"twice"`
	TwiceDoes   Text `toml:"twice_does"`
	Own         Text `toml:"own"`
	OwnDoes     Text `toml:"own_does"`
	Thrice      Text `toml:"thrice"`
	ThriceDoes  Text `toml:"thrice_does"`
	Free        Text `toml:"free"`
	FreeDoes    Text `toml:"free_does"`
	Barcode     Text `toml:"barcode"`
	BarcodeDoes Text `toml:"barcode_does"`
	Proof       Text `toml:"proof"`
	Green       Text `toml:"green"`
}

// Examples are what can be typed as a line, and what it means.
func (h Guide) Examples() [][2]Text {
	return [][2]Text{
		{h.Part, h.PartDoes},
		{h.Twice, h.TwiceDoes},
		{h.Own, h.OwnDoes},
		{h.Thrice, h.ThriceDoes},
		{h.Free, h.FreeDoes},
		{h.Barcode, h.BarcodeDoes},
	}
}
