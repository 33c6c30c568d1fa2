package sale

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

// mode says what the keys mean.
type mode int

const (
	entering     mode = iota // The entry line takes a new line.
	choosing                 // A line is chosen.
	editing                  // The entry line corrects the chosen line.
	discounting              // The entry line takes a price for the chosen line.
	noting                   // The entry line takes the note to the customer.
	naming                   // The entry line takes the name to hold the sale by.
	resuming                 // The held sales are listed.
	droppingHeld             // The question is open whether to drop a held sale.
	dropping                 // The question is open whether to drop the sale.
	asking                   // The charge question is open.
	charging                 // Confirmed; until Charged has come by.
)

// state is what a mode makes of the screen.
type state struct {
	keys  []key.Binding // That matter now.
	press func(msg tea.KeyMsg) (Model, tea.Cmd)
	// submit takes the text of the entry line where that is no new line, and
	// prompt says what it takes.
	submit   func(text string) (Model, tea.Cmd)
	prompt   func() string
	question func() inquiry
	yes      func() (Model, tea.Cmd) // Enter at the question.
	back     mode                    // Esc at the question.
	undo     bool                    // A change of the sale may be taken back.
	line     bool                    // The cursor stands on a line.
	list     bool                    // The held sales are listed in place of the sale.
}

func (m Model) state() state {
	keys, words := m.keys, m.Texts
	save, yes := []key.Binding{keys.Keep, keys.Back}, []key.Binding{keys.Yes, keys.Back}
	switch m.mode {
	case entering:
		return state{keys: m.enteringKeys(), press: m.typed, undo: true}
	case choosing:
		line := []key.Binding{keys.Edit, keys.More, keys.Less, keys.Reduce, keys.Remove, keys.Back}
		return state{keys: line, press: m.choose, undo: true, line: true}
	case editing:
		prompt := func() string { return words.Sale.Editing.With(m.cursor + 1) }
		return state{keys: save, press: m.fill, submit: m.correct, prompt: prompt, undo: true, line: true}
	case discounting:
		submit := func(text string) (Model, tea.Cmd) { return m.corrected(m.cart.Discount(m.cursor, text)) }
		return state{keys: save, press: m.fill, submit: submit, prompt: m.newPrice, line: true}
	case noting:
		submit := func(text string) (Model, tea.Cmd) {
			m.cart = m.cart.Annotate(text)
			return m.leave().flush()
		}
		return state{keys: save, press: m.fill, submit: submit, prompt: func() string { return words.Selling.Noting }}
	case naming:
		prompt := func() string { return words.Held.Name.With(m.cart.FreeName()) }
		return state{keys: save, press: m.fill, submit: m.hold, prompt: prompt}
	case resuming:
		held := []key.Binding{keys.Resume, keys.DropHeld, m.list.Move(), m.list.Page(), keys.Back}
		return state{keys: held, press: m.pick, list: true}
	case droppingHeld:
		return state{keys: yes, press: m.answer, question: m.askDropHeld, yes: m.dropHeld, back: resuming, list: true}
	case dropping:
		return state{keys: yes, press: m.answer, question: m.askDrop, yes: m.drop, undo: true}
	}
	return state{keys: []key.Binding{keys.Charge, keys.Back}, press: m.answer, question: m.askCharge, yes: m.confirm, undo: true}
}

func (m Model) enteringKeys() []key.Binding {
	keys := m.keys
	switch {
	case m.choice.offered():
		return []key.Binding{keys.Enter, keys.Next, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.cart.Empty():
		return []key.Binding{keys.Charge, keys.Up, keys.Undo, keys.Drop}
	case !m.cart.Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	case len(m.favourites()) > 0:
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	state, free := m.state(), m.mode == entering || m.mode == choosing
	switch {
	case m.mode == charging:
		return m, nil
	case state.undo && key.Matches(msg, m.keys.Undo):
		return m.undo()
	case free && key.Matches(msg, m.keys.Note):
		return m.ask(noting, m.cart.Sale().Description), nil
	case free && key.Matches(msg, m.keys.Favourite):
		return m.favourite(place(msg))
	}
	return state.press(msg)
}

func (m Model) become(next mode) Model {
	m.mode = next
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
	if m.state().submit != nil {
		m.line, m.draft = m.line.With(m.draft), ""
	}
	return m.become(entering)
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding { return m.state().keys }

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := m.keys
	return [][]key.Binding{
		{all.Enter, all.Charge, all.Next, all.Tab, all.Favourite, all.Note, all.Undo, all.Back, all.Drop},
		{all.Up, all.Edit, all.More, all.Less, all.Reduce, all.Remove},
		{all.Resume, all.DropHeld},
	}
}

// keyMap are the keys of the screen.
type keyMap struct {
	Enter, Charge, Keep, Back, Undo, Note, Favourite, Tab, Next, Previous, Drop key.Binding
	Up, Down, Edit, More, Less, Reduce, Remove                                  key.Binding // Of a chosen line.
	Resume, DropHeld, Yes                                                       key.Binding // Of the held sales.
}

func newKeyMap(texts i18n.Texts) keyMap {
	words, own := texts.Keys, texts.SaleKeys
	bind := screen.Bind
	return keyMap{
		Enter:     bind("enter", words.Enter, "enter"),
		Charge:    bind("enter", words.Charge, "enter"),
		Keep:      bind("enter", texts.CatalogKeys.Save, "enter"),
		Back:      bind("esc", words.Back, "esc"),
		Undo:      bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:      bind("ctrl+n", own.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", own.Quick, favouriteKeys()...),
		Tab:       bind("tab", own.Quick, "tab"),
		Next:      bind("tab", own.Pick, "tab", "down"),
		Previous:  bind("tab", own.Pick, "shift+tab", "up"),
		Drop:      bind("esc", own.Drop, "esc"),
		Up:        bind("↑/↓", words.Move, "up"),
		Down:      bind("↑/↓", words.Move, "down"),
		Edit:      bind("enter", words.Edit, "enter"),
		More:      bind("+", words.More, "+"),
		Less:      bind("-", words.Less, "-"),
		Reduce:    bind("d", own.Reduce, "d"),
		Remove:    bind("del", words.Remove, "delete", "backspace", "ctrl+d"),
		Resume:    bind("enter", own.Resume, "enter"),
		DropHeld:  bind("del", own.Drop, "delete", "backspace", "ctrl+d"),
		Yes:       bind("enter", own.Yes, "enter"),
	}
}
