package payments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Currency is the payment service's only currency, as order calls and events name it.
const Currency = "Ar"

// Limits of texts, in terminal columns.
const (
	MaxDescriptionWidth = 160
	MaxTillWidth        = 40 // Names of tills, of held sales and of customers.
	MaxLabelWidth       = 120
	MaxShownWidth       = 200 // Texts of the service and notes of people.
)

// Order is one request for payment of a sale. A sale may have another order after an unpaid one;
// see [Order.Repeatable]. The fields up to CreatedAt never change, except Debt when the customer's
// debt moves to another account.
type Order struct {
	Reference   string // The shop's own, unique name of the order.
	Sale        string // ID of the sale, shared by all orders made from it.
	Till        string // Name of the till that made the order: cleaned by [clean.Text], at most MaxTillWidth columns.
	By          string // Name of the cashier who had signed in at the till; empty without one.
	Items       []Item
	Amount      money.Ariary
	Total       money.Ariary   // What the whole sale costs: more than Amount if the customer pays it in parts.
	RestOf      string         // For the rest of a sale: number of the sale's oldest counter payment that was not fully given back; else empty.
	Debt        ledger.Account // Account of the customer whose debt this order pays; empty for a sale.
	Description string
	CreatedAt   time.Time

	SentAt         time.Time // When the order was last sent: CreatedAt, unless it was sent again.
	OrderReference string    // The service's name for the order; empty until it is known.
	Link           Link
	Status         Status
	Reason         Reason
	Facts          Facts
	Finding        *Finding // The last finding; nil without one.

	Refunds     Refunds           // Money that was given back. The store computes it from the ledger.
	Findings    []Finding         // All findings, oldest first. Set by [Reader.Order].
	Transfers   []ledger.Transfer // All transfers of the order, oldest first. Set by [Reader.Order].
	PaidWith    []Order           // The sale's other orders with money, if this order is [PaidTwice] or superseded. Set by a [Reader].
	TakenInCash string            // If this order is [PaidTwice] or superseded: number of the sale's newest counter payment that was not fully given back; else empty. Set by a [Reader].
}

// Refunds is the money of an order that was given back. Refunds that were taken back do not count.
type Refunds struct {
	Area money.Ariary // Refunded in the merchant area of the payment service.
	Cash money.Ariary // Refunded in cash, from drawers.
}

// Sum returns all refunds: those in the merchant area and those in cash.
func (r Refunds) Sum() money.Ariary { return r.Area + r.Cash }

// Link is the hosted checkout page of an order. It cannot be cancelled.
type Link struct {
	URL       string
	ExpiresAt time.Time // End of the link by the wall clock, without a monotonic clock reading; zero without a link.
	Assumed   bool      // The service gave no valid lifetime; 10 minutes are assumed.
}

// Facts are what happened to an order. No event resets PaidAt, SuccessSeen or ExpiredSeen.
type Facts struct {
	PaidAt         time.Time // When the first proof of payment arrived at the shop or its relay; zero without proof.
	SuccessSeen    bool      // A success event came, perhaps with another amount.
	ExpiredSeen    bool
	GivenUp        bool        // A person acknowledged or recorded that the order is unpaid, or all its money was given back.
	NotSent        bool        // The order call did not reach the service, so the order can be sent again.
	Acknowledged   bool        // The cashier need not look at the order.
	Superseded     bool        // The sale was paid by another order or at the counter; this order's QR code is no longer shown.
	PaidOtherwise  bool        // The order is Superseded and need not be paid, because of the sale's other payments.
	Attention      []Attention // The stored reasons why a person must look at the order, sorted.
	ReportedAmount string      // Amount in a success event that differs from the order's; else empty.
	ReportedUnit   string      // Currency in a success event that is not Ar; else empty.
}

