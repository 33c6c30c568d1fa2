package sandbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
)

// refusal is the error for a refused request. status is the HTTP status of the answer, or 0 for no
// answer.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// Errors of a [Sandbox], with the HTTP status of the answer. Deleted orders and deliveries count as
// missing.
var (
	ErrNoSuchOrder    error = &refusal{http.StatusNotFound, "the sandbox has no such order"}
	ErrNoSuchDelivery error = &refusal{http.StatusNotFound, "the sandbox has no such delivery"}
	// ErrLinkOver is returned for an action at a link that is paid or has expired.
	ErrLinkOver error = &refusal{http.StatusGone, "the link is over"}
	// ErrNoSuchAction says that no action causes an event of this kind.
	ErrNoSuchAction error = &refusal{http.StatusBadRequest, "outcome may be: success, failed, canceled, expired"}
	// ErrAsked is returned by [Sandbox.AskPhone] while the phone has not answered the previous request
	// for the order.
	ErrAsked  error = &refusal{http.StatusConflict, "the customer's phone is being asked already"}
	ErrNumber error = &refusal{http.StatusUnprocessableEntity, "not a phone number"}
	// ErrSnapshot says that a change was made but could not be written to the data file. The change
	// is lost if the program ends before a later change is written.
	ErrSnapshot error = &refusal{http.StatusInternalServerError, "the sandbox cannot write to its data file"}
	errTaken    error = &refusal{http.StatusConflict, "reference is already used by another order"}
	// errBroken and errCut are the results of injected faults of the order call.
	errBroken error = &refusal{http.StatusInternalServerError, "Internal Server Error"}
	errCut    error = &refusal{0, "the connection is cut"}
)

// StatusOf returns the HTTP status for an error of the sandbox, and 400 for any other error. It
// returns 0 if the connection must be closed without an answer.
func StatusOf(err error) int {
	if known, ok := errors.AsType[*refusal](err); ok {
		return known.status
	}
	return http.StatusBadRequest
}

// State is the state of a link. The values except Open are the statuses of the events that end a
// link.
type State string

// The states of a link. After a failed or canceled payment, the link is still Open.
const (
	Open    State = "open"
	Paid    State = "success"
	Expired State = "expired"
)

// Failure is why an attempt to pay failed.
type Failure string

// The ways in which an attempt to pay can fail.
const (
	LowBalance Failure = "balance"
	Refused    Failure = "refused"  // Refused by the customer on the phone.
	NoAnswer   Failure = "silent"   // The phone did not answer; no event is sent.
	Canceled   Failure = "canceled" // Canceled by the customer on the page.
)

const (
	maxOrders  = 10_000 // How many orders are kept; older ones are deleted.
	maxUnknown = 20
	linkLength = 20 // Characters in the unguessable part of a link; each has five random bits.
)

// Order is one payment order of a merchant. Its JSON is used by the fault lab and in the data file.
// The sandbox never changes a value that a field of an Order points to, but replaces it. So copies
// of an Order stay valid.
type Order struct {
	OrderReference string          `json:"order_reference"` // The service's name for the order, REF_<digits>.
	Reference      string          `json:"reference"`       // The merchant's name for the order.
	Description    string          `json:"description"`
	Amount         money.Ariary    `json:"amount"`
	Currency       string          `json:"currency"`
	Items          []Item          `json:"items"`
	Unknown        []string        `json:"unknown_fields,omitempty"` // Fields that are not in the specification.
	WebhookURL     string          `json:"webhook_url,omitzero"`     // Address in [Config.Merchants]; "" means [Config.WebhookURL].
	Link           string          `json:"link"`                     // The unguessable part of checkout_url.
	State          State           `json:"state"`
	ExpiresAt      time.Time       `json:"expires_at"`
	PaidAt         time.Time       `json:"paid_at,omitzero"` // When the customer paid; zero without a payment.
	FailedTries    int             `json:"failed_tries"`
	Failure        Failure         `json:"failure,omitzero"` // Why the last attempt failed; else empty.
	Request        *PaymentRequest `json:"payment_request"`  // Pending request to the customer's phone; nil without one.
	Faults         *EventFaults    `json:"faults"`           // Event faults of this order; nil for the default ones.
}

