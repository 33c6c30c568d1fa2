package counter

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
)

// Charge asks whether to charge the sale, or reports [Refused]. It does both if the till would not
// see a payment although the store works, because the cashier can take cash instead.
func (c *Counter) Charge() {
	switch {
	case c.charging.waiting():
		c.tell(Refused{Busy})
	case c.cart.Empty():
		c.tell(Refused{Empty})
	default:
		if c.blind() {
			c.tell(Refused{Blind})
		}
		if !c.ReachNow().Conditions().StoreDown {
			c.ask(Question{Kind: AskCharge, Terms: c.terms()})
		}
	}
}

// Tender asks whether the customer pays by the tender that [Counter.NextTender] returns.
func (c *Counter) Tender() {
	if next := c.NextTender(); next != "" {
		c.TenderBy(next)
	}
}

// TenderBy asks whether the customer pays by a tender. It reports [Refused] while another charge is
// under way, if the sale is empty, and while the store is down.
func (c *Counter) TenderBy(tender drawer.Tender) {
	switch {
	case c.charging.waiting(), c.Charging():
		c.tell(Refused{Busy})
	case c.cart.Empty():
		c.tell(Refused{Empty})
	case c.ReachNow().Conditions().StoreDown:
		c.tell(Refused{Blind})
	default:
		question := Question{Kind: AskTender, Terms: c.terms(), Tender: tender}
		if open := c.question; open != nil && open.Part > 0 && tender != "" {
			question.Part = open.Part
			question.First = open.First
		}
		if way, _ := tender.Way(); way.Named {
			c.ReadDebtors()
		}
		c.ask(question)
	}
}

// TakeCash answers the question [AskTender] with the money that the customer gave; 0 means the
// exact sum. If the customer gives less cash than is due, TakeCash asks [AskRest] or, for a debt,
// [AskLess].
func (c *Counter) TakeCash(given money.Ariary) {
	if c.Asking() != AskTender || c.Charging() {
		return
	}
	question := *c.question
	if way, _ := question.Tender.Way(); way.Given && given > 0 && given < question.Due() {
		question.Kind = AskRest
		if question.Terms.Debt != "" {
			question.Kind = AskLess
		}
		question.Part += given
		question.First = question.Tender
		c.ask(question)
		return
	}
	c.confirm(question.first(TakeCash{Tender: question.Tender, Given: given}))
}

// BackToRest goes back from the question [AskTender] to [AskRest], which keeps the part that the
// customer gave. It does nothing if no part was given.
func (c *Counter) BackToRest() {
	if c.Asking() != AskTender || c.question.Part == 0 || c.Charging() {
		return
	}
	question := *c.question
	question.Kind, question.Tender = AskRest, question.First
	c.ask(question)
}

// ForgetPart goes back from the question for the rest to the question for the first payment of the
// sale, and reports [PartForgotten]. It does nothing at other questions.
func (c *Counter) ForgetPart() {
	if c.Asking() != AskRest && c.Asking() != AskLess || c.Charging() {
		return
	}
	open := c.question
	c.question = nil
	c.TenderBy(open.First)
	c.tell(PartForgotten{open.Part})
}

func withTerms(charge Effect, terms payments.Terms) Effect {
	switch charge := charge.(type) {
	case TakeCash:
		charge.Terms = terms
		return charge
	case Checkout:
		charge.Terms = terms
		return charge
	}
	return charge
}

// tookPart handles the payment of a part, and begins the confirmed charge of the rest. If the
// counter did not know of an earlier part, tookPart reads the paid amount instead.
func (c *Counter) tookPart(done TakeCash, taken money.Ariary) {
	paid := done.Sale
	restOf := cmp.Or(paid.RestOf, paid.Number)
	c.pay(paid.Sale, taken, restOf)
	c.tell(TookPart{paid})
	if paid.RestOf != done.Terms.Part.RestOf {
		c.readTakenOf(paid.Sale)
		return
	}
	terms := done.Terms
	terms.Part = payments.Part{Amount: paid.Total - taken, Taken: taken, RestOf: restOf, Label: c.Words.Rest(paid.Total)}
	switch rest := withTerms(done.rest, terms).(type) {
	case TakeCash:
		c.charging.take(rest)
		c.do(rest)
	case Checkout:
		c.SetAside()
		c.send(rest.Terms, Acknowledge{})
	default:
		c.Wake()
	}
}

