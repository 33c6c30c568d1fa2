package sale

import (
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

// typed takes a key while the entry line takes a new line.
func (m Model) typed(msg tea.KeyMsg) (Model, tea.Cmd) {
	next := key.Matches(msg, m.keys.Pick.Next)
	digit, alone := singleDigit(m.line.Value())
	switch {
	case m.choice.offered() && next:
		return m.chosen(+1), nil
	case m.choice.offered() && key.Matches(msg, m.keys.Pick.Previous):
		return m.chosen(-1), nil
	case key.Matches(msg, m.keys.Tab) && alone:
		m.line = m.line.With("")
		return m.favourite(digit)
	case key.Matches(msg, m.keys.Tab) && m.line.Empty():
		return m.offerFavourites(), nil
	case key.Matches(msg, m.keys.Enter):
		return m.enter()
	case key.Matches(msg, m.keys.Back):
		return m.back(), nil
	case key.Matches(msg, m.keys.Line.Up) && !m.cart.Empty():
		m.cursor = len(m.cart.Items()) - 1
		return m.become(choosing), nil
	}
	return m.write(msg)
}

// back gives up the choice of an article, or else the text of the entry line, or
// else asks whether to drop the sale.
func (m Model) back() Model {
	m.notice = notice{}
	switch {
	case m.choice.chosen > 0:
		m.choice.chosen = 0
		return m
	case m.line.Empty() && !m.cart.Untouched():
		return m.become(dropping)
	}
	m.line = m.line.With("")
	return m.suggest()
}

// write hands a key to the entry line.
func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	before := m.line.Text()
	m.line, cmd = m.line.Type(msg)
	m.notice = notice{}
	if m.line.Text() != before {
		m = m.suggest()
	}
	return m, cmd
}

// become changes what the keys mean.
func (m Model) become(next mode) Model {
	m.mode = next
	return m.suggest()
}

// ask lets the entry line take something else than a new line: value stands in
// it. What was typed comes back afterwards.
func (m Model) ask(next mode, value string) Model {
	m.draft, m.notice = m.line.Text(), notice{}
	m.line = m.line.With(value)
	return m.become(next)
}

// resumeDraft gives the entry line back to new lines, with what was typed before.
func (m Model) resumeDraft() Model {
	m.line, m.draft = m.line.With(m.draft), ""
	return m.become(entering)
}

// fill takes a key while the entry line takes something else than a new line.
func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Back):
		m.notice = notice{}
		return m.resumeDraft(), nil
	case !key.Matches(msg, m.keys.Enter):
		return m.write(msg)
	}
	text := m.line.Value()
	switch {
	case m.mode == noting:
		m.cart = m.cart.Annotate(text)
		return m.resumeDraft().flush()
	case m.mode == naming:
		return m.hold(text)
	case text == "":
		return m.resumeDraft(), nil
	case m.mode == discounting:
		c, line, err := m.cart.Discount(m.cursor, text)
		return m.corrected(c, line, err)
	}
	item, err := m.read(text)
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	c, line, err := m.cart.Correct(m.cursor, item)
	return m.corrected(c, line, err)
}

// corrected shows a correction, or why it was refused.
func (m Model) corrected(c cart.Cart, line cart.Line, err error) (Model, tea.Cmd) {
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	m, cmd := m.changed(c, line)
	return m.resumeDraft(), cmd
}

// hold puts the sale aside under a name, and begins a new one. What stood in
// the entry line stays there.
func (m Model) hold(name string) (Model, tea.Cmd) {
	c, name, err := m.cart.Hold(name, m.Now())
	if errors.Is(err, cart.ErrNameTaken) {
		return m.Warn(func(t i18n.Texts) string { return t.Held.Taken }), nil
	}
	m.cart = c
	return m.resumeDraft().Say(func(t i18n.Texts) string { return t.Held.Done.With(name) }).flush()
}

// enter takes what the entry line holds: a new line, or, when it is empty, the
// wish to charge.
func (m Model) enter() (Model, tea.Cmd) {
	text := m.line.Value()
	if text == "" && m.choice.chosen == 0 {
		m.line = m.line.With("")
		if m.cart.Empty() {
			return m.suggest(), nil
		}
		return m.askCharge(), nil
	}
	item, err := m.read(text)
	if err != nil && !m.stock.known() {
		m.stock.entered = text
		return m, nil
	}
	return m.add(item, err, "")
}

// read returns the item that the entry line stands for: the article that was
// chosen, or what was typed.
func (m Model) read(text string) (payments.Item, error) {
	if chosen := m.choice.chosen; chosen > 0 {
		article := m.choice.fit.Best[chosen-1]
		return payments.NewItem(article.Label, article.UnitPrice, m.choice.quantity)
	}
	if quantity, repeats := m.repeats(text); repeats {
		item := m.cart.Items()[len(m.cart.Items())-1]
		item.Quantity = quantity
		return item, nil
	}
	item, err := entry.Parse(text, m.stock.shelf, m.Texts.Sale.FreeAmount)
	if err != nil {
		return payments.Item{}, err
	}
	return m.stock.shelf.Priced(item)
}

// repeats reads an entry that sells what the last line sells once more ("+") or
// several times ("x2").
func (m Model) repeats(text string) (quantity int64, ok bool) {
	if text = strings.TrimSpace(text); m.cart.Empty() || m.mode != entering {
		return 0, false
	}
	if text == "+" {
		return 1, true
	}
	quantity, ok = entry.Quantity(text)
	return quantity, ok && strings.HasPrefix(strings.ToLower(text), "x")
}

// The prices between which nothing is asked.
const (
	usualFrom = 50
	usualTo   = 10_000_000
)

// unusual tells whether a price is rather a slip of the fingers: it is very low or
// very high, and not the price of an article.
func (m Model) unusual(item payments.Item) bool {
	article, known := m.stock.shelf.Labelled(item.Label)
	return (item.UnitPrice < usualFrom || item.UnitPrice > usualTo) && (!known || article.UnitPrice != item.UnitPrice)
}

// add adds an item, unless err says that there is none. rest stands in the entry
// line then.
func (m Model) add(item payments.Item, err error, rest string) (Model, tea.Cmd) {
	var c cart.Cart
	var line cart.Line
	if err == nil {
		c, line, err = m.cart.Add(item)
	}
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	if m.line.Text() != rest {
		m.line = m.line.With(rest)
	}
	m, cmd := m.changed(c, line)
	if m.unusual(item) {
		m.notice.fault, m.notice.message = true, func(t i18n.Texts) string {
			return t.Hints.SoldUnusual.With(i18n.Money(item.UnitPrice))
		}
	}
	return m.suggest(), cmd
}

// changed shows a change of a line. One that joined another says so.
func (m Model) changed(c cart.Cart, line cart.Line) (Model, tea.Cmd) {
	m.cart, m.notice, m.Welcome, m.cursor = c, notice{line: line.Index + 1}, "", line.Index
	if line.Joined {
		item := c.Items()[line.Index]
		m.notice.message = func(t i18n.Texts) string {
			return t.Selling.Merged.With(item.Label, i18n.Number(item.Quantity))
		}
	}
	return m.flush()
}

func hint(err error) i18n.Message {
	return func(t i18n.Texts) string { return cart.Hint(t.Hints, err) }
}
