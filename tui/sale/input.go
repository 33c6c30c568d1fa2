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
	"checkout/till/tui/wording"
)

type mode int

const (
	entering    mode = iota // The cashier types a new line into the entry line.
	choosing                // The cursor is on a line of the sale, and letters are commands.
	editing                 // The cashier corrects the chosen line in the entry line.
	discounting             // The cashier types a discount or a new price for the chosen line.
	noting                  // The cashier types the note to the customer.
	naming                  // The cashier types the name to hold the sale under.
	weighing                // The cashier types the weight or measure of an article.
	tendering               // The cashier types the cash that the customer gives, or the name for a sale on account.
	resuming                // The held sales are listed.
	owing                   // Customers with a balance, or the movements of one, are listed.
)

// ofSale reports whether the mode changes the current sale or its lines.
func (m mode) ofSale() bool { return m.onLine() || m == noting || m == naming }

// takesText reports whether the cashier types something other than a new line, such as a price.
func (m mode) takesText() bool {
	return m == editing || m == discounting || m == noting || m == naming || m == weighing || m == tendering
}

func (m mode) listing() bool { return m == resuming || m == owing }

func (m mode) onLine() bool { return m == choosing || m == editing || m == discounting }

const prompt = "› "

// input is the text that the cashier types, and what it is for.
type input struct {
	Counter *counter.Counter
	notices
	line   field.Field // The entry line.
	draft  string      // Text of a new line, while the entry line is used for something else.
	mode   mode
	sale   string // ID of the sale that was current when the mode began.
	cursor int    // Index of the chosen line of the sale, from 0.
	choice choice
	weighs *entry.WeightError // Article that needs a weight or measure, in the mode weighing.
}

// way describes the tender in the question [counter.AskTender], or is zero without that question.
func (in *input) way() drawer.Way {
	if in.Counter.Asking() != counter.AskTender {
		return drawer.Way{}
	}
	way, _ := in.Counter.Question().Tender.Way()
	return way
}

// takesAnswer reports whether the entry line takes the answer to the open question.
func (in *input) takesAnswer() bool { return in.way().Given || in.way().Named }

func (in *input) typesName() bool { return in.mode == naming || in.way().Named }

func (in *input) become(next mode) {
	before := in.mode
	in.mode = next
	in.sale = in.Counter.Cart().Sale.ID
	if next == resuming && len(in.Counter.Cart().Held) == 0 {
		in.mode = entering
	}
	if before == in.mode {
		in.suggestAgain()
	} else {
		in.suggest()
	}
}

// takeText changes the mode to next and the text to value. It keeps the former text for takeLines.
func (in *input) takeText(next mode, value string) {
	in.draft = in.line.Text()
	in.line = in.line.SetText(value)
	in.become(next)
}

// takeLines makes the entry line accept new lines again, with the text that takeText has kept.
func (in *input) takeLines() {
	if in.mode.takesText() {
		in.line = in.line.SetText(in.draft)
		in.draft = ""
	}
	in.become(entering)
}

// weigh asks for the weight or measure of an article. If typed is true, the text in the entry line
// belongs to that article and is dropped.
func (in *input) weigh(article *entry.WeightError, typed bool) {
	in.notice = notice{}
	in.become(entering)
	in.takeText(weighing, "")
	if typed {
		in.draft = ""
	}
	in.weighs = article
}

func (in *input) weighFirst() {
	label := in.weighs.Sold.Label
	in.Warn(func(t i18n.Texts) string { return t.Hints.WeighFirst.With(label) })
}

// Weighs reports whether the screen asks for a weight or measure.
func (in *input) Weighs() bool { return in.mode == weighing }

func (in *input) write(msg tea.KeyMsg) (cmd tea.Cmd) {
	before := in.line.Text()
	if in.line, cmd = in.line.Type(msg); in.line.Text() != before {
		in.suggest()
	}
	return cmd
}

func (in *input) suggest() {
	in.choice = choice{}
	if in.mode == entering && !in.line.Empty() {
		in.choice = fitting(in.Counter.Shelf(), in.line.Text())
	}
}

// suggestAgain updates the suggestions without a key press. The chosen article stays chosen.
func (in *input) suggestAgain() {
	before := in.choice
	in.suggest()
	if before.offered() && in.mode == entering && in.line.Empty() {
		in.choice = favourites(in.Counter.Shelf())
	}
	in.choice = in.choice.choosing(before)
}

// rejoin moves the digits at the end of the entry line to the beginning of code, because a scanner
// may have paused within a code. It changes nothing unless an article has the joined code.
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

// discountAll takes a discount off the whole sale. err is the error of reading the discount.
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

// undo undoes the last change of the sale, and drops a correction that is being typed, because its
// line may have changed.
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

func (in *input) hold(name string) {
	name, free := in.Counter.Hold(name)
	if !free {
		in.Warn(sayTaken)
		return
	}
	in.takeLines()
	in.Say(func(t i18n.Texts) string { return t.Held.Done.With(name) })
}

// charged prepares the entry line for a new sale. If the counter found the charge in the store
// (fact.Recovered), the typed text stays: the cashier has not seen the old sale end.
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
	if fact.Recovered {
		in.Warn(sayEnded)
	}
}

// sayEnded is a function, so that a shown message changes its language with the screen.
func sayEnded(t i18n.Texts) string { return t.Sale.Ended }

func (in *input) linesKept(fact counter.LinesKept) {
	says := in.Warn
	if fact.Wanted {
		says = in.Say
	}
	begun := in.Counter.Cart().Sale.Taken > 0
	says(func(t i18n.Texts) string { return wording.LinesKept(t, fact, begun) })
}
