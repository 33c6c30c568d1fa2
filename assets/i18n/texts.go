// Package i18n holds what the console says, in English, French and Malagasy.
// It guarantees that every language has every text with the same placeholders:
// a gap is an error when the texts are loaded, never an English word on a
// Malagasy screen.
package i18n

import (
	"cmp"
	"fmt"

	"checkout/till/payments"
)

// Text is a text without placeholders, ready to be shown.
type Text = string

// Phrase is a text with fmt placeholders. The comment beside each phrase names
// its arguments.
type Phrase string

// With fills in the placeholders.
func (p Phrase) With(args ...any) string { return fmt.Sprintf(string(p), args...) }

// Message is what a screen says until something else happens: a function of the
// texts, so that it changes its language with the screen. Nil says nothing.
type Message func(Texts) string

// In returns the message in a language; blank for none.
func (m Message) In(texts Texts) string {
	if m == nil {
		return ""
	}
	return m(texts)
}

// Texts is everything that the console says in one language. It is a value:
// copies are cheap, and share words that nobody changes. One without words says
// nothing, and asking it for a text panics: Load makes them.
type Texts struct {
	*Words
	Language string // Its code: "en", "fr" or "mg".
}

// Words are the texts themselves, a section of the locale's file in each field.
// They are some thousands of bytes, and every screen and its parts hold them.
type Words struct {
	Verdicts  Verdicts  `toml:"verdicts"`
	Attention Attention `toml:"attention"`
	Frame     Frame     `toml:"frame"`
	Bar       Bar       `toml:"bar"`
	Guide     Guide     `toml:"guide"`
	Alarms    Alarms    `toml:"alarms"`
	Demo      Demo      `toml:"demo"`
	Asks      Asks      `toml:"asks"`
	Hints     Hints     `toml:"hints"`
	Keys      Keys      `toml:"keys"`
	PayKeys   PayKeys   `toml:"pay_keys"`
	KeyNames  KeyNames  `toml:"key_names"`

	Sale     Sale     `toml:"sale"`
	Held     Held     `toml:"held"`
	Pay      Pay      `toml:"pay"`
	Board    Board    `toml:"board"`
	Code     Code     `toml:"code"`
	Asking   Asking   `toml:"asking"`
	Unpaid   Names    `toml:"unpaid"` // How an order ended that nobody paid, by its status.
	Outcome  Outcome  `toml:"outcome"`
	Customer Customer `toml:"customer"`

	Today    Today   `toml:"today"`
	Orders   Orders  `toml:"orders"`
	Detail   Detail  `toml:"detail"`
	Catalog  Catalog `toml:"catalog"`
	Health   Health  `toml:"health"`
	Illness  Illness `toml:"illness"`
	Reach    Reaches `toml:"reach"`    // Whether a payment would be seen, as the header says it.
	Charging Reaches `toml:"charging"` // What to do while it would not, or might not be.
	Checks   Names   `toml:"checks"`   // Of what the doctor and the screen Health look at.
	Doctor   Doctor  `toml:"doctor"`
	Causes   Causes  `toml:"causes"`
	Reasons  Reasons `toml:"reasons"`
	Statuses Names   `toml:"statuses"` // Of [payments.Status].
	Kinds    Names   `toml:"kinds"`    // Of [payments.EventKind].
	Outcomes Names   `toml:"outcomes"` // Of [payments.Effect].

	Verbs Verbs `toml:"verbs"`
	Plain Plain `toml:"plain"`

	Help       Help       `toml:"help"`
	Shell      Shell      `toml:"shell"`
	Rules      Rules      `toml:"rules"`
	Printed    Printed    `toml:"printed"`
	Office     Office     `toml:"office"`
	Reconciled Reconciled `toml:"reconciled"`
	Problems   Names      `toml:"problems"` // Of an order that is reconciled.
	Awaited    Awaited    `toml:"awaited"`
	Setup      Setup      `toml:"setup"`
	Asked      Asked      `toml:"asked"`
}

// Names are the words for the values of a type.
type Names map[string]Text

// Of returns the word for a value, and the value itself, cleaned, where there is
// none: the service may send an event of any kind.
func (n Names) Of(value string) Text {
	return cmp.Or(n[value], payments.Clean(value, 40))
}

// Verdicts are the words for an order's verdict. Where that is not paid, why is in
// the words for its status, and there are more for one that is being sent.
type Verdicts map[payments.Verdict]Text

// Reaches are texts for what is known of the way in.
type Reaches map[payments.Reach]Text

// What an order that waits has words of its own for.
const (
	NotSent payments.Verdict = "not_sent"
	Sending payments.Verdict = "sending"
)

