package sale

import (
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
)

// typed takes a key of the entry line while it takes a new line.
func (m Model) typed(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch back := key.Matches(msg, m.keys.Back); {
	case m.choice.offered() && key.Matches(msg, m.keys.Next):
		return m.chosen(+1), nil
	case m.choice.offered() && key.Matches(msg, m.keys.Previous):
		return m.chosen(-1), nil
	case m.line.Empty() && key.Matches(msg, m.keys.Tab):
		all := m.Counter.Shelf().Favourites()
		m.choice = choice{fit: entry.Fit{Best: all, Total: len(all)}, quantity: 1}
		return m.chosen(+1), nil
	case key.Matches(msg, m.keys.Enter):
		return m.enter(), nil
	case back && m.choice.chosen > 0:
		m.choice.chosen = 0
		return m, nil
	case back && m.line.Empty() && !m.cart().Untouched():
		m.Counter.Drop()
		return m, nil
	case back:
		m.line = m.line.With("")
		return m.suggest(), nil
	case key.Matches(msg, m.keys.Up) && !m.cart().Empty():
		m.cursor = len(m.items()) - 1
		return m.become(choosing), nil
	}
	if lines := strings.FieldsFunc(string(msg.Runes), func(r rune) bool { return r == '\n' || r == '\r' }); len(lines) > 0 {
		return m.paste(msg, lines)
	}
	return m.write(msg)
}

// paste types lines that were pasted at once, each as if Enter stood behind it but
// for the last. From one on that is not understood they are one text.
func (m Model) paste(msg tea.KeyMsg, lines []string) (Model, tea.Cmd) {
	msg.Runes = []rune(lines[0])
	m, cmd := m.write(msg)
	if len(lines) == 1 {
		return m, cmd
	}
	if m.line.Value() != "" {
		m = m.enter()
	}
	if !m.line.Empty() {
		m.notice = notice{}
		msg.Runes = []rune(" " + strings.Join(lines[1:], " "))
		return m.write(msg)
	}
	m, next := m.paste(msg, lines[1:])
	return m, tea.Batch(cmd, next)
}

func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	before := m.line.Text()
	if m.line, cmd = m.line.Type(msg); m.line.Text() != before {
		m = m.suggest()
	}
	return m, cmd
}

// fill takes a key while the entry line takes something else than a new line.
func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	text := m.line.Value()
	switch {
	case key.Matches(msg, m.keys.Back):
		return m.leave(), nil
	case !key.Matches(msg, m.keys.Enter):
		return m.write(msg)
	case text == "" && m.mode.onLine():
		return m.leave(), nil
	}
	line, err := cart.Line{}, error(nil)
	switch m.mode {
	case noting:
		m.Counter.Annotate(text)
		return m.leave(), nil
	case naming:
		return m.hold(text), nil
	case discounting:
		line, err = m.Counter.Discount(m.cursor, text)
	case editing:
		var item payments.Item
		item, err = m.read(text)
		if err == nil {
			line, err = m.Counter.Replace(m.cursor, item)
		}
	}
	m = m.changed(line, err)
	if err == nil {
		m = m.leave()
	}
	return m, nil
}

// hold holds the sale under a name, or says that another one has it.
func (m Model) hold(name string) Model {
	name, free := m.Counter.Hold(name)
	if !free {
		return m.Warn(func(t i18n.Texts) string { return t.Held.Taken })
	}
	return m.leave().Say(func(t i18n.Texts) string { return t.Held.Done.With(name) })
}

// enter takes what the entry line holds: a new line, or, when it is empty, the
// wish to charge.
func (m Model) enter() Model {
	text := m.line.Value()
	if text == "" && m.choice.chosen == 0 {
		m.line = m.line.With("")
		m.Counter.Charge()
		return m.suggest()
	}
	item, err := m.read(text)
	switch {
	case err != nil && !m.Counter.Stocked():
		m.entered = text
		return m
	case err != nil:
		return m.changed(cart.Line{}, err)
	}
	return m.add(item, true)
}

// read returns the item that the entry line stands for: the article that was
// chosen, or what was typed.
func (m Model) read(text string) (payments.Item, error) {
	if chosen := m.choice.chosen; chosen > 0 {
		return units(m.choice.fit.Best[chosen-1], m.choice.quantity), nil
	}
	return entry.Parse(text, m.Counter.Shelf(), m.Texts.Sale.FreeAmount)
}

func units(article payments.Article, quantity int64) payments.Item {
	return payments.Item{Label: article.Label, UnitPrice: article.UnitPrice, Quantity: quantity}
}

