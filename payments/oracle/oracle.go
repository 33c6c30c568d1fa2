// Package oracle is a second, short implementation of the payment rules. Tests compare the
// program's results with it. Only tests import it.
//
// It guarantees that it was written only from the rules and shares no code with the
// program, so that it does not repeat the program's mistakes.
package oracle

import (
	"time"

	"checkout/till/payments"
)

// Fact is one thing that happened to one of a sale's orders.
type Fact struct {
	Order int    // Number of the order, unique within the sale.
	What  string // "made", an event's kind without "payment.", "ack", or "found-" and a kind of finding.
	Text  byte   // Distinguishes events of one kind; no rule depends on it.
	Sound bool   // Whether amount and currency match the order's.
	Other bool   // Whether the event's reference is the own reference of another order.
	At    time.Time
}

// Judgement is the state of an order after everything that happened to its sale.
type Judgement struct {
	Status    payments.Status
	Paid      bool
	Verdict   payments.Verdict
	Objection payments.ObjectionKind // Why the sale should not be charged again; see [payments.MayCharge].
}

// order is the state of one order, computed from the history of its sale.
type order struct {
	status       payments.Status
	made         time.Time
	replaced     bool   // Another order got money after this one was made, and this one had no proof.
	succeeded    bool   // A success came.
	paid         bool   // A proof came.
	check        bool   // A person must check the order, whatever the state of the others.
	over         bool   // A success that comes now is late.
	found        string // The last finding; "" without one.
	contradicted bool   // An event after the finding contradicts it.
	refunded     bool   // The whole amount was given back, and no later finding says paid.
}

// Judge returns the state of one order of a sale at the time now. number is Fact.Order of that
// order. history contains everything that happened to the sale, each event once. end is the end of
// the order's link.
func Judge(history []Fact, number int, end, now time.Time) Judgement {
	sale := map[int]*order{number: {status: payments.StatusPending}}
	for _, fact := range history {
		if sale[fact.Order] == nil {
			sale[fact.Order] = &order{status: payments.StatusPending}
		}
		o := sale[fact.Order]
		had := o.money()
		o.take(fact, end)
		for other, sibling := range sale {
			came := other != fact.Order && !had && o.money()
			sibling.replaced = sibling.replaced || came && !sibling.made.IsZero() && !sibling.paid
		}
	}
	one := sale[number]
	elsewhere := false
	for other, o := range sale {
		elsewhere = elsewhere || other != number && o.money()
	}
	return Judgement{one.status, one.paid, one.verdict(elsewhere, end, now), one.objection(end, now)}
}

func (o *order) take(f Fact, end time.Time) {
	decides := o.found != "" && !o.contradicted
	unpaid := f.What == "failed" || f.What == "canceled" || f.What == "expired"
	switch f.What {
	case "made":
		o.made = f.At
	case "ack":
		shownUnpaid := o.found == "" && !o.succeeded && o.unpaid()
		o.over = o.over || shownUnpaid || decides && o.found != "paid"
	case "found-paid", "found-unpaid", "found-refunded":
		o.found = f.What[len("found-"):]
		o.contradicted = false
		o.refunded = o.found == "refunded" || o.refunded && o.found == "unpaid"
		o.over = o.over || o.found != "paid"
	case "success":
		late := o.over || f.At.Sub(end) > 2*time.Minute
		proof := f.Sound && !f.Other && o.made.Sub(f.At) <= 2*time.Minute
		o.check = o.check || !proof || !o.paid && late
		o.contradicted = o.contradicted || o.found == "unpaid" || o.found == "refunded"
		o.status = payments.StatusSuccess
		o.succeeded = true
		o.paid = o.paid || proof
	}
	if unpaid {
		o.status = payments.Status(f.What)
		o.check = o.check || o.paid
		o.over = o.over || f.What == "expired"
		o.contradicted = o.contradicted || o.found == "paid"
	}
}

func (o *order) unpaid() bool {
	return o.status == "failed" || o.status == "canceled" || o.status == "expired"
}

func (o *order) money() bool {
	switch o.found {
	case "paid":
		return true
	case "unpaid":
		return o.paid && o.contradicted && !o.refunded
	case "refunded":
		return false
	}
	return o.paid
}

// verdict returns the verdict. elsewhere reports whether another order of the sale has money.
func (o *order) verdict(elsewhere bool, end, now time.Time) payments.Verdict {
	switch {
	case o.contradicted:
		return payments.VerdictCheck
	case o.found == "refunded":
		return payments.VerdictRefunded
	case o.found != "":
		return payments.Verdict("marked_" + o.found)
	case o.succeeded && (o.check || elsewhere && o.money()):
		return payments.VerdictCheck
	case o.paid:
		return payments.VerdictPaid
	case o.unpaid():
		return payments.VerdictNotPaid
	case o.replaced && elsewhere:
		return payments.VerdictPaidOtherwise
	case !now.Before(end):
		return payments.VerdictTimeOver
	}
	return payments.VerdictWaiting
}

func (o *order) objection(end, now time.Time) payments.ObjectionKind {
	switch {
	case o.paid && o.money(), o.found == "paid" && !o.contradicted:
		return payments.SalePaid
	case o.contradicted, o.succeeded && o.found == "":
		return payments.SaleDoubtful
	case now.Sub(end) < 2*time.Minute && !o.paid && o.status != "expired":
		return payments.SalePayable
	}
	return ""
}