// Attention says why a person must look at an order, and what to do.
type Attention struct {
	Contradicted     Text   `toml:"contradicted"`
	AmountMismatch   Phrase `toml:"amount_mismatch"`   // Reported amount, the order's amount.
	AmountForm       Phrase `toml:"amount_form"`       // The reported amount, as it came.
	CurrencyMismatch Phrase `toml:"currency_mismatch"` // Reported currency.
	PaidLate         Text   `toml:"paid_late"`
	PaidTwice        Text   `toml:"paid_twice"`
	PaidTwiceWith    Phrase `toml:"paid_twice_with"` // The other orders, with amount and verdict.
	// FindingContradicted says what was found, by whom and when.
	FindingContradicted Phrase `toml:"finding_contradicted"`
	UnknownOutcome      Text   `toml:"unknown_outcome"`
	Overdue             Text   `toml:"overdue"`
	Nothing             Text   `toml:"nothing"` // In place of an amount that is missing.
}

// Alarms are said on every screen until what they tell of is over.
type Alarms struct {
	Signature Text   `toml:"signature"` // Somebody else may know it.
	Clock     Phrase `toml:"clock"`     // By how much the shop's clock and the payment service's differ.
	Orphans   Phrase `toml:"orphans"`   // How many payments no order has.
	Orphan    Phrase `toml:"orphan"`    // Its amount, the service's name of it, when it came.
	Seen      Text   `toml:"seen"`      // The key that says that somebody looked.
	AskSeen   Phrase `toml:"ask_seen"`  // The service's name of it.
	Other     Phrase `toml:"other"`     // What came of another order than the one that is shown, and its amount.
}

// Frame is what stands around every screen.
type Frame struct {
	Labelled    Phrase `toml:"labelled"`     // What it is, and what it says.
	QuitWaiting Phrase `toml:"quit_waiting"` // How many payments are awaited.
	TooSmall    Phrase `toml:"too_small"`    // Columns and rows needed.
	NoNews      Text   `toml:"no_news"`
	Sending     Text   `toml:"sending"`
	Demo        Text   `toml:"demo"`
	DemoShort   Text   `toml:"demo_short"`
	Test        Text   `toml:"test"`
	TestShort   Text   `toml:"test_short"`
	Refused     Phrase `toml:"refused"`    // The cause.
	LastEvent   Phrase `toml:"last_event"` // The time of day.
	NewsMore    Phrase `toml:"news_more"`  // How many more.
}

// Mark returns what every screen says where no money moves, whole and in one
// word; nothing in a shop with a live account.
func (f Frame) Mark(demo, test bool) (whole, short Text) {
	switch {
	case demo:
		return f.Demo, f.DemoShort
	case test:
		return f.Test, f.TestShort
	}
	return "", ""
}

// Demo is what the demo says beside the console's own words.
type Demo struct {
	What   Text   `toml:"what"` // To somebody who starts the program for the first time.
	Try    Text   `toml:"try"`
	Live   Phrase `toml:"live"`   // The settings file.
	Phones Phrase `toml:"phones"` // The address.
	Plays  Text   `toml:"plays"`
}

// Sale is the screen on which a sale is entered, and what helps there.
type Sale struct {
	Prompt         Text   `toml:"prompt"`
	Empty          Text   `toml:"empty"`
	Article        Text   `toml:"article"`
	Quantity       Text   `toml:"quantity"`
	Price          Text   `toml:"price"`
	Total          Text   `toml:"total"` // Above the column, and before the amount to pay.
	FreeAmount     Text   `toml:"free_amount"`
	Charge         Phrase `toml:"charge"`  // The total.
	Editing        Phrase `toml:"editing"` // The line's number.
	Restored       Text   `toml:"restored"`
	Title          Text   `toml:"title"`
	Fresh          Text   `toml:"fresh"`
	Number         Text   `toml:"number"`
	Nothing        Text   `toml:"nothing"`
	Line           Text   `toml:"line"`
	Lines          Phrase `toml:"lines"` // How many.
	Piece          Text   `toml:"piece"`
	Pieces         Phrase `toml:"pieces"`    // How many, grouped.
	ByName         Text   `toml:"by_name"`   // What "vary" is in an entry.
	TwoOfIt        Text   `toml:"two_of_it"` // What "2*coca" is.
	Own            Text   `toml:"own"`       // An amount of one's own, and what it is.
	OwnAmount      Text   `toml:"own_amount"`
	Favourites     Text   `toml:"favourites"`
	FavouriteKeys  Text   `toml:"favourite_keys"`
	FavouriteShort Text   `toml:"favourite_short"`
	NoFavourites   Text   `toml:"no_favourites"`
	OnHold         Text   `toml:"on_hold"`
	Joins          Text   `toml:"joins"`
	ChargeNow      Text   `toml:"charge_now"`
	GoesBack       Text   `toml:"goes_back"`
	Drops          Text   `toml:"drops"`
	Fits           Phrase `toml:"fits"`   // How many articles fit.
	Merged         Phrase `toml:"merged"` // Label, quantity, grouped.
	Added          Phrase `toml:"added"`  // Label, price.
	Undone         Phrase `toml:"undone"` // The line.
	ScanLater      Text   `toml:"scan_later"`
	Was            Phrase `toml:"was"`      // The price before the discount.
	Discount       Phrase `toml:"discount"` // Label, the price before a discount.
	Note           Phrase `toml:"note"`     // The note to the customer.
	Noting         Text   `toml:"noting"`
	Drop           Phrase `toml:"drop"` // The total.
	Dropped        Text   `toml:"dropped"`
}

