package sale

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// held are the sales that are held for later, the longest held first.
type held struct {
	sales  []payments.Sale
	cursor int
	last   string // The name that the sale being entered was held by; blank for none.
}

// without is the list without the sale of an ID.
func (h held) without(id string) held {
	h.sales = others(h.sales, id)
	h.cursor = max(0, min(h.cursor, len(h.sales)-1))
	return h
}

// has tells whether a sale is held under a name; case and accents do not
// matter.
func (h held) has(name string) bool {
	return slices.ContainsFunc(h.sales, func(sale payments.Sale) bool {
		return entry.Same(sale.Name, name)
	})
}

// name proposes a name to hold the sale under: the one that it had, or the
// first number that is free.
func (h held) name() string {
	if h.last != "" && !h.has(h.last) {
		return h.last
	}
	for n := 1; ; n++ {
		if name := strconv.Itoa(n); !h.has(name) {
			return name
		}
	}
}

// Held is how many sales are held.
func (m Model) Held() int { return len(m.held.sales) }

// Hold asks for the name under which the sale is held for later. Without lines
// it shows the sales that are held instead, and when it does so already, or
// asks already, it goes back.
func (m Model) Hold() Model {
	m.notice = notice{}
	switch m.mode {
	case charging:
		return m
	case naming:
		return m.told()
	case resuming, dropping:
		return m.become(entering)
	case editing, noting, discounting:
		m = m.told()
	}
	switch {
	case !m.untouched():
		return m.ask(naming, "")
	case len(m.held.sales) == 0:
		return m.become(entering).say(func(t i18n.Texts) string { return t.Held.None })
	}
	m.held.cursor = 0
	return m.become(resuming)
}

// hold puts the sale aside under a name, and begins a new one. What stood in
// the entry line stays there.
func (m Model) hold(text string) (Model, tea.Cmd) {
	name := payments.Clean(text, payments.MaxTillWidth)
	if name == "" {
		name = m.held.name()
	}
	if m.held.has(name) {
		return m.Warn(func(t i18n.Texts) string { return t.Held.Taken }), nil
	}
	m = m.told()
	typed := m.input.Value()
	m, cmd := m.putAside(m.sale, name)
	m = m.begin().say(func(t i18n.Texts) string { return t.Held.Done.With(name) })
	m.input.SetValue(typed)
	m.input.CursorEnd()
	return m.suggest(), cmd
}

// putAside adds a sale to those that are held.
func (m Model) putAside(sale payments.Sale, name string) (Model, tea.Cmd) {
	sale.Name, sale.UpdatedAt = name, m.Now().UTC()
	m.held.sales = append(slices.Clone(m.held.sales), sale)
	return m.put(sale)
}

// pick takes a key for the list of the sales that are held.
func (m Model) pick(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = notice{}
	switch {
	case m.mode == dropping && key.Matches(msg, m.keys.Held.Yes):
		return m.drop()
	case m.mode == dropping && key.Matches(msg, m.keys.Back):
		return m.become(resuming), nil
	case m.mode == dropping:
		return m, nil
	case key.Matches(msg, m.keys.Line.Up):
		m.held.cursor = max(0, m.held.cursor-1)
	case key.Matches(msg, m.keys.Line.Down):
		m.held.cursor = min(len(m.held.sales)-1, m.held.cursor+1)
	case key.Matches(msg, m.keys.Held.Resume):
		return m.resume()
	case key.Matches(msg, m.keys.Held.Drop):
		return m.become(dropping), nil
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case msg.Type == tea.KeyRunes && !msg.Alt:
		return m.become(entering).typed(msg)
	}
	return m, nil
}

// resume goes on with the sale under the cursor. Nothing is lost by that: the
// list is shown while the sale on the screen is empty.
func (m Model) resume() (Model, tea.Cmd) {
	sale := m.held.sales[m.held.cursor]
	m.held = m.held.without(sale.ID)
	m.held.last, sale.Name = sale.Name, ""
	m.sale, m.history = sale, nil
	name := m.held.last
	return m.become(entering).say(func(t i18n.Texts) string { return t.Held.Resumed.With(name) }).store()
}

// drop throws the sale under the cursor away.
func (m Model) drop() (Model, tea.Cmd) {
	sale := m.held.sales[m.held.cursor]
	m.held = m.held.without(sale.ID)
	if len(m.held.sales) == 0 {
		m = m.become(entering)
	} else {
		m = m.become(resuming)
	}
	return m.put(payments.Sale{ID: sale.ID, Till: sale.Till})
}

// Return brings back the lines of a sale whose order was not taken and which is
// on the screen no more: into the sale, or, while that holds something, into a
// sale that is held.
func (m Model) Return(sale payments.Sale) (Model, tea.Cmd) {
	return m.giveBack(sale, func(t i18n.Texts) string { return t.Held.Returned },
		func(name string) i18n.Message { return func(t i18n.Texts) string { return t.Held.Kept.With(name) } })
}

// Correct brings back the lines of an order that somebody wants to correct.
func (m Model) Correct(sale payments.Sale) (Model, tea.Cmd) {
	return m.giveBack(sale, func(t i18n.Texts) string { return t.Correction.Back },
		func(name string) i18n.Message {
			return func(t i18n.Texts) string { return t.Correction.Aside.With(name) }
		})
}

// giveBack puts a sale on the screen, or beside the one that is there, and says
// so.
func (m Model) giveBack(sale payments.Sale, here i18n.Message, aside func(name string) i18n.Message) (Model, tea.Cmd) {
	if sale.ID == "" {
		sale.ID = m.Desk.NewSale(m.Till).ID
	}
	if m.knows(sale.ID) {
		return m, nil
	}
	if !m.untouched() {
		name := m.held.name()
		m, cmd := m.putAside(sale, name)
		return m.Warn(aside(name)), cmd
	}
	sale.Name = ""
	m.sale, m.history = sale, nil
	if m.mode == resuming || m.mode == dropping {
		m = m.become(entering)
	}
	return m.Warn(here).store()
}