func (c *Counter) confirmCharge(question *Question) {
	if c.blind() {
		c.question = nil
		c.tell(Refused{Blind})
		return
	}
	c.confirm(Checkout{Terms: question.Terms})
}

// saved handles the result of a write. The confirmed charge begins once all sales are on disk. A
// failed write cancels the charge.
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
	if c.saving {
		return
	}
	switch charge := c.charging.begin().(type) {
	case Checkout:
		c.SetAside()
		c.send(charge.Terms, Acknowledge{})
	case TakeCash:
		c.do(charge)
	}
}

func (c *Counter) took(done TakeCash) {
	c.stopCharging()
	if unknown, is := errors.AsType[*drawer.UnknownError](done.Err); is {
		c.unsure = append(c.unsure, FindCash{Taken: done, ID: unknown.ID})
		done.Err = fmt.Errorf("%w: %w", ErrUnsure, done.Err)
		c.Wake()
	}
	if done.Err != nil {
		if !c.askDespite(done.Err, Question{Terms: done.Terms, Tender: done.Tender, take: done}) {
			c.outdated(done.Terms, done.Err)
			c.tell(CashNotTaken{Err: done.Err, Charge: done})
		}
		return
	}
	if taken := done.Terms.Part.Taken + done.Sale.Amount; taken < done.Sale.Total {
		c.tookPart(done, taken)
		return
	}
	c.endTaken(done.Terms, done.Sale, false)
	c.SetAside()
	c.debtOf(cmp.Or(done.Sale.Debt, done.Sale.Account))
	c.shown.Cash = done.Sale
	c.Reappear()
	c.tell(TookCash{done.Sale})
	c.Wake()
}

func (c *Counter) outdated(terms payments.Terms, err error) {
	if errors.Is(err, payments.ErrOutdated) {
		c.readTakenOf(terms.Sale)
	}
}

// found handles the result of [FindCash]. It shows a stored cash sale only if the cashier has not
// begun anything else.
func (c *Counter) found(done FindCash) {
	switch {
	case errors.Is(done.Err, drawer.ErrNotFound):
		c.tell(CashNotTaken{Err: fmt.Errorf("%w: %w", ErrNotStored, done.Err)})
	case done.Err != nil:
		c.unsure = append(c.unsure, FindCash{Taken: done.Taken, ID: done.ID})
	case done.Taken.Terms.Part.Taken+done.Sale.Amount < done.Sale.Total:
		c.pay(done.Sale.Sale, done.Taken.Terms.Part.Taken+done.Sale.Amount, cmp.Or(done.Sale.RestOf, done.Sale.Number))
		c.tell(TookPart{done.Sale})
	case c.Stage() == Selling && c.question == nil && !c.Charging():
		done.Taken.Sale = done.Sale
		done.Taken.Err = nil
		c.took(done.Taken)
	default:
		c.endTaken(done.Taken.Terms, done.Sale, true)
	}
}

// endTaken is endSale for a sale that a payment at the counter has paid in full.
func (c *Counter) endTaken(terms payments.Terms, paid drawer.CounterSale, recovered bool) {
	sale := cart.SaleOf(terms)
	sale.Taken = terms.Part.Taken + paid.Amount
	sale.RestOf = cmp.Or(paid.RestOf, paid.Number)
	c.pay(paid.Sale, sale.Taken, sale.RestOf)
	c.endSale(sale, recovered)
}

// askDespite asks whether to charge the sale anyway, if err is a [payments.Objection]. It reports
// whether it has asked.
func (c *Counter) askDespite(err error, question Question) bool {
	objection, is := errors.AsType[*payments.Objection](err)
	if !is {
		return false
	}
	if question.Terms.Part.RestOf != "" {
		c.readTakenOf(question.Terms.Sale) // The customer may have paid the rest at another till.
	}
	question.Kind = AskAgain
	switch objection.Kind {
	case payments.SalePaid:
		question.Kind = AskPaid
	case payments.SaleDoubtful:
		question.Kind = AskDoubtful
	}
	question.Terms.Despite = append(slices.Clone(question.Terms.Despite), objection.Kind)
	question.Order = objection.Order
	question.Ended = objection.Kind == payments.SalePayable && !objection.Order.Live(c.Now())
	question.Cash = objection.Cash
	question.Unbidden = true
	c.Reappear()
	c.ask(question)
	return true
}