// Held is the list of the sales that are held for later.
type Held struct {
	Name     Phrase `toml:"name"` // The name that Enter takes.
	Taken    Text   `toml:"taken"`
	Done     Phrase `toml:"done"` // The name.
	Title    Text   `toml:"title"`
	None     Text   `toml:"none"`
	Begun    Text   `toml:"begun"` // Of an entry that would be left to the next sale.
	Since    Text   `toml:"since"`
	Resumed  Phrase `toml:"resumed"` // The name.
	Drop     Phrase `toml:"drop"`    // The name, the total.
	Returned Text   `toml:"returned"`
	Kept     Phrase `toml:"kept"` // The name.
	// Corrected and Aside say that the lines of an order that somebody corrects are
	// on the screen, or held under a name.
	Corrected Text   `toml:"corrected"`
	Aside     Phrase `toml:"aside"`
}

// Pay is the screen of one order's payment.
type Pay struct {
	Scan       Text   `toml:"scan"`
	Total      Text   `toml:"total"`
	Left       Phrase `toml:"left"` // Minutes and seconds.
	ClockMoved Text   `toml:"clock_moved"`
	Assumed    Text   `toml:"assumed"`
	TooSmall   Phrase `toml:"too_small"` // Columns and rows needed.
	LinkOn     Phrase `toml:"link_on"`   // The link's host.
	Copied     Text   `toml:"copied"`    // As far as is known: sent to the terminal.
	Reason     Phrase `toml:"reason"`    // The service's reason.
	Sending    Text   `toml:"sending"`
	NoOrder    Text   `toml:"no_order"`
	Customer   Text   `toml:"customer"`
	By         Phrase `toml:"by"` // Who found out.
	OtherPaid  Text   `toml:"other_paid"`
	Retry      Text   `toml:"retry"`
}

// Health is what the screen Health says where all is well.
type Health struct {
	Title     Text   `toml:"title"`
	Again     Text   `toml:"again"`     // The key that looks anew.
	Elsewhere Text   `toml:"elsewhere"` // Another program of the shop listens.
	NoEvent   Text   `toml:"no_event"`
	LastAt    Phrase `toml:"last_at"` // The moment, and how many minutes ago.
	Writing   Text   `toml:"writing"`
	Answered  Phrase `toml:"answered"` // How long ago.
	Asking    Text   `toml:"asking"`
	Reached   Text   `toml:"reached"`
}

// Illness says what is not well, and what to do.
type Illness struct {
	Closed        Text   `toml:"closed"`
	ClosedTodo    Text   `toml:"closed_todo"`
	RefusedTodo   Phrase `toml:"refused_todo"` // How many.
	RefusedWhy    Phrase `toml:"refused_why"`  // How many, and their cause.
	Crowded       Text   `toml:"crowded"`
	CrowdedTodo   Text   `toml:"crowded_todo"`
	SignatureTodo Text   `toml:"signature_todo"`
	Failing       Text   `toml:"failing"`
	FailingTodo   Text   `toml:"failing_todo"`
	Silent        Phrase `toml:"silent"` // For how long.
	NeverHeard    Text   `toml:"never_heard"`
	SilentTodo    Text   `toml:"silent_todo"`
	Polled        Text   `toml:"polled"`   // The database does not tell of changes.
	Readable      Phrase `toml:"readable"` // The sslmode of the line to the database.
	ClockTodo     Text   `toml:"clock_todo"`
	SkewTodo      Phrase `toml:"skew_todo"` // By how much the clocks are apart.
	Away          Phrase `toml:"away"`      // Why.
	AwayTodo      Text   `toml:"away_todo"`
}

