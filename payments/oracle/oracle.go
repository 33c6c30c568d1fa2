// Package oracle is a second, short implementation of the payment rules. Tests compare the
// program's results with it. Only test code imports it.
//
// It was written only from the rules, so that it does not repeat the program's mistakes. [Judge]
// uses only types and constants of the program.
package oracle

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// Fact is one thing that happened to one of a sale's payments.
type Fact struct {
	Order int // Number of the order or of the cash sale, unique within the sale.
	// What is the kind of an event without "payment.", or one of "made", "ack", "found-paid",
	// "found-unpaid", "refund", and "back" for a refund that was taken back. A sale at the counter has
	// only "cash" (for every tender), "refund", "back" and "void".
	What   string
	Text   byte         // Distinguishes events of the same kind; no rule depends on it.
	Sound  bool         // Whether amount and currency are those of the order.
	Other  bool         // Whether the event's reference is that of another order.
	Amount money.Ariary // The amount to pay in "made" and "cash", and the amount given back in "refund" and "back".
	Total  money.Ariary // Price of the whole sale, in "made" and "cash". 0 means Amount.
	InCash bool         // Whether "refund" and "back" move cash out of or into a drawer.
	At     time.Time
}

// Judgement is the state of an order after everything that happened to its sale.
type Judgement struct {
	Status    payments.Status
	Paid      bool
	Net       money.Ariary // The money that the shop has for the order.
	Verdict   payments.Verdict
	Objection payments.ObjectionKind // Why the sale should not be charged again.
	Live      bool                   // Whether the customer can still pay, or may just have paid.
}

// payment is the state of one order or of one cash sale, computed from the history of its sale.
type payment struct {
	amount       money.Ariary
	total        money.Ariary // Price of the whole sale; 0 means amount.
	area, cash   money.Ariary // Money given back the way it came, and in cash.
	status       payments.Status
	made         time.Time
	short        bool // The order pays the rest of the sale, and an earlier part had been given back when the order's money came.
	replaced     bool // Another payment completed the price of the sale after this order was made, while this order had no proof.
	succeeded    bool
	paid         bool // A proof came, or cash was taken.
	check        bool // A person must check the order because of an event of this order.
	over         bool // A success that comes now counts as late.
	found        string
	contradicted bool // An event contradicts the person's decision.
}

// Judge returns the state of one order of a sale at the time now. number is Fact.Order of that
// order. history contains everything that happened to the sale, each event once. end is the end of
// the order's link.
func Judge(history []Fact, number int, end, now time.Time) Judgement {
	sale := play(history, number, end)
	one := sale[number]
	return Judgement{one.status, one.paid, one.net(), one.verdict(sale, end, now), one.objection(end, now), one.live(end, now)}
}

// Net returns the money that the shop has for the sale with this history.
func Net(history []Fact) money.Ariary {
	net, _ := total(play(history, 0, time.Time{}))
	return net
}

// Came reports whether the shop got money for a payment of the sale, even if it was given back.
func Came(history []Fact, number int) bool {
	return play(history, number, time.Time{})[number].gross() > 0
}

// play returns the payments of a sale after its whole history. It adds the order with this number,
// even if the history does not mention it.
func play(history []Fact, number int, end time.Time) map[int]*payment {
	sale := map[int]*payment{number: {status: payments.StatusPending}}
	for _, fact := range history {
		if sale[fact.Order] == nil {
			sale[fact.Order] = &payment{status: payments.StatusPending}
		}
		one := sale[fact.Order]
		had := one.net()
		one.take(fact, end)
		net, largest := total(sale)
		one.short = one.short || had <= 0 && one.net() > 0 && !one.made.IsZero() && !one.whole()
		for other, sibling := range sale {
			sibling.short = sibling.short && sibling.net() > 0 && net < sibling.total
			came := other != fact.Order && had <= 0 && one.net() > 0 && (one.whole() || net >= largest)
			sibling.replaced = sibling.replaced || came && !sibling.made.IsZero() && !sibling.paid
		}
	}
	return sale
}

// total returns the money that the shop has for a sale, and the price of the sale: the largest
// amount or total of the payments with a net above zero.
func total(sale map[int]*payment) (net, largest money.Ariary) {
	for _, one := range sale {
		net += one.net()
		if one.net() > 0 {
			largest = max(largest, one.amount, one.total)
		}
	}
	return net, largest
}

