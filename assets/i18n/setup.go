package i18n

// Asked is what "till setup" asks, by the name of the setting: its name and, behind
// a line break, a sentence about it. Under "NAME VALUE" stands what can be chosen,
// and under "step NAME" the heading of a step.
type Asked map[string]Text

// Setup is what "till setup" says around its questions.
type Setup struct {
	Title Text   `toml:"title"`
	Step  Phrase `toml:"step"` // Which one, of how many.
	Next  Text   `toml:"next"`
	Back  Text   `toml:"back"`
	Write Text   `toml:"write"`
	Kept  Text   `toml:"kept"`  // In the field of a secret that there is.
	Erase Text   `toml:"erase"` // Behind the error of a secret, which stays in its field unseen.

	Writes     Phrase `toml:"writes"`  // The file.
	Written    Phrase `toml:"written"` // The file.
	NotWritten Text   `toml:"not_written"`
	Terminal   Phrase `toml:"terminal"` // The file.

	DoProxy  Text   `toml:"do_proxy"`
	DoTunnel Text   `toml:"do_tunnel"`
	DoServer Text   `toml:"do_server"`
	DoNone   Text   `toml:"do_none"`
	Merchant Text   `toml:"merchant"`  // Before the webhook's address.
	Returns  Text   `toml:"returns"`   // Before the addresses of the three pages.
	Item     Text   `toml:"item"`      // Of the first order.
	Check    Text   `toml:"check"`     // Asks whether to run the doctor.
	Doctor   Text   `toml:"doctor"`    // What else to do.
	FirstOne Phrase `toml:"first_one"` // The amount.
	Ready    Text   `toml:"ready"`
}