// Terms are the input for a new order, or for a payment at the counter.
type Terms struct {
	Reference   string
	Sale        string
	Till        string
	By          string // Name of the cashier who has signed in at the till, or of the person whom a command names; may be empty.
	Items       []Item
	Description string          // Generated from the items if blank.
	Debt        ledger.Account  // Account of the customer whose debt is paid; empty for a sale.
	Part        Part            // Set if this payment is less than the price of the items.
	Despite     []ObjectionKind // Objections that the cashier overrode; [MayCharge] ignores them.
}

// Part says which part of a sale a payment pays. The zero value means the whole sale.
type Part struct {
	Amount money.Ariary // Amount to pay; 0 for the price of all items.
	Taken  money.Ariary // Money that the shop already had for the sale, as the cashier saw it.
	RestOf string       // For the rest of a sale: number of the sale's oldest counter payment that was not fully given back; else empty.
	Label  string       // Description of a payment of the rest, as "Rest of 20 000 Ar".
}

// Due returns the amount to pay: that of the part, else the price of all items.
func (t Terms) Due() money.Ariary {
	total, _ := Total(t.Items)
	return cmp.Or(t.Part.Amount, total)
}

// NewOrder validates the terms and returns an order with [StatusCreating]. It returns [ErrNoItems],
// [ErrInvalidItem], [ErrInvalidReference] or [money.ErrTooLarge]. The last one also means that the
// part is below zero or larger than the whole sale.
func NewOrder(terms Terms, now time.Time) (Order, error) {
	if len(terms.Items) == 0 {
		return Order{}, ErrNoItems
	}
	items := make([]Item, 0, len(terms.Items))
	for i, item := range terms.Items {
		checked, err := NewItem(item.Label, item.UnitPrice, item.Quantity)
		if err != nil {
			return Order{}, fmt.Errorf("item %d: %w", i+1, err)
		}
		if item.ListPrice > checked.UnitPrice && item.ListPrice <= money.MaxAriary {
			checked.ListPrice = item.ListPrice
		}
		if item.Measured() && item.Quantity != 1 {
			return Order{}, fmt.Errorf("item %d: %w: a measured item is one unit", i+1, ErrInvalidItem)
		}
		checked.Measure = item.Measure
		items = append(items, checked)
	}
	total, err := Total(items)
	if err != nil {
		return Order{}, err
	}
	amount, description := cmp.Or(terms.Part.Amount, total), Describe(terms.Description, items)
	if amount < 0 || amount > total {
		return Order{}, money.ErrTooLarge
	}
	if terms.Part.RestOf != "" {
		description = Describe(terms.Part.Label, items)
	}
	if !validReference(terms.Reference) {
		return Order{}, ErrInvalidReference
	}
	return Order{
		Reference: terms.Reference, Sale: terms.Sale, Till: clean.Text(terms.Till, MaxTillWidth),
		By: clean.Text(terms.By, staff.MaxNameWidth), Items: items, Amount: amount, Total: total, RestOf: terms.Part.RestOf, Debt: terms.Debt, Description: description,
		CreatedAt: now.UTC(), SentAt: now.UTC(), Status: StatusCreating, Facts: Facts{Acknowledged: true},
	}, nil
}

func validReference(text string) bool {
	const longest = 64 // In characters. A character is at most two columns wide.
	length := utf8.RuneCountInString(text)
	return length >= 1 && length <= longest && !strings.Contains(text, " ") && clean.Text(text, 2*longest) == text
}

// Terms returns the terms for another order of the same sale. If the description was generated from
// the items, the terms have a blank description. For the rest of a sale, the description is in
// Part.Label instead.
func (o Order) Terms() Terms {
	terms := Terms{Sale: o.Sale, Till: o.Till, By: o.By, Items: o.Items, Debt: o.Debt, Description: o.Description}
	if terms.Description == Describe("", o.Items) {
		terms.Description = ""
	}
	if o.RestOf != "" {
		terms.Part = Part{Amount: o.Amount, Taken: o.Total - o.Amount, RestOf: o.RestOf, Label: o.Description}
		terms.Description = ""
	}
	return terms
}

// PaidFor returns the account that the order's money comes from: the customer's account if the
// order pays a debt, else [ledger.Sales].
func (o Order) PaidFor() ledger.Account { return cmp.Or(o.Debt, ledger.Sales) }

