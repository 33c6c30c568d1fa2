package counter

import (
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// Charge asks whether to charge the sale. It refuses while the cashier waits for an order
// call, if the sale is empty, and while a payment would not be seen.
func (c *Counter) Charge() {
	switch {
	case c.call.waited:
		c.tell(Refused{Busy})
	case c.cart.Empty():
		c.tell(Refused{Empty})
	case c.blind():
		c.tell(Refused{Blind})
	default:
		c.ask(Question{Kind: AskCharge, Terms: c.cart.Terms()})
	}
}

// charge handles the yes to [AskCharge]. It writes the sale; after the write, saved sends
// the order.
func (c *Counter) charge(question *Question) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.question = question
	c.confirmed = &question.Terms
	c.cart = c.cart.Save()
	c.save()
}

// saved handles the result of a write. A failed write is retried at the next change or
// tick. A confirmed charge is sent once all sales are on disk.
func (c *Counter) saved(write SaveSale) {
	c.saving = false
	if write.Err != nil {
		if !write.again || c.Charging() {
			c.tell(SaveFailed{})
		}
		c.stopCharging()
		return
	}
	c.cart = c.cart.Written(write.Sale)
	c.save()
	if terms := c.confirmed; terms != nil && !c.saving {
		c.stopCharging()
		c.clear()
		c.send(*terms, Acknowledge{})
	}
}

func (c *Counter) stopCharging() {
	if c.Charging() && c.question != nil && c.question.Kind == AskCharge {
		c.question = nil
	}
	c.confirmed = nil
}

// Sending returns the terms of the last order call and the time when it began. waited
// reports whether the cashier is waiting for the call's answer.
func (c *Counter) Sending() (terms payments.Terms, since time.Time, waited bool) {
	return c.call.terms, c.call.began, c.call.waited
}

// Again asks whether to make another order with the lines of an order, or to send that
// order again if it was not sent. The new order acknowledges the old one's outcome if the
// cashier has seen it.
func (c *Counter) Again(order payments.Order) {
	if !c.Repeatable(order) {
		c.tell(Refused{NoRetry})
		return
	}
	question := Question{Kind: AskAgain, Terms: order.Terms(), Order: order, seen: c.repeated(order)}
	if order.Facts.NotSent {
		question.Terms.Reference = order.Reference
	}
	if order.Payable(c.Picture().Now) {
		question.Terms.Despite = []payments.ObjectionKind{payments.SalePayable}
	}
	c.ask(question)
}

// repeated returns the acknowledgement of an order that is made again. It is zero if the
// cashier has not seen an outcome of that order.
func (c *Counter) repeated(order payments.Order) Acknowledge {
	isShown := order.Reference == c.shown.order.Reference
	_, told := c.watch.announced[order.Reference]
	if isShown && c.Final() || !isShown && told && !order.Facts.NotSent {
		return c.acknowledgement(order)
	}
	return Acknowledge{}
}

// Resend sends the shown order again. Its earlier call was never sent (Facts.NotSent).
func (c *Counter) Resend() {
	terms := c.shown.order.Terms()
	terms.Reference = c.shown.order.Reference
	c.send(terms, Acknowledge{})
}

// send queues one call that asks the service for an order. If the call makes no order, the
// order that was shown before is shown again.
func (c *Counter) send(terms payments.Terms, seen Acknowledge) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.calls++
	c.call = call{number: c.call.number + 1, waited: true, terms: terms, began: c.Now()}
	c.do(Checkout{Terms: terms, number: c.call.number, seen: seen})
	c.tell(Sent{terms})
}

// answered handles the result of an order call, even if the cashier no longer waits for
// it. A [payments.Objection] opens a question.
func (c *Counter) answered(done Checkout) {
	c.calls--
	waited := c.call.waited && done.number == c.call.number
	if waited {
		c.call.waited = false
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
		c.tell(NotOffered{Order: done.Order, Err: done.Err, Waited: waited})
		c.takeBack(done.Terms, false)
	}
	c.Wake()
}

// declined records that [NotOffered] announces the outcome of an order, so that the next
// read does not announce it again. An order without a stored answer has no known outcome
// yet and is not recorded.
func (c *Counter) declined(order payments.Order) {
	underWay := order.Status == payments.StatusCreating && !order.Facts.NotSent
	if order.Reference != "" && !underWay {
		c.watch.announced[order.Reference] = announcement{c.Picture().Verdict(order), order.Status}
	}
}

// askDespite asks whether to make an order despite an objection. It reports whether there
// was an objection.
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

// recovered removes the sales that an order was made from. A sale that is being charged
// stays, because Checkout checks the sale's orders again.
func (c *Counter) recovered(done Recover) {
	for _, sale := range done.Sales {
		if c.Charging() && c.cart.Sale.ID == sale.ID {
			c.cart = c.cart.Save()
			continue
		}
		c.charged(sale, true)
	}
	c.save()
	c.Wake()
}
