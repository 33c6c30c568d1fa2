package tui

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

// found is sent after a sale was looked up by its number.
type found struct {
	number string
	err    error
}

// knows reports whether an article has a code, or the code looks like the number of a sale.
func (m *model) knows(code string) bool {
	_, isArticle := m.counter.Shelf().Coded(code)
	_, isSale := saleNumber(m.counter.Shelf(), code)
	return isArticle || isSale
}

// saleNumber returns the number of a sale that was scanned from a receipt, even by a scanner on a
// French keyboard. It returns false for the code of an article.
func saleNumber(shelf entry.Shelf, code string) (number string, is bool) {
	if _, isArticle := shelf.Coded(code); isArticle {
		return "", false
	}
	if number, is = payments.SaleNumber(code); is {
		return number, true
	}
	return payments.SaleNumber(keyboard.American(code))
}

func (m *model) lookUp(number string) tea.Cmd {
	m.lookedUp = number
	service := m.Service
	return m.Run(func(ctx context.Context) tea.Msg {
		_, _, err := service.Sale(ctx, number)
		return found{number, err}
	})
}

// found opens the sale that was looked up, or shows why it cannot. If a key was pressed meanwhile,
// it does nothing, because the cashier already works on the open screen.
func (m *model) found(msg found) tea.Cmd {
	if msg.number != m.lookedUp {
		return nil
	}
	m.lookedUp = ""
	switch {
	case errors.Is(msg.err, payments.ErrNotFound):
		m.tell(func(t i18n.Texts) string { return t.Sale.NoSale.With(msg.number) })
	case msg.err != nil:
		m.tell(wording.StoreDown)
	case m.counter.Stage() == counter.Sending || m.counter.Charging():
		m.tell(sayScanLater)
	case m.quitting() || m.route != routeSale && m.route != routePay && m.meaning().Asked != "":
		m.tell(sayAnswerFirst)
	default:
		m.help.open = false
		*m.sale = m.sale.RemoveNumber(msg.number)
		return m.handle(live.OrderWanted{Reference: msg.number})
	}
	return nil
}

// tell shows a message on the sale screen if that is visible, else in the last row of the window.
func (m *model) tell(message i18n.Message) {
	if m.route == routeSale && !m.covered() {
		m.sale.Warn(message)
		return
	}
	m.status.say(message.In(m.Texts))
}

func sayScanLater(t i18n.Texts) string   { return t.Sale.ScanLater }
func sayAnswerFirst(t i18n.Texts) string { return t.Sale.AnswerFirst }
