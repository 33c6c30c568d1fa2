package i18n

// Help is what --help says: of a command by its name, as "order list", of one
// of its flags as "order list --since", and of a flag that several commands have
// as "--json". The first line of a command's text stands in lists. What has no
// text here says it in English, in every language: it is for programmers.
type Help map[string]Text

// Shell is what the command line says by itself: about its use, the settings
// and who may do something.
type Shell struct {
	NoListener Phrase `toml:"no_listener"` // The address.
	Usage      Text   `toml:"usage"`
	Commands   Text   `toml:"commands"`
	Examples   Text   `toml:"examples"`
	Flags      Text   `toml:"flags"`
	Options    Text   `toml:"options"` // That stand behind a command.
	Global     Text   `toml:"global"`  // Where the settings' flags are.

	SaysHow         Phrase `toml:"says_how"`     // The command.
	NoCommand       Phrase `toml:"no_command"`   // What was typed, what may have been meant.
	Unknown         Phrase `toml:"unknown"`      // The argument.
	UnknownFlag     Phrase `toml:"unknown_flag"` // The flag.
	FlagValue       Phrase `toml:"flag_value"`   // The flag, its value, an example.
	NoValue         Phrase `toml:"no_value"`     // The flag.
	Missing         Phrase `toml:"missing"`      // The arguments' names.
	TooMany         Phrase `toml:"too_many"`     // The arguments' names, what is too much.
	WhatToDo        Phrase `toml:"what_to_do"`   // The commands.
	NoneOf          Phrase `toml:"none_of"`      // The flag, its value, the choices.
	NoDay           Phrase `toml:"no_day"`       // The flag, its value.
	NoMoment        Phrase `toml:"no_moment"`    // The flag, its value.
	NoNumber        Phrase `toml:"no_number"`    // The flag.
	Wrong           Phrase `toml:"wrong_value"`  // The setting, what it must be.
	Unset           Phrase `toml:"unset"`        // The setting, what it is, its variable.
	NoSetting       Phrase `toml:"no_setting"`   // The file, what stands there.
	NoFile          Phrase `toml:"no_file"`      // The file.
	NoAccess        Phrase `toml:"no_access"`    // The file.
	Exists          Text   `toml:"exists"`
	DiskFull        Phrase `toml:"disk_full"`   // The database.
	Damaged         Phrase `toml:"damaged"`     // The database.
	ServerAway      Phrase `toml:"server_away"` // The error.
	PortTaken       Phrase `toml:"port_taken"`  // The address.
	Terminal        Text   `toml:"terminal"`
	DisplayTerminal Text   `toml:"display_terminal"`
	DemoApart       Phrase `toml:"demo_apart"` // The demo's database.

	PINOf      Phrase `toml:"pin_of"`  // The cashier.
	NewPIN     Phrase `toml:"new_pin"` // The cashier.
	SamePIN    Text   `toml:"same_pin"`
	TwoPINs    Text   `toml:"two_pins"`
	NeedsPIN   Text   `toml:"needs_pin"`
	WhoAreYou  Text   `toml:"who_are_you"`
	WrongPIN   Text   `toml:"wrong_pin"`
	Paused     Phrase `toml:"paused"` // Until when.
	NotOwner   Text   `toml:"not_owner"`
	OneOwner   Text   `toml:"one_owner"`
	BadCashier Text   `toml:"bad_cashier"`
	NotBegun   Text   `toml:"not_begun"`
	WasClosed  Phrase `toml:"was_closed"` // The day, by whom, at which till, when.
	NoOrder    Phrase `toml:"no_order"`   // The reference.
}

// Rules say what the value of a setting must be, by the name of its check.
type Rules map[string]Text