// Asks are the questions before something that cannot be taken back, and for who
// answers for it.
type Asks struct {
	Leave  Phrase `toml:"leave"`  // Until when the link can be paid.
	Done   Phrase `toml:"done"`   // Until when the link can be paid.
	Again  Phrase `toml:"again"`  // Until when the old link can be paid.
	Paid   Phrase `toml:"paid"`   // The order's reference.
	Unpaid Phrase `toml:"unpaid"` // The order's reference.
	Refund Phrase `toml:"refund"` // The order's reference, its amount.
	Regain Phrase `toml:"regain"` // The order's reference, its amount.
	// OnceMore asks whether to charge a sale that is paid: when it was, the total.
	OnceMore Phrase `toml:"once_more"`
	Doubtful Phrase `toml:"doubtful"` // The order that may be paid, the total.
	Record   Text   `toml:"record"`
	Match    Phrase `toml:"match"` // The event's order reference.
	YesNo    Text   `toml:"yes_no"`
	OrNext   Text   `toml:"or_next"` // A third answer to the question whether to leave an order waiting.
	Who      Text   `toml:"who"`
	PIN      Text   `toml:"pin"`
	Keys     Text   `toml:"keys"`
	Checking Text   `toml:"checking"`
	Wrong    Text   `toml:"wrong"`
	Paused   Phrase `toml:"paused"` // Until when, the time of day.
}

// Hints say what to do about an input or an outcome.
type Hints struct {
	Outdated      Text   `toml:"outdated"`
	NoRoom        Text   `toml:"no_room"`
	Taken         Text   `toml:"taken"`
	Unsent        Text   `toml:"unsent"`
	Refusal       Text   `toml:"refusal"`
	Ambiguous     Text   `toml:"ambiguous"`
	UnderWay      Text   `toml:"under_way"`  // An order of the sale is being made.
	TimeOver      Phrase `toml:"time_over"`  // Until when to wait.
	NotPlayed     Text   `toml:"not_played"` // The demo's customer could not act.
	EnterFirst    Text   `toml:"enter_first"`
	Gone          Text   `toml:"gone"` // The database does not have the order any more.
	NotUnderstood Text   `toml:"not_understood"`
	TooLong       Text   `toml:"too_long"`
	NoPrice       Phrase `toml:"no_price"`    // What was typed.
	PriceFirst    Phrase `toml:"price_first"` // The entry in its order.
	Dotted        Text   `toml:"dotted"`
	Percent       Text   `toml:"percent"`
	Unusual       Text   `toml:"unusual"`
	SoldUnusual   Phrase `toml:"sold_unusual"` // The quantity and the price.
	BadPrice      Text   `toml:"bad_price"`
	BadQuantity   Text   `toml:"bad_quantity"`
	Apart         Text   `toml:"apart"`
	Pieces        Phrase `toml:"pieces"` // A quantity, how it is typed.
	TwoQuantities Text   `toml:"two_quantities"`
	Several       Phrase `toml:"several"`      // The articles that fit.
	UnknownCode   Phrase `toml:"unknown_code"` // The code.
	AddsOne       Text   `toml:"adds_one"`     // What adds an article of such a code.
	TooLarge      Text   `toml:"too_large"`
	BadDiscount   Text   `toml:"bad_discount"`
	NoFavourite   Phrase `toml:"no_favourite"` // Its place.
	StoreFailed   Text   `toml:"store_failed"`
}

// Board is the waiting board.
type Board struct {
	Pane  Text   `toml:"pane"` // Its name beside the sale.
	More  Phrase `toml:"more"` // How many orders more.
	Soon  Text   `toml:"soon"` // The time of an order runs out.
	Title Text   `toml:"title"`
	Empty Text   `toml:"empty"`
	Waits Phrase `toml:"waits"` // What will stand there: the key that leaves a code.
	Jump  Text   `toml:"jump"`  // The keys of the numbers.
}

// Catalog is the screen of the shop's articles, and how a change of one ended.
type Catalog struct {
	New        Text   `toml:"new"`
	Editing    Phrase `toml:"editing"` // The label.
	Delete     Phrase `toml:"delete"`  // The label.
	Discard    Text   `toml:"discard"`
	Title      Text   `toml:"title"`
	Find       Text   `toml:"find"`
	Count      Phrase `toml:"count"` // How many are shown, how many there are.
	Empty      Text   `toml:"empty"`
	NoneFit    Phrase `toml:"none_fit"` // What was typed.
	Label      Text   `toml:"label"`
	Code       Text   `toml:"code"`
	Place      Text   `toml:"place"`
	Favourite  Text   `toml:"favourite"`
	Used       Text   `toml:"used"`        // In how many orders, be they paid or not.
	Saved      Phrase `toml:"saved"`       // The label.
	Deleted    Phrase `toml:"deleted"`     // The label.
	Placed     Phrase `toml:"placed"`      // The label, the place.
	Unplaced   Phrase `toml:"unplaced"`    // The label.
	NoLabel    Text   `toml:"no_label"`    // For a blank one.
	BadCode    Phrase `toml:"bad_code"`    // The most characters.
	LabelTaken Phrase `toml:"label_taken"` // The label.
	CodeTaken  Phrase `toml:"code_taken"`  // The label of the article that has it.
}
