package sale

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
)

// mode says what the keys mean.
type mode int

const (
	entering    mode = iota // The entry line takes a new line.
	choosing                // A line is chosen.
	editing                 // The entry line corrects the chosen line.
	discounting             // The entry line takes a price for the chosen line.
	noting                  // The entry line takes the note to the customer.
	naming                  // The entry line takes the name to hold the sale by.
	resuming                // The held sales are listed.
)

// takesText tells whether the entry line takes something else than a new line.
func (m mode) takesText() bool {
	return m == editing || m == discounting || m == noting || m == naming
}

// onLine tells whether the cursor stands on a line.
func (m mode) onLine() bool { return m == choosing || m == editing || m == discounting }

// prompt stands before the entry line.
const prompt = "› "

// notice is what the line above the entry says.
type notice struct {
	message i18n.Message
	fault   bool
	line    int    // The number of the line that it is about, from 1; 0 if it is about no line.
	code    string // The unknown code that it names, or blank.
}

// choice are the articles that fit what is being typed.
type choice struct {
	fit      entry.Fit
	quantity int64 // Beside the letters.
	chosen   int   // From 1; 0 while none is.
}

func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// Model is the screen.
type Model struct {
	live.Console
	Counter *counter.Counter
	// Welcome is the settings file, to name in a welcome before the first line;
	// blank for none.
	Welcome string
	// Strip is a row between the sale and the entry line, in a window that has no
	// room for a pane beside them.
	Strip string

	keys    keyMap
	line    field.Field
	draft   string // What stood in the entry line before it took something else.
	mode    mode
	cursor  int       // The chosen line.
	list    list.List // Of the held sales.
	notice  notice
	scanned i18n.Message // What was scanned while an order was shown. The sale says it when it is opened.
	entered string       // The text at which Enter was pressed before the articles were known.
	choice  choice
	size    screen.Size
}

// New returns the screen of a counter.
func New(console live.Console, at *counter.Counter, welcome string) Model {
	return Model{
		Console: console, Counter: at, Welcome: welcome, keys: newKeyMap(console.Texts), list: list.New(console.Texts),
		// What is too long for an entry shall be seen to be, rather than cut.
		line: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true),
	}
}

func (m Model) cart() cart.Cart { return m.Counter.Cart() }

func (m Model) items() []payments.Item { return m.Counter.Cart().Items() }

// asks returns whether a question about the sale is open.
func (m Model) asks() bool {
	question := m.Counter.Question()
	return question != nil && question.Kind.OfSale()
}

// Typing tells whether text is being typed or a key answers something, so that "?"
// is no key.
func (m Model) Typing() bool { return !m.line.Empty() || m.mode != entering || m.asks() }

// Fills reports whether the entry line takes something else than a new line.
func (m Model) Fills() bool { return m.mode.takesText() }

// Commands reports whether letters are commands: for a chosen line.
func (m Model) Commands() bool { return m.mode == choosing }

// Asked names the question that a key answers. It is blank if there is none.
func (m Model) Asked() string {
	if m.Counter.Question() == nil {
		return ""
	}
	return m.Counter.Answerable()
}

// Warn says in the line above the entry what is wrong, until the next key.
func (m Model) Warn(message i18n.Message) Model {
	m.notice = notice{message: message, fault: true}
	return m
}

// Say says something in the line above the entry, until the next key.
func (m Model) Say(message i18n.Message) Model {
	m.notice = notice{message: message}
	return m
}

// suggest looks up what fits the entry line.
func (m Model) suggest() Model {
	m.choice = choice{}
	if m.mode == entering && !m.line.Empty() {
		m.choice.fit, m.choice.quantity = m.Counter.Shelf().Fitting(m.line.Text())
	}
	return m
}

// chosen moves the choice on by a step; beyond the last and before the first
// article none is chosen.
func (m Model) chosen(step int) Model {
	all := len(m.choice.fit.Best) + 1
	m.choice.chosen = (m.choice.chosen + step + all) % all
	return m
}

// next is the article that Enter adds, if what is typed names one.
func (m Model) next() (payments.Article, bool) {
	if fit := m.choice.fit; m.choice.chosen > 0 || fit.Sure {
		return fit.Best[max(0, m.choice.chosen-1)], true
	}
	return payments.Article{}, false
}

// become changes the mode. When no sale is held any more there is none to list.
func (m Model) become(next mode) Model {
	m.list = m.list.SetRows(len(m.cart().Held))
	m.mode = next
	if next == resuming && m.list.Count() == 0 {
		m.mode = entering
	}
	return m.suggest()
}

// ask lets the entry line take something else than a new line: value stands in
// it. What was typed comes back afterwards.
func (m Model) ask(next mode, value string) Model {
	m.draft, m.notice = m.line.Text(), notice{}
	m.line = m.line.With(value)
	return m.become(next)
}

// leave gives the entry line back to new lines, with what was typed before.
func (m Model) leave() Model {
	if m.mode.takesText() {
		m.line, m.draft = m.line.With(m.draft), ""
	}
	return m.become(entering)
}

// tileRows is how many rows a favourite's tile has.
const tileRows = 4

// SetSize gives the screen its room in cells: the window but for the header and
// the bar of keys. It takes the columns of the sale and of the favourites in the
// window's layout, and all of the rows.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	m.list = m.list.SetRoom(max(1, height-2*tileRows))
	return m
}

// SetTexts changes the language. The sale, what was typed, a question that is
// open and what can be undone stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.list = m.list.SetTexts(texts)
	return m.become(m.mode)
}

// What the screen says without a value in it, in the language of the moment.
func sayTaken(t i18n.Texts) string    { return t.Held.Taken }
func sayBegun(t i18n.Texts) string    { return t.Held.Begun }
func sayNoneHeld(t i18n.Texts) string { return t.Held.None }
func sayRestored(t i18n.Texts) string { return t.Sale.Restored }
func sayDropped(t i18n.Texts) string  { return t.Sale.Dropped }
