package payments

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Currency is the only currency of the payment service, as requests name it.
const Currency = "Ar"

// MaxDescriptionWidth bounds an order's description, in terminal columns.
const MaxDescriptionWidth = 160

// MaxTillWidth bounds the name of a till, in terminal columns.
const MaxTillWidth = 40

// maxReferenceLength bounds a reference, in characters.
const maxReferenceLength = 64

// Order is one request for payment. Its terms (the fields up to CreatedAt)
// never change once it is on disk.
type Order struct {
	Reference   string // The shop's own name of the order, unique for ever.
	Sale        string // Shared by all orders made from one sale.
	Till        string // Cleaned, at most MaxTillWidth columns.
	Items       []Item
	Amount      Ariary
	Description string
	CreatedAt   time.Time

	OrderReference string // The service's name; empty until it is known.
	Link           Link
	Status         Status
	Reason         Reason // The last reason given by the service, or why it was not sent.
	Facts          Facts
	Finding        *Finding // The last finding, which decides; nil without one.

	Findings      []Finding // All findings, oldest first. [Reader.Order] fills it, and [Store.Takings] for orders without proof.
	PaidTwiceWith []Order   // With [PaidTwice]: the other orders of the sale that money came for. A [Reader] fills it.
}

// Link is the hosted checkout page of an order.
type Link struct {
	URL       string
	ExpiresAt time.Time // By the wall clock alone: without a monotonic reading. Zero while there is no link.
	Assumed   bool      // The service gave no sound lifetime; 10 minutes are assumed.
}

// Facts are what was seen of an order. No event takes PaidAt, SuccessSeen or
// ExpiredSeen back.
type Facts struct {
	PaidAt         time.Time   // When the first proof came; zero without one.
	SuccessSeen    bool        // A success came, be it one whose amount differs.
	ExpiredSeen    bool        // An expired event came.
	GivenUp        bool        // The cashier acknowledged an unpaid outcome.
	NotSent        bool        // The call never left; the order may be sent again.
	Acknowledged   bool        // The cashier has seen what there is to see.
	Superseded     bool        // Another order of the sale was paid: this one's code is not shown any more.
	Attention      []Attention // What was raised and is stored, sorted.
	ReportedAmount string      // The amount of a success that was not the order's.
	ReportedUnit   string      // The currency of a success that was not Ar.
}

// Terms are what an order is made from.
type Terms struct {
	Reference   string
	Sale        string
	Till        string
	Items       []Item
	Description string // Made from the items when blank.
	// Despite lists the objections to which the cashier said yes: see
	// [MayCharge].
	Despite []ObjectionKind
}

// NewOrder validates the terms and returns an order that is being created.
// Its errors are [ErrNoItems], [ErrInvalidItem], [ErrTooLarge] and
// [ErrInvalidReference].
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
		if item.ListPrice > checked.UnitPrice && item.ListPrice <= MaxAriary {
			checked.ListPrice = item.ListPrice
		}
		items = append(items, checked)
	}
	amount, err := Total(items)
	if err != nil {
		return Order{}, err
	}
	if length := utf8.RuneCountInString(terms.Reference); length == 0 || length > maxReferenceLength ||
		strings.Contains(terms.Reference, " ") || Clean(terms.Reference, 2*maxReferenceLength) != terms.Reference {
		return Order{}, ErrInvalidReference
	}
	return Order{
		Reference: terms.Reference, Sale: terms.Sale, Till: Clean(terms.Till, MaxTillWidth),
		Items: items, Amount: amount, Description: describe(terms.Description, items),
		CreatedAt: now.UTC(), Status: StatusCreating, Facts: Facts{Acknowledged: true},
	}, nil
}

// Terms returns the terms for another order of the same sale. The description is
// blank where it says no more than the items do.
func (o Order) Terms() Terms {
	terms := Terms{Sale: o.Sale, Till: o.Till, Items: o.Items, Description: o.Description}
	if terms.Description == describe("", o.Items) {
		terms.Description = ""
	}
	return terms
}

// describe returns the description to show the customer, made from the items
// when none is given.
func describe(description string, items []Item) string {
	if given := Clean(description, MaxDescriptionWidth); given != "" {
		return given
	}
	parts := make([]string, 0, len(items))
	for _, item := range items {
		if item.Quantity == 1 {
			parts = append(parts, item.Label)
			continue
		}
		parts = append(parts, fmt.Sprintf("%d × %s", item.Quantity, item.Label))
	}
	return Clean(strings.Join(parts, ", "), MaxDescriptionWidth)
}

// Number returns the order's number within the day, which ends its reference; the
// whole of a reference that has none.
func (o Order) Number() string { return o.Reference[strings.LastIndex(o.Reference, "-")+1:] }

// Paid tells whether the shop has proof that the order was paid.
func (o Order) Paid() bool { return !o.Facts.PaidAt.IsZero() }

