package sandbox

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox/delivery"
)

// The keys of the log.
const (
	logFailure = "failure"
	logOrder   = "order_reference"
	logEvent   = "event"
	logTry     = "try"
	logStatus  = "status"
	logStage   = "stage"
	logReply   = "reply" // Its beginning.
	logHint    = "hint"
)

// ActivityKind is what an activity is about.
type ActivityKind string

// The kinds of activities.
const (
	ActivityCall     ActivityKind = "order_call" // And how it was answered; status 0 is no answer.
	ActivityAct      ActivityKind = "act"        // Of a customer or the clock.
	ActivityDelivery ActivityKind = "delivery"   // One try, and how the merchant answered.
)

// Activity is one line of the sandbox's log for programs.
type Activity struct {
	At             time.Time          `json:"at"`
	Kind           ActivityKind       `json:"kind"`
	OrderReference string             `json:"order_reference,omitzero"`
	Reference      string             `json:"reference,omitzero"`
	Event          payments.EventKind `json:"event,omitzero"`
	Delivery       int64              `json:"delivery,omitzero"`
	Stage          delivery.Stage     `json:"stage,omitzero"`
	Status         int                `json:"status,omitzero"`
	Message        string             `json:"message,omitzero"` // Of a refusal, or why no reply came.
	Reply          string             `json:"reply,omitzero"`   // The beginning of one that is not 2xx.
	Hint           string             `json:"hint,omitzero"`    // What would mend a delivery that was not accepted.
	Unknown        []string           `json:"unknown_fields,omitempty"`
}
