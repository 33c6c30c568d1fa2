package payments

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Reach is whether the shop would see a payment now: the state of the whole path from the
// payment service to the database. The zero value means that no problem is known.
type Reach string

// The states of the path from the payment service to the database.
const (
	ReachListens      Reach = "listens"     // No event came since the start, and no request has tested the public address.
	ReachReceives     Reach = "receives"    // An event came since the start, or the public address leads to the shop's listener.
	ReachUnconfirmed  Reach = "unconfirmed" // The last request to the public address did not reach the shop's listener, or an expected event was refused less than 10 minutes ago.
	ReachRefused      Reach = "refused"     // Expected events of different orders were refused, so that the webhook secret has probably changed.
	ReachCrowded      Reach = "crowded"     // The listener has been at its limit of connections for more than two seconds.
	ReachNotListening Reach = "not_listening"
	ReachStoreDown    Reach = "store_down" // The database file cannot be used.
	ReachCutOff       Reach = "cut_off"    // The database is on a server and cannot be used.
	// In these states the listeners are other processes.
	ReachListenerSilent Reach = "listener_silent" // For [listenerSilence], no listener has recorded that it runs.
	ReachNoListener     Reach = "no_listener"     // For [listenerGone], no listener has recorded that it runs, or there is no listener.

	ReachRelay       Reach = "relay"        // The relay answers the till's requests.
	ReachFetching    Reach = "fetching"     // The relay may still have events from before the program's start.
	ReachRelaySilent Reach = "relay_silent" // The relay has sent nothing for [relaySilence].
	ReachNoRelay     Reach = "no_relay"     // The relay has sent nothing for [relayGone], or does not know the till's key.
	ReachRelayHeld   Reach = "relay_held"   // Another till fetches from the relay.
	ReachRelayFull   Reach = "relay_full"   // The relay had no room for the newest event, less than a minute ago.
	ReachRelayLocked Reach = "relay_locked" // The relay keeps events that this till's key cannot decrypt.
)

// sight says whether the shop would see a payment in a [Reach], and so what the till may do.
type sight byte

const (
	seeing   sight = iota // The till creates orders and shows their QR codes.
	doubtful              // The till warns before it creates an order, and shows QR codes with a warning.
	blind                 // The till creates no order and shows no QR code.
)

type state struct {
	reach Reach
	sight sight
	holds bool
}

// If the relay has sent nothing for relaySilence, the state is [ReachRelaySilent]. After
// relayGone, the state is [ReachNoRelay]. A working relay sends something every five seconds.
const relaySilence, relayGone = 12 * time.Second, 2 * time.Minute

// If no listener has recorded for listenerSilence that it runs, the state is [ReachListenerSilent].
// After listenerGone, the state is [ReachNoListener].
const listenerSilence, listenerGone = 10 * time.Second, 2 * time.Minute

// states returns the table of all states, the most urgent first. The last row always holds.
func (h Health) states(now time.Time) []state {
	relay, relayed := h.Relay, h.Relay.Host != ""
	silent, unheard := relay.Silent(now), h.unheard()
	tried := !h.Looked.IsZero()
	// An event that came after the last request to the public address proves that the address works.
	astray := !relayed && tried && !h.LeadsHere && !h.LastEvent.After(h.Looked)
	return []state{
		{ReachCutOff, blind, h.StoreDown && h.Shared},
		{ReachStoreDown, blind, h.StoreDown},
		{ReachNotListening, blind, !h.Listening},
		{ReachNoListener, blind, unheard > listenerGone},
		{ReachRelayHeld, blind, relayed && relay.HeldBy != ""},
		{ReachNoRelay, blind, relayed && (silent > relayGone || relay.Unknown)},
		{ReachRelayFull, blind, relayed && relay.Full},
		{ReachFetching, doubtful, relayed && !relay.Emptied},
		{ReachRefused, doubtful, h.Expected.changed(now)},
		{ReachListenerSilent, doubtful, unheard > listenerSilence},
		{ReachRelaySilent, doubtful, relayed && silent > relaySilence},
		{ReachUnconfirmed, doubtful, astray || h.Expected.recent(now)},
		{ReachCrowded, doubtful, !relayed && h.Crowded},
		{ReachRelayLocked, seeing, relayed && relay.OtherKey > 0},
		{ReachRelay, seeing, relayed},
		{ReachReceives, seeing, tried || !h.LastEvent.IsZero()},
		{ReachListens, seeing, true},
	}
}

// unheard returns the time since a listener last recorded that it runs: 0 if this process has a
// listener or the database is not on a server, and more than listenerGone if there is no listener.
func (h Health) unheard() time.Duration {
	switch {
	case !h.Shared || h.Address != "":
		return 0
	case len(h.Listeners) == 0:
		return 2 * listenerGone
	}
	return h.Listeners[0].Silent
}

