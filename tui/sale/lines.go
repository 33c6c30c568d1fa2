package sale

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

// choose takes a key for the chosen line. A printable key goes back to the
// entry line, so that nothing that is typed is lost.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	keys := m.keys.Line
	m.notice = notice{}
	item := m.cart.Items()[m.cursor]
	switch {
	case key.Matches(msg, keys.Up):
		m.cursor = max(0, m.cursor-1)
	case key.Matches(msg, keys.Down) && m.cursor == len(m.cart.Items())-1, key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case key.Matches(msg, keys.Down):
		m.cursor++
	case key.Matches(msg, keys.More):
		return m.count(item.Quantity + 1)
	case key.Matches(msg, keys.Less) && item.Quantity > 1:
		return m.count(item.Quantity - 1)
	case key.Matches(msg, keys.Less):
	case key.Matches(msg, keys.Remove):
		return m.remove()
	case key.Matches(msg, keys.Reduce):
		return m.ask(discounting, ""), nil
	case key.Matches(msg, keys.Edit):
		return m.ask(editing, entry.Format(item, m.stock.shelf)), nil
	case isText(msg):
		return m.become(entering).typed(msg)
	}
	return m, nil
}

// isText tells whether a key types something.
func isText(msg tea.KeyMsg) bool {
	return (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt
}

// count gives the chosen line another quantity.
func (m Model) count(quantity int64) (Model, tea.Cmd) {
	c, line, err := m.cart.SetQuantity(m.cursor, quantity)
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	return m.changed(c, line)
}

// remove takes the chosen line out.
func (m Model) remove() (Model, tea.Cmd) {
	m.cart = m.cart.Remove(m.cursor)
	m.cursor = max(0, min(m.cursor, len(m.cart.Items())-1))
	if m.cart.Empty() {
		m = m.become(entering)
	}
	return m.flush()
}

// undo takes the last change of the sale back. The entry line keeps what was
// typed, unless it corrects a line that may be another one now.
func (m Model) undo() (Model, tea.Cmd) {
	before := m.cart.Items()
	c, ok := m.cart.Undo()
	if !ok {
		return m, nil
	}
	m.cart, m.cursor, m.notice = c, 0, undone(before, c.Items())
	if m.mode == editing {
		m = m.resumeDraft()
	}
	return m.become(entering).flush()
}

// undone says which line is another one after an undo, and brings it into view.
func undone(before, after []payments.Item) notice {
	for i := range max(len(before), len(after)) {
		var was, is payments.Item
		if i < len(before) {
			was = before[i]
		}
		if i < len(after) {
			is = after[i]
		}
		if was != is {
			label := cmp.Or(was.Label, is.Label)
			if len(before) < len(after) {
				label = is.Label
			}
			return notice{line: min(i+1, len(after)), message: func(t i18n.Texts) string { return t.Selling.Undone.With(label) }}
		}
	}
	return notice{}
}

// Hold asks for the name under which the sale is held for later. Without lines
// it shows the sales that are held instead, and when it does so already, or
// asks already, it goes back.
func (m Model) Hold() Model {
	m.notice = notice{}
	switch m.mode {
	case charging:
		return m
	case naming:
		return m.resumeDraft()
	case resuming, droppingHeld:
		return m.become(entering)
	case editing, noting, discounting:
		m = m.resumeDraft()
	}
	switch {
	case !m.cart.Untouched():
		return m.ask(naming, "")
	case m.Held() == 0:
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Held.None })
	}
	m.list = m.list.SetRows(m.Held()).Select(0)
	return m.become(resuming)
}

// pick takes a key for the list of the sales that are held. A printable key goes
// back to the entry line.
func (m Model) pick(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = notice{}
	switch {
	case m.mode == droppingHeld && key.Matches(msg, m.keys.Held.Yes):
		m.cart = m.cart.DropHeld(m.list.Cursor())
		return m.become(resuming).relist().flush()
	case m.mode == droppingHeld && key.Matches(msg, m.keys.Back):
		return m.become(resuming), nil
	case isText(msg):
		return m.become(entering).typed(msg)
	case m.mode == droppingHeld:
		return m, nil
	case key.Matches(msg, m.keys.Held.Resume):
		name := m.cart.Held()[m.list.Cursor()].Name
		m.cart = m.cart.Resume(m.list.Cursor())
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Held.Resumed.With(name) }).flush()
	case key.Matches(msg, m.keys.Held.Drop):
		return m.become(droppingHeld), nil
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	}
	m.list, _ = m.list.Update(msg)
	return m, nil
}

// relist keeps the list of the held sales, where it is open, in step with them.
func (m Model) relist() Model {
	if (m.mode == resuming || m.mode == droppingHeld) && m.Held() == 0 {
		return m.become(entering)
	}
	m.list = m.list.SetRows(m.Held())
	return m
}

// Return brings back the lines of an order that was not taken and which is on
// the screen no more.
func (m Model) Return(terms payments.Terms) (Model, tea.Cmd) {
	return m.giveBack(terms, func(t i18n.Texts, _ string) string { return t.Held.Returned },
		func(t i18n.Texts, name string) string { return t.Held.Kept.With(name) })
}

// Correct brings back the lines of an order that somebody wants to correct.
func (m Model) Correct(terms payments.Terms) (Model, tea.Cmd) {
	return m.giveBack(terms, func(t i18n.Texts, _ string) string { return t.Correction.Back },
		func(t i18n.Texts, name string) string { return t.Correction.Aside.With(name) })
}

// giveBack puts lines on the screen, or beside the sale that is there, and says
// so.
func (m Model) giveBack(terms payments.Terms, onTop, beside func(t i18n.Texts, name string) string) (Model, tea.Cmd) {
	c, placed, name := m.cart.GiveBack(terms, m.Now())
	says := onTop
	switch placed {
	case cart.Known:
		return m, nil
	case cart.Beside:
		says = beside
	case cart.OnTop:
		if m.mode == resuming || m.mode == droppingHeld {
			m = m.become(entering)
		}
	}
	m.cart = c
	return m.Warn(func(t i18n.Texts) string { return says(t, name) }).flush()
}

// Charged lets sales go that turned out to be charged. What stands in the entry
// line stays there.
func (m Model) Charged(sales []payments.Sale) (Model, tea.Cmd) {
	for _, sale := range sales {
		current := m.cart.Sale().ID
		if m.mode == charging && current == sale.ID {
			m.cart = m.cart.Save()
			continue
		}
		if m.cart = m.cart.ChargedAs(sale); m.cart.Sale().ID == current {
			m = m.relist()
			continue
		}
		m.notice = notice{}
		switch m.mode {
		case naming, editing, noting, discounting:
			m = m.resumeDraft()
		}
		m = m.become(entering)
	}
	return m.flush()
}
