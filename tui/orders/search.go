package orders

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
)

// maxSought bounds what is searched for, in characters.
const maxSought = 60

// pending tells whether the list is that of an earlier text: the present one's is
// being read, or could not be.
func (m Model) pending() bool { return m.page.sought != m.field.Value() }

func (m Model) prompt() string { return m.Texts.Catalog.Find + " " }

// sought tells whether the list is that of a search, or about to be.
func (m Model) sought() bool { return m.typing || m.field.Value() != "" }

// seek puts the cursor into the field, over the history. What was searched for
// there is still in it.
func (m Model) seek() (Model, tea.Cmd) {
	m = m.close() // An order that is being read is not wanted any more.
	var cmd tea.Cmd
	if m.tab != past {
		m, cmd = m.show(past)
	}
	if !m.sought() {
		m.field = field.New(m.Theme, m.prompt(), maxSought)
	}
	m.typing, m.field = true, m.field.Focus(true)
	return m, cmd
}

func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Whole):
		return m.show(past)
	case key.Matches(msg, m.keys.Enter):
		m.typing, m.field = false, m.field.Focus(false)
		if m.pending() {
			cmd := m.refresh() // The last attempt may have failed.
			return m, cmd
		}
		return m, nil
	case msg.Type != tea.KeyRunes && key.Matches(msg, m.master.List.Keys()...):
		m.master, _ = m.master.Update(msg)
		return m.readOn()
	}
	former := m.field.Value()
	var blink tea.Cmd
	m.field, blink = m.field.Type(msg)
	if m.field.Value() == former {
		return m, blink
	}
	found := m.renew() // The former list is shown until this one comes.
	return m, tea.Batch(blink, found)
}

// narrowed limits a query to what is searched for: a day, a text, or a text on
// a day.
func (m Model) narrowed(query payments.Query) payments.Query {
	words := strings.Fields(m.field.Value())
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
	if !m.field.Empty() {
		return []string{m.field.View()}
	}
	bare := m.field.SetWidth(0).View() // The hint follows the cursor.
	return []string{theme.Truncate(bare+m.Theme.Muted.Render(m.Texts.Orders.Hint), m.master.Width)}
}