// Received returns the money that the shop has for the order, in ariary: its amount
// if there is proof or a person found it paid, unless a person found it unpaid
// since, less what was given back. A later event that contradicts "unpaid" makes
// the proof count again.
func (o Order) Received() Ariary {
	switch {
	case o.Finding == nil && o.Paid():
		return o.Amount
	case o.Finding == nil, o.Finding.Kind == FoundUnpaid && !(o.Contradicted() && o.Paid()):
		return 0
	case o.Finding.Kind == FoundRefunded:
		return o.Amount - o.Finding.Amount
	}
	return o.Amount
}

// Open tells whether somebody may be waiting for something to happen to the
// order: it is under way, unresolved, or changed since it was last seen.
func (o Order) Open() bool {
	switch {
	case !o.Facts.Acknowledged, o.Status == StatusPending && !o.resolved():
		return true
	case o.resolved():
		return false
	}
	return o.Status == StatusCreating || o.Status == StatusUnknown || len(o.Facts.Attention) > 0
}

// Live tells whether the customer can still pay by the order's link at now, as
// far as this shop knows.
func (o Order) Live(now time.Time) bool {
	return o.Link.URL != "" && now.Before(o.Link.ExpiresAt) && !o.Paid() &&
		o.Status != StatusExpired
}

// Payable tells whether a customer may still be asked to pay the order: whether
// its code may be shown. Nobody is asked again for an order that a person found paid
// or refunded or that a success of any amount came for, nor after another order of the
// sale was paid.
func (o Order) Payable(now time.Time) bool {
	asked := o.Finding == nil || o.Finding.Kind == FoundUnpaid
	return asked && o.Live(now) && !o.Facts.SuccessSeen && !o.Facts.Superseded
}

// Retryable tells whether the customer was refused and can try again by the same
// link: nobody gave the order up.
func (o Order) Retryable(now time.Time) bool {
	return o.Status == StatusFailed && o.Payable(now) && !o.Facts.GivenUp && !o.resolved()
}

// resolved reports whether a person's finding decides.
func (o Order) resolved() bool { return o.Finding != nil && !o.Contradicted() }

// Contradicted reports whether an event contradicts the last finding.
func (o Order) Contradicted() bool {
	return slices.Contains(o.Facts.Attention, FindingContradicted)
}

// drop removes a reason to look at the order.
func (o *Order) drop(reason Attention) {
	o.Facts.Attention = slices.DeleteFunc(slices.Clone(o.Facts.Attention), func(raised Attention) bool {
		return raised == reason
	})
}

// raise adds a reason to look at the order, once.
func (o *Order) raise(reason Attention) {
	if !slices.Contains(o.Facts.Attention, reason) {
		o.Facts.Attention = append(slices.Clone(o.Facts.Attention), reason)
		slices.Sort(o.Facts.Attention)
	}
}

// ClockSlack is by how much the two clocks of a machine may differ before a
// countdown says so.
const ClockSlack = 2 * time.Second

// Left tells how long a link can still be paid, never below zero, given the wall
// clock and the monotonic time elapsed since a start, and whether the two clocks
// differ by more than [ClockSlack]. It trusts neither the wall clock (it jumps when
// it is set, and after a power cut) nor the monotonic one (it stands still while the
// machine sleeps), but takes the smaller of what the two say.
func (l Link) Left(started, wall time.Time, elapsed time.Duration) (left time.Duration, moved bool) {
	byWall, byElapsed := l.ExpiresAt.Sub(wall), l.ExpiresAt.Sub(started)-elapsed
	difference := byWall - byElapsed
	return max(0, min(byWall, byElapsed)), difference.Abs() > ClockSlack
}

// Status is what the payment service said last of an order. It is a fact for
// reports and scripts; the cashier sees the [Verdict].
type Status string

// The states of an order. The last four are set by events alone.
const (
	StatusCreating Status = "creating" // On disk, the call is under way or was not sent.
	StatusUnknown  Status = "unknown"  // The call's outcome is unknown.
	StatusRejected Status = "rejected" // The service refused the order.
	StatusPending  Status = "pending"  // The service has the order, no event came.
	StatusSuccess  Status = "success"
	StatusFailed   Status = "failed"
	StatusCanceled Status = "canceled"
	StatusExpired  Status = "expired"
)

// Statuses returns every status, in the order of an order's life.
func Statuses() []Status {
	return []Status{
		StatusCreating, StatusUnknown, StatusRejected, StatusPending,
		StatusSuccess, StatusFailed, StatusCanceled, StatusExpired,
	}
}

// Reported tells whether the status was set by an event of the service.
func (s Status) Reported() bool { return s == StatusSuccess || s.Unpaid() }

// Unpaid tells whether the last event said failed, canceled or expired.
func (s Status) Unpaid() bool {
	return s == StatusFailed || s == StatusCanceled || s == StatusExpired
}
