// Package counter is the checkout counter without a screen: the sale, the question
// that is open, the order call, and the order that is shown with its outcome. The
// console and the line mode call the same commands, perform the same effects and
// hear the same facts, so that each rule of the counter stands once.
//
// It guarantees that one question is open at a time, that an order is made only
// after a yes to a question, once for each yes and after the sale is on disk, that
// no code is shown for an order that must not be paid, and that a line is lost only
// when it is removed or its sale is dropped.
//
// A Counter does no input or output. A command changes its state and queues effects,
// which the caller performs and hands back to [Counter.Take]. It is for one goroutine.
package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

// Stage is what the counter is busy with.
type Stage int

// Config is what a counter needs.
type Config struct {
	Till    string
	Now     payments.Clock
	NewSale func() payments.Sale
	// Reach says whether a payment would be seen now. storeDown reports whether the
	// counter's last read of the store failed.
	Reach func(storeDown bool) payments.Reach
	// Grace is how long something that the cashier did not ask for must be visible
	// before an answer to it counts. It is 0 in the line mode.
	Grace time.Duration
}

// Grace is how long a new outcome must be visible on a screen before a key acknowledges
// it: a key that was on its way when the screen changed is not meant for it.
const Grace = 700 * time.Millisecond

// The stages.
const (
	Selling Stage = iota // A sale is entered.
	Sending              // The service is asked for an order, and the cashier waits for it.
	Showing              // An order is shown, or a question that its call raised.
)

// Counter is the state of one till's counter.
type Counter struct {
	Config
	cart      cart.Cart
	confirmed *payments.Terms // What is charged once the sale is on disk; nil for nothing.
	saving    bool            // A write is under way.
	catalogue catalogue
	question  *Question
	call      call
	calls     int // How many order calls are under way, also those that are not shown.
	shown     shown
	watch     watch
	effects   []Effect
	facts     []Fact
}

// New returns a counter with an empty sale. Begin reads the rest.
func New(config Config) *Counter {
	c := &Counter{Config: config, cart: cart.New(config.NewSale)}
	c.watch.announced = make(map[string]announcement)
	c.watch.ending = make(map[ending]bool)
	c.watch.orphans = make(map[string]bool)
	c.look()
	return c
}

// Drain returns the effects to perform and the facts to tell since the last call.
func (c *Counter) Drain() ([]Effect, []Fact) {
	effects, facts := c.effects, c.facts
	c.effects = nil
	c.facts = nil
	return effects, facts
}

// Stage returns what the counter is busy with.
func (c *Counter) Stage() Stage {
	switch {
	case c.call.shown:
		return Sending
	case c.shown.order.Reference != "", c.question != nil && c.question.Unbidden:
		return Showing
	}
	return Selling
}

// Picture returns what is known of the store.
func (c *Counter) Picture() Picture { return c.watch.picture }

// Cart returns the sale, the held sales, and the sales that are not on disk yet.
func (c *Counter) Cart() cart.Cart { return c.cart }

// Shelf returns the articles as they were read last.
func (c *Counter) Shelf() entry.Shelf { return c.catalogue.shelf }

// Stocked reports whether the articles were read at least once.
func (c *Counter) Stocked() bool { return !c.catalogue.at.IsZero() }

func (c *Counter) do(effect Effect) { c.effects = append(c.effects, effect) }

func (c *Counter) tell(fact Fact) { c.facts = append(c.facts, fact) }

// Question returns the open question, or nil.
func (c *Counter) Question() *Question { return c.question }

// ask opens a question. It takes the place of one that was open.
func (c *Counter) ask(question Question) {
	c.question = &question
	c.tell(Asked{question})
}

// Close closes the question without an answer, because the cashier types something else.
// A charge that was confirmed goes on.
func (c *Counter) Close() {
	if !c.Charging() {
		c.question = nil
	}
}
