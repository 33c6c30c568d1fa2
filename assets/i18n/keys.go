package i18n

import (
	"cmp"
	"strings"
)

// Keys are the words of the help beside the keys of the lists, of the forms and of a
// sale.
type Keys struct {
	Enter    Text   `toml:"enter"`
	Charge   Text   `toml:"charge"`
	Back     Text   `toml:"back"`
	Move     Text   `toml:"move"`
	Edit     Text   `toml:"edit"`
	More     Text   `toml:"more"`
	Less     Text   `toml:"less"`
	Remove   Text   `toml:"remove"`
	Undo     Text   `toml:"undo"`
	News     Text   `toml:"news"`
	Hold     Text   `toml:"hold"`
	Language Text   `toml:"language"` // Names the next language in that language.
	Switch   Text   `toml:"switch"`
	New      Text   `toml:"new"`
	Place    Text   `toml:"place"`
	Page     Text   `toml:"page"`
	Ends     Text   `toml:"ends"`
	Next     Text   `toml:"next"`
	Field    Text   `toml:"field"`
	Save     Text   `toml:"save"`
	Charges  Phrase `toml:"charges"` // The total.
	Adds     Text   `toml:"adds"`
	Others   Text   `toml:"others"`
	ALine    Text   `toml:"a_line"`
	Pick     Text   `toml:"pick"`
	Reduce   Text   `toml:"reduce"`
	Note     Text   `toml:"note"`
	Quick    Text   `toml:"quick"`
	Resume   Text   `toml:"resume"`
	Drop     Text   `toml:"drop"`
}

// PayKeys are the words of the help beside the keys of one order.
type PayKeys struct {
	Done    Text    `toml:"done"`
	Leave   Text    `toml:"leave"`
	Again   Text    `toml:"again"`
	Resend  Text    `toml:"resend"`
	Link    Text    `toml:"link"`
	Copy    Text    `toml:"copy"`
	Page    Text    `toml:"page"`
	Turn    Text    `toml:"turn"` // The screen to the customer, and back.
	Correct Text    `toml:"correct"`
	Open    Text    `toml:"open"`
	Paid    Text    `toml:"paid"`
	Unpaid  Text    `toml:"unpaid"`
	Match   Text    `toml:"match"`
	Demo    [4]Text `toml:"demo"` // What the customer does, in the order of [payments.EventKinds].
}

// KeyNames are what stands on the keys of a keyboard that people of a language
// use, by the name that a binding's help has for them.
type KeyNames map[string]Text

// Of returns what a person calls a key that a binding's help names: "enter" is
// "Entrée" in French, and "ctrl+z" is "Ctrl+Z" everywhere.
func (k KeyNames) Of(name string) string {
	if at := strings.LastIndex(name, "+") + 1; at > 0 && at < len(name) && k[name[:at]] != "" {
		return k[name[:at]] + strings.ToUpper(name[at:])
	}
	return cmp.Or(k[name], name)
}

// Bar are the labels of the bar of keys, and short ones for a narrow window.
type Bar struct {
	Keys         Text   `toml:"keys"`
	KeysShort    Text   `toml:"keys_short"`
	News         Text   `toml:"news"`
	Orders       Text   `toml:"orders"`
	Waiting      Text   `toml:"waiting"`
	WaitingShort Text   `toml:"waiting_short"`
	Hold         Text   `toml:"hold"`
	HoldShort    Text   `toml:"hold_short"`
	Articles     Text   `toml:"articles"`
	Health       Text   `toml:"health"`
	Today        Text   `toml:"today"`
	TodayShort   Text   `toml:"today_short"`
	Close        Text   `toml:"close"`
	Leave        Text   `toml:"leave"`
	Stay         Text   `toml:"stay"`
	Language     Phrase `toml:"language"` // The next one.
}

// Guide is what the console's help says beside the bindings: the titles of its
// groups, and examples.
type Guide struct {
	Closes     Text       `toml:"closes"`
	Type       Text       `toml:"type"`
	Sale       Text       `toml:"sale"`
	Line       Text       `toml:"line"`
	Held       Text       `toml:"held"`
	Code       Text       `toml:"code"`
	Demo       Text       `toml:"demo"`
	Lists      Text       `toml:"lists"`
	Order      Text       `toml:"order"`
	Form       Text       `toml:"form"`
	Everywhere Text       `toml:"everywhere"`
	Examples   [6][2]Text `toml:"examples"` // What can be typed as a line, and what it means.
	Green      Text       `toml:"green"`
}
