package orders

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
)

// maxSought bounds what is searched for, in characters.
const maxSought = 60

// search is what the history is searched for.
type search struct {
	field  field.Field
	typing bool // The cursor is in the field.
	asked  bool // The list that is shown is that of an earlier text, for the present one's is being read.
}

// searchKeys are the keys of the search.
type searchKeys struct{ Search, Enter, Whole key.Binding }

func newSearchKeys(words i18n.Texts) searchKeys {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return searchKeys{
		Search: bind("/", words.Search.Key, "/"),
		Enter:  bind("enter", words.Search.Enter, "enter"),
		Whole:  bind("esc", words.Search.Whole, "esc"),
	}
}

// prompt stands before the text.
func (m Model) prompt() string { return m.Texts.Catalog.Find + " " }

// sought tells whether the list is that of a search, or about to be.
func (m Model) sought() bool { return m.history.search.typing || m.history.search.field.Value() != "" }

// seek puts the cursor into the field, over the history. What was searched for
// there is still in it.
func (m Model) seek() (Model, tea.Cmd) {
	var cmd tea.Cmd
	m.detail = detail{} // An order that is being read is not wanted any more.
	if m.tab != past {
		m, cmd = m.list(past)
	}
	if !m.sought() {
		m.history.search.field = field.New(m.Theme, m.prompt(), maxSought)
	}
	return m.focus(true), cmd
}

// focus moves the cursor between the field and the list.
func (m Model) focus(typing bool) Model {
	m.history.search.typing = typing
	m.history.search.field = m.history.search.field.SetWidth(m.size.width).Focus(typing)
	m.enable()
	return m
}

// write takes a key while the cursor is in the field.
func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Whole):
		return m.unsought()
	case key.Matches(msg, m.keys.Enter):
		m = m.focus(false)
		if m.history.search.asked && !m.history.reading {
			return m.refresh() // The last attempt failed.
		}
		return m, nil
	case key.Matches(msg, m.keys.Former):
		return m.up(), nil
	case key.Matches(msg, m.keys.Next):
		return m.down()
	}
	former := m.history.search.field.Value()
	var blink tea.Cmd
	m.history.search.field, blink = m.history.search.field.Type(msg)
	if m.history.search.field.Value() == former {
		return m, blink
	}
	m, read := m.find()
	return m, tea.Batch(blink, read)
}

// find begins the list of what the field holds. The former one is shown until
// it comes, and what is still read for that is dropped.
func (m Model) find() (Model, tea.Cmd) {
	begun := history{number: m.history.number + 1, orders: m.history.orders, search: m.history.search}
	begun.search.asked = true
	m.history = begun
	return m.refresh()
}

// unsought shows the whole history again.
func (m Model) unsought() (Model, tea.Cmd) { return m.list(past) }

// found puts the first page in the place of an earlier text's orders, or takes
// these away when it could not be read: they are not what the field says.
func (m Model) found(msg paged) Model {
	if !m.history.search.asked || msg.list != m.history.number {
		return m
	}
	m.history.search.asked, m.history.orders, m.cursor = msg.err != nil, nil, 0
	return m
}

// narrowed limits a query to what is searched for: a day, a text, or a text on
// a day.
func (m Model) narrowed(query payments.Query) payments.Query {
	words := strings.Fields(m.history.search.field.Value())
	for i, word := range words {
		day, isDay := i18n.Day(word, m.state.Now.In(m.Zone))
		if !isDay || len(words) > 1 && len(word) < fullDay && strings.Contains(word, "/") {
			continue
		}
		query.Since, query.Until = day, day.AddDate(0, 0, 1)
		words = append(words[:i:i], words[i+1:]...)
		break
	}
	query.Search = strings.Join(words, " ")
	return query
}

// fullDay is how long a day is that has all its digits. Beside other words a
// shorter one is text: "1/2 vary" is half a portion.
const fullDay = len("21/11")

// searchRows draws the field, and a hint in it until something is typed.
func (m Model) searchRows() []string {
	if !m.sought() {
		return nil
	}
	if !m.history.search.field.Empty() {
		return []string{m.history.search.field.View()}
	}
	bare := m.history.search.field.SetWidth(0).View() // The hint follows the cursor.
	return []string{bare + m.Theme.Subdued.Render(m.Texts.Search.Hint)}
}
