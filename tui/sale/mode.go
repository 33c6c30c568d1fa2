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

// takesText tells whether the entry line takes something else than a new line.
func (m mode) takesText() bool {
	return m == editing || m == discounting || m == noting || m == naming
}

// onLine tells whether the cursor stands on a line.
func (m mode) onLine() bool { return m == choosing || m == editing || m == discounting }

// listsHeld tells whether the held sales are listed in place of the sale.
func (m mode) listsHeld() bool { return m == resuming || m == droppingHeld }

// asks tells whether a question is open.
func (m mode) asks() bool { return m == droppingHeld || m == dropping || m == asking || m == charging }

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !key.Matches(msg, m.keys.Enter) { // It has something to say itself, or asks.
		m.notice = notice{}
	}
	free := m.mode == entering || m.mode == choosing
	switch {
	case m.mode == charging:
		return m, nil
	case key.Matches(msg, m.keys.Undo) && (free || m.mode == editing || m.mode == dropping || m.mode == asking):
		return m.undo()
	case key.Matches(msg, m.keys.Note) && free:
		return m.ask(noting, m.cart.Sale.Description), nil
	case key.Matches(msg, m.keys.Favourite) && free:
		return m.favourite(msg)
	case m.mode == entering:
		return m.typed(msg)
	case m.mode == choosing:
		return m.choose(msg)
	case m.mode == resuming:
		return m.pick(msg)
	case m.mode.takesText():
		return m.fill(msg)
	}
	return m.answer(msg)
}

// become changes the mode. When no sale is held any more there is none to list.
func (m Model) become(next mode) Model {
	m.list = m.list.SetRows(len(m.cart.Held))
	if m.mode = next; next.listsHeld() && m.list.Count() == 0 {
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

// ShortHelp returns the keys that the entry line names. What takes a text or asks
// names its own.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch {
	case m.mode == choosing:
		return []key.Binding{keys.Edit, keys.More, keys.Less, keys.Reduce, keys.Remove, keys.Back}
	case m.mode == resuming:
		return []key.Binding{keys.Resume, keys.DropHeld, m.list.Move(), m.list.Page(), keys.Back}
	case m.mode != entering:
		return nil
	case m.choice.offered():
		return []key.Binding{keys.Next, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.cart.Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	case len(m.stock.shelf.Favourites()) > 0:
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

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
	Enter, Charge, Back, Undo, Note, Favourite, Tab, Next, Previous, Drop key.Binding
	Up, Down, Edit, More, Less, Reduce, Remove                            key.Binding // Of a chosen line.
	Resume, DropHeld                                                      key.Binding // Of the held sales.
}

func newKeyMap(texts i18n.Texts) keyMap {
	words, own := texts.Keys, texts.SaleKeys
	bind := screen.Bind
	var favourites []string
	for _, char := range digits + azerty {
		favourites = append(favourites, "alt+"+string(char))
	}
	return keyMap{
		Enter:     bind("enter", words.Enter, "enter"),
		Charge:    bind("enter", words.Charge, "enter"),
		Back:      bind("esc", words.Back, "esc"),
		Undo:      bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:      bind("ctrl+n", own.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", own.Quick, favourites...),
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
	}
}
