package sale

import (
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording/errortext"
)

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !key.Matches(msg, m.keys.Enter) { // Enter keeps the notice until it sets another one or opens a question.
		m.notice = notice{}
	}
	free := (m.mode == entering || m.mode == choosing) && !m.Counter.Asking().OfSale()
	undoes := m.mode == entering || m.mode == choosing || m.mode == editing
	switch {
	case m.Counter.Charging():
		return m, nil
	case m.owners.Open():
		var cmd tea.Cmd
		m.owners.Question, cmd = m.owners.Press(m.Console, msg)
		return m, cmd
	case key.Matches(msg, m.keys.Undo) && undoes:
		m.undo()
		return m, nil
	case m.Counter.Asking().OfSale():
		return m.answer(msg)
	case key.Matches(msg, m.keys.Note) && free:
		m.takeText(noting, m.Counter.Cart().Sale.Description)
		return m, nil
	case key.Matches(msg, m.keys.Favourite) && free:
		m, _ = m.favourite(msg)
		return m, nil
	case m.mode == entering:
		return m.typed(msg)
	case m.mode == choosing:
		return m.choose(msg)
	case m.mode == resuming:
		return m.pick(msg)
	case m.mode == owing:
		return m.pressDebts(msg)
	}
	return m.fill(msg)
}

func (m Model) typed(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch back := key.Matches(msg, m.keys.Back); {
	case m.choice.offered() && key.Matches(msg, m.keys.Next):
		m.choice = m.choice.moved(+1)
		return m, nil
	case m.choice.offered() && key.Matches(msg, m.keys.Previous):
		m.choice = m.choice.moved(-1)
		return m, nil
	case m.line.Empty() && key.Matches(msg, m.keys.Tab):
		m.choice = favourites(m.Counter.Shelf()).moved(+1)
		return m, nil
	case key.Matches(msg, m.keys.Enter):
		if number, is := m.reader().saleNumber(m.line.Value()); is {
			return m, screen.Emit(live.NumberTyped{Number: number})
		}
		return m.enter(), nil
	case back && m.choice.offered() && m.line.Empty():
		m.choice = choice{}
		return m, nil
	case back && m.choice.chosen > 0:
		m.choice.chosen = 0
		return m, nil
	case back && m.line.Empty() && !m.Counter.Cart().Untouched():
		m.Counter.Drop()
		return m, nil
	case back:
		m.line = m.line.SetText("")
		m.Counter.BackToCode()
		m.suggest()
		return m, nil
	case key.Matches(msg, m.keys.Up) && !m.Counter.Cart().Empty():
		m.cursor = len(m.Counter.Cart().Items()) - 1
		m.become(choosing)
		return m, nil
	}
	if lines := strings.FieldsFunc(string(msg.Runes), func(r rune) bool { return r == '\n' || r == '\r' }); len(lines) > 0 {
		return m.paste(msg, lines)
	}
	cmd := m.write(msg)
	return m, cmd
}

// paste enters pasted lines as if Enter followed each line that is not blank, except the last. A
// line that is not understood stays in the entry line, together with the lines after it.
func (m Model) paste(msg tea.KeyMsg, lines []string) (Model, tea.Cmd) {
	msg.Runes = []rune(lines[0])
	cmd := m.write(msg)
	if len(lines) == 1 {
		return m, cmd
	}
	if m.line.Value() != "" {
		m = m.enter()
	}
	if m.mode == weighing { // The next pasted line is no weight.
		m.draft = lines[0]
		m.takeLines()
	}
	if !m.line.Empty() {
		m.notice = notice{}
		msg.Runes = []rune(" " + strings.Join(lines[1:], " "))
		cmd := m.write(msg)
		return m, cmd
	}
	m, next := m.paste(msg, lines[1:])
	return m, tea.Batch(cmd, next)
}

