// Package counter is the checkout counter without a screen: the sale, the open question, the order
// call, and the shown order with its outcome. The console and the line mode share it.
//
// It guarantees:
//   - At most one question is open.
//   - Each yes to a question makes at most one order.
//   - A sale that the cashier charges is on disk before its order is sent. An order that
//     repeats another one uses the stored terms.
//   - No QR code is shown for an order that must not be paid.
//   - A charge that fails loses no line: only the cashier removes a line or drops a sale.
//
// A Counter does no input or output. A command changes its state and queues effects. The caller
// performs them and passes the results to [Counter.Take]. A Counter is not safe for concurrent use.
package counter

import (
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
)

// Config is what a counter needs from its caller.
type Config struct {
	Till    string
	Tenders []drawer.Tender // Ways to pay at the counter, in the order of [Counter.Tender].
	Words   Words           // The caller may change the words between two calls of the counter.
	Now     payments.Clock
	NewSale func() payments.Sale
	Health  func() payments.Health
	// How long an outcome, or a question that opened without a key press, must be visible before a
	// key answers it.
	Grace time.Duration
}

// Words are the texts that the counter writes into sales and records, in the cashier's language.
type Words struct {
	Rest    func(total money.Ariary) string // Description of the payment of the rest of a sale; see [payments.Part].
	Debt    string                          // Label of the line in a sale that pays a debt.
	Dropped string                          // Reason that is recorded when a dropped sale's payments are given back.
}

// Grace is the value of [Config.Grace] in the console. A key pressed earlier was probably meant for
// the previous screen.
const Grace = 700 * time.Millisecond

// Stage is the current step of a sale at the counter.
type Stage int

// The stages, in the order of a sale.
const (
	Selling Stage = iota // The cashier enters a sale.
	Sending              // The order call runs, and the cashier waits for it.
	Showing              // An order, a cash sale or an unbidden question is shown.
)

// OnAccount reports whether customers may buy on account at this till.
func (c Config) OnAccount() bool { return slices.Contains(c.Tenders, drawer.TenderAccount) }

// Counter is the state of one till's counter. Its parts share one queue. A part uses only the parts
// that are above it in this struct.
type Counter struct {
	*Config
	*queue
	*asking
	*watch
	*sales
	*catalogue
	*customers
	*announcer
	*showing
	unsure []FindCash // Queued after the next successful read of the store.
}

// New returns a counter with an empty sale. Call Begin to read the saved state.
func New(config Config) *Counter {
	queue := &queue{}
	asking := &asking{queue: queue}
	watch := &watch{Config: &config, queue: queue}
	sales := &sales{Config: &config, queue: queue, asking: asking, cart: cart.New(config.NewSale)}
	customers := &customers{queue: queue}
	announcer := newAnnouncer()
	c := &Counter{
		Config: &config, queue: queue, asking: asking, watch: watch, sales: sales, customers: customers, announcer: announcer,
		catalogue: &catalogue{Config: &config, queue: queue},
		showing: &showing{
			Config: &config, queue: queue, asking: asking, watch: watch, sales: sales, customers: customers, announcer: announcer,
		},
	}
	c.look()
	return c
}

// Stage returns the current step of the sale.
func (c *Counter) Stage() Stage {
	switch {
	case c.charging.waiting():
		return Sending
	case c.shown.Order.Reference != "", c.shown.Cash.Number != "", c.question != nil && c.question.Unbidden:
		return Showing
	}
	return Selling
}
