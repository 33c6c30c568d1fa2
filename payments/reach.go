package payments

import "time"

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
