package tui

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

// found is the result of looking up the sale with a number.
type found struct {
	number string
	err    error
}

// knows reports whether an article has a code, or the code is the number of a sale.
func (m *model) knows(code string) bool {
	_, is := m.saleNumber(code)
	return is || m.sale.Knows(code)
}

// saleNumber returns the number of a sale that was scanned from a receipt. It returns false if the code
// is no such number, or if an article has it.
func (m *model) saleNumber(code string) (number string, is bool) {
	if m.sale.Knows(code) {
		return "", false
	}
	if number, is = payments.SaleNumber(code); is {
		return number, true
	}
	return payments.SaleNumber(keyboard.American(code))
}

// lookUp reads the sale with a number. The result is the message found.
func (m *model) lookUp(number string) tea.Cmd {
	m.lookedUp = number
	service := m.Service
	return m.Run(func(ctx context.Context) tea.Msg {
		_, _, err := service.Sale(ctx, number)
		return found{number, err}
	})
}

// found opens the sale that was looked up, or says why it does not. The open sale stays as it is. If a key
// was pressed meanwhile, found does nothing, because the next key is for the open screen.
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

// tell shows a message: in the sale if it is on the screen, else in the last row.
func (m *model) tell(message i18n.Message) {
	if m.route == routeSale && !m.covered() {
		*m.sale = m.sale.Warn(message)
		return
	}
	m.say(message.In(m.Texts))
}

func sayScanLater(t i18n.Texts) string   { return t.Sale.ScanLater }
func sayAnswerFirst(t i18n.Texts) string { return t.Sale.AnswerFirst }
