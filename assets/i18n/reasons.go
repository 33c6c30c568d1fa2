package i18n

import (
	"cmp"
	"errors"
	"strings"

	"checkout/till/payments"
)

// Reasons say why an order has no link, beside the verdict and behind a colon.
type Reasons struct {
	NoHost         Text   `toml:"no_host"`
	Nobody         Text   `toml:"nobody"`
	NoNetwork      Text   `toml:"no_network"`
	TooSlow        Text   `toml:"too_slow"`
	Taken          Text   `toml:"taken"`
	NoAnswer       Text   `toml:"no_answer"`
	Interrupted    Text   `toml:"interrupted"`
	ConnectionLost Text   `toml:"connection_lost"`
	Unreadable     Text   `toml:"unreadable"`
	Unsound        Phrase `toml:"unsound"`  // What is wrong with it, in English.
	Answered       Phrase `toml:"answered"` // The status, as "503 Service Unavailable".
}

// Of says the reason of an order: in the words of the language, or in the
// service's own where the program has none.
func (r Reasons) Of(order payments.Order) string {
	reason := order.Reason()
	for _, known := range []struct {
		cause error
		says  string
	}{
		{payments.ErrNotSent, cmp.Or(r.network(reason.Detail), order.Error)},
		{payments.ErrOrderReferenceTaken, r.Taken},
		{payments.ErrNoAnswer, r.NoAnswer},
		{payments.ErrInterrupted, r.Interrupted},
		{payments.ErrConnectionLost, r.ConnectionLost},
		{payments.ErrUnreadable, r.Unreadable},
		{payments.ErrUnsoundReply, r.Unsound.With(reason.Detail)},
		{payments.ErrAnswered, r.Answered.With(reason.Detail)},
	} {
		if errors.Is(reason.Cause, known.cause) {
			return known.says
		}
	}
	return reason.Detail
}

// network says what was in the way to the service, where the system's word for
// it is a known one.
func (r Reasons) network(fault string) string {
	for _, known := range []struct{ word, says string }{
		{"no such host", r.NoHost},
		{"connection refused", r.Nobody},
		{"actively refused", r.Nobody}, // On Windows.
		{"unreachable", r.NoNetwork},
		{"no route to host", r.NoNetwork},
		{"timeout", r.TooSlow},
		{"deadline exceeded", r.TooSlow},
	} {
		if strings.Contains(fault, known.word) {
			return known.says
		}
	}
	return fault
}