// Again asks whether to make another order with the lines of an order, or to send an order that was
// not sent. It reports [Refused] if the order is not [Counter.Repeatable].
func (c *Counter) Again(order payments.Order) {
	if !c.Repeatable(order) {
		c.tell(Refused{NoRetry})
		return
	}
	question := Question{Kind: AskAgain, Terms: c.termsOf(order), Order: order, seen: c.repeated(order)}
	if order.Facts.NotSent {
		question.Terms.Reference = order.Reference
	} else {
		question.Terms.By = c.seller
	}
	if now := c.Picture().Now; order.MayBePaid(now) {
		question.Terms.Despite = []payments.ObjectionKind{payments.SalePayable}
		question.Ended = !order.Live(now)
	}
	c.ask(question)
}

// repeated returns the acknowledgement of an order that a new order repeats. It is zero if there is
// no outcome to acknowledge.
func (c *Counter) repeated(order payments.Order) Acknowledge {
	isShown := order.Reference == c.shown.Order.Reference
	if isShown && c.Shown().Final() || !isShown && c.Announced(order) && !order.Facts.NotSent {
		return c.acknowledgement(order)
	}
	return Acknowledge{}
}

// Resend sends the shown order, which must not have been sent (Facts.NotSent).
func (c *Counter) Resend() {
	terms := c.shown.Order.Terms()
	terms.Reference = c.shown.Order.Reference
	c.send(terms, Acknowledge{})
}

// send queues an order call, or reports [Refused] if the till would not see a payment.
func (c *Counter) send(terms payments.Terms, seen Acknowledge) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.do(c.charging.send(terms, seen, c.Now()))
	c.tell(Sent{terms})
}

func (c *Counter) answered(done Checkout) {
	waited := c.charging.answered(done)
	if waited {
		c.question = nil
		if c.askDespite(done.Err, Question{Terms: done.Terms, seen: done.seen}) {
			return
		}
		if done.Order.Reference == "" {
			c.Reappear() // During the call, the shown order was not visible.
		} else {
			c.SetAside()
			c.adopt(done.Order)
			if done.seen.Reference != "" {
				c.do(done.seen)
			}
		}
	}
	if done.Err == nil {
		c.endSale(cart.SaleOf(done.Terms), false)
		c.tell(Offered{done.Order})
	} else {
		c.declined(done.Order)
		c.outdated(done.Terms, done.Err)
		c.tell(NotOffered{Order: done.Order, Err: done.Err, Waited: waited})
		c.putBack(done.Terms, false)
	}
	c.Wake()
}

// declined marks the outcome of a failed order call as announced, because [NotOffered] announces
// it.
func (c *Counter) declined(order payments.Order) {
	if order.Reference != "" && !order.Sending() {
		c.announcer.announced[order.Reference] = announcement{c.Picture().Verdict(order), order.Status}
	}
}

// recovered ends the sales that were already charged, as [Recover] has found. The current sale
// stays while a charge is under way, because that charge checks the sale itself.
func (c *Counter) recovered(done Recover) {
	for _, sale := range done.Sales {
		if c.Charging() && c.cart.Sale.ID == sale.ID {
			c.cart = c.cart.Save()
			continue
		}
		c.endSale(sale, true)
	}
	c.save()
	c.Wake()
}

func (c *Counter) voidedParts(done VoidParts) {
	if done.Err != nil {
		c.readTakenOf(done.Sale.ID)
		c.tell(CashNotTaken{Err: done.Err, Dropped: done.Sale})
		return
	}
	c.pay(done.Sale.ID, 0, "")
	done.Sale.Taken = 0
	c.drop(done.Sale)
	if done.Cash > 0 {
		c.tell(GaveBack{done.Cash})
	}
	c.Wake()
}