// unusual tells whether a line is rather a slip of the fingers: very many pieces,
// or a very low or very high price that is not an article's.
func (m Model) unusual(item payments.Item) bool {
	const from, to, pieces = 50, 10_000_000, 1_000
	article, known := m.Counter.Shelf().Labelled(item.Label)
	odd := (item.UnitPrice < from || item.UnitPrice > to) && (!known || article.UnitPrice != item.UnitPrice)
	return odd || item.Quantity > pieces
}

// add adds an item, and empties the entry line if that stood for it.
func (m Model) add(item payments.Item, typed bool) Model {
	line, err := m.Counter.Add(item)
	if err == nil && typed {
		m.line = m.line.With("")
	}
	return m.changed(line, err)
}

// hint says what to do about an entry that was not understood.
func hint(hints i18n.Hints, err error) string {
	if errors.Is(err, entry.ErrUnknownCode) {
		return wording.Hint(hints, err) + " " + hints.AddsOne
	}
	return wording.Hint(hints, err)
}

// changed shows a change of a line, or why it was refused. One that is unusual, or
// joined another, says so.
func (m Model) changed(line cart.Line, err error) Model {
	if err != nil {
		return m.Warn(func(t i18n.Texts) string { return hint(t.Hints, err) })
	}
	m = m.suggest()
	m.notice = notice{line: line.Index + 1}
	m.Welcome = ""
	m.cursor = line.Index
	item := m.items()[line.Index]
	quantity := i18n.Number(item.Quantity)
	switch {
	case m.unusual(item):
		m.notice.fault = true
		m.notice.message = func(t i18n.Texts) string {
			return t.Hints.SoldUnusual.With(quantity, i18n.Money(item.UnitPrice))
		}
	case line.Joined:
		m.notice.message = func(t i18n.Texts) string { return t.Sale.Merged.With(item.Label, quantity) }
	}
	return m
}

// The digits of the favourites' places, and what the same keys type without
// shift on an AZERTY keyboard.
const (
	digits = "123456789"
	azerty = "&é\"'(-è_ç"
)

// favourite adds the favourite of a key. A quantity alone in the entry line is its
// quantity; any other text stays.
func (m Model) favourite(msg tea.KeyMsg) Model {
	place := 1 + slices.Index([]rune(digits+azerty), msg.Runes[0])%len(digits)
	article, found := m.Counter.Shelf().Favourite(place)
	if !found {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.NoFavourite.With(place) })
	}
	quantity, alone := entry.Quantity(m.line.Text())
	return m.become(entering).add(units(article, max(1, quantity)), alone)
}

// choose takes a key for the chosen line. A printable key goes back to the
// entry line, so that nothing that is typed is lost.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	item := m.items()[m.cursor]
	switch {
	case key.Matches(msg, m.keys.Up):
		m.cursor = max(0, m.cursor-1)
	case key.Matches(msg, m.keys.Down) && m.cursor == len(m.items())-1, key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case key.Matches(msg, m.keys.Down):
		m.cursor++
	case key.Matches(msg, m.keys.More):
		return m.changed(m.Counter.SetQuantity(m.cursor, item.Quantity+1)), nil
	case key.Matches(msg, m.keys.Less):
		return m.changed(m.Counter.SetQuantity(m.cursor, max(1, item.Quantity-1))), nil
	case key.Matches(msg, m.keys.Remove):
		m.Counter.Remove(m.cursor)
		m.cursor = max(0, min(m.cursor, len(m.items())-1))
		if m.cart().Empty() {
			m = m.become(entering)
		}
	case key.Matches(msg, m.keys.Reduce):
		return m.ask(discounting, ""), nil
	case key.Matches(msg, m.keys.Edit):
		return m.ask(editing, entry.Format(item, m.Counter.Shelf())), nil
	case screen.Types(msg):
		return m.become(entering).typed(msg)
	}
	return m, nil
}

// undo takes the last change of the sale back, says which line is another one now
// and brings it into view. The entry line keeps what was typed, unless it corrects
// a line that may be another one now.
func (m Model) undo() Model {
	before := m.items()
	if !m.Counter.Undo() {
		return m
	}
	m = m.leave()
	m.cursor = 0
	after, at := m.items(), 0
	for at < min(len(before), len(after)) && before[at] == after[at] {
		at++
	}
	changed := before
	if len(before) < len(after) {
		changed = after
	}
	if at < len(changed) {
		m = m.Say(func(t i18n.Texts) string { return t.Sale.Undone.With(changed[at].Label) })
		m.notice.line = min(at+1, len(after))
	}
	return m
}

