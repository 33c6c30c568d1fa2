package sandbox

import (
	"math/rand/v2"
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

// maxAttempts bounds how many tries of a delivery are kept.
const maxAttempts = 20

// delivery is one event on its way to the merchant. The sender's lock guards
// it once the sender has it.
type delivery struct {
	id       int64
	order    string // The order reference.
	kind     payments.EventKind
	body     []byte
	made     time.Time
	stage    stage
	next     time.Time // Of the next try, while it waits.
	tries    int       // Since it was last sent by hand.
	attempts []attempt // The newest last.
	entry    *entry
	tried    chan struct{} // Closed after the first try.
}

// note records a try. Only the newest reply is kept.
func (d *delivery) note(tried attempt) {
	if len(d.attempts) > 0 {
		d.attempts[len(d.attempts)-1].reply = nil
	} else {
		close(d.tried)
	}
	if len(d.attempts) == maxAttempts {
		d.attempts = d.attempts[1:]
	}
	d.attempts = append(d.attempts, tried)
	d.tries++
}

// over tells whether no further try is planned.
func (d *delivery) over() bool {
	return d.stage == delivered || d.stage == abandoned || d.stage == dropped
}

// jitterShare is by how much of itself a pause is longer or shorter by chance,
// so that the tries of many deliveries part.
const jitterShare = 0.2

// pauses returns how long a delivery waits before each further try.
func pauses() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

// pause returns how long to wait after so many tries, and false when there is
// no further one.
func pause(tries int) (time.Duration, bool) {
	plan := pauses()
	if tries < 1 || tries > len(plan) {
		return 0, false
	}
	share := 1 + jitterShare*(2*rand.Float64()-1) //nolint:gosec // Nobody gains by guessing a pause.
	return time.Duration(float64(plan[tries-1]) * share), true
}