// Item is one line of an order, with the JSON names of the order call.
type Item struct {
	Label     string       `json:"label"`
	UnitPrice money.Ariary `json:"unit_price"`
	Quantity  int64        `json:"quantity"`
}

// Total returns the price of all units. It does not check for an overflow.
func (i Item) Total() money.Ariary { return i.UnitPrice * money.Ariary(i.Quantity) }

// PaymentRequest is a pending request to the customer's phone.
type PaymentRequest struct {
	Number  string    `json:"number"` // Phone number, masked.
	Failure Failure   `json:"failure,omitzero"`
	Asked   time.Time `json:"asked,omitzero"`
	Due     time.Time `json:"due"`
}

func newOrder(request gateway.OrderRequest, expires time.Time) *Order {
	// Use twelve random digits, so that an order reference is not repeated after a restart: the shop's
	// database still has the earlier orders. The first digit is not zero.
	const least, count = 100_000_000_000, 900_000_000_000
	name := fmt.Sprintf("REF_%d", least+mathrand.Int64N(count)) //nolint:gosec // A name, not a secret.
	order := &Order{
		OrderReference: name, Link: rand.Text()[:linkLength], State: Open, ExpiresAt: expires.UTC(),
		Reference: request.Reference, Description: request.Description, Amount: request.Amount,
		Currency: request.Currency, Unknown: request.Unknown[:min(len(request.Unknown), maxUnknown)],
	}
	for _, item := range request.Items {
		order.Items = append(order.Items, Item{item.Label, item.UnitPrice, item.Quantity})
	}
	return order
}

func (o *Order) over(now time.Time) bool { return !now.Before(o.ExpiresAt) }

// due returns when the phone answers, or when the link ends if that is earlier.
func (o *Order) due() time.Time {
	if o.Request != nil && o.Request.Due.Before(o.ExpiresAt) {
		return o.Request.Due
	}
	return o.ExpiresAt
}

// Reason returns the error text of an event from [Config].Reasons, or "" for a success.
func (s *Sandbox) Reason(kind payments.EventKind, failure Failure) string {
	switch kind {
	case payments.PaymentCanceled:
		return s.config.Reasons["canceled"]
	case payments.PaymentExpired:
		return s.config.Reasons["expired"]
	case payments.PaymentFailed:
		if failure == Refused {
			return s.config.Reasons["refused"]
		}
		return s.config.Reasons["balance"]
	}
	return ""
}

func (o *Order) body(f EventFaults, kind payments.EventKind, reason string) string {
	if reason != "" { // A success has no reason.
		reason = cmp.Or(f.Reason, reason)
	}
	event := gateway.Notification{
		Event: kind, OrderReference: o.OrderReference, Reference: o.Reference, Amount: o.Amount + f.AmountOff,
		Currency: cmp.Or(f.Currency, o.Currency), Description: o.Description, Error: reason,
	}
	if f.Shape == ShapeCurrencyMissing {
		event.Currency = ""
	}
	amount := fmt.Sprintf(`,"amount":%d`, int64(event.Amount))
	shapes := map[Fault]struct{ sound, wrong string }{
		ShapeAmountText:       {amount, fmt.Sprintf(`,"amount":"%d"`, int64(event.Amount))},
		ShapeAmountDecimal:    {amount, amount + ".0"},
		ShapeAmountMissing:    {amount, ""},
		ShapeCurrencyMissing:  {`,"currency":""`, ""},
		ShapeCurrencyMisspelt: {`,"currency":`, `,"curency":`},
	}
	// The replaced part begins with a comma and a quote. In a text field the quote would be
	// escaped, so only the field itself can match.
	return strings.Replace(string(gateway.EncodeEvent(event)), shapes[f.Shape].sound, shapes[f.Shape].wrong, 1)
}

func hasOrderReference(orderReference string) func(*Order) bool {
	return func(o *Order) bool { return o.OrderReference == orderReference }
}
