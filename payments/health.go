package payments

import "time"

// Health is what is known of the webhook listener and of the store behind it,
// as the console, the line mode and the probes show it. The zero value is a
// listener that does not listen.
type Health struct {
	Listening bool
	Address   string        // Where the listener listens; empty where the shop's is elsewhere.
	LastEvent time.Time     // When an event was stored last, UTC; zero for never since the start.
	Refused   int64         // Webhook requests refused since the last one with a right signature.
	Cause     Cause         // Why they were refused, or what else to look at; none while all is well.
	Crowded   bool          // Connections have been at their limit for more than two seconds.
	StoreDown bool          // The store failed at the last event, or when it was probed.
	Shared    bool          // The database is at a server.
	Heard     time.Time     // When the server answered last; zero when it never did.
	Polls     bool          // The server is polled for changes: it notifies nobody of them.
	Readable  string        // The sslmode with which the line to the server can be read; empty for a safe one.
	Skew      time.Duration // By how much the server's clock, which is the shop's, is ahead of this machine's.
	Fault     string        // Why the server's database cannot be used as things are, for the operator.
}

// Suspicious reports whether webhooks are refused, or may be forged.
func (h Health) Suspicious() bool { return h.Refused > 0 || h.Cause.Kind != CauseNone }

// Backlog is what a listener received and could not apply yet: the events in
// its outbox. Its counters begin at zero with the program.
type Backlog struct {
	Events   int       // Waiting, those set aside included.
	Bytes    int64     // Of their bodies.
	Oldest   time.Time // Arrival of the oldest, UTC; zero for none.
	SetAside int       // Refused by the working store; tried again at the next start.
	Full     bool      // The last event that should have been kept was not.
	Away     bool      // The store could not be used when it was tried last.
	Kept     int64     // Events that were kept.
	Applied  int64     // Kept events that were applied since.
	Lost     int64     // Events that were neither stored nor kept.
}
