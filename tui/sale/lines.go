package sale

import (
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// maxUndo is how many steps can be undone.
const maxUndo = 100

// enter takes what the entry line holds: a new line, or, when it is empty, the
// wish to charge.
func (m Model) enter() (Model, tea.Cmd) {
	text := strings.TrimSpace(m.input.Value())
	switch {
	case text == "" && len(m.sale.Items) > 0:
		return m.askCharge(), nil
	case text == "":
		return m.back(), nil
	}
	item, err := m.wanted(text)
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.add(item)
	}
	if err != nil {
		m, waits := m.awaits(text)
		if waits {
			return m, nil
		}
		return m.Warn(hint(err)), nil
	}
	m.input.Reset()
	return m.suggest(), cmd
}

// wanted is the item that the entry line stands for: the article that was
// chosen, or what was typed.
func (m Model) wanted(text string) (payments.Item, error) {
	if chosen := m.choice.chosen; chosen > 0 {
		article := m.choice.fit.Best[chosen-1]
		return payments.NewItem(article.Label, article.UnitPrice, m.choice.quantity)
	}
	item, err := entry.Parse(text, m.stock.shelf, m.Texts.Sale.FreeAmount)
	if err != nil {
		return payments.Item{}, err
	}
	return m.stock.shelf.Priced(item)
}

// add adds an item. One that is there already at the same price gets more of
// it, and that is said.
func (m Model) add(item payments.Item) (Model, tea.Cmd, error) {
	items, at, err := entry.Joined(slices.Clone(m.sale.Items), len(m.sale.Items), item)
	if err != nil {
		return m, nil, err
	}
	before := len(m.sale.Items)
	m, cmd := m.change(items)
	if len(items) == before {
		m = m.sayMerged(at)
	}
	return m, cmd, nil
}

// replace puts an item in the place of the chosen one, or into the line that it
// then is the same as.
func (m Model) replace(item payments.Item) (Model, tea.Cmd, error) {
	before := m.sale.Items
	if item == before[m.cursor] {
		m.notice = notice{}
		return m, nil, nil
	}
	items, at, err := entry.Joined(slices.Delete(slices.Clone(before), m.cursor, m.cursor+1), m.cursor, item)
	if err != nil {
		return m, nil, err
	}
	m.cursor = at
	m, cmd := m.change(items)
	if len(items) < len(before) {
		m = m.sayMerged(at)
	}
	return m, cmd, nil
}

func (m Model) sayMerged(at int) Model {
	item := m.sale.Items[at]
	m.notice = notice{line: at + 1, text: func(t i18n.Texts) string { return t.Selling.Merged.With(item.Label, item.Quantity) }}
	return m
}

// choose takes a key for the chosen line. A printable key goes back to the
// entry line, so that nothing that is typed is lost.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	line := m.keys.Line
	m.notice = notice{}
	switch {
	case key.Matches(msg, line.Up):
		m.cursor = max(0, m.cursor-1)
	case key.Matches(msg, line.Down) && m.cursor == len(m.sale.Items)-1, key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case key.Matches(msg, line.Down):
		m.cursor++
	case key.Matches(msg, line.More):
		return m.count(+1)
	case key.Matches(msg, line.Less):
		return m.count(-1)
	case key.Matches(msg, line.Remove):
		return m.remove()
	case key.Matches(msg, line.Reduce):
		return m.ask(discounting, ""), nil
	case key.Matches(msg, line.Edit):
		return m.ask(editing, entry.Format(m.sale.Items[m.cursor], m.stock.shelf)), nil
	case msg.Type == tea.KeyRunes && !msg.Alt:
		return m.become(entering).typed(msg)
	}
	return m, nil
}

// count takes more of the chosen line, or less; one stays.
func (m Model) count(step int64) (Model, tea.Cmd) {
	item := m.sale.Items[m.cursor]
	if item.Quantity+step < 1 {
		return m, nil
	}
	var cmd tea.Cmd
	changed, err := entry.Times(item, item.Quantity+step)
	if err == nil {
		m, cmd, err = m.replace(changed)
	}
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	return m, cmd
}

// correct puts what was typed in the place of the chosen line. A line that had
// a discount keeps its old price with it.
func (m Model) correct(text string) (Model, tea.Cmd) {
	if text == "" {
		return m.told(), nil
	}
	before := m.sale.Items[m.cursor]
	item, err := m.wanted(text)
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.replace(entry.Corrected(before, item))
	}
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	return m.told(), cmd
}

// remove takes the chosen line out.
func (m Model) remove() (Model, tea.Cmd) {
	items := slices.Delete(slices.Clone(m.sale.Items), m.cursor, m.cursor+1)
	m.cursor = max(0, min(m.cursor, len(items)-1))
	if len(items) == 0 {
		m = m.become(entering)
	}
	return m.change(items)
}

// undo takes the last change of the sale back. The entry line keeps what was
// typed, unless it corrects a line that may be another one now.
func (m Model) undo() (Model, tea.Cmd) {
	if len(m.history) == 0 {
		return m, nil
	}
	last := len(m.history) - 1
	m.sale.Items, m.sale.Description = m.history[last].items, m.history[last].description
	m.history = m.history[:last]
	m.cursor, m.notice = 0, notice{}
	if m.mode == editing {
		m = m.told()
	}
	return m.become(entering).store()
}

// change makes items the lines of the sale, and stores them.
func (m Model) change(items []payments.Item) (Model, tea.Cmd) {
	m = m.remember()
	m.sale.Items, m.notice, m.Welcome = items, notice{}, ""
	return m.store()
}

// remember notes the sale as it is, so that the change that comes can be undone.
func (m Model) remember() Model {
	m.history = append(slices.Clone(m.history), state{m.sale.Items, m.sale.Description})
	if len(m.history) > maxUndo {
		m.history = m.history[1:]
	}
	return m
}

// hint says what to do about an entry that was not understood.
func hint(err error) i18n.Message {
	return func(texts i18n.Texts) string { return hintIn(texts.Hints, err) }
}

func hintIn(hints i18n.Hints, err error) string {
	var several *entry.SeveralError
	var unknown *entry.UnknownCodeError
	var pieces *entry.PiecesError
	switch {
	case errors.As(err, &several):
		return hints.Several.With(strings.Join(several.Labels, ", "))
	case errors.As(err, &unknown):
		return hints.UnknownCode.With(unknown.Code)
	case errors.As(err, &pieces):
		return hints.Pieces.With(pieces.Pieces, pieces.Form)
	case errors.Is(err, entry.ErrTooLong):
		return hints.TooLong
	case errors.Is(err, entry.ErrNoPrice):
		return hints.NoPrice
	case errors.Is(err, entry.ErrQuantity):
		return hints.BadQuantity
	case errors.Is(err, entry.ErrApart):
		return hints.Apart
	case errors.Is(err, entry.ErrTwoQuantities):
		return hints.TwoQuantities
	case errors.Is(err, entry.ErrDiscount):
		return hints.BadDiscount
	case errors.Is(err, payments.ErrTooLarge):
		return hints.TooLarge
	case errors.Is(err, payments.ErrNotAmount):
		return hints.BadPrice
	}
	return hints.NotUnderstood
}
