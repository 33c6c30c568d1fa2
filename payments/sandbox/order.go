package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// The reasons why a customer's action is not taken.
var (
	// ErrNoSuchOrder says that the sandbox has no such order, or no longer.
	ErrNoSuchOrder = errors.New("the sandbox has no such order")
	// ErrLinkOver says that the link is paid, canceled or expired.
	ErrLinkOver = errors.New("the link is over")
	// ErrNoSuchAction says that no customer can cause an event of this kind.
	ErrNoSuchAction = errors.New("not an action of a customer")
	// ErrBusy says that a bound is reached: tries on a link, or events that wait.
	ErrBusy = errors.New("the sandbox has too much to do")
	// errTaken says that another order has the reference.
	errTaken = errors.New("reference is already used by another order")
)

// state is where a link stands. But for the first they are the words of the
// events.
type state string

const (
	open     state = "open"
	paid     state = "success"
	canceled state = "canceled"
	expired  state = "expired"
)

// known tells whether there is such a state.
func (s state) known() bool { return s == open || s == paid || s == canceled || s == expired }

// maxFailures bounds the failed tries on one link.
const maxFailures = 50

// order is one payment order of a merchant.
type order struct {
	request   gateway.OrderRequest // Without its token.
	reference string               // The service's name, REF_<digits>.
	link      string               // The unguessable part of the link.
	ends      time.Time
	state     state
	failures  int
	customer  customer
	faults    *EventFaults // Instead of those for all orders, when set.
	held      []*delivery  // Held back by a fault; see [EventFaults].
	expiry    *entry
}

// linkLength is the length of the unguessable part, five bits a character.
const linkLength = 20

func newOrder(request gateway.OrderRequest, ends time.Time) *order {
	request.Access = payments.Secret{}
	return &order{
		request: request, reference: newReference(), link: rand.Text()[:linkLength],
		ends: ends, state: open,
	}
}

// newReference makes a name that does not come again after a restart: a shop's
// database outlives the sandbox. Twelve digits, the first of them no zero.
func newReference() string {
	const least, count = 100_000_000_000, 900_000_000_000
	number, err := rand.Int(rand.Reader, big.NewInt(count))
	if err != nil {
		panic("sandbox: the machine has no randomness: " + err.Error()) // crypto/rand never fails.
	}
	return fmt.Sprintf("REF_%d", number.Int64()+least)
}

// meet moves the order by what the customer or the clock did at now.
//
// A failed try leaves the link open: the customer may try again on the same
// page until the link's end. The other three end it.
func (o *order) meet(kind payments.EventKind, now time.Time) error {
	status, known := kind.Status()
	switch {
	case !known:
		return ErrNoSuchAction
	case o.state != open, !now.Before(o.ends) && kind != payments.PaymentExpired:
		return ErrLinkOver
	case kind == payments.PaymentFailed && o.failures == maxFailures:
		return ErrBusy
	case kind == payments.PaymentFailed:
		o.failures++
	default:
		o.state = state(status)
	}
	return nil
}

// notification returns the event of a kind for the order, with no fault.
func (o *order) notification(kind payments.EventKind) gateway.Notification {
	return gateway.Notification{
		Event: kind, OrderReference: o.reference, Reference: o.request.Reference,
		Amount: o.request.Amount, Currency: o.request.Currency,
		Description: o.request.Description, Error: reason(kind, o.customer.trouble),
	}
}

// reason is the text that an event carries beside its kind; a success has none.
func reason(kind payments.EventKind, trouble answer) string {
	switch kind {
	case payments.PaymentFailed:
		if trouble == refused {
			return "Transaction refusée par le client"
		}
		return "Solde insuffisant"
	case payments.PaymentCanceled:
		return "Paiement annulé par le client"
	case payments.PaymentExpired:
		return "Délai de paiement dépassé"
	default:
		return ""
	}
}
