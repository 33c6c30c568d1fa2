package sale

import (
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// maxUndo is how many steps can be undone.
const maxUndo = 100

// enter takes what the entry line holds: a new line, or, when it is empty, the
// wish to charge.
func (m Model) enter() (Model, tea.Cmd) {
	entry := strings.TrimSpace(m.input.Value())
	switch {
	case entry == "" && len(m.sale.Items) > 0:
		return m.askCharge(), nil
	case entry == "":
		return m.back(), nil
	}
	item, err := m.wanted(entry)
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.add(item)
	}
	if err != nil {
		return m.Warn(m.hint(err)), nil
	}
	m.input.Reset()
	return m.suggest(), cmd
}

// wanted is the item that the entry line stands for: the article that was
// chosen, or what was typed.
func (m Model) wanted(entry string) (payments.Item, error) {
	if chosen := m.choice.chosen; chosen > 0 {
		article := m.choice.fit.Best[chosen-1]
		return payments.NewItem(article.Label, article.UnitPrice, m.choice.quantity)
	}
	item, err := Parse(entry, m.stock.shelf, m.Texts.Sale.FreeAmount)
	if err != nil {
		return payments.Item{}, err
	}
	return m.priced(item)
}

// add adds an item. One that is there already at the same price gets more of
// it, and that is said.
func (m Model) add(item payments.Item) (Model, tea.Cmd, error) {
	items, at, err := joined(slices.Clone(m.sale.Items), len(m.sale.Items), item)
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
	items, at, err := joined(slices.Delete(slices.Clone(before), m.cursor, m.cursor+1), m.cursor, item)
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
	m.notice = notice{text: m.Texts.Selling.Merged.With(item.Label, item.Quantity), line: at + 1}
	return m
}

// joined puts an item among others: into the line that is the same but for its
// quantity, or else in a line of its own at a place. It returns where that is.
func joined(items []payments.Item, place int, item payments.Item) ([]payments.Item, int, error) {
	at := slices.IndexFunc(items, func(other payments.Item) bool {
		other.Quantity = item.Quantity
		return other == item
	})
	if at < 0 {
		at, items = place, slices.Insert(items, place, item)
	} else {
		sum, err := times(item, items[at].Quantity+item.Quantity)
		if err != nil {
			return nil, 0, err
		}
		items[at] = sum
	}
	_, err := payments.Total(items)
	return items, at, err
}

// times is the item in another quantity.
func times(item payments.Item, quantity int64) (payments.Item, error) {
	changed, err := payments.NewItem(item.Label, item.UnitPrice, quantity)
	if err == nil {
		changed.ListPrice = item.ListPrice
	}
	return changed, err
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
		return m.ask(editing, Format(m.sale.Items[m.cursor])), nil
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
	changed, err := times(item, item.Quantity+step)
	if err == nil {
		m, cmd, err = m.replace(changed)
	}
	if err != nil {
		return m.Warn(m.hint(err)), nil
	}
	return m, cmd
}

// correct puts what was typed in the place of the chosen line. A line that had
// a discount keeps its old price with it.
func (m Model) correct(entry string) (Model, tea.Cmd) {
	if entry == "" {
		return m.told(), nil
	}
	before := m.sale.Items[m.cursor]
	item, err := m.wanted(entry)
	if err == nil && item.Label == before.Label && before.ListPrice > item.UnitPrice {
		item.ListPrice = before.ListPrice
	}
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.replace(item)
	}
	if err != nil {
		return m.Warn(m.hint(err)), nil
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
func (m Model) hint(err error) string {
	hints := m.Texts.Hints
	var several *SeveralError
	var unknown *UnknownCodeError
	switch {
	case errors.As(err, &several):
		return hints.Several.With(strings.Join(several.Labels, ", "))
	case errors.As(err, &unknown):
		return hints.UnknownCode.With(unknown.Code)
	case errors.Is(err, ErrNoPrice):
		return hints.NoPrice
	case errors.Is(err, ErrQuantity):
		return hints.BadQuantity
	case errors.Is(err, ErrTwoQuantities):
		return hints.TwoQuantities
	case errors.Is(err, ErrDiscount):
		return hints.BadDiscount
	case errors.Is(err, payments.ErrTooLarge):
		return hints.TooLarge
	case errors.Is(err, payments.ErrNotAmount):
		return hints.BadPrice
	}
	return hints.NotUnderstood
}
