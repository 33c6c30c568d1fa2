package counter

import (
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// Kind is what a question is about.
type Kind string

// The questions.
const (
	AskCharge   Kind = "charge"    // Whether to charge the sale.
	AskDrop     Kind = "drop"      // Whether to drop the sale.
	AskDropHeld Kind = "drop held" // Whether to drop a held sale.
	AskAgain    Kind = "again"     // Whether to make another order of the same lines.
	AskPaid     Kind = "paid"      // Whether to charge a sale that is paid.
	AskDoubtful Kind = "doubtful"  // Whether to charge a sale of which a payment is in doubt.
	AskLeave    Kind = "leave"     // Whether to leave an order whose link can still be paid.
	AskDone     Kind = "done"      // Whether to close an order whose link can still be paid.
	AskNotice   Kind = "notice"    // Whether somebody looked at a payment that no order has.
	AskQuit     Kind = "quit"      // Whether to leave the program while payments are awaited.
)

// OfSale reports whether a question is about the current sale or a held one, before any
// order of it.
func (k Kind) OfSale() bool { return k == AskCharge || k == AskDrop || k == AskDropHeld }

// OfOrder reports whether a question is about an order.
func (k Kind) OfOrder() bool { return !k.OfSale() && k != AskNotice && k != AskQuit }

// Question is the question that is open. Only what its kind needs is set.
type Question struct {
	Kind   Kind
	Terms  payments.Terms  // What would be charged.
	Order  payments.Order  // The order that the question is about, or that stands in the way.
	Sale   payments.Sale   // The sale to drop.
	Record payments.Record // The payment without an order.
	Count  int             // How many payments are awaited.
	// Unbidden reports whether the answer of an order call raised the question. It must be
	// visible for [Config.Grace] before a yes counts.
	Unbidden bool

	seen Acknowledge // Acknowledges the order as the cashier saw it when the question was opened.
}

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
	if !c.charging {
		c.question = nil
	}
}

// No closes the question. If it was about an order call and no order is shown, nothing
// is left to show.
func (c *Counter) No() {
	question := c.question
	c.Close()
	if question != nil && question.Unbidden && c.shown.order.Reference == "" {
		c.tell(Left{})
	}
}

// Yes answers the question. It does nothing while the question could not be read yet.
func (c *Counter) Yes() {
	question := c.question
	switch {
	case question == nil || c.charging:
		return
	case question.Unbidden && c.Now().Before(c.shown.graceEnds):
		return
	}
	c.question = nil
	switch question.Kind {
	case AskCharge:
		c.charge(question)
	case AskDrop:
		c.keep(c.cart.Drop())
		c.tell(Dropped{})
	case AskDropHeld:
		if at := c.held(question.Sale); at >= 0 {
			c.keep(c.cart.DropHeld(at))
		}
	case AskAgain, AskPaid, AskDoubtful:
		c.send(question.Terms, question.seen)
	case AskLeave:
		c.leave()
	case AskDone:
		c.do(question.seen)
	case AskNotice:
		c.do(Notice{Record: question.Record})
	case AskQuit:
		c.tell(Quits{})
	}
}

// Charge asks whether to charge the sale. It is refused while a payment would not be seen.
func (c *Counter) Charge() {
	switch {
	case c.call.shown:
		c.tell(Refused{Busy})
	case c.cart.Empty():
		c.tell(Refused{Empty})
	case c.blind():
		c.tell(Refused{Blind})
	default:
		c.ask(Question{Kind: AskCharge, Terms: c.cart.Terms()})
	}
}

// charge writes the sale once more. Once it is on disk saved sends it.
func (c *Counter) charge(question *Question) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.question = question
	c.charging = true
	c.cart = c.cart.Save()
	c.save()
}

// Charging reports whether the charge is confirmed and the sale is being written.
func (c *Counter) Charging() bool { return c.charging }

// Drop asks whether to drop the sale.
func (c *Counter) Drop() {
	if c.cart.Untouched() {
		c.tell(Refused{Empty})
		return
	}
	c.ask(Question{Kind: AskDrop, Sale: c.cart.Sale})
}

// DropHeld asks whether to drop a held sale.
func (c *Counter) DropHeld(at int) { c.ask(Question{Kind: AskDropHeld, Sale: c.cart.Held[at]}) }

// NoticeOrphan asks whether a person looked at a payment that no order has.
func (c *Counter) NoticeOrphan(record payments.Record) {
	c.ask(Question{Kind: AskNotice, Record: record})
}

func (c *Counter) noticed(done Notice) {
	c.tell(Noticed{Record: done.Record, Err: done.Err})
	c.Wake()
}

// Quit leaves the program. While payments are awaited it asks first.
func (c *Counter) Quit() {
	awaited := c.Awaited()
	if awaited == 0 {
		c.tell(Quits{})
		return
	}
	c.ask(Question{Kind: AskQuit, Count: awaited})
}

// call is the order call that was sent last.
type call struct {
	number int
	shown  bool // The cashier waits for its answer.
	terms  payments.Terms
	began  time.Time
}

// Sending returns the terms of the order call that was sent last, and when it was sent.
// waited reports whether the cashier waits for its answer.
func (c *Counter) Sending() (terms payments.Terms, since time.Time, waited bool) {
	return c.call.terms, c.call.began, c.call.shown
}

// send asks the service for an order, once. The order that was shown comes back if none
// is made.
func (c *Counter) send(terms payments.Terms, seen Acknowledge) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.calls++
	c.call = call{number: c.call.number + 1, shown: true, terms: terms, began: c.Now()}
	c.do(Checkout{Terms: terms, number: c.call.number, seen: seen})
	c.tell(Sent{terms})
}

// answered takes in how an order call ended, also if the cashier did not wait for it. An
// [payments.Objection] opens a question.
func (c *Counter) answered(done Checkout) {
	c.calls--
	waited := c.call.shown && done.number == c.call.number
	if waited {
		c.call.shown = false
		c.question = nil
		if c.askDespite(done) {
			return
		}
		if done.Order.Reference != "" {
			c.clear()
			c.adopt(done.Order)
			if done.seen.Reference != "" {
				c.do(done.seen)
			}
		}
	}
	if done.Err == nil {
		c.charged(cart.SaleOf(done.Terms), false)
		c.tell(Offered{done.Order})
	} else {
		c.declined(done.Order)
		c.tell(NotOffered{Order: done.Order, Err: done.Err, Shown: waited})
		c.takeBack(done.Terms, false)
	}
	c.Wake()
}

// declined notes that the outcome of an order is told with [NotOffered]. The outcome of
// an order whose answer could not be stored is not known yet.
func (c *Counter) declined(order payments.Order) {
	underWay := order.Status == payments.StatusCreating && !order.Facts.NotSent
	if order.Reference != "" && !underWay {
		c.watch.announced[order.Reference] = announcement{c.Picture().Verdict(order), order.Status}
	}
}

// askDespite asks whether to make an order despite an objection, and reports whether
// there was one.
func (c *Counter) askDespite(done Checkout) bool {
	objection, is := errors.AsType[*payments.Objection](done.Err)
	if !is {
		return false
	}
	terms := done.Terms
	terms.Despite = append(slices.Clone(terms.Despite), objection.Kind)
	kind := AskAgain
	switch objection.Kind {
	case payments.SalePaid:
		kind = AskPaid
	case payments.SaleDoubtful:
		kind = AskDoubtful
	}
	c.Reappear()
	c.ask(Question{Kind: kind, Terms: terms, Order: objection.Order, Unbidden: true, seen: done.seen})
	return true
}