// Printed is what the commands of a shop print.
type Printed struct {
	Reference Text `toml:"reference"`
	Created   Text `toml:"created"`
	Verdict   Text `toml:"verdict"`
	About     Text `toml:"about"`
	NoOrders  Text `toml:"no_orders"`

	OrderReference Text   `toml:"order_reference"`
	Reason         Text   `toml:"reason"`
	LookAt         Text   `toml:"look_at"`
	Resolved       Text   `toml:"resolved"`
	Items          Text   `toml:"items"`
	Item           Phrase `toml:"item"` // Quantity, label, unit price.
	Link           Text   `toml:"link"`
	LinkEnds       Text   `toml:"link_ends"`
	Paid           Text   `toml:"paid"`
	Event          Text   `toml:"event"`
	Times          Phrase `toml:"times"`          // How often.
	FoundPaid      Phrase `toml:"found_paid"`     // By whom, when.
	FoundUnpaid    Phrase `toml:"found_unpaid"`   // By whom, when.
	FoundRefunded  Phrase `toml:"found_refunded"` // By whom, when.
	Saw            Phrase `toml:"saw"`            // The verdict that the person saw.
	PaidToo        Text   `toml:"paid_too"`       // Before another order of the sale.

	SayFinding Text `toml:"say_finding"`
	SayReason  Text `toml:"say_reason"`

	To        Phrase `toml:"to"` // The first and the last day.
	Orders    Text   `toml:"orders"`
	Received  Text   `toml:"received"`
	GivenBack Text   `toml:"given_back"`
	Hours     Text   `toml:"hours"`
	Articles  Text   `toml:"articles"`
	Quantity  Text   `toml:"quantity"`
	OneForm   Text   `toml:"one_form"`
	OneDay    Text   `toml:"one_day"`
	NeedFrom  Text   `toml:"need_from"`
	Reversed  Phrase `toml:"reversed"` // The last day, the first day.

	Closed    Phrase `toml:"closed"` // The day, by whom, at which till, when.
	Since     Phrase `toml:"since"`  // The verdict.
	Open      Phrase `toml:"open"`   // The verdicts and how many.
	AskClose  Phrase `toml:"ask_close"`
	NotClosed Phrase `toml:"not_closed"`
	NoneYet   Text   `toml:"none_yet"`
	SayYes    Text   `toml:"say_yes"`
	SayItems  Text   `toml:"say_items"`
}

// Awaited is what "order create --wait" says of its order.
type Awaited struct {
	Listening Phrase `toml:"listening"` // The address.
	Waiting   Phrase `toml:"waiting"`   // Until when.
	Stopped   Phrase `toml:"stopped"`   // Until when the link can be paid.
	Ended     Phrase `toml:"ended"`     // The reference, the verdict.
	Unpaid    Phrase `toml:"unpaid"`    // The reference, the status.
	Payable   Phrase `toml:"payable"`   // The former, until when the link can still be paid.
	Check     Phrase `toml:"check"`     // The reference, why.
	NoEvent   Phrase `toml:"no_event"`  // The reference.
}

// Office is what the commands for articles, cashiers and the database print.
type Office struct {
	Imported  Phrase `toml:"imported"` // How many were added, changed, unchanged and wrong.
	NoImport  Text   `toml:"no_import"`
	Encoding  Text   `toml:"encoding"`
	Exported  Phrase `toml:"exported"` // How many, the file.
	IsThere   Phrase `toml:"is_there"` // The file.
	JSONAlone Text   `toml:"json_alone"`

	NoCashiers Text   `toml:"no_cashiers"`
	NewOwner   Phrase `toml:"new_owner"`   // The name.
	NewCashier Phrase `toml:"new_cashier"` // The name.
	Removed    Phrase `toml:"removed"`
	Changed    Phrase `toml:"changed"`
	Pausing    Phrase `toml:"pausing"` // Until when.
	Owner      Text   `toml:"owner"`
	Cashier    Text   `toml:"cashier"`

	Copied  Phrase `toml:"copied"`  // How many orders and events, the file, its bytes.
	Sound   Phrase `toml:"sound"`   // How many orders and events.
	Unsound Phrase `toml:"unsound"` // How many rows.

	OwnBase   Text   `toml:"own_base"`
	Phones    Phrase `toml:"phones"`    // The address.
	Screen    Phrase `toml:"screen"`    // The address.
	Dashboard Phrase `toml:"dashboard"` // The address.

	Topic        Text `toml:"topic"`         // The argument that names a guide.
	GuideEnglish Text `toml:"guide_english"` // Above a guide without a translation.
	GuideKeys    Text `toml:"guide_keys"`    // Below a guide in a terminal.

	Rounded  Phrase `toml:"rounded"`  // How long a link lives, from how many minutes on a console counts.
	Lifetime Phrase `toml:"lifetime"` // The longest.
}

// Reconciled is what "till reconcile" finds.
type Reconciled struct {
	Line     Text   `toml:"line"`
	Name     Text   `toml:"name"`
	Here     Text   `toml:"here"`
	There    Text   `toml:"there"`
	Problem  Text   `toml:"problem"`
	Agree    Phrase `toml:"agree"`  // How many orders.
	Differ   Phrase `toml:"differ"` // How many orders.
	Headings Text   `toml:"headings"`
	Broken   Phrase `toml:"broken"` // The line's number.
}

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
	Kept  Text   `toml:"kept"` // In the field of a secret that there is.

	Writes     Phrase `toml:"writes"`  // The file.
	Written    Phrase `toml:"written"` // The file.
	NotWritten Text   `toml:"not_written"`
	Leaves     Text   `toml:"leaves"`   // At the key that would lose the answers.
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
