package payments

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// Health is the state of the webhook listener and of its store. The zero value is a listener
// that does not listen.
type Health struct {
	Listening   bool          // Also true if the listeners are other processes.
	Address     string        // Where the listener listens; empty if the listeners are other processes.
	LastEvent   time.Time     // When the listener last accepted an event, UTC; zero if never since the start.
	Accepted    int64         // Number of stored deliveries since the start, without those in Repeated.
	Repeated    int64         // Number of deliveries since the start that had the effect Duplicate.
	Refused     int64         // Number of webhook requests that were refused since the last event with a valid signature.
	Expected    Expected      // The refused events that the shop expected; zero after an event with a valid signature.
	Looked      time.Time     // When the public address was last requested to test it; zero for never.
	LeadsHere   bool          // Whether the last request to the public address reached a listener of the shop.
	Unmatched   int64         // Number of deliveries since the start that had the effect Unmatched.
	Cause       Cause         // Why webhooks are refused or may be forged.
	UnknownKind string        // Last received event kind that is not in the specification, cleaned by [clean.Text].
	Crowded     bool          // The listener has been at its limit of connections for more than two seconds.
	StoreDown   bool          // The store failed at the last event or the last probe, or the database server was silent for too long.
	Shared      bool          // The database is on a server.
	Heard       time.Time     // When the database server last answered a poll or a change; zero for never.
	Polls       bool          // Changes of other processes are found only by polling, because no notifications come from the database server.
	Readable    string        // The sslmode of the connection to the database server, if others can read its traffic; else empty.
	Skew        time.Duration // How far the database server's clock, which the shop uses, is ahead of this machine's.
	Ahead       time.Duration // How far the payment service's clock was ahead of the shop's at the last reply.
	Fault       string        // For the operator: why the server's database cannot be used until a person acts; else empty.
	Relay       RelayState    // Zero without a relay.
	Outbox      OutboxState   // Zero without an outbox.
	Listeners   []Listener    // Listeners that use the database server, the most recently heard first.
}

// Listener is one of the listeners of a shop whose database is on a server. Each records in the
// database every few seconds that it runs.
type Listener struct {
	Name   string        // The listener's machine and port.
	Silent time.Duration // Time since the listener last recorded that it runs, by the database server's clock.
}

// NewListenerID returns a random public ID for a listener with this name. [Listener.Has] recognizes
// it.
func NewListenerID(name string) string {
	random := rand.Text()
	return random + "-" + hashOf(random, name)
}

// Has reports whether [NewListenerID] made the ID from the listener's name.
func (l Listener) Has(id string) bool {
	random, hash, _ := strings.Cut(id, "-")
	return l.Name != "" && hash == hashOf(random, l.Name)
}

// hashOf returns the part of an ID that depends on the name.
func hashOf(random, name string) string {
	const length = 16
	sum := sha256.Sum256([]byte(random + clean.Text(name, MaxShownWidth))) // The store cleans names, too.
	return hex.EncodeToString(sum[:])[:length]
}

// RelayState is the state of a till's connection to the relay. The relay is a server that
// receives events for the till and keeps them until the till fetches them.
type RelayState struct {
	Host     string       // The relay's host, with the port if its address has one; empty without a relay.
	Since    time.Time    // When fetching began.
	Contact  time.Time    // When the relay last sent something; zero for never.
	Emptied  bool         // Whether all events that the relay kept before the start were fetched.
	HeldBy   string       // Name of another till that fetches instead of this one; else empty.
	Unknown  bool         // The relay does not know the till's key.
	Full     bool         // The relay had no room for the newest event, less than a minute ago.
	Waiting  int          // Number of events that were fetched and are not stored yet.
	OtherKey int          // Number of events that this till cannot decrypt, because they were encrypted for another key.
	Fault    string       // Why the last fetch failed, for the operator; else empty.
	Missed   []string     // References of the orders whose proof of payment reached the relay before the start; set once Emptied is true.
	MissedOf money.Ariary // Sum of the missed payments.
}

