package sale

import (
	"errors"
	"slices"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

// changed shows the result of a change of the sale.
func (m Model) changed(line cart.Line, err error) Model {
	if err != nil {
		m.refuse(err)
		return m
	}
	m.suggest()
	m.notice = notice{line: line.Index + 1, at: m.Counter.Picture().Now}
	m.Greeting = m.welcomed()
	m.cursor = line.Index
	item := m.Counter.Cart().Items()[line.Index]
	quantity := i18n.Number(item.Quantity)
	switch {
	case m.reader().unusual(item):
		m.notice.fault = true
		m.notice.message = func(t i18n.Texts) string {
			return t.Hints.SoldUnusual.With(quantity, i18n.Money(item.UnitPrice))
		}
	case line.Joined:
		m.notice.message = func(t i18n.Texts) string { return t.Sale.Merged.With(item.Label, quantity) }
	}
	return m
}

// add adds items to the sale. If typed is true, they come from the entry line, and add clears the
// line after a success.
func (m Model) add(typed bool, items ...payments.Item) Model {
	line, err := m.Counter.Add(items...)
	if err == nil && typed {
		m.line = m.line.SetText("")
	}
	return m.changed(line, err)
}

// enter adds the items in the entry line, takes a discount off the sale, or asks whether to charge
// the sale. Before the articles are read, a text that is not understood waits for articlesRead.
func (m Model) enter() Model {
	text := m.line.Value()
	if text == "" && m.choice.chosen == 0 {
		m.line = m.line.SetText("")
		m.Counter.Charge()
		m.suggest()
		return m
	}
	if off, is, err := entry.SaleDiscount(text, cart.Total(m.Counter.Cart().Items())); is && m.choice.chosen == 0 {
		m.discountAll(off, err)
		return m
	}
	items, err := m.reader().items(text)
	weight, asks := errors.AsType[*entry.WeightError](err)
	switch {
	case err != nil && !m.Counter.ArticlesRead():
		m.early = text
		return m
	case asks:
		m.weigh(weight, true)
		return m
	case err != nil:
		return m.changed(cart.Line{}, err)
	}
	return m.add(true, items...)
}

// UnknownCode returns the unknown article code in the notice or in the entry line, or "".
func (m Model) UnknownCode() string {
	if m.notice.code != "" {
		return m.notice.code
	}
	_, err := entry.Parse(m.line.Value(), m.Counter.Shelf(), wording.EntryWords(m.Texts))
	if about, known := errors.AsType[*entry.Error](err); known && errors.Is(err, entry.ErrUnknownCode) {
		return about.Text
	}
	return ""
}

// RemoveNumber removes the number of a sale from the entry line, because that sale is shown now.
func (m Model) RemoveNumber(number string) Model {
	if typed, _ := m.reader().saleNumber(m.line.Value()); typed == number {
		m.line = m.line.SetText("")
	}
	m.suggest()
	return m
}

// Interrupt removes what a scanner typed, and closes a question about the sale: a code is neither
// an answer nor an amount. While the sale is being charged, or an owner is asked, it closes no
// question.
func (m Model) Interrupt(typed string) Model {
	if m.owners.Open() {
		m.owners.Question = m.owners.Untype(typed)
		return m
	}
	m.line = m.line.Untype(typed)
	m.debts.pays = m.debts.pays.Untype(typed)
	if m.Counter.Charging() {
		return m
	}
	if m.Counter.Asking().OfSale() {
		m.Counter.DismissQuestion()
	}
	if m.mode == tendering {
		m.takeLines()
	}
	if !m.mode.takesText() {
		m.become(entering)
	}
	m.suggest()
	return m
}

// Scan adds the article with a scanned code to the sale, and returns the message to show. Before
// the articles are read, Scan keeps the code for later. next says that the article is for the next
// customer.
func (m Model) Scan(scan keyboard.Scan, next bool) (Model, string) {
	m = m.Interrupt(scan.Typed)
	if says := m.closedFor(); says != "" {
		return m, says
	}
	if m.mode == weighing {
		m.weighFirst()
		return m, m.notice.message.In(m.Texts)
	}
	if !m.Counter.ArticlesRead() {
		m.scans = append(slices.Clip(m.scans), keyboard.Scan{Code: scan.Code})
		return m, ""
	}
	code := m.rejoin(scan.Code)
	m.suggest()
	typed, isEntry := "", !m.mode.takesText()
	if isEntry {
		typed = m.line.Text()
	}
	item, whole, err := m.reader().scanned(typed, code)
	if weight, asks := errors.AsType[*entry.WeightError](err); asks && m.mode == entering {
		m.weigh(weight, whole)
		return m, errortext.NotEntered(m.Texts, weight)
	}
	if err != nil {
		m = m.changed(cart.Line{}, err)
		if errors.Is(err, entry.ErrUnknownCode) {
			m.notice.code = code
		} else {
			m.line = m.line.SetText(m.line.Text() + code)
		}
		return m, m.notice.message.In(m.Texts)
	}
	cursor := m.cursor
	m = m.add(whole && isEntry, item)
	m.cursor = cursor
	m.sayAdded(item, next)
	return m, m.notice.message.In(m.Texts)
}

// closedFor returns why no article can be added to the sale now, or "". During a payment, or while
// a question about it is open, an article would belong neither to this sale nor to the next one.
func (m Model) closedFor() string {
	switch {
	case m.Counter.Charging():
		return m.Texts.Sale.ScanLater
	case m.Counter.Doubted(), m.owners.Open():
		return m.Texts.Sale.AnswerFirst
	}
	return ""
}
