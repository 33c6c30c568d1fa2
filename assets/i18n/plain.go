package i18n

// Verbs are the commands of the line mode: before the colon the words that they
// are typed with, behind it what they do.
type Verbs struct {
	Lines    Text `toml:"lines"`
	Edit     Text `toml:"edit"`
	Remove   Text `toml:"remove"`
	Discount Text `toml:"discount"`
	Undo     Text `toml:"undo"`
	Note     Text `toml:"note"`
	Hold     Text `toml:"hold"`
	Resume   Text `toml:"resume"`
	Drop     Text `toml:"drop"`
	Charge   Text `toml:"charge"`
	Waiting  Text `toml:"waiting"`
	Link     Text `toml:"link"`
	Code     Text `toml:"code"`
	Done     Text `toml:"done"`
	Again    Text `toml:"again"`
	Check    Text `toml:"check"`
	Looked   Text `toml:"looked"`
	Health   Text `toml:"health"`
	Help     Text `toml:"help"`
	Quit     Text `toml:"quit"`
	Pay      Text `toml:"pay"`
	Fail     Text `toml:"fail"`
	Cancel   Text `toml:"cancel"`
	Expire   Text `toml:"expire"`
}

// Plain is what the line mode says beside the words of the screens.
type Plain struct {
	Line     Phrase `toml:"line"` // Number, label, quantity, price, total.
	One      Phrase `toml:"one"`  // Number, label, price.
	Total    Phrase `toml:"total"`
	Empty    Text   `toml:"empty"`
	Removed  Phrase `toml:"removed"` // The label.
	NoLine   Phrase `toml:"no_line"` // What was typed for its number.
	NoUndo   Text   `toml:"no_undo"`
	Edit     Phrase `toml:"edit"`    // Number, the line as it is typed.
	Several  Phrase `toml:"several"` // The articles that fit.
	Full     Text   `toml:"full"`    // A sale is there already.
	Held     Phrase `toml:"held"`    // Name, how many lines, total.
	NotHeld  Phrase `toml:"no_held"` // The name.
	Outcome  Phrase `toml:"outcome"` // Verdict, amount, reference, description.
	Listed   Phrase `toml:"listed"`  // Number, verdict, amount, reference.
	Time     Phrase `toml:"time"`    // What is left, amount, reference.
	NoOrder  Text   `toml:"no_order"`
	NoLink   Text   `toml:"no_link"`
	Unseen   Phrase `toml:"unseen"` // How many.
	Prompt   Phrase `toml:"prompt"` // How many outcomes are unseen.
	Seen     Phrase `toml:"seen"`   // The reference.
	NoNews   Text   `toml:"no_news"`
	NotAgain Text   `toml:"not_again"`
	ToCheck  Phrase `toml:"to_check"` // How many.
	Resolve  Text   `toml:"resolve"`
	Identity Text   `toml:"identity"` // What has to be done where a PIN is asked for.
	Hello    Text   `toml:"hello"`
	Yes      Text   `toml:"yes"` // The words for yes.
	No       Text   `toml:"no"`  // The words for no.
	YesNo    Text   `toml:"yes_no"`
	Kept     Text   `toml:"kept"`
	SeeHelp  Text   `toml:"see_help"`
	Alone    Phrase `toml:"alone"` // The word, twice.
	Ended    Phrase `toml:"ended"` // How many payments are awaited.
}
