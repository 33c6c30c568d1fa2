package sale

import (
	"checkout/till/assets/i18n"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording/errortext"
)

// Model is the sale screen. Its copies share the counter, which has the sale.
type Model struct {
	live.Console
	Greeting
	input
	area
	// Row of waiting orders between the sale and the entry line, in place of the side pane.
	Strip string
	// Animated total of the sale, used only with Motion.
	Total motion.Count
	// Title and rows of the console's question, to draw in the place of this screen's own
	// questions; nil without one.
	Over func(width, height int) (title string, rows []string)

	keys    keyMap
	held    held
	early   string          // Text that was entered before the articles were read.
	scans   []keyboard.Scan // Scans that came before the articles were read.
	account account
	debts   debts
	owners  owners
}

// New returns the screen for a counter. For welcome, see [Greeting].
func New(console live.Console, at *counter.Counter, welcome string) Model {
	return Model{
		Console: console, Greeting: Greeting{Welcome: welcome}, keys: newKeyMap(console.Texts), held: held{counter: at, list: list.New(console.Texts)}, debts: newDebts(console, at),
		// The field accepts more than the longest entry, so that a longer text is refused as a
		// whole.
		input: input{Counter: at, line: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true)},
	}
}

// inquires reports whether a question is open on the screen.
func (m Model) inquires() bool {
	return m.Counter.Asking().OfSale() || m.mode == naming || m.owners.Open() || m.Over != nil
}

// Holds reports whether the window has room for a question below the lines of the sale.
func (m Model) Holds() bool { return m.frame() != pane.Bare }

// Meaning returns what keys mean now, by the mode and the open question.
func (m Model) Meaning() keyboard.Meaning {
	if m.owners.Open() {
		return m.owners.Meaning()
	}
	meaning := keyboard.Meaning{Keys: keyboard.Text, Typing: !m.line.Empty() || m.mode != entering || m.Counter.Asking().OfSale()}
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

// SetSize sets the size of the window in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	m.held.list = m.held.list.SetRoom(max(1, height-2*tileHeight))
	m.debts.list = m.debts.list.SetRoom(max(1, height-2*tileHeight))
	return m
}

// SetTexts changes the language. The sale, the typed text and an open question stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.held.list = m.held.list.SetTexts(texts)
	m.debts.list = m.debts.list.SetTexts(texts)
	m.become(m.mode)
	return m
}

// These are functions, so that a shown message changes its language with the screen.
func sayTaken(t i18n.Texts) string      { return t.Held.Taken }
func sayBegun(t i18n.Texts) string      { return t.Held.Begun }
func sayReading(t i18n.Texts) string    { return t.Held.Reading }
func sayNoneHeld(t i18n.Texts) string   { return t.Held.None }
func sayRestored(t i18n.Texts) string   { return t.Sale.Restored }
func sayDropped(t i18n.Texts) string    { return t.Sale.Dropped }
func sayRemoves(t i18n.Texts) string    { return t.Sale.Removes }
func sayNoName(t i18n.Texts) string     { return errortext.Sentence(t.Debts.NoName) }
func titleWaive(t i18n.Texts) string    { return t.Debts.TitleWaive }
func titleOver(t i18n.Texts) string     { return t.Debts.TitleOver }
func titleDropping(t i18n.Texts) string { return t.Sale.Dropping }
