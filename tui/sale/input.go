package sale

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/field"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
)

// mode says what the keys of the screen act on.
type mode int

const (
	entering    mode = iota // The cashier types a new line into the entry line.
	choosing                // The cursor is on a line of the sale, and letters are commands.
	editing                 // The cashier corrects the chosen line in the entry line.
	discounting             // The cashier types a price for the chosen line.
	noting                  // The cashier types the note to the customer.
	naming                  // The cashier types the name to hold the sale under.
	weighing                // The cashier types the weight or measure of an article.
	tendering               // The cashier types the cash that the customer gives, or the name of the customer who buys on account.
	resuming                // The held sales are listed.
	owing                   // The customers who owe money, or the movements of one customer, are listed.
)

// takesText reports whether the cashier types something other than a new line, such as a
// price, into the entry line.
func (m mode) takesText() bool {
	return m == editing || m == discounting || m == noting || m == naming || m == weighing || m == tendering
}

// listing reports whether a list is shown instead of the sale.
func (m mode) listing() bool { return m == resuming || m == owing }

func (m mode) onLine() bool { return m == choosing || m == editing || m == discounting }

const prompt = "› "

// input is the text that the cashier types, what it is for, the articles that fit it, and the
// notice.
type input struct {
	Counter *counter.Counter
	notices
	line   field.Field // The entry line.
	draft  string      // Text of a new line that was typed before the entry line was used for something else, such as a price.
	mode   mode
	cursor int // Index of the chosen line of the sale, from 0.
	choice choice
	weighs *entry.WeightError // The article that the screen asks a weight or measure for; only in the mode weighing.
}

// way describes the tender in the question [counter.AskTender]. It is zero if that question is not
// open.
func (in *input) way() drawer.Way {
	if in.Counter.Asking() != counter.AskTender {
		return drawer.Way{}
	}
	way, _ := in.Counter.Question().Tender.Way()
	return way
}

// takesAnswer reports whether the cashier types the answer to the open question into the entry line.
func (in *input) takesAnswer() bool { return in.way().Given || in.way().Named }

// typesName reports whether the cashier types a name as the answer to a question.
func (in *input) typesName() bool { return in.mode == naming || in.way().Named }

// become changes the mode to next, and updates the suggestions. If next is resuming but no sale is
// held, the mode becomes entering.
func (in *input) become(next mode) {
	before := in.mode
	in.mode = next
	if next == resuming && len(in.Counter.Cart().Held) == 0 {
		in.mode = entering
	}
	if before == in.mode {
		in.suggestAgain()
	} else {
		in.suggest()
	}
}

// takeText changes the mode to next and sets the text of the entry line to value. It saves the text
// that was in the line before, for takeLines.
func (in *input) takeText(next mode, value string) {
	in.draft = in.line.Text()
	in.line = in.line.SetText(value)
	in.become(next)
}

// takeLines makes the entry line accept new lines again, and restores the text that takeText has
// saved.
func (in *input) takeLines() {
	if in.mode.takesText() {
		in.line = in.line.SetText(in.draft)
		in.draft = ""
	}
	in.become(entering)
}

// weigh asks for the weight or measure of an article. If typed is true, the text in the entry line
// belongs to this article, and weigh drops the text. Otherwise takeLines restores the text later.
func (in *input) weigh(article *entry.WeightError, typed bool) {
	in.notice = notice{}
	in.become(entering)
	in.takeText(weighing, "")
	if typed {
		in.draft = ""
	}
	in.weighs = article
}

// weighFirst warns that an article must be weighed before another one can be added.
func (in *input) weighFirst() {
	label := in.weighs.Sold.Label
	in.Warn(func(t i18n.Texts) string { return t.Hints.WeighFirst.With(label) })
}

// Weighs reports whether the screen asks for the weight or measure of an article.
func (in *input) Weighs() bool { return in.mode == weighing }

// write gives a key to the entry line, and updates the suggestions if the text has changed.
func (in *input) write(msg tea.KeyMsg) (cmd tea.Cmd) {
	before := in.line.Text()
	if in.line, cmd = in.line.Type(msg); in.line.Text() != before {
		in.suggest()
	}
	return cmd
}