func (p *payment) take(f Fact, end time.Time) {
	switch f.What {
	case "made":
		p.amount = f.Amount
		p.total = f.Total
		p.made = f.At
	case "cash":
		p.amount = f.Amount
		p.total = f.Total
		p.paid = true
	case "void":
		p.cash = p.amount - p.area
	case "ack":
		shownUnpaid := p.found == "" && !p.succeeded && p.unpaid()
		p.over = p.over || shownUnpaid || p.decides() && !p.keeps()
	case "found-paid", "found-unpaid":
		p.find(f.What[len("found-"):])
	case "refund":
		if !p.plain() {
			p.find("paid")
		}
		p.giveBack(f, f.Amount)
		p.over = p.over || p.givenBack()
	case "back":
		p.giveBack(f, -f.Amount)
	case "success":
		late := p.over || f.At.Sub(end) > 2*time.Minute
		proof := f.Sound && !f.Other && p.made.Sub(f.At) <= 2*time.Minute
		p.check = p.check || !proof || !p.paid && late
		p.contradicted = p.contradicted || p.decides() && !p.keeps()
		p.status = payments.StatusSuccess
		p.succeeded = true
		p.paid = p.paid || proof
	case "failed", "canceled", "expired":
		p.status = payments.Status(f.What)
		p.check = p.check || p.paid
		p.over = p.over || f.What == "expired"
		p.contradicted = p.contradicted || p.decides() && p.keeps()
	}
}

func (p *payment) find(kind string) {
	p.found = kind
	p.contradicted = false
	p.over = p.over || !p.keeps()
}

func (p *payment) whole() bool { return p.amount >= p.total }

func (p *payment) giveBack(f Fact, amount money.Ariary) {
	if f.InCash {
		p.cash += amount
	} else {
		p.area += amount
	}
}

func (p *payment) givenBack() bool { return p.area+p.cash > 0 && p.area+p.cash >= p.amount }

// decides reports whether a person's finding or refund decides the result, and no event contradicts
// it.
func (p *payment) decides() bool { return (p.found != "" || p.givenBack()) && !p.contradicted }

// keeps reports whether the shop keeps the money by the person's decision.
func (p *payment) keeps() bool { return p.found != "unpaid" && !p.givenBack() }

// plain reports whether a refund needs no finding: the money is there, and no person must check the
// order.
func (p *payment) plain() bool { return p.gross() > 0 && (p.decides() || !p.check && !p.contradicted) }

func (p *payment) unpaid() bool {
	return p.status == "failed" || p.status == "canceled" || p.status == "expired"
}

// gross returns the money that the shop got for the payment, before refunds.
func (p *payment) gross() money.Ariary {
	if p.found == "paid" || p.paid && (p.found == "" || p.contradicted) {
		return p.amount
	}
	return 0
}

// net returns the money that the shop has for the payment. If the shop got no money, this is minus
// the cash refunds: a refund in the merchant area then does not count.
func (p *payment) net() money.Ariary {
	if p.gross() == 0 {
		return -p.cash
	}
	return p.amount - p.area - p.cash
}

func (p *payment) verdict(sale map[int]*payment, end, now time.Time) payments.Verdict {
	net, largest := total(sale)
	switch {
	case p.contradicted:
		return payments.VerdictCheck
	case p.found == "unpaid":
		return payments.VerdictMarkedUnpaid
	case p.givenBack():
		return payments.VerdictRefunded
	case p.found == "paid":
		return payments.VerdictMarkedPaid
	case p.succeeded && (p.check || p.short || p.net() > 0 && net > largest):
		return payments.VerdictCheck
	case p.paid:
		return payments.VerdictPaid
	case p.unpaid():
		return payments.VerdictNotPaid
	case p.replaced && p.unneeded(net-p.net()):
		return payments.VerdictPaidOtherwise
	case !now.Before(end):
		return payments.VerdictTimeOver
	}
	return payments.VerdictWaiting
}

// unneeded reports whether this payment would bring more than the sale costs. others is the money
// of the sale's other payments.
func (p *payment) unneeded(others money.Ariary) bool {
	return others > 0 && others > max(p.amount, p.total)-p.amount
}

func (p *payment) objection(end, now time.Time) payments.ObjectionKind {
	switch {
	case p.net() > 0 && (p.paid || p.decides()):
		return payments.SalePaid
	case p.contradicted, p.succeeded && !p.decides():
		return payments.SaleDoubtful
	case p.live(end, now):
		return payments.SalePayable
	}
	return ""
}

func (p *payment) live(end, now time.Time) bool {
	return now.Sub(end) < 2*time.Minute && !p.paid && p.status != "expired"
}
