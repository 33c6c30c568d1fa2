package sale

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/wording/errortext"
)

type notice struct {
	message i18n.Message
	fault   bool      // Whether the message is an error.
	line    int       // Number of the line that the message is about, from 1; 0 for none.
	at      time.Time // When the line changed.
	code    string    // Unknown code in the message; may be blank.
	// The cashier asked for the held sales while they were being read.
	awaitsSales bool
}

// newFor is how long a changed line is marked.
const newFor = 3 * time.Second

type notices struct {
	notice  notice
	scanned i18n.Message // Message about an article added on the payment screen; nil without one.
}

// Warn shows an error in or above the entry line.
func (n *notices) Warn(message i18n.Message) { n.notice = notice{message: message, fault: true} }

// Say shows a message in or above the entry line.
func (n *notices) Say(message i18n.Message) { n.notice = notice{message: message} }

func (n *notices) refuse(err error) {
	n.Warn(func(t i18n.Texts) string { return errortext.NotEntered(t, err) })
}

// Uncovered shows the message about an article added on the payment screen, if there is one. Call
// it when the sale screen is visible again.
func (n *notices) Uncovered() {
	if n.scanned != nil {
		n.Say(n.scanned)
		n.scanned = nil
	}
}

// sayAdded shows which item was added, unless there already is a message. If next is true, the
// payment screen is open, and [notices.Uncovered] shows the message again.
func (n *notices) sayAdded(item payments.Item, next bool) {
	if n.notice.message == nil {
		n.Say(func(t i18n.Texts) string {
			label := item.Label
			if item.Quantity > 1 {
				label = i18n.Number(item.Quantity) + " × " + label
			}
			if next {
				return t.Sale.ForNext.With(label, i18n.Money(item.Total()))
			}
			return t.Sale.Added.With(label, i18n.Money(item.Total()))
		})
	}
	if next {
		n.scanned = n.notice.message
	}
}