// SilentListeners returns the listeners that have not recorded for [listenerSilence] that they run.
// It returns none while the database is down, because the records cannot be read then.
func (h Health) SilentListeners() (silent []Listener) {
	if h.StoreDown {
		return nil
	}
	for _, listener := range h.Listeners {
		if listener.Silent > listenerSilence {
			silent = append(silent, listener)
		}
	}
	return silent
}

// Silence returns how long the relay or the listeners have been silent, in the state
// [ReachRelaySilent] or [ReachListenerSilent]. In other states it returns 0.
func (h Health) Silence(reach Reach, now time.Time) time.Duration {
	switch reach {
	case ReachRelaySilent:
		return h.Relay.Silent(now)
	case ReachListenerSilent:
		return h.unheard()
	}
	return 0
}

// Reach returns the most urgent state that holds at the time now.
func (h Health) Reach(now time.Time) Reach {
	states := h.states(now)
	return states[slices.IndexFunc(states, func(s state) bool { return s.holds })].reach
}

// Reaches returns every state, the most urgent first.
func Reaches() (reaches []Reach) {
	for _, state := range (Health{}).states(time.Time{}) {
		reaches = append(reaches, state.reach)
	}
	return reaches
}

func (r Reach) sight() sight {
	for _, state := range (Health{}).states(time.Time{}) {
		if state.reach == r {
			return state.sight
		}
	}
	return seeing
}

// Blind reports whether a payment would not be seen: then the till creates no order and shows no QR
// code.
func (r Reach) Blind() bool { return r.sight() == blind }

// Doubtful reports whether a payment might not be seen: then the till warns before it creates an
// order, and shows QR codes with a warning.
func (r Reach) Doubtful() bool { return r.sight() == doubtful }

// NeedsAdvice reports whether the screens should say what to do about the state.
func (r Reach) NeedsAdvice() bool { return r.sight() != seeing || r == ReachRelayLocked }

// Conditions returns the reasons to hide verdicts in this state.
func (r Reach) Conditions() Conditions {
	return Conditions{StoreDown: r == ReachStoreDown || r == ReachCutOff, Deaf: r.Blind() || r == ReachFetching}
}

// Expected describes the last refused events that the shop expected (see [Service.Expects]). Their
// signatures were wrong or missing, which suggests that the shop's webhook secret is wrong. It does
// not prove this, because a customer knows enough about an order to forge such an event.
type Expected struct {
	Order   string    // Order reference in the last such event.
	At      time.Time // When the last such event was refused; zero for never.
	Several bool      // Whether events of different orders were refused, each less than secretDoubt after the one before.
}

const (
	// expectedDoubt is how long the state is [ReachUnconfirmed] after an expected event was
	// refused.
	expectedDoubt = 10 * time.Minute
	// secretDoubt is how long the state is [ReachRefused] after expected events of several orders
	// were refused. It is also the longest time between two such events.
	secretDoubt = time.Hour
)

// Refuse returns the value of e after one more expected event was refused.
func (e Expected) Refuse(orderReference string, now time.Time) Expected {
	another := e.Order != "" && e.Order != orderReference
	return Expected{orderReference, now, e.within(secretDoubt, now) && (e.Several || another)}
}

// within reports whether the last event was refused less than limit ago or, after the clock was set
// back, less than limit in the future.
func (e Expected) within(limit time.Duration, now time.Time) bool { return now.Sub(e.At).Abs() < limit }

func (e Expected) changed(now time.Time) bool { return e.Several && e.within(secretDoubt, now) }

func (e Expected) recent(now time.Time) bool { return e.within(expectedDoubt, now) }

// Doubt reports whether the refused events make it doubtful that the shop would see a payment.
func (e Expected) Doubt(now time.Time) bool { return e.changed(now) || e.recent(now) }

// Expects reports whether the payment service could have sent the event now: an order waits for a
// payment that has the event's order reference, amount and currency, and the event names no other
// order. If the store fails, Expects returns false.
func (s *Service) Expects(ctx context.Context, event Event) bool {
	order, _, err := s.store.Order(ctx, event.OrderReference)
	waits := order.Status == StatusPending || order.Payable(s.now())
	over := !s.now().Before(order.Link.ExpiresAt.Add(DeafGrace))
	named := order.OrderReference == event.OrderReference && event.Amount.Is(order.Amount) && event.Currency == TextValue(Currency)
	if err != nil || order.decided() || !waits || over || !named {
		return false
	}
	reference, another := event.Names(order)
	if !another {
		return true
	}
	other, _, err := s.store.Order(ctx, reference)
	return errors.Is(err, ErrNotFound) || err == nil && other.Reference != reference
}

// UnseenError is returned if no order was created because the till would not see its payment.
type UnseenError struct{ Reach Reach }

func (e *UnseenError) Error() string {
	return "no order is made, because its payment would not be seen: " + string(e.Reach)
}
