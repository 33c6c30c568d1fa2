// Package sale is the screen on which a sale is entered: an entry line that
// always has the focus, the lines of the sale, and the question before it is
// charged. What was typed is never thrown away because it was not understood, and
// typing is never the answer to a question.
package sale

import (
	tea "github.com/charmbracelet/bubbletea"

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

// notice is what the line above the entry says.
type notice struct {
	message i18n.Message
	fault   bool
	line    int    // The number of the line that it is about, from 1; 0 if it is about no line.
	code    string // The unknown code that it names, or blank.
}

// New returns the screen of a counter.
func New(console live.Console, at *counter.Counter, welcome string) Model {
	return Model{
		Console: console, Counter: at, Welcome: welcome, keys: newKeyMap(console.Texts), list: list.New(console.Texts),
		// What is too long for an entry shall be seen to be, rather than cut.
		line: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true),
	}
}

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

// Typing tells whether text is being typed or a key answers something, so that "?"
// is no key.
func (m Model) Typing() bool { return !m.line.Empty() || m.mode != entering || m.asks() }

func (m Model) cart() cart.Cart { return m.Counter.Cart() }

func (m Model) items() []payments.Item { return m.Counter.Cart().Items() }

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

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered: // What was said of an order may be otherwise by now.
		m.notice = notice{message: m.scanned}
		m.scanned = nil
	case counter.Fact:
		return m.hear(msg), nil
	}
	return m, nil
}

// hear says what happened at the counter.
func (m Model) hear(fact counter.Fact) Model {
	switch fact := fact.(type) {
	case counter.Refused:
		if fact.Why == counter.Blind {
			reach := m.Counter.ReachNow()
			return m.Warn(func(t i18n.Texts) string { return t.Charging[reach] })
		}
	case counter.SaveFailed, counter.StoreFailed:
		return m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed })
	case counter.Restored:
		m.Welcome = ""
		return m.Say(func(t i18n.Texts) string { return t.Sale.Restored })
	case counter.Restocked:
		return m.restocked()
	case counter.Dropped:
		return m.Say(func(t i18n.Texts) string { return t.Sale.Dropped })
	case counter.LinesKept:
		return m.linesKept(fact)
	case counter.SaleCharged:
		return m.charged(fact)
	}
	return m
}

// charged begins with the new sale. What stands in the entry line stays there if the
// cashier did not see the sale end.
func (m Model) charged(fact counter.SaleCharged) Model {
	if !fact.Current {
		return m.become(m.mode)
	}
	m.notice = notice{}
	m = m.leave()
	if !fact.Recovered {
		m.line = m.line.With("")
	}
	return m.become(entering)
}

// linesKept says where the lines of an order are.
func (m Model) linesKept(fact counter.LinesKept) Model {
	if fact.HeldAs == "" && m.mode == resuming {
		m = m.leave()
	}
	says := m.Warn
	if fact.Wanted {
		says = m.Say
	}
	return says(func(t i18n.Texts) string {
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

// restocked suggests from the new articles, and enters the text at which Enter was
// pressed before they were known, unless another text stands there now.
func (m Model) restocked() Model {
	entered := m.entered
	m.entered = ""
	m = m.suggest()
	if entered == "" || m.mode != entering || m.line.Value() != entered {
		return m
	}
	return m.enter()
}