// Fills reports whether the entry line takes something else than a new line.
func (m Model) Fills() bool { return m.mode.takesText() }

// Commands reports whether letters are commands: for a chosen line.
func (m Model) Commands() bool { return m.mode == choosing }

// Scan adds the article of a scanned code to the sale, and returns what to say. before is
// the screen without the keys of the scan: other typed text stays. An open question is
// closed, because the sale has changed. next reports whether an order is shown, so that
// the article is for the next customer. Scan names an unknown code, and reads any other
// text as an entry.
func (m Model) Scan(code string, before Model, next bool) (Model, string) {
	if m.Counter.Charging() {
		return m, m.Texts.Sale.ScanLater
	}
	if m.asks() {
		m.Counter.Close()
	}
	if !m.mode.takesText() {
		m = m.become(entering)
	}
	m.line = before.line
	m, code = m.rejoin(code)
	m = m.suggest()
	item, whole, err := m.sold(code)
	if err != nil {
		m = m.changed(cart.Line{}, err)
		if errors.Is(err, entry.ErrUnknownCode) {
			m.notice.code = code
		} else {
			m.line = m.line.With(m.line.Text() + code)
		}
		return m, m.notice.message.In(m.Texts)
	}
	cursor := m.cursor
	m = m.add(item, whole)
	m.cursor = cursor
	if m.notice.message == nil {
		m = m.Say(func(t i18n.Texts) string {
			if next {
				return t.Sale.ForNext.With(item.Label, i18n.Money(item.UnitPrice))
			}
			return t.Sale.Added.With(item.Label, i18n.Money(item.UnitPrice))
		})
	}
	if next {
		m.scanned = m.notice.message
	}
	return m, m.notice.message.In(m.Texts)
}

// rejoin returns a code with the digits that a paused scan has left before it in the line.
// It leaves them there if the code without them is known and the whole code is not.
func (m Model) rejoin(code string) (Model, string) {
	text := m.line.Text()
	rest := strings.TrimRight(text, digits+"0")
	whole := text[len(rest):] + code
	if m.mode != entering || m.Knows(code) && !m.Knows(whole) {
		return m, code
	}
	m.line = m.line.With(rest)
	return m, whole
}

// sold returns what a scan sells, and whether it stands for all that is in the entry line.
func (m Model) sold(code string) (item payments.Item, whole bool, err error) {
	quantity, alone := entry.Quantity(m.line.Text())
	if article, known := m.Counter.Shelf().Coded(code); known {
		return units(article, max(1, quantity)), alone && m.mode == entering, nil
	}
	item, err = m.read(m.line.Text() + code)
	isNumber := strings.Trim(code, digits+"0") == ""
	if isNumber || err != nil && !strings.Contains(code, " ") && strings.ContainsAny(code, digits+"0") {
		err = &entry.Error{Err: entry.ErrUnknownCode, Text: code}
	}
	return item, true, err
}

// Knows tells whether a code is an article's.
func (m Model) Knows(code string) bool {
	_, known := m.Counter.Shelf().Coded(code)
	return known
}

// UnknownCode returns the unknown code that the notice names, or that stands in the entry
// line. It is blank if there is no such code.
func (m Model) UnknownCode() string {
	if m.notice.code != "" {
		return m.notice.code
	}
	_, err := entry.Parse(m.line.Value(), m.Counter.Shelf(), "")
	if about, known := errors.AsType[*entry.Error](err); known && errors.Is(err, entry.ErrUnknownCode) {
		return about.Text
	}
	return ""
}

// choice are the articles that fit what is being typed.
type choice struct {
	fit      entry.Fit
	quantity int64 // Beside the letters.
	chosen   int   // From 1; 0 while none is.
}

func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// suggest looks up what fits the entry line.
func (m Model) suggest() Model {
	m.choice = choice{}
	if m.mode == entering && !m.line.Empty() {
		m.choice.fit, m.choice.quantity = m.Counter.Shelf().Fitting(m.line.Text())
	}
	return m
}

// chosen moves the choice on by a step; beyond the last and before the first
// article none is chosen.
func (m Model) chosen(step int) Model {
	all := len(m.choice.fit.Best) + 1
	m.choice.chosen = (m.choice.chosen + step + all) % all
	return m
}

// next is the article that Enter adds, if what is typed names one.
func (m Model) next() (payments.Article, bool) {
	if fit := m.choice.fit; m.choice.chosen > 0 || fit.Sure {
		return fit.Best[max(0, m.choice.chosen-1)], true
	}
	return payments.Article{}, false
}
