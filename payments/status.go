package payments

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

// EventKind is the value of an event's "event" field.
type EventKind string

// The four kinds of section 6 of the specification. Any other kind is stored
// and changes nothing.
const (
	PaymentSuccess  EventKind = "payment.success"
	PaymentFailed   EventKind = "payment.failed"
	PaymentCanceled EventKind = "payment.canceled"
	PaymentExpired  EventKind = "payment.expired"
)

// EventKinds returns the four kinds of the specification.
func EventKinds() []EventKind {
	return []EventKind{PaymentSuccess, PaymentFailed, PaymentCanceled, PaymentExpired}
}

// Status returns the status that an event of this kind sets, and false for a
// kind that the specification does not name.
func (k EventKind) Status() (Status, bool) {
	switch k {
	case PaymentSuccess:
		return StatusSuccess, true
	case PaymentFailed:
		return StatusFailed, true
	case PaymentCanceled:
		return StatusCanceled, true
	case PaymentExpired:
		return StatusExpired, true
	}
	return "", false
}
