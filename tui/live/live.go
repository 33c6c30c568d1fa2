// Package live contains the state that the console gives every screen, the messages between
// screens, and a loader that reads in the background.
package live

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
)

// Runner returns a command that runs work in the background, with the console's context.
type Runner func(work func(ctx context.Context) tea.Msg) tea.Cmd

// RunIn returns a [Runner] that passes ctx to its work.
func RunIn(ctx context.Context) Runner {
	return func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
}

// Console is the state that the console gives every screen.
type Console struct {
	Service *drawer.Service
	Run     Runner
	Till    string
	Tenders []drawer.Tender // Ways to pay at the counter, in the order of the key Tab.
	Shared  bool            // Whether the database is on a server.
	Motion  bool            // Changes may be animated.
	Key     string          // Function key of the screen; blank for the sale and the payment screen.
	Zone    *time.Location
	Theme   theme.Theme
	Texts   i18n.Texts
	// Name of the cashier who last answered a question, shared by all screens; nil if none is
	// suggested.
	Cashier  *string
	Receipts receipt.Config
}

// Entered is sent to a screen when the cashier opens it. Code is the unknown article code that the
// sale screen shows, or "".
type Entered struct{ Code string }

// Exited is sent to a screen when the cashier leaves it, but not when the payment screen covers it.
type Exited struct{}

// Closed is sent by a screen when the cashier closes it. Key is the function key of that screen.
type Closed struct{ Key string }

// Closes returns a command that sends [Closed] with the key of this screen.
func (c Console) Closes() tea.Cmd { return screen.Emit(Closed{c.Key}) }

// ShortNumber returns the last part of a reference, such as 0007. With a database server, the
// till's name precedes the number.
func (c Console) ShortNumber(till, reference string) string {
	number := reference[strings.LastIndex(reference, "-")+1:]
	if c.Shared {
		number = till + " " + number
	}
	return number
}

// ArticlesChanged is sent to every screen after the cashier has added, changed or deleted an
// article.
type ArticlesChanged struct{}

// OrderWanted is sent by a screen when the cashier wants to see an order or a cash sale. A blank
// reference means the list of orders to check or, if that is empty, the next list.
type OrderWanted struct {
	Reference string
	Claimed   bool // The customer says that the order is paid.
}

// NumberTyped is sent by the sale screen when the cashier has typed the number of a sale.
type NumberTyped struct{ Number string }

// Chosen is sent by a screen when the cashier has chosen an order for the payment screen. Key is
// the key that the payment screen then gets, or zero for none.
type Chosen struct {
	Order payments.Order
	Key   tea.KeyMsg
}

// CodeWanted is sent by a screen when the cashier wants to see the QR code of a payable order
// again.
type CodeWanted struct{ Order payments.Order }

// LinesWanted is sent by a screen when the cashier wants the lines of an order back in the sale.
type LinesWanted struct{ Order payments.Order }