// fill handles a key while the cashier types something other than a new line.
func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	text := m.line.Value()
	switch {
	case key.Matches(msg, m.keys.Back):
		m.takeLines()
		return m, nil
	case !key.Matches(msg, m.keys.Enter):
		cmd := m.write(msg)
		return m, cmd
	case text == "" && m.mode.onLine():
		m.takeLines()
		return m, nil
	}
	line, err := cart.Line{}, error(nil)
	switch m.mode {
	case noting:
		m.Counter.Annotate(text)
		m.takeLines()
		return m, nil
	case naming:
		m.hold(text)
		return m, nil
	case discounting:
		line, err = m.Counter.Discount(m.cursor, text)
	case weighing:
		var item payments.Item
		item, err = m.reader().weighed(m.weighs, text)
		if err == nil {
			line, err = m.Counter.Add(item)
		}
	case editing:
		var item payments.Item
		item, err = m.reader().item(text)
		if err == nil {
			line, err = m.Counter.Replace(m.cursor, item)
		}
	}
	m = m.changed(line, err)
	if err == nil {
		m.takeLines()
	}
	return m, nil
}

// favourite adds the favourite of a key such as Alt+1, and returns its item. If the entry line has
// only a quantity, favourite adds that quantity.
func (m Model) favourite(msg tea.KeyMsg) (Model, payments.Item) {
	place := placeOf(msg)
	article, found := m.Counter.Shelf().Favourite(place)
	if !found {
		m.Warn(func(t i18n.Texts) string { return t.Hints.NoFavourite.With(place) })
		return m, payments.Item{}
	}
	quantity, alone := entry.Quantity(m.line.Text())
	item, err := m.reader().units(article, quantity)
	if weight, asks := errors.AsType[*entry.WeightError](err); asks {
		m.weigh(weight, alone)
		return m, payments.Item{}
	}
	if err != nil {
		return m.changed(cart.Line{}, err), payments.Item{}
	}
	m.become(entering)
	return m.add(alone, item), item
}

// IsFavourite reports whether a key adds a favourite, such as Alt+1.
func (m Model) IsFavourite(msg tea.KeyMsg) bool { return key.Matches(msg, m.keys.Favourite) }

// FavouriteForNext adds the favourite of a key to the next customer's sale, and returns the message
// to show.
func (m Model) FavouriteForNext(msg tea.KeyMsg) (Model, string) {
	if says := m.closedFor(); says != "" {
		return m, says
	}
	switch {
	case m.mode == weighing:
		m.weighFirst()
		return m, m.notice.message.In(m.Texts)
	case m.mode.takesText():
		m.takeLines()
	}
	m.notice = notice{}
	m, item := m.favourite(msg)
	if m.mode == weighing {
		return m, errortext.NotEntered(m.Texts, m.weighs)
	}
	m.sayAdded(item, true)
	return m, m.notice.message.In(m.Texts)
}

// choose handles a key while a line of the sale is chosen.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	item := m.Counter.Cart().Items()[m.cursor]
	switch {
	case key.Matches(msg, m.keys.Up):
		m.cursor = max(0, m.cursor-1)
	case key.Matches(msg, m.keys.Down) && m.cursor == len(m.Counter.Cart().Items())-1, key.Matches(msg, m.keys.Back):
		m.become(entering)
	case key.Matches(msg, m.keys.Down):
		m.cursor++
	case key.Matches(msg, m.keys.More):
		return m.changed(m.Counter.SetQuantity(m.cursor, item.Quantity+1)), nil
	case key.Matches(msg, m.keys.Less) && item.Quantity == 1 && !item.Measured():
		m.Say(sayRemoves)
		return m, nil
	case key.Matches(msg, m.keys.Less):
		return m.changed(m.Counter.SetQuantity(m.cursor, max(1, item.Quantity-1))), nil
	case key.Matches(msg, m.keys.Remove):
		if err := m.Counter.Remove(m.cursor); err != nil {
			m.refuse(err)
			return m, nil
		}
		m.Say(func(t i18n.Texts) string { return t.Sale.Removed.With(item.Label) })
		m.cursor = max(0, min(m.cursor, len(m.Counter.Cart().Items())-1))
		if m.Counter.Cart().Empty() {
			m.become(entering)
		}
	case key.Matches(msg, m.keys.Reduce):
		m.takeText(discounting, "")
	case key.Matches(msg, m.keys.Edit):
		m.notice = notice{}
		m.takeText(editing, entry.Format(item, m.Counter.Shelf()))
	case keyboard.Types(msg):
		m.become(entering)
		return m.typed(msg)
	}
	return m, nil
}

