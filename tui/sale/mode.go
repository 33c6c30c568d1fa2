package sale

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/wording"
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

// asks returns whether a question about the sale is open.
func (m Model) asks() bool {
	question := m.Counter.Question()
	return question != nil && question.Kind.OfSale()
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !key.Matches(msg, m.keys.Enter) { // It has something to say itself, or asks.
		m.notice = notice{}
	}
	free := (m.mode == entering || m.mode == choosing) && !m.asks()
	switch {
	case m.Counter.Charging():
		return m, nil
	case key.Matches(msg, m.keys.Undo) && m.mode != noting && m.mode != naming && m.mode != discounting && m.mode != resuming:
		return m.undo(), nil
	case m.asks():
		return m.answer(msg)
	case key.Matches(msg, m.keys.Note) && free:
		return m.ask(noting, m.cart().Sale.Description), nil
	case key.Matches(msg, m.keys.Favourite) && free:
		return m.favourite(msg), nil
	case m.mode == entering:
		return m.typed(msg)
	case m.mode == choosing:
		return m.choose(msg)
	case m.mode == resuming:
		return m.pick(msg)
	}
	return m.fill(msg)
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

// inquiry is a question: its title, the amount in figures, what it is about, what
// Enter does, and what to know before the answer.
type inquiry struct{ title, amount, about, hint, does, warning string }

func (m Model) inquiry() inquiry {
	words, question := m.Texts.Sale, *m.Counter.Question()
	title, about := wording.Question(m.Texts, m.Zone, question), m.counts()
	if name := m.cart().Name; name != "" {
		about = append(about, name)
	}
	asks := inquiry{title: title, amount: wording.Worth(m.items()), about: strings.Join(about, between), does: words.Drops}
	switch question.Kind {
	case counter.AskDropHeld:
		asks.amount = wording.Worth(question.Sale.Items)
		asks.about = question.Sale.Name
	case counter.AskCharge:
		asks.hint = words.Joins
		asks.does = words.ChargeNow
		if reach := m.Counter.ReachNow(); reach.Doubtful() {
			asks.hint = ""
			asks.warning = m.Texts.Charging[reach]
		}
	}
	return asks
}

// answer takes the answer to a question. Whatever types something closes it and
// stands in the entry line.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Enter):
		m.Counter.Yes()
		return m.become(m.mode), nil
	case key.Matches(msg, m.keys.Back):
		m.Counter.No()
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		m.Counter.Close()
		return m.become(entering).press(msg)
	}
	return m, nil
}

// Asked names the question that a key answers. It is blank if there is none.
func (m Model) Asked() string {
	if m.Counter.Question() == nil {
		return ""
	}
	return m.Counter.Answerable()
}

// Hold asks for the name under which the sale is held for later, once nothing
// half-typed stands in the entry line. Without lines it shows the sales that are held
// instead, and when it does so already, or asks already, it goes back.
func (m Model) Hold() Model {
	before := m.mode
	m.notice = notice{}
	if m.Counter.Charging() {
		return m
	}
	m.Counter.Close()
	m = m.leave()
	switch {
	case before == naming, before == resuming:
		return m
	case !m.cart().Untouched() && !m.line.Empty():
		return m.Warn(func(t i18n.Texts) string { return t.Held.Begun }) // It belongs to this sale.
	case !m.cart().Untouched():
		return m.ask(naming, "")
	case len(m.cart().Held) == 0:
		return m.Say(func(t i18n.Texts) string { return t.Held.None })
	}
	m.list = m.list.Select(0)
	return m.become(resuming)
}

// pick takes a key for the list of the sales that are held. What types something
// goes back to the entry line.
func (m Model) pick(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case screen.Types(msg):
		return m.become(entering).typed(msg)
	case key.Matches(msg, m.keys.Resume):
		name := m.cart().Held[m.list.Cursor()].Name
		m.Counter.Resume(m.list.Cursor())
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Held.Resumed.With(name) }), nil
	case key.Matches(msg, m.keys.DropHeld):
		m.Counter.DropHeld(m.list.Cursor())
		return m, nil
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	}
	m.list, _ = m.list.Update(msg)
	return m, nil
}

// ShortHelp returns the keys that the entry line names. What takes a text or asks
// names its own.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch {
	case m.asks():
		return nil
	case m.mode == choosing:
		return []key.Binding{keys.Edit, keys.More, keys.Less, keys.Reduce, keys.Remove, keys.Back}
	case m.mode == resuming:
		return []key.Binding{keys.Resume, keys.DropHeld, m.list.Keys.Move, m.list.Keys.Page, keys.Back}
	case m.mode != entering:
		return nil
	case m.choice.offered():
		return []key.Binding{keys.Next, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.cart().Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	case len(m.Counter.Shelf().Favourites()) > 0:
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := m.keys
	when := m.Texts.WhenKeys
	for binding, does := range map[*key.Binding]string{
		&all.Charge: when.Charge, &all.Next: when.Pick, &all.Tab: when.Quick, &all.Back: when.Back, &all.Drop: when.Drop,
	} {
		binding.SetHelp(binding.Help().Key, does)
	}
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
	words, bind := texts.Keys, screen.Bind
	var favourites []string
	for _, char := range digits + azerty {
		favourites = append(favourites, "alt+"+string(char))
	}
	return keyMap{
		Enter:     bind("enter", words.Enter, "enter"),
		Charge:    bind("enter", words.Charge, "enter"),
		Back:      bind("esc", words.Back, "esc"),
		Undo:      bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:      bind("ctrl+n", words.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", words.Quick, favourites...),
		Tab:       bind("tab", words.Quick, "tab"),
		Next:      bind("tab", words.Pick, "tab", "down"),
		Previous:  bind("tab", words.Pick, "shift+tab", "up"),
		Drop:      bind("esc", words.Drop, "esc"),
		Up:        bind("↑/↓", words.Move, "up"),
		Down:      bind("↑/↓", words.Move, "down"),
		Edit:      bind("enter", words.Edit, "enter"),
		More:      bind("+", words.More, "+"),
		Less:      bind("-", words.Less, "-"),
		Reduce:    bind("d", words.Reduce, "d"),
		Remove:    bind("del", words.Remove, "delete", "backspace", "ctrl+d"),
		Resume:    bind("enter", words.Resume, "enter"),
		DropHeld:  bind("del", words.Drop, "delete", "backspace", "ctrl+d"),
	}
}
