package payments

import "time"

// Health is what is known of the webhook listener and of the store behind it,
// as the console, the line mode and the probes show it. The zero value is a
// listener that does not listen.
type Health struct {
	Listening bool
	Address   string    // Where the listener listens; empty where the shop's is elsewhere.
	LastEvent time.Time // When an event was stored last, UTC; zero for never since the start.
	Refused   int64     // Webhook requests refused since the last one with a right signature.
	// RefusedUntil is until when the order waits that the last refused event named;
	// zero for none, and once an event was accepted.
	RefusedUntil time.Time
	Looked       time.Time     // When the public address was tried last; zero for never.
	LeadsHere    bool          // It led to this listener then.
	Unmatched    int64         // Deliveries since the start whose order was not known.
	Cause        Cause         // Why they were refused, or what else to look at; none while all is well.
	Crowded      bool          // Connections have been at their limit for more than two seconds.
	StoreDown    bool          // The store failed at the last event, or when it was probed.
	Shared       bool          // The database is at a server.
	Heard        time.Time     // When the server answered last; zero when it never did.
	Polls        bool          // The server is polled for changes: it notifies nobody of them.
	Readable     string        // The sslmode with which the line to the server can be read; empty for a safe one.
	Skew         time.Duration // By how much the server's clock, which is the shop's, is ahead of this machine's.
	Ahead        time.Duration // By how much the payment service's clock was ahead of the shop's at its last reply.
	Fault        string        // Why the server's database cannot be used as things are, for the operator.
}

// Suspicious reports whether webhooks are refused, or may be forged.
func (h Health) Suspicious() bool { return h.Refused > 0 || h.Cause.Kind != CauseNone }

// ClockOff reports whether the shop's clock and the payment service's are so far apart
// that codes expire at another time than the shop says.
func (h Health) ClockOff() bool { return h.Ahead.Abs() > 2*time.Minute }

// OutboxState is what is known of a listener's outbox: the events that it received
// and could not apply yet. Its counters begin at zero with the program.
type OutboxState struct {
	Events   int       // Waiting, those set aside included.
	Oldest   time.Time // Arrival of the oldest, UTC; zero for none.
	SetAside int       // Refused by the working store; tried again at the next start.
	Full     bool      // The last event that should have been kept was not.
	Away     bool      // The store could not be used when it was tried last.
	Kept     int64     // Events that were kept.
	Applied  int64     // Kept events that were applied since.
	Lost     int64     // Events that were neither stored nor kept.
}

// CauseKind is what kind of mistake has webhooks refused, or else is wrong with
// them. It is the key of the texts that say it.
type CauseKind string

// The kinds. "Ours" is the till's settings, "theirs" what the service sends.
const (
	CauseNone            CauseKind = ""                  // No cause is known.
	CauseSecretChanged   CauseKind = "secret_changed"    // A signature that nothing known explains.
	CauseNoEvent         CauseKind = "no_event"          // Signed, and no event of the specification.
	CauseDoubled         CauseKind = "doubled"           // A right signature that does not stand alone.
	CauseOtherHeader     CauseKind = "other_header"      // Right, and in the header that Detail names.
	CauseOtherScheme     CauseKind = "other_scheme"      // Right by the scheme that Detail names.
	CauseOtherForm       CauseKind = "other_form"        // Right but for capitals or a prefix.
	CauseOurWhiteSpace   CauseKind = "our_white_space"   // Our secret has white space around it.
	CauseTheirWhiteSpace CauseKind = "their_white_space" // Their secret has white space around it.
	CauseWrongPath       CauseKind = "wrong_path"        // Signed, and sent to the path that Detail names.
	CauseWrongMethod     CauseKind = "wrong_method"      // Signed, and sent by the method that Detail names.
	CauseSignatureKnown  CauseKind = "signature_known"   // A burst of successes that no order has: somebody else may know the signature.
)

// CauseKinds returns every kind but [CauseNone].
func CauseKinds() []CauseKind {
	return []CauseKind{
		CauseSecretChanged, CauseNoEvent, CauseDoubled, CauseOtherHeader, CauseOtherScheme, CauseOtherForm,
		CauseOurWhiteSpace, CauseTheirWhiteSpace, CauseWrongPath, CauseWrongMethod, CauseSignatureKnown,
	}
}

// Cause is why webhooks are refused, for the operator. It holds no secret and
// no value of a header. The zero value is no cause.
type Cause struct {
	Kind CauseKind
	// Detail is what the kind speaks of, and blank for most. It may come from
	// outside: show [Cause.Shown].
	Detail string
}

// Shown returns the detail, cleaned and cut to 40 columns.
func (c Cause) Shown() string { return Clean(c.Detail, 40) }

// Reach says whether a payment would be seen now. It judges the whole way from the
// payment service to the database. The zero value has nothing against it.
type Reach string

// The states of the way in.
const (
	ReachListens      Reach = "listens"       // Nothing was ever received, and the public address was not tried.
	ReachReceives     Reach = "receives"      // An event came, or the public address leads here.
	ReachUnconfirmed  Reach = "unconfirmed"   // The public address does not lead here.
	ReachRefused      Reach = "refused"       // An event of an order that waits was refused.
	ReachNotListening Reach = "not_listening" // The listener is down.
	ReachStoreDown    Reach = "store_down"    // The database cannot be used.
	ReachCutOff       Reach = "cut_off"       // The database server cannot be reached.
)

// Reaches returns every state.
func Reaches() []Reach {
	return []Reach{
		ReachListens, ReachReceives, ReachUnconfirmed, ReachRefused, ReachNotListening, ReachStoreDown, ReachCutOff,
	}
}

// Blind reports whether a payment would not be seen. Then no order is made, and no
// code is shown.
func (r Reach) Blind() bool {
	return r == ReachRefused || r == ReachNotListening || r == ReachStoreDown || r == ReachCutOff
}

// Doubtful reports whether a payment might not be seen. Then the program asks before
// it makes an order, and shows a code with a warning.
func (r Reach) Doubtful() bool { return r == ReachUnconfirmed }

// Conditions returns what the state hides of an order.
func (r Reach) Conditions() Conditions {
	return Conditions{StoreDown: r == ReachStoreDown || r == ReachCutOff, Deaf: r.Blind()}
}

// Reach returns the state of the way in at now. An event that came after a look at
// the public address is the better evidence.
func (h Health) Reach(now time.Time) Reach {
	switch {
	case h.StoreDown && h.Shared:
		return ReachCutOff
	case h.StoreDown:
		return ReachStoreDown
	case !h.Listening:
		return ReachNotListening
	case now.Before(h.RefusedUntil):
		return ReachRefused
	case !h.Looked.IsZero() && !h.LeadsHere && !h.LastEvent.After(h.Looked):
		return ReachUnconfirmed
	case !h.Looked.IsZero(), !h.LastEvent.IsZero():
		return ReachReceives
	}
	return ReachListens
}

// UnseenError says that no order was made, because its payment would not be seen.
type UnseenError struct{ Reach Reach }

// Error names the state of the way in.
func (e *UnseenError) Error() string {
	return "no order is made, because its payment would not be seen: " + string(e.Reach)
}
