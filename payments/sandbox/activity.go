package sandbox

import (
	"fmt"
	"net/http"
	"time"

	"checkout/till/payments"
)

// maxActivities bounds the activities that are kept for the dashboard.
const maxActivities = 200

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

// Activity is one line of the sandbox's log for programs: an "order_call" and how it
// was answered, where status 0 is no answer; an "act" of a customer or the clock; or
// a "delivery", which is one try, and how the merchant answered.
type Activity struct {
	At             time.Time          `json:"at"`
	Kind           string             `json:"kind"`
	OrderReference string             `json:"order_reference,omitzero"`
	Reference      string             `json:"reference,omitzero"`
	Event          payments.EventKind `json:"event,omitzero"`
	Delivery       int64              `json:"delivery,omitzero"`
	Stage          Stage              `json:"stage,omitzero"`
	Status         int                `json:"status,omitzero"`
	Message        string             `json:"message,omitzero"` // Of a refusal, or why no reply came.
	Reply          string             `json:"reply,omitzero"`   // The beginning of one that is not 2xx.
	Hint           string             `json:"hint,omitzero"`    // What would mend a delivery that was not accepted.
	Unknown        []string           `json:"unknown_fields,omitempty"`
}

// Activities returns the newest activities, the newest first.
func (s *Sandbox) Activities() []Activity { return newestFirst(s, &s.activities) }

// record notes an activity. The lock must be held.
func (s *Sandbox) record(activity Activity) {
	activity.At = s.config.Now().UTC()
	s.activities = append(s.activities[max(0, len(s.activities)-maxActivities+1):], &activity)
	if s.config.Observe != nil {
		s.config.Observe(activity)
	}
}

// hint says what would mend a try that the merchant did not accept, for the
// developer of the merchant's program; nothing for one that was accepted.
func (c Config) hint(tried Try) string {
	switch status := tried.Status; {
	case tried.Accepted():
		return ""
	case status == 0 && c.WebhookURL == "":
		return "name the program's address with --webhook-url"
	case status == 0:
		return "the program must listen at the webhook address; if it does, its own log says why it gave no reply"
	case status < http.StatusBadRequest:
		return "no redirect is followed: name the address that it leads to"
	case status == http.StatusGone:
		return "410 asks for no further try"
	case tried.Signature != string(c.Scheme):
		return "a fault is set for the signature: " + tried.Signature
	case status == http.StatusBadRequest:
		return "the program must read the signature from the header " + c.SignatureHeader +
			" (TILL_SIGNATURE_HEADER sets another name), and the event as JSON from the body"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("the program must have the header %s, the scheme %s and this sandbox's secret", c.SignatureHeader, c.Scheme)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "the path must be that of the program's webhook, by POST; the program must store order_reference before the customer pays"
	}
	return "the program failed: its own log says why"
}
