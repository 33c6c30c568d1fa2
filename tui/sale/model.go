package sale

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
)

// mode is what the keys of the screen currently act on.
type mode int

const (
	entering    mode = iota // The cashier types a new line into the entry line.
	choosing                // The cursor is on a line of the sale, and letters are commands.
	editing                 // The cashier corrects the chosen line in the entry line.
	discounting             // The cashier types a price for the chosen line.
	noting                  // The cashier types the note to the customer.
	naming                  // The cashier types the name to hold the sale under.
	weighing                // The cashier types the weight or measure of an article.
	tendering               // The cashier types the cash that the customer gives, or who buys on account.
	resuming                // The held sales are listed.
	owing                   // The debts, or the movements of one customer, are listed.
)

// takesText reports whether the cashier types something other than a new line, such as a
// price, into the entry line.
func (m mode) takesText() bool {
	return m == editing || m == discounting || m == noting || m == naming || m == weighing || m == tendering
}

// listing reports whether a list takes the place of the sale.
func (m mode) listing() bool { return m == resuming || m == owing }

func (m mode) onLine() bool { return m == choosing || m == editing || m == discounting }

const prompt = "› "

type notice struct {
	message i18n.Message
	fault   bool
	line    int       // Number of the line that the message is about, from 1; 0 without a line.
	at      time.Time // Time at which the line changed.
	code    string    // Unknown code that the message names; may be blank.
	// awaitsSales says that the cashier asked for the held sales before they were read.
	awaitsSales bool
}

// newFor is how long a changed line is marked as new.
const newFor = 3 * time.Second

// Model is the sale screen.
type Model struct {
	live.Console
	Counter *counter.Counter
	Greeting
	// Strip is the row of waiting orders between the sale and the entry line. The row
	// replaces the side pane in a narrow window.
	Strip string
	// Total is the animated total that the screen shows if Motion is set.
	Total motion.Count

	keys    keyMap
	line    field.Field
	draft   string // Text of the entry line, saved while the line is used for something else, such as a price.
	mode    mode
	cursor  int       // Index of the chosen line.
	list    list.List // The held sales.
	notice  notice
	scanned i18n.Message       // Message about a scan on the payment screen, to be shown when this screen opens.
	weighs  *entry.WeightError // Article for the question about its weight or measure; only in the mode weighing.
	early   string             // Text that was entered before the articles were read.
	scans   []keyboard.Scan    // Scans that came before the articles were read.
	choice  choice
	account account
	debts   debts
	owners  owners
	size    screen.Size
}

// New returns the screen of a counter.
func New(console live.Console, at *counter.Counter, welcome string) Model {
	return Model{
		Console: console, Counter: at, Greeting: Greeting{Welcome: welcome}, keys: newKeyMap(console.Texts), list: list.New(console.Texts), debts: newDebts(console),
		// The field accepts more than the longest allowed entry, so that text that is too long
		// stays visible and is refused as a whole.
		line: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true),
	}
}

func (m Model) cart() cart.Cart { return m.Counter.Cart() }

func (m Model) items() []payments.Item { return m.Counter.Cart().Items() }

func (m Model) asks() bool { return m.Counter.Asking().OfSale() }

// way returns the way to pay that the open question is about. It is zero for another question.
func (m Model) way() drawer.Way {
	if m.Counter.Asking() != counter.AskTender {
		return drawer.Way{}
	}
	way, _ := m.Counter.Question().Tender.Way()
	return way
}

// takesAnswer reports whether the cashier types the answer to the open question into the entry line.
func (m Model) takesAnswer() bool { return m.way().Given || m.way().Named }

// typesName reports whether the cashier types a name as the answer to a question.
func (m Model) typesName() bool { return m.mode == naming || m.way().Named }

// inquires reports whether a question is drawn below the lines of the sale.
func (m Model) inquires() bool { return m.asks() || m.mode == naming || m.owners.Open() }