// Silent returns how long the relay has sent nothing, at most the time since fetching began.
func (s RelayState) Silent(now time.Time) time.Duration {
	return min(now.Sub(s.Contact), now.Sub(s.Since))
}

// Call says when an order call was made, and whether it failed.
type Call struct {
	At     time.Time // When the call began.
	Took   time.Duration
	Failed bool // The call made no order, or its result is unknown.
}

// Suspicious reports whether the health has a [Cause]: genuine webhooks are refused, or forged ones
// may be accepted.
func (h Health) Suspicious() bool { return h.Cause.Kind != CauseNone }

// ClockOff reports whether the shop's clock and the payment service's differ by more than two
// minutes. The shop then shows a wrong end of the links.
func (h Health) ClockOff() bool { return h.Ahead.Abs() > 2*time.Minute }

// OutboxState is the state of a listener's outbox: the received events that are not applied yet.
type OutboxState struct {
	Events   int       // Number of queued events, including those set aside.
	Oldest   time.Time // Arrival of the oldest queued event, UTC; zero if the queue is empty.
	SetAside int       // Number of events that a working store refused; they are tried again at the next start.
	Full     bool      // An event could be neither stored nor queued; false again when one is queued or applied.
	Away     bool      // The store was unavailable when it was last tried.
	Queued   int64     // Number of events that were queued since the start.
	Applied  int64     // Number of queued events that were applied since the start.
	Lost     int64     // Number of events since the start that were neither stored nor queued, or were dropped from the queue.
}

// CauseKind is the code of a [Cause].
type CauseKind string

// The kinds of causes. The last one is about accepted webhooks, the others are about refused ones.
const (
	CauseNone            CauseKind = ""
	CauseSecretChanged   CauseKind = "secret_changed"    // An expected event has a wrong or missing signature, and no other cause is known.
	CauseNoEvent         CauseKind = "no_event"          // The signature is valid, but the body is not an event.
	CauseDoubled         CauseKind = "doubled"           // Several signatures; at least one is by the till's secret.
	CauseOtherHeader     CauseKind = "other_header"      // The signature is valid, but in another header: see Detail.
	CauseOtherScheme     CauseKind = "other_scheme"      // The signature is right by another scheme: see Detail.
	CauseOtherForm       CauseKind = "other_form"        // The signature is not plain lower-case hexadecimal, but has the form in Detail, such as "sha256=…". It may be forged.
	CauseOurWhiteSpace   CauseKind = "our_white_space"   // The till's secret has white space around it.
	CauseTheirWhiteSpace CauseKind = "their_white_space" // The service's secret has white space around it.
	CauseWrongPath       CauseKind = "wrong_path"        // The signature is valid, but the path is wrong: see Detail.
	CauseWrongMethod     CauseKind = "wrong_method"      // The signature is valid, but the method is wrong: see Detail.
	CauseSignatureKnown  CauseKind = "signature_known"   // Many unmatched successes: the signature may have leaked.
)

// CauseKinds returns all kinds except [CauseNone].
func CauseKinds() []CauseKind {
	return []CauseKind{
		CauseSecretChanged, CauseNoEvent, CauseDoubled, CauseOtherHeader, CauseOtherScheme, CauseOtherForm,
		CauseOurWhiteSpace, CauseTheirWhiteSpace, CauseWrongPath, CauseWrongMethod, CauseSignatureKnown,
	}
}

// Cause is why the payment service's webhooks are refused or may be forged, for the operator. It
// contains no secret and no header value.
type Cause struct {
	Kind   CauseKind
	Detail string // Depends on Kind; may be empty. It may be a text of a sender: show it with [Cause.Display].
}

// Display returns the detail, cleaned by [clean.Text] and cut to 40 columns.
func (c Cause) Display() string { return clean.Text(c.Detail, 40) }