// suggest suggests the articles that match the typed text. In every mode except entering, it
// suggests none.
func (in *input) suggest() {
	in.choice = choice{}
	if in.mode == entering && !in.line.Empty() {
		in.choice = fitting(in.Counter.Shelf(), in.line.Text())
	}
}

// suggestAgain updates the suggestions without a key press. The list stays open, and the same
// article stays chosen if it is still suggested.
func (in *input) suggestAgain() {
	before := in.choice
	in.suggest()
	if before.offered() && in.mode == entering && in.line.Empty() {
		in.choice = favourites(in.Counter.Shelf())
	}
	in.choice = in.choice.choosing(before)
}

// rejoin moves the digits at the end of the entry line to the beginning of code, because a scanner
// may have paused within the code. It does nothing if the cashier is not typing a new line, or if
// no article has the joined code. rejoin returns the code to look up.
func (in *input) rejoin(code string) string {
	text := in.line.Text()
	rest := strings.TrimRight(text, digits)
	whole := text[len(rest):] + code
	if _, known := in.Counter.Shelf().Coded(whole); rest == text || in.mode != entering || !known {
		return code
	}
	in.line = in.line.SetText(rest)
	return whole
}

// discountAll takes a discount off the whole sale. err is the error of reading the discount, or
// nil.
func (in *input) discountAll(off money.Ariary, err error) {
	if in.Counter.Cart().Empty() {
		err = entry.ErrPercent
	}
	if err == nil {
		err = in.Counter.DiscountAll(off)
	}
	if err != nil {
		in.refuse(err)
		return
	}
	in.line = in.line.SetText("")
	total := cart.Total(in.Counter.Cart().Items())
	in.suggest()
	in.Say(func(t i18n.Texts) string { return t.Sale.Reduced.With(i18n.Money(off), i18n.Money(total)) })
}

// undo undoes the last change of the sale, and makes the line that changed visible. If the cashier
// is typing a correction of a line, undo drops the correction, because that line may have changed.
// The text of a new line stays.
func (in *input) undo() {
	before := in.Counter.Cart().Items()
	if !in.Counter.Undo() {
		return
	}
	in.takeLines()
	in.cursor = 0
	after, at := in.Counter.Cart().Items(), 0
	for at < min(len(before), len(after)) && before[at] == after[at] {
		at++
	}
	changed := before
	if len(before) < len(after) {
		changed = after
	}
	if at < len(changed) {
		in.Say(func(t i18n.Texts) string { return t.Sale.Undone.With(changed[at].Label) })
		in.notice.line = min(at+1, len(after))
		in.notice.at = in.Counter.Picture().Now
	}
}

// hold puts the sale on hold under a name. It warns if another held sale has that name.
func (in *input) hold(name string) {
	name, free := in.Counter.Hold(name)
	if !free {
		in.Warn(sayTaken)
		return
	}
	in.takeLines()
	in.Say(func(t i18n.Texts) string { return t.Held.Done.With(name) })
}

// charged makes the entry line accept the lines of a new sale after the current one was charged,
// and empties the entry line. If the counter learned of the charge only from the store
// (fact.Recovered), the text stays: the cashier typed it without having seen the old sale end.
func (in *input) charged(fact counter.SaleCharged) {
	if !fact.Current {
		in.become(in.mode)
		return
	}
	in.notice = notice{}
	in.takeLines()
	if !fact.Recovered {
		in.line = in.line.SetText("")
		in.choice = choice{}
	}
	in.become(entering)
}

// linesKept shows a message about the sale that the lines of an order were put back into.
func (in *input) linesKept(fact counter.LinesKept) {
	if fact.HeldAs == "" && in.mode == resuming {
		in.takeLines()
	}
	says := in.Warn
	if fact.Wanted {
		says = in.Say
	}
	says(func(t i18n.Texts) string {
		switch {
		case fact.HeldAs != "" && fact.Wanted:
			return t.Held.Aside.With(fact.HeldAs)
		case fact.HeldAs != "":
			return t.Held.Kept.With(fact.HeldAs)
		case fact.Wanted:
			return t.Held.Corrected
		}
		return t.Held.Returned
	})
}
