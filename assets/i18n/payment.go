package i18n

// Code is what stands with the code of a link.
type Code struct {
	Time       Text    `toml:"time"`
	Todo       Text    `toml:"todo"`
	Steps      [3]Text `toml:"steps"` // What to do, in its order.
	Again      [2]Text `toml:"again"` // The first steps after a refusal.
	NoProof    Text    `toml:"no_proof"`
	Refused    Text    `toml:"refused"`
	RefusedWhy Phrase  `toml:"refused_why"` // The service's reason.
	Retry      Phrase  `toml:"retry"`       // Minutes and seconds.
	Opened     Text    `toml:"opened"`      // The page, in a browser of this machine.
	NoBrowser  Text    `toml:"no_browser"`  // The link is shown instead.
	Browser    Text    `toml:"browser"`     // What the key does, in the help.
	Soon       Text    `toml:"soon"`        // Beside a bar that is nearly empty.
}

// Asking is what stands while the service is asked for an order.
type Asking struct {
	Head      Text   `toml:"head"`
	Saved     Text   `toml:"saved"`
	Preparing Text   `toml:"preparing"`
	Code      Text   `toml:"code"`
	Most      Phrase `toml:"most"` // Seconds.
	Next      Phrase `toml:"next"` // The key under which the code will wait.
}

// Outcome is what the screens of the outcomes say beside the verdicts' words.
type Outcome struct {
	Keep      Text   `toml:"keep"`
	Again     Text   `toml:"again"`    // The lines are still here.
	Until     Phrase `toml:"until"`    // The link can still be paid until then.
	ToCheck   Phrase `toml:"to_check"` // The key of the list.
	NextSale  Text   `toml:"next_sale"`
	SameLines Text   `toml:"same_lines"` // The key that makes a new order.
	Back      Text   `toml:"back"`
}

// Customer is what a customer reads on the other side of the counter, beside the words
// of the payment's screen.
type Customer struct {
	Welcome  Text    `toml:"welcome"`
	Moment   Text    `toml:"moment"`
	Ask      Text    `toml:"ask"`
	Earlier  Phrase  `toml:"earlier"` // How many lines.
	Instead  Phrase  `toml:"instead"` // The price before the discount.
	Retry    Text    `toml:"retry"`   // To the customer who was refused.
	Steps    [4]Text `toml:"steps"`   // What to do, in its order.
	Green    Text    `toml:"green"`
	Entering Text    `toml:"entering"`
	All      Text    `toml:"all"` // Every operator is welcome.
	Thanks   Text    `toml:"thanks"`
	More     Phrase  `toml:"more"` // How many lines.
}
