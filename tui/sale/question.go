package sale

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/screen"
)

// Settle is how long the charge question stands before it is answered: an
// Enter that comes earlier counts once the time is over, and not at all when it
// is one of a key that is held.
const Settle = 250 * time.Millisecond

// A key that is held repeats itself in steps. Presses that follow each other
// faster on the average are a hand's or a machine's, who mean one.
const step = 25 * time.Millisecond

// question is what is known of the open charge question.
type question struct {
	asked       time.Time // Since when it stands.
	first, last time.Time // When Enter was pressed before its time, the first and the last time,
	presses     int       // and how often.
	held        bool      // Enter is held: it answers nothing until it was let go.
}

func (q question) early(now time.Time) question {
	if q.presses == 0 {
		q.first = now
	}
	q.held = q.presses > 0 && now.Sub(q.first) >= time.Duration(q.presses)*step
	q.presses++
	q.last = now
	return q
}

// settled says that the charge question has stood long enough.
type settled struct{}

// inquiry is a question: its title, the amount in figures, what it is about, and
// what Enter does.
type inquiry struct{ title, amount, about, hint, does string }

func (m Model) askCharge() inquiry {
	words, total := m.Texts.Sale, cart.Worth(m.cart.Items())
	return inquiry{words.Charge.With(total), total, m.about(), words.Joins, words.ChargeNow}
}

func (m Model) askDrop() inquiry {
	total := cart.Worth(m.cart.Items())
	return inquiry{m.Texts.Selling.Drop.With(total), total, m.about(), "", m.Texts.Sale.Drops}
}

func (m Model) askDropHeld() inquiry {
	sale := m.cart.Held()[m.list.Cursor()]
	total := cart.Worth(sale.Items)
	return inquiry{m.Texts.Held.Drop.With(sale.Name, total), total, sale.Name, "", m.Texts.Sale.Drops}
}

// answer takes the answer to a question. Whatever types something closes it and
// stands in the entry line.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	state := m.state()
	switch {
	case key.Matches(msg, m.keys.Yes):
		return state.yes()
	case key.Matches(msg, m.keys.Back):
		return m.become(state.back), nil
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		return m.become(entering).press(msg)
	}
	return m, nil
}

func (m Model) confirm() (Model, tea.Cmd) {
	now := m.Now()
	left := Settle - now.Sub(m.question.asked)
	if m.question.held {
		left = Settle - now.Sub(m.question.last)
	}
	switch {
	case left <= 0:
		return m.charge()
	case m.question.held:
		m.question.last = now
		return m, nil
	}
	m.question = m.question.early(now)
	if m.question.presses > 1 {
		return m, nil
	}
	return m, tea.Tick(left, func(time.Time) tea.Msg { return settled{} })
}

// settle charges when an early Enter waits for the question to have stood.
func (m Model) settle() (Model, tea.Cmd) {
	waits := m.mode == asking && m.question.presses > 0 && !m.question.held
	if !waits || m.Now().Sub(m.question.asked) < Settle {
		return m, nil
	}
	return m.charge()
}

// charge puts the sale on disk once more, and then says that it is charged.
func (m Model) charge() (Model, tea.Cmd) {
	m.cart = m.cart.Save()
	return m.become(charging).flush()
}

func (m Model) drop() (Model, tea.Cmd) {
	m.cart = m.cart.Drop()
	return m.become(entering).Say(func(t i18n.Texts) string { return t.Selling.Dropped }).flush()
}

func (m Model) dropHeld() (Model, tea.Cmd) {
	m.cart = m.cart.DropHeld(m.list.Cursor())
	return m.become(resuming).relist().flush()
}

// Hold asks for the name under which the sale is held for later. Without lines
// it shows the sales that are held instead, and when it does so already, or
// asks already, it goes back.
func (m Model) Hold() Model {
	m.notice = notice{}
	switch {
	case m.mode == charging:
		return m
	case m.mode == naming, m.state().list:
		return m.leave()
	}
	m = m.leave()
	switch {
	case !m.cart.Untouched():
		return m.ask(naming, "")
	case m.Held() == 0:
		return m.Say(func(t i18n.Texts) string { return t.Held.None })
	}
	m.list = m.list.SetRows(m.Held()).Select(0)
	return m.become(resuming)
}

// pick takes a key for the list of the sales that are held. What types something
// goes back to the entry line.
func (m Model) pick(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = notice{}
	switch {
	case screen.Types(msg):
		return m.become(entering).typed(msg)
	case key.Matches(msg, m.keys.Resume):
		name := m.cart.Held()[m.list.Cursor()].Name
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

// relist keeps the list of the held sales, where it is open, in step with them.
func (m Model) relist() Model {
	if m.Held() == 0 && m.state().list {
		return m.become(entering)
	}
	m.list = m.list.SetRows(m.Held())
	return m
}