// SaleTotal returns what the whole sale costs: Total, or Amount for an order whose Total is not
// set.
func (o Order) SaleTotal() money.Ariary { return max(o.Amount, o.Total) }

// Lines returns the items to send to the payment service. They add up to the amount: for the rest
// of a sale, they are one line with the description.
func (o Order) Lines() []Item {
	if o.RestOf == "" {
		return o.Items
	}
	return []Item{{Label: o.Description, UnitPrice: o.Amount, Quantity: 1}}
}

// Describe returns the given description, cleaned by [clean.Text]. If that is blank, it returns a
// list of the items.
func Describe(description string, items []Item) string {
	if given := clean.Text(description, MaxDescriptionWidth); given != "" {
		return given
	}
	var parts []string
	for _, item := range items {
		part := item.Label
		if item.Quantity > 1 {
			part = fmt.Sprintf("%d × %s", item.Quantity, item.Label)
		}
		parts = append(parts, part)
	}
	return clean.Text(strings.Join(parts, ", "), MaxDescriptionWidth)
}

// Paid reports whether proof of payment came. Later events, findings and refunds do not change it.
func (o Order) Paid() bool { return !o.Facts.PaidAt.IsZero() }

// Gross returns the money that the shop got for the order, before refunds. The last finding decides
// whether it got any. Without a finding, or if an event contradicts a finding of unpaid, the proof
// decides.
func (o Order) Gross() money.Ariary {
	if o.Finding == nil && !o.Paid() || o.Finding != nil && o.Finding.Kind == FoundUnpaid && !(o.Contradicted() && o.Paid()) {
		return 0
	}
	return o.Amount
}

// Collected returns the money that the payment service has for the order: [Order.Gross] minus the
// refunds in the service's merchant area, or 0 if Gross is 0.
func (o Order) Collected() money.Ariary {
	if o.Gross() == 0 {
		return 0
	}
	return o.Amount - o.Refunds.Area
}

// Net returns the money that the shop has for the order after all refunds. It is below zero if cash
// was given back for an order that a person then found unpaid.
func (o Order) Net() money.Ariary { return o.Collected() - o.Refunds.Cash }

// GivenBack reports whether refunds gave back the whole amount.
func (o Order) GivenBack() bool { return o.Refunds.Sum() > 0 && o.Refunds.Sum() >= o.Amount }

// Open reports whether the order may still need a person: it was not acknowledged, was not sent,
// waits for payment, or must be checked.
func (o Order) Open() bool {
	switch {
	case !o.Facts.Acknowledged:
		return true
	case o.decided():
		return false
	case len(o.Facts.Attention) > 0, o.Sending(), o.Status == StatusUnknown:
		return true
	}
	return (o.Status == StatusPending || o.Facts.NotSent) && !o.Facts.PaidOtherwise
}

// Sending reports whether the order's call is under way, or was interrupted: see [Order.At].
func (o Order) Sending() bool { return o.Status == StatusCreating && !o.Facts.NotSent }

const (
	// CallTimeout is the time limit of an order call, including the whole answer.
	CallTimeout = 30 * time.Second
	// CallLimit is how long an order may be under way. It includes the call, and the time to store
	// the order and the answer.
	CallLimit = CallTimeout + 15*time.Second
)

// At returns the order as it is at the time now. If the order was sent more than [CallLimit] ago and
// no answer was stored, a crash has probably interrupted the call: the status is then StatusUnknown.
// An answer that is stored later still counts.
func (o Order) At(now time.Time) Order {
	// Abs: if the clock was set back, SentAt is in the future.
	if !o.Sending() || now.Sub(o.SentAt).Abs() <= CallLimit {
		return o
	}
	return o.fail(ErrInterrupted)
}

// Live reports whether the customer can still pay by the order's link, as far as this shop knows.
func (o Order) Live(now time.Time) bool {
	return o.Link.URL != "" && now.Before(o.Link.ExpiresAt) && !o.Paid() && o.Status != StatusExpired
}

