package sandbox

import (
	"bytes"
	"slices"
	"time"

	"checkout/till/payments"
)

// stage is where a delivery stands.
type stage string

const (
	held      stage = "held back" // By a fault, until the link is over.
	dropped   stage = "dropped"   // By a fault; nothing was sent.
	waiting   stage = "waiting"   // For its next try.
	sending   stage = "sending"   // Now, or for another of the same order.
	delivered stage = "delivered" // The merchant answered 2xx.
	abandoned stage = "given up"  // After the last try.
)

// known tells whether there is such a stage.
func (s stage) known() bool {
	return s == held || s == dropped || s == waiting || s == sending || s == delivered || s == abandoned
}

const (
	// maxAttempts bounds how many tries of a delivery are kept.
	maxAttempts = 20
	// maxOldReply is how much of a reply is kept once there is a later one, in
	// bytes.
	maxOldReply = 512
)

// delivery is one event on its way to the merchant. The sender's lock guards
// it once the sender has it.
type delivery struct {
	id    int64
	order string // The order reference.
	kind  payments.EventKind
	parcel
	made     time.Time
	stage    stage
	next     time.Time // Of the next try, while it waits.
	tries    int       // Since it was last sent by hand.
	attempts []attempt // The newest last; none when it is out of sight.
	entry    *entry
	tried    chan struct{} // Closed after the first try.
	begun    bool          // It was tried at least once.
	unseen   bool          // Newer deliveries took its place in what is shown.
}

// note records a try. Of earlier replies the beginning alone is kept.
func (d *delivery) note(tried attempt) {
	if !d.begun {
		d.begun = true
		close(d.tried)
	}
	d.tries++
	if d.unseen {
		return
	}
	if last := len(d.attempts) - 1; last >= 0 {
		reply := d.attempts[last].reply
		d.attempts[last].reply = bytes.Clone(reply[:min(len(reply), maxOldReply)])
	}
	if len(d.attempts) == maxAttempts {
		d.attempts = slices.Delete(d.attempts, 0, 1)
	}
	d.attempts = append(d.attempts, tried)
}

// hide drops what only people would look at.
func (d *delivery) hide() { d.unseen, d.attempts = true, nil }

// over tells whether no further try is planned.
func (d *delivery) over() bool {
	return d.stage == delivered || d.stage == abandoned || d.stage == dropped
}