// Meaning returns what keys mean on the screen now.
func (m Model) Meaning() keyboard.Meaning {
	if m.owners.Open() {
		return m.owners.Meaning()
	}
	meaning := keyboard.Meaning{Keys: keyboard.Text, Typing: !m.line.Empty() || m.mode != entering || m.asks()}
	switch m.mode {
	case choosing:
		meaning.Keys, meaning.Letters, meaning.Repeats = keyboard.Line, "+-d", "+-"
	case tendering:
		meaning.Keys = keyboard.Answer
		if m.way().Named {
			meaning.Keys = keyboard.Field
		}
	case editing, discounting, noting, naming, weighing:
		meaning.Keys = keyboard.Field
	case owing:
		if m.debts.chosen() {
			meaning.Keys = keyboard.Answer
		}
	case entering, resuming:
	}
	if m.Counter.Question() != nil {
		meaning.Asked = m.Counter.Answerable()
	}
	return meaning
}

// Warn shows an error above the entry line until the next key.
func (m Model) Warn(message i18n.Message) Model {
	m.notice = notice{message: message, fault: true}
	return m
}

// Say shows a message above the entry line until the next key.
func (m Model) Say(message i18n.Message) Model {
	m.notice = notice{message: message}
	return m
}

// suggest offers the articles that fit the typed text.
func (m Model) suggest() Model {
	m.choice = choice{}
	if m.mode == entering && !m.line.Empty() {
		m.choice = fitting(m.Counter.Shelf(), m.line.Text())
	}
	return m
}

// suggestAgain updates the suggestions without a key press. The list stays open, and the
// same article stays chosen.
func (m Model) suggestAgain() Model {
	before := m.choice
	m = m.suggest()
	if before.offered() && m.mode == entering && m.line.Empty() {
		m.choice = favourites(m.Counter.Shelf())
	}
	m.choice = m.choice.choosing(before)
	return m
}

// become changes the mode to next. If next is resuming and no sale is held, the mode becomes
// entering.
func (m Model) become(next mode) Model {
	m.list = m.list.SetRows(len(m.cart().Held))
	before := m.mode
	m.mode = next
	if next == resuming && m.list.Count() == 0 {
		m.mode = entering
	}
	if before == m.mode {
		return m.suggestAgain()
	}
	return m.suggest()
}

// takeText changes the mode to next and puts value into the entry line. takeLines restores the text that
// was in the entry line before.
func (m Model) takeText(next mode, value string) Model {
	m.draft, m.notice = m.line.Text(), notice{}
	m.line = m.line.SetText(value)
	return m.become(next)
}

// takeLines makes the entry line accept new lines again, and restores the text that it had
// before takeText.
func (m Model) takeLines() Model {
	if m.mode.takesText() {
		m.line, m.draft = m.line.SetText(m.draft), ""
	}
	return m.become(entering)
}

const tileRows = 4

// SetSize sets the size of the window in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	m.list = m.list.SetRoom(max(1, height-2*tileRows))
	m.debts.list = m.debts.list.SetRoom(max(1, height-2*tileRows))
	return m
}

// SetTexts changes the language. The sale, the typed text, an open question and the undo
// history stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.list = m.list.SetTexts(texts)
	m.debts.list = m.debts.list.SetTexts(texts)
	return m.become(m.mode)
}

// Messages without placeholders. They are functions, so that a shown message changes with
// the language.
func sayTaken(t i18n.Texts) string    { return t.Held.Taken }
func sayBegun(t i18n.Texts) string    { return t.Held.Begun }
func sayReading(t i18n.Texts) string  { return t.Held.Reading }
func sayNoneHeld(t i18n.Texts) string { return t.Held.None }
func sayRestored(t i18n.Texts) string { return t.Sale.Restored }
func sayDropped(t i18n.Texts) string  { return t.Sale.Dropped }
func sayRemoves(t i18n.Texts) string  { return t.Sale.Removes }
func sayNoName(t i18n.Texts) string   { return t.Debts.NoName }
func titleWaive(t i18n.Texts) string  { return t.Debts.TitleWaive }
func titleOver(t i18n.Texts) string   { return t.Debts.TitleOver }
