// Package live contains the state that the console gives every screen, the messages between
// screens, and a loader that reads in the background.
package live

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
)

// Runner returns a command that does slow work in the background. It passes the console's
// context to the work.
type Runner func(work func(ctx context.Context) tea.Msg) tea.Cmd

// Console is the state that the console gives every screen.
type Console struct {
	Service *drawer.Service
	Run     Runner
	Till    string
	Tenders []drawer.Tender // Ways to pay at the counter, in the order in which the key Tab offers them.
	Shared  bool            // Whether the database is on a server, so that several tills may share it.
	Motion  bool            // Changes may be animated.
	Demo    bool            // Whether the console runs as a demo, so that no sale is real.
	Key     string          // Function key that opens and closes the screen; blank for the sale and the payment screen.
	Zone    *time.Location
	Theme   theme.Theme
	Texts   i18n.Texts
	// Cashier is the name of the cashier who last answered a question; the next question suggests
	// it. It is nil if no question suggests a cashier.
	Cashier *string
	// Receipts says what is on the till's receipts, and when and where they are printed.
	Receipts receipt.Config
}

// Entered is sent to a screen when the cashier opens it. Code is the unknown code that the sale shows,
// or "".
type Entered struct{ Code string }

// Exited is sent to a screen when the cashier leaves it. A screen that the payment screen only
// covers does not get it.
type Exited struct{}

// Closed is sent by a screen when the cashier closes it. Key is the function key of the screen: another
// screen may be open when the message arrives.
type Closed struct{ Key string }

// Closes returns a command that sends [Closed] with the key of this screen.
func (c Console) Closes() tea.Cmd { return screen.Emit(Closed{c.Key}) }

// ArticlesChanged is sent to every screen when an article was added, changed or deleted.
type ArticlesChanged struct{}

// OrderWanted is sent by a screen when the cashier wants to see the details of an order. If the
// reference is blank, the cashier wants the list of orders to check. The reference may also be the
// number of a cash sale. The console passes it to the screen of the orders.
type OrderWanted struct {
	Reference string
	Claimed   bool // The customer says that the order is paid.
}

// NumberTyped is sent by the sale screen when the cashier has typed the number of a sale.
type NumberTyped struct{ Number string }

// Chosen is sent by a screen when the cashier has chosen an order to see its code or outcome.
type Chosen struct{ Order payments.Order }

// CodeWanted is sent by a screen when the cashier wants to see the code of an order again. The
// order can still be paid.
type CodeWanted struct{ Order payments.Order }

// LinesWanted is sent by a screen when the cashier wants the lines of an order back, to correct
// them or to use them for another sale.
type LinesWanted struct{ Order payments.Order }
