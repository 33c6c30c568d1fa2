// Package counter is the checkout counter without a screen: the sale, the open question,
// the order call, and the shown order with its outcome. The console and the line mode
// share it, so that they follow the same rules. Both call its commands, perform its
// effects and handle its facts.
//
// It guarantees:
//   - At most one question is open.
//   - Each yes to a question makes at most one order.
//   - A sale that the cashier charges is on disk before its order is sent. An order that
//     repeats an earlier one, as in [Counter.Resend] and [Counter.Again], uses the stored
//     terms, so the sale is not written again.
//   - No QR code is shown for an order that must not be paid.
//   - A line of a sale is lost only when the cashier removes it or drops the sale.
//
// A Counter does no input or output. A command changes its state and queues effects. The
// caller performs them and passes the results to [Counter.Take]. A Counter is not safe
// for concurrent use.
package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

// Config is the configuration of a counter.
type Config struct {
	Till    string
	Tenders []drawer.Tender                 // Ways to pay at the counter, in the order of [Counter.Tender].
	Rest    func(total money.Ariary) string // Names the payment of the rest of a sale; see [payments.Part].
	Debt    string                          // The name of the line of a sale that pays a debt.
	Dropped string                          // The reason why a part is given back: its sale is dropped.
	Now     payments.Clock
	NewSale func() payments.Sale
	Health  func() payments.Health
	// Grace is how long an outcome, or a question that opened without a key press, must be
	// visible before a key answers it. It is 0 in line mode.
	Grace time.Duration
}

// Grace is the value of [Config.Grace] in the console. A key that is pressed within this time after
// an outcome appears was probably meant for the earlier screen.
const Grace = 700 * time.Millisecond

// Stage is the current step of a sale.
type Stage int

// The stages.
const (
	Selling Stage = iota // The cashier enters a sale.
	Sending              // The service is asked for an order, and the cashier waits.
	Showing              // An order, a cash sale or a question with [Question.Unbidden] is shown.
)

// Counter is the state of one till's counter.
type Counter struct {
	Config
	seller  string // Name of the cashier who has signed in; empty without one.
	cart    cart.Cart
	changes int  // Number of changes of the cart.
	saving  bool // A [SaveSale] is under way.
	// salesRead is true once the saved sales were read, and readingSales while they are read.
	salesRead, readingSales bool
	unsure                  *FindCash // Looks for a cash sale that may be stored, after the next successful read of the store; nil without one.
	catalogue               catalogue
	debtors                 []drawer.Debtor // The customers of the last read.
	question                *Question
	asked                   int // Number of questions that were asked.
	charging                charging
	shown                   Shown
	// leftCode is the reference of the order that [Counter.TypeNext] closed. It is blank again once the
	// next sale has a line or another order is shown.
	leftCode  string
	watch     watch
	announcer announcer
	effects   []Effect
	facts     []Fact
}

// New returns a counter with an empty sale. Call Begin to read the saved state.
func New(config Config) *Counter {
	c := &Counter{Config: config, cart: cart.New(config.NewSale), announcer: newAnnouncer()}
	c.look()
	return c
}

// Drain returns and removes the queued effects and facts. The caller performs the effects and
// handles the facts.
func (c *Counter) Drain() ([]Effect, []Fact) {
	effects, facts := c.effects, c.facts
	c.effects = nil
	c.facts = nil
	return effects, facts
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

// SignIn makes the named cashier the one who sells from now on.
func (c *Counter) SignIn(name string) { c.seller = name }

// Seller returns the name of the cashier who has signed in, or "".
func (c *Counter) Seller() string { return c.seller }

// Picture returns the last snapshot of the store.
func (c *Counter) Picture() Picture { return c.watch.picture }

// Cart returns the sale, the held sales, and the sales that are not yet on disk.
func (c *Counter) Cart() cart.Cart { return c.cart }

// Shelf returns the articles of the last read.
func (c *Counter) Shelf() entry.Shelf { return c.catalogue.shelf }

// ArticlesRead reports whether the articles were read at least once, or could not be read.
func (c *Counter) ArticlesRead() bool { return c.catalogue.loaded }

// Charging reports whether a confirmed charge is under way: the sale is being written, or cash is
// being taken.
func (c *Counter) Charging() bool { return c.charging.underWay() }

// Doubted reports whether the open question asks to charge the current sale in spite of another
// payment.
func (c *Counter) Doubted() bool {
	return c.question != nil && c.question.Unbidden && c.question.Terms.Sale == c.cart.Sale.ID
}

func (c *Counter) do(effect Effect) { c.effects = append(c.effects, effect) }

func (c *Counter) tell(facts ...Fact) { c.facts = append(c.facts, facts...) }

// Question returns the open question, or nil.
func (c *Counter) Question() *Question { return c.question }

// Asking returns the kind of the open question, or "" if none is open.
func (c *Counter) Asking() Kind {
	if c.question == nil {
		return ""
	}
	return c.question.Kind
}

func (c *Counter) ask(question Question) {
	c.asked++
	c.question = &question
	c.tell(Asked{question})
}

// DismissQuestion closes the question without an answer, for example because the cashier types
// something else. It does nothing while a confirmed charge is under way.
func (c *Counter) DismissQuestion() {
	if !c.Charging() {
		c.question = nil
	}
}
