package sale

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/screen"
)

// Settle debounces Enter at the charge question. One that comes earlier, since the
// question or since another Enter, counts after that time if it stays alone: those
// of a key that is held charge nothing.
const Settle = 250 * time.Millisecond

// settled says that the time of an early Enter is over.
type settled struct{}

// inquiry is a question: its title, the amount in figures, what it is about, and
// what Enter does.
type inquiry struct{ title, amount, about, hint, does string }

func (m Model) inquiry() inquiry {
	words, total, about := m.Texts.Sale, cart.Worth(m.cart.Items()), m.counts()
	if name := m.cart.Name; name != "" {
		about = append(about, name)
	}
	switch m.mode {
	case droppingHeld:
		sale := m.cart.Held[m.list.Cursor()]
		total = cart.Worth(sale.Items)
		return inquiry{m.Texts.Held.Drop.With(sale.Name, total), total, sale.Name, "", words.Drops}
	case dropping:
		return inquiry{m.Texts.Selling.Drop.With(total), total, strings.Join(about, between), "", words.Drops}
	}
	return inquiry{words.Charge.With(total), total, strings.Join(about, between), words.Joins, words.ChargeNow}
}

// answer takes the answer to a question. Whatever types something closes it and
// stands in the entry line.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	yes, back := key.Matches(msg, m.keys.Enter), key.Matches(msg, m.keys.Back)
	switch {
	case yes && m.mode == droppingHeld:
		m.cart = m.cart.DropHeld(m.list.Cursor())
		return m.become(resuming).flush()
	case yes && m.mode == dropping:
		m.cart = m.cart.Drop()
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Selling.Dropped }).flush()
	case yes && m.calm():
		return m.charge()
	case yes:
		m.pressed, m.early = m.Service.Now(), m.early+1
		return m, tea.Tick(Settle, func(time.Time) tea.Msg { return settled{} })
	case back && m.mode == droppingHeld:
		return m.become(resuming), nil
	case back:
		return m.become(entering), nil
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		return m.become(entering).press(msg)
	}
	return m, nil
}

func (m Model) calm() bool { return m.Service.Now().Sub(m.pressed) >= Settle }

// settle charges for an early Enter that stayed alone.
func (m Model) settle() (Model, tea.Cmd) {
	if m.mode != asking || m.early != 1 || !m.calm() {
		return m, nil
	}
	return m.charge()
}

// charge puts the sale on disk once more, and then says that it is charged.
func (m Model) charge() (Model, tea.Cmd) {
	m.cart = m.cart.Save()
	return m.become(charging).flush()
}

// Hold asks for the name under which the sale is held for later, once nothing
// half-typed stands in the entry line. Without lines
// it shows the sales that are held instead, and when it does so already, or
// asks already, it goes back.
func (m Model) Hold() Model {
	before := m.mode
	if m.notice = (notice{}); before == charging {
		return m
	}
	m = m.leave()
	switch {
	case before == naming, before.listsHeld():
		return m
	case !m.cart.Untouched() && !m.line.Empty():
		return m.Warn(func(t i18n.Texts) string { return t.Held.Begun }) // It belongs to this sale.
	case !m.cart.Untouched():
		return m.ask(naming, "")
	case len(m.cart.Held) == 0:
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
		name := m.cart.Held[m.list.Cursor()].Name
		m.cart = m.cart.Resume(m.list.Cursor())
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Held.Resumed.With(name) }).flush()
	case key.Matches(msg, m.keys.DropHeld):
		return m.become(droppingHeld), nil
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	}
	m.list, _ = m.list.Update(msg)
	return m, nil
}