// MayBePaid reports whether the customer can still pay, or may just have paid: it is [Order.Live],
// but until [LinkGrace] after the end of the link.
func (o Order) MayBePaid(now time.Time) bool { return o.Live(now.Add(-LinkGrace)) }

// Payable reports whether the QR code of the order's link may be shown: the order is [Order.Live],
// and nothing says that the order or its sale was paid already.
func (o Order) Payable(now time.Time) bool {
	asked := o.Finding == nil || o.Finding.Kind == FoundUnpaid
	return asked && o.Live(now) && !o.Facts.SuccessSeen && !o.Facts.Superseded
}

// Retryable reports whether the payment failed and the customer can try again with the same
// link. It is false after the cashier acknowledged the failure.
func (o Order) Retryable(now time.Time) bool {
	return o.Status == StatusFailed && o.Payable(now) && !o.Facts.GivenUp && !o.decided()
}

// decided reports whether a person's finding or a refund of all money decides the verdict, and no
// event contradicts it.
func (o Order) decided() bool { return (o.Finding != nil || o.GivenBack()) && !o.Contradicted() }

// Contradicted reports whether an event contradicts the last finding, or a refund of all money.
func (o Order) Contradicted() bool { return slices.Contains(o.Facts.Attention, FindingContradicted) }

// drop removes a reason for attention. It copies the list, because copies of an order share the
// list.
func (o *Order) drop(reason Attention) {
	o.Facts.Attention = slices.DeleteFunc(slices.Clone(o.Facts.Attention), func(raised Attention) bool {
		return raised == reason
	})
}

func (o *Order) raise(reason Attention) {
	if !slices.Contains(o.Facts.Attention, reason) {
		o.Facts.Attention = append(slices.Clone(o.Facts.Attention), reason)
		slices.Sort(o.Facts.Attention)
	}
}

// ClockSlack is how far the wall clock and the monotonic clock may differ before the customer's
// remaining time counts as uncertain.
const ClockSlack = 2 * time.Second

// LinkEndsSoon is the remaining time of a link at which a till warns.
const LinkEndsSoon = time.Minute

// Remaining returns how long the customer can still pay by the link, never below zero: by the wall
// clock or by the monotonic clock, whichever gives less. The wall clock jumps when it is set, and
// the monotonic clock may stop while the machine sleeps. moved is true if the two differ by more
// than [ClockSlack]. elapsed is the monotonic time since started.
func (l Link) Remaining(started, wall time.Time, elapsed time.Duration) (left time.Duration, moved bool) {
	byWall, byElapsed := l.ExpiresAt.Sub(wall), l.ExpiresAt.Sub(started)-elapsed
	difference := byWall - byElapsed
	return max(0, min(byWall, byElapsed)), difference.Abs() > ClockSlack
}

// Status is how far an order is at the payment service, by its last answer or event. Cashiers see
// the [Verdict].
type Status string

// The values of a status. Only events set the last four.
const (
	StatusCreating Status = "creating" // Stored; the call is under way, was interrupted, or did not reach the service.
	StatusUnknown  Status = "unknown"  // The service may or may not have the order.
	StatusRejected Status = "rejected" // The service refused the order.
	StatusPending  Status = "pending"  // The service has the order; no event has set another status yet.
	StatusSuccess  Status = "success"
	StatusFailed   Status = "failed"
	StatusCanceled Status = "canceled"
	StatusExpired  Status = "expired"
)

// Statuses returns all statuses: first those of the order call, then those that events set.
func Statuses() []Status {
	return []Status{
		StatusCreating, StatusUnknown, StatusRejected, StatusPending,
		StatusSuccess, StatusFailed, StatusCanceled, StatusExpired,
	}
}

// Reported reports whether the status comes from an event of the service.
func (s Status) Reported() bool { return s == StatusSuccess || s.Unpaid() }

// Unpaid reports whether the last event was failed, canceled or expired.
func (s Status) Unpaid() bool { return s == StatusFailed || s == StatusCanceled || s == StatusExpired }