// pick handles a key while the held sales are listed.
func (m Model) pick(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case keyboard.Types(msg):
		m.become(entering)
		return m.typed(msg)
	case key.Matches(msg, m.keys.Resume):
		name := m.held.sales()[m.held.current().Cursor()].Name
		m.Counter.Resume(m.held.current().Cursor())
		m.become(entering)
		m.Say(func(t i18n.Texts) string { return t.Held.Resumed.With(name) })
		return m, nil
	case key.Matches(msg, m.keys.Tab) && m.Counter.OnAccount():
		m.become(owing)
		m.debts.open()
		return m, nil
	case key.Matches(msg, m.keys.DropHeld):
		m.Counter.DropHeld(m.held.current().Cursor())
		return m, nil
	case key.Matches(msg, m.keys.Back):
		m.become(entering)
		return m, nil
	}
	m.held.list, _ = m.held.current().Update(msg)
	return m, nil
}

// answer handles a key while a question about the sale is open.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked, way := *m.Counter.Question(), m.way()
	onlyWay := asked.Kind == counter.AskTender && len(m.Counter.Ways()) == 1
	switch {
	case key.Matches(msg, m.keys.Tab) && asked.Kind.ByTender() && !onlyWay:
		m.Counter.Tender()
	case key.Matches(msg, m.keys.Back) && asked.Kind == counter.AskTender && asked.Part > 0:
		m.Counter.BackToRest() // The customer has given that part: the question for the whole sale would forget it.
		m.takeLines()
	case key.Matches(msg, m.keys.Back) && asked.Kind == counter.AskTender:
		m.Counter.No()
		m.Counter.Charge()
		m.takeLines()
	case way.Given:
		return m.tender(msg)
	case way.Named:
		return m.bill(msg)
	case key.Matches(msg, m.keys.Enter):
		m.Counter.Yes()
	case key.Matches(msg, m.keys.Back) && (asked.Kind == counter.AskRest || asked.Kind == counter.AskLess):
		m.Counter.ForgetPart()
	case key.Matches(msg, m.keys.Back):
		m.Counter.No()
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		m.Counter.DismissQuestion()
		m.become(entering)
		return m.press(msg)
	}
	return m, nil
}

// Hold handles the key F5. It closes an open list or the question for a name, asks for the name to
// hold the sale under, or lists the held sales or the debts.
func (m Model) Hold() Model {
	before := m.mode
	m.notice = notice{}
	m.owners.Question = m.owners.Close()
	if m.Counter.Charging() || m.owners.Open() {
		return m
	}
	m.Counter.DismissQuestion()
	m.takeLines()
	switch {
	case before == naming, before == resuming, before == owing:
		return m
	case !m.Counter.Cart().Untouched() && !m.line.Empty():
		m.Warn(sayBegun) // The typed text may belong to the sale that would be held.
		return m
	case !m.Counter.Cart().Untouched():
		m.takeText(naming, "")
		return m
	case len(m.held.sales()) == 0 && !m.Counter.SalesRead():
		m.Counter.ReadSales()
		m.notice = notice{message: sayReading, awaitsSales: true}
		return m
	case len(m.held.sales()) == 0 && m.Counter.OnAccount():
		m.become(owing)
		m.debts.open()
		return m
	case len(m.held.sales()) == 0:
		m.Say(sayNoneHeld)
		return m
	}
	m.held.list = m.held.current().Select(0)
	m.become(resuming)
	return m
}
