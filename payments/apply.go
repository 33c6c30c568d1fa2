package payments

import (
	"slices"
	"time"

	"checkout/till/payments/money"
)

// ClockGrace allows for a wrong clock of the shop: an event may come this long before its order was
// created, and still be proof.
const ClockGrace = 2 * time.Minute

// Apply returns the order after a new event, and [Applied] or [Unchanged]. came is when the event
// arrived. named is the shop's other order that the event's field Reference names, or a zero order.
// Apply does not change the other orders of the sale: call [Settle] for them.
func (o Order) Apply(event Event, named Order, came time.Time) (Order, Effect) {
	status, known := event.Kind.Status()
	if !known {
		return o, Unchanged
	}
	before := o
	if o.decided() && o.contradicts(status) {
		o.raise(FindingContradicted)
	}
	o.Status = status
	o.Facts.NotSent = false
	if status == StatusSuccess {
		o.applySuccess(event, named, came)
	} else {
		o.Reason = Reason{Detail: event.Error.Display()}
		o.Facts.ExpiredSeen = o.Facts.ExpiredSeen || status == StatusExpired
		if o.Paid() {
			o.raise(Contradicted)
		}
	}
	if o.Status == before.Status && o.Paid() == before.Paid() && len(o.Facts.Attention) == len(before.Facts.Attention) {
		return o, Unchanged
	}
	endOfOldLink := o.Facts.Superseded && !o.Facts.SuccessSeen
	if !endOfOldLink && !o.decided() {
		o.Facts.Acknowledged = false
	}
	return o, Applied
}

// applySuccess applies a success event. A late success can still be proof of payment.
func (o *Order) applySuccess(event Event, named Order, came time.Time) {
	past := !o.Link.ExpiresAt.IsZero() && came.After(o.Link.ExpiresAt.Add(LinkGrace))
	if !o.Paid() && (o.Facts.ExpiredSeen || o.Facts.GivenUp || past) {
		o.raise(PaidLate)
	}
	o.Facts.SuccessSeen = true
	proof := true
	if !event.Amount.Is(o.Amount) {
		proof = false
		o.raise(AmountMismatch)
		o.Facts.ReportedAmount = event.Amount.Display()
	}
	if event.Currency != TextValue(Currency) {
		proof = false
		o.raise(CurrencyMismatch)
		o.Facts.ReportedUnit = event.Currency.Display()
	}
	// The event cannot name an order that was made after the event came.
	if named.Reference != "" && named.Reference != o.Reference && !named.madeAfter(came) {
		proof = false
		o.raise(OtherReference)
	}
	if o.madeAfter(came) {
		proof = false
		o.raise(TooEarly)
	}
	if proof && !o.Paid() {
		o.Facts.PaidAt = came.UTC()
		o.Reason = Reason{}
	}
}

func (o Order) madeAfter(came time.Time) bool { return came.Add(ClockGrace).Before(o.CreatedAt) }

// Acknowledge records that the cashier has seen the order's verdict. While [Order.Hidden] is true,
// it returns the order unchanged.
func (o Order) Acknowledge(conditions Conditions, now time.Time) Order {
	if o.Hidden(conditions, now) {
		return o
	}
	switch o.Verdict(conditions, now) {
	case VerdictNotPaid, VerdictMarkedUnpaid, VerdictRefunded:
		o.Facts.GivenUp = true
	}
	o.Facts.Acknowledged = true
	return o
}

// Taken is what the shop has for one sale from payments at the counter. A sale on account counts as
// paid.
type Taken struct {
	Number  string       // Number of the newest payment that was not fully given back; empty without one.
	First   string       // Number of the oldest payment that was not fully given back; empty without one.
	Net     money.Ariary // Money from the payments, minus refunds and voids.
	Largest money.Ariary // Price of the sale: the largest that one of these payments states; 0 without one.
}

// Settle returns the orders to save after one order of a sale changed: that order, then the
// siblings that change with it. Settle updates [PaidTwice], [PartGivenBack] and Facts.PaidOtherwise
// from the money that the shop now has for the sale.
//
// If the changed order had no money before and has some now, its siblings without proof of payment
// become superseded. An order that gets [PartGivenBack] supersedes no sibling, because the sale is
// not fully paid.
func Settle(before, after Order, siblings []Order, taken Taken) []Order {
	sale := append([]Order{after}, siblings...)
	net, _ := MoneyOf(sale, taken)
	came, short := before.Net() <= 0 && after.Net() > 0, after.RestOf != "" && net < after.SaleTotal()
	if came && short {
		sale[0].raise(PartGivenBack)
	}
	return append([]Order{sale[0].among(sale, taken)}, settleAll(sale, 1, came && !short, taken)...)
}

// SettleCash returns the orders of a sale that change after money was taken or given back at the
// counter. Set came only if money has just come at the counter and the sale is now fully paid: the
// orders without proof of payment then become superseded.
func SettleCash(sale []Order, taken Taken, came bool) []Order { return settleAll(sale, 0, came, taken) }

// settleAll applies [Order.among] to the orders sale[from:]. If supersede is true, those without
// proof of payment also become superseded. It returns the orders that changed.
func settleAll(sale []Order, from int, supersede bool, taken Taken) (settled []Order) {
	for _, order := range sale[from:] {
		before := order.Facts
		order.Facts.Superseded = order.Facts.Superseded || supersede && !order.Paid()
		order = order.among(sale, taken)
		if order.Facts.Superseded != before.Superseded || order.Facts.PaidOtherwise != before.PaidOtherwise ||
			!slices.Equal(order.Facts.Attention, before.Attention) {
			settled = append(settled, order)
		}
	}
	return settled
}

// among returns the order with the facts that depend on the other payments of its sale:
// PaidOtherwise, [PaidTwice] and [PartGivenBack].
func (o Order) among(sale []Order, taken Taken) Order {
	net, largest := MoneyOf(sale, taken)
	others := net - o.Net()
	o.Facts.PaidOtherwise = o.Facts.Superseded && others > 0 && others+o.Amount > o.SaleTotal()
	if o.Net() <= 0 || net >= o.SaleTotal() {
		o.drop(PartGivenBack)
	}
	if o.Net() <= 0 || net <= largest {
		o.drop(PaidTwice)
	} else if !slices.Contains(o.Facts.Attention, PaidTwice) {
		o.raise(PaidTwice)
		o.Facts.Acknowledged = o.Facts.Acknowledged && o.decided()
	}
	return o
}

// MoneyOf returns the money that the shop has for a sale, and the price of the sale. The price is
// the largest one in the sale's orders and counter payments; those without money do not count. It
// is 0 if none has money.
func MoneyOf(sale []Order, taken Taken) (net, largest money.Ariary) {
	net, largest = taken.Net, taken.Largest
	for _, order := range sale {
		net += order.Net()
		if order.Net() > 0 {
			largest = max(largest, order.SaleTotal())
		}
	}
	return net, largest
}

// Fits reports whether the event probably belongs to this order: the order's outcome is unknown,
// and the event has the order's reference and amount. A person must confirm the match.
func (o Order) Fits(event Event) bool {
	return o.Status == StatusUnknown && event.Reference == TextValue(o.Reference) && event.Amount.Is(o.Amount)
}
