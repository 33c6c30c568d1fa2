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

// Charge asks whether to charge the sale. While the cashier waits for an order call, while the
// store is down, or if the sale is empty, it reports [Refused] and does not ask.
//
// If the till would not see a payment for another reason, Charge reports [Refused] with [Blind] and
// still asks. The till then refuses the answer yes, but the cashier can take cash instead.
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

// Tender asks whether the customer pays at the counter by the first of [Counter.Ways]. If that
// question or [AskRest] is open already, Tender asks about the way after the one in the question.
// It does nothing if there are no ways.
func (c *Counter) Tender() {
	if next := c.NextTender(); next != "" {
		c.TenderBy(next)
	}
}

// TenderBy asks whether the customer pays by a tender. It reports [Refused] instead while the
// cashier waits for an order call, while a charge is under way, if the sale is empty, and while the
// store is down.
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

// TakeCash answers the question [AskTender] with the money that the customer gave. It does nothing
// if no such question is open, or while a charge is under way. If given is 0, the customer gave the
// exact sum. If the customer gave less in a way with [drawer.Way].Given, such as cash, TakeCash
// asks how the customer pays the rest, or whether the rest of a debt stays owed.
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

// tookPart keeps the sale after a part of it was paid. If the cashier has confirmed how the
// customer pays the rest, it begins the charge of the rest. But if the customer had paid another part
// before, which the counter did not know, the rest is less than the cashier saw: tookPart then only
// reads what is paid.
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

// confirmCharge handles a yes to [AskCharge]: it confirms the charge. If the till would not see a
// payment, it closes the question instead.
func (c *Counter) confirmCharge(question *Question) {
	if c.blind() {
		c.question = nil
		c.tell(Refused{Blind})
		return
	}
	c.confirm(Checkout{Terms: question.Terms})
}

// saved handles the result of a write. A failed write cancels the confirmed charge; the next change
// of the sale or [Counter.Tick] repeats the write. Once all sales are on disk, saved begins the
// confirmed charge.
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
		c.unsure = &FindCash{Taken: done, ID: unknown.ID}
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

// outdated handles the error of a charge. If the till had a wrong amount for what the customer has
// already paid of the sale, outdated reads that amount again.
func (c *Counter) outdated(terms payments.Terms, err error) {
	if errors.Is(err, payments.ErrOutdated) {
		c.readTakenOf(terms.Sale)
	}
}

// found handles the result of [FindCash]. If the cash sale is stored, its sale ends, or stays open
// for the rest if only a part was paid. A cash sale for the whole sum is shown, unless the cashier
// has gone on: for example, a question is open, or something else is shown. If the cash sale is not
// stored, found reports [CashNotTaken]. After any other error, the counter looks again later.
func (c *Counter) found(done FindCash) {
	switch {
	case errors.Is(done.Err, drawer.ErrNotFound):
		c.tell(CashNotTaken{Err: fmt.Errorf("%w: %w", ErrNotStored, done.Err)})
	case done.Err != nil:
		c.unsure = &FindCash{Taken: done.Taken, ID: done.ID}
	case done.Taken.Terms.Part.Taken+done.Sale.Amount < done.Sale.Total:
		c.pay(done.Sale.Sale, done.Taken.Terms.Part.Taken+done.Sale.Amount, cmp.Or(done.Sale.RestOf, done.Sale.Number))
	case c.Stage() == Selling && c.question == nil && !c.Charging():
		done.Taken.Sale = done.Sale
		done.Taken.Err = nil
		c.took(done.Taken)
	default:
		c.endTaken(done.Taken.Terms, done.Sale, true)
	}
}

// endTaken ends a sale whose last payment at the counter is paid. A sale that was edited since stays,
// with the money that was paid for it. For recovered, see [SaleCharged].
func (c *Counter) endTaken(terms payments.Terms, paid drawer.CounterSale, recovered bool) {
	taken := terms.Part.Taken + paid.Amount
	c.pay(paid.Sale, taken, cmp.Or(paid.RestOf, paid.Number))
	c.endSale(cart.SaleOf(terms), recovered)
}

// askDespite handles the error of a charge. If err is a [payments.Objection], the customer may pay
// twice: askDespite then asks whether to charge the sale anyway, and returns true. question has the
// terms of the charge.
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

// Again asks whether to make another order with the lines of an order. If that order was not sent,
// Again asks whether to send it now. If [Counter.Repeatable] returns false for the order, Again
// reports [Refused] instead. If the counter has shown or announced an outcome of the old order, a
// yes also acknowledges that outcome when the new order is made; see repeated.
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

// repeated returns the effect that acknowledges an order when a new order repeats it. It does so
// for the shown order if its outcome is final, and for another order that was sent if its outcome
// was announced. Otherwise it returns a zero effect.
func (c *Counter) repeated(order payments.Order) Acknowledge {
	isShown := order.Reference == c.shown.Order.Reference
	if isShown && c.Shown().Final() || !isShown && c.Announced(order) && !order.Facts.NotSent {
		return c.acknowledgement(order)
	}
	return Acknowledge{}
}

// Resend sends the shown order again. Call it only if the order was not sent (Facts.NotSent).
func (c *Counter) Resend() {
	terms := c.shown.Order.Terms()
	terms.Reference = c.shown.Order.Reference
	c.send(terms, Acknowledge{})
}

// send queues an order call. The shown order stays on the screen until the call has made an order.
// If the till would not see a payment, send reports [Refused] instead.
func (c *Counter) send(terms payments.Terms, seen Acknowledge) {
	if c.blind() {
		c.tell(Refused{Blind})
		return
	}
	c.do(c.charging.send(terms, seen, c.Now()))
	c.tell(Sent{terms})
}

// answered handles the result of an order call, even if the cashier no longer waits for it.
func (c *Counter) answered(done Checkout) {
	waited := c.charging.answered(done)
	if waited {
		c.question = nil
		if c.askDespite(done.Err, Question{Terms: done.Terms, seen: done.seen}) {
			return
		}
		if done.Order.Reference == "" {
			c.Reappear() // The call has covered the shown order.
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

// declined handles a failed call for a stored order. It marks the outcome as announced:
// [NotOffered] announces it, so the next read must not announce it again. If the call may have
// reached the service, the outcome is still open, and declined does nothing.
func (c *Counter) declined(order payments.Order) {
	if order.Reference != "" && !order.Sending() {
		c.announcer.announced[order.Reference] = announcement{c.Picture().Verdict(order), order.Status}
	}
}

// recovered handles the result of [Recover]: it removes the sales that were already charged. It
// keeps the current sale while a charge is under way, because the charge itself checks whether the
// sale was charged before.
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

// voidedParts handles the result of voiding what a customer paid of a sale. After a success, it
// drops the sale. After a failure, it reads what is still paid.
func (c *Counter) voidedParts(done VoidParts) {
	if done.Err != nil {
		c.readTakenOf(done.Sale.ID)
		c.tell(CashNotTaken{Err: done.Err})
		return
	}
	c.pay(done.Sale.ID, 0, "")
	done.Sale.Taken = 0
	c.drop(done.Sale)
	c.Wake()
}
