package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestTheHealthDeterminesTheReach(t *testing.T) {
	now, ago := opening(), opening().Add(-time.Minute)
	relayed := func(relay payments.RelayState) payments.Health {
		relay.Host = "relay.example.mg"
		return payments.Health{Listening: true, Relay: relay}
	}
	fresh := payments.RelayState{Since: ago, Contact: now.Add(-12 * time.Second), Emptied: true}
	full := fresh
	full.Full = true
	locked := fresh
	locked.OtherKey = 2
	const yes, asks, no = "yes", "asks", "no"
	reached := make(map[payments.Reach]bool)
	for _, test := range []struct {
		name   string
		health payments.Health
		want   payments.Reach
		charge string // Whether the till may charge.
	}{
		{"nothing was ever received", payments.Health{Listening: true}, payments.ReachListens, yes},
		{"an event came", payments.Health{Listening: true, LastEvent: ago}, payments.ReachReceives, yes},
		{"the public address leads here", payments.Health{Listening: true, Looked: ago, LeadsHere: true}, payments.ReachReceives, yes},
		{"the public address does not lead here", payments.Health{Listening: true, Looked: ago}, payments.ReachUnconfirmed, asks},
		{
			"the last event is older than that",
			payments.Health{Listening: true, Looked: ago, LastEvent: ago},
			payments.ReachUnconfirmed, asks,
		},
		{
			"an event came since then",
			payments.Health{Listening: true, Looked: ago, LastEvent: now},
			payments.ReachReceives, yes,
		},
		{
			"stray requests are refused",
			payments.Health{Listening: true, Refused: 3, Cause: payments.Cause{Kind: payments.CauseSecretChanged}},
			payments.ReachListens, yes,
		},
		{
			"an event of an awaited order is refused",
			payments.Health{Listening: true, Looked: ago, LeadsHere: true, LastEvent: ago, Refused: 1, RefusedUntil: now.Add(1)},
			payments.ReachRefused, no,
		},
		{"that order is not awaited any more", payments.Health{Listening: true, Refused: 1, RefusedUntil: now}, payments.ReachListens, yes},
		{"the listener is down", payments.Health{LastEvent: ago, RefusedUntil: now.Add(1)}, payments.ReachNotListening, no},
		{"the database fails", payments.Health{StoreDown: true}, payments.ReachStoreDown, no},
		{"the database server is away", payments.Health{Listening: true, StoreDown: true, Shared: true}, payments.ReachCutOff, no},
		{"the relay answers", relayed(fresh), payments.ReachRelay, yes},
		{"its box was not emptied yet", relayed(payments.RelayState{Since: ago}), payments.ReachFetching, asks},
		{"it has been silent for a minute", relayed(payments.RelayState{Contact: ago, Emptied: true}), payments.ReachRelaySilent, asks},
		{"it has been silent for minutes", relayed(payments.RelayState{Contact: ago.Add(-90 * time.Second), Emptied: true}), payments.ReachNoRelay, no},
		{"it never answered", relayed(payments.RelayState{Since: ago.Add(-90 * time.Second)}), payments.ReachNoRelay, no},
		{"it does not know the key", relayed(payments.RelayState{Contact: ago, Unknown: true}), payments.ReachNoRelay, no},
		{"another till fetches", relayed(payments.RelayState{Since: ago, HeldBy: "T2"}), payments.ReachRelayHeld, no},
		{"the relay is full", relayed(full), payments.ReachRelayFull, no},
		{"the relay keeps events for a former key", relayed(locked), payments.ReachRelayLocked, yes},
	} {
		got := test.health.Reach(now)
		reached[got] = true
		if got != test.want || got.Blind() != (test.charge == no) || got.Doubtful() != (test.charge == asks) {
			t.Errorf("%s: %s, blind %v, doubtful %v", test.name, got, got.Blind(), got.Doubtful())
		}
		away := got == payments.ReachStoreDown || got == payments.ReachCutOff
		deaf := test.charge == no || got == payments.ReachFetching
		if want := (payments.Conditions{StoreDown: away, Deaf: deaf}); got.Conditions() != want {
			t.Errorf("%s: %+v", test.name, got.Conditions())
		}
	}
	for _, reach := range payments.Reaches() {
		if !reached[reach] {
			t.Errorf("no case has the reach %s", reach)
		}
	}
	if zero := payments.Reach(""); zero.Blind() || zero.Doubtful() || zero.Conditions() != (payments.Conditions{}) {
		t.Error("the zero value is blind or doubtful")
	}
}

func TestCheckoutIsRefusedWhilePaymentsAreUnseen(t *testing.T) {
	for _, reach := range payments.Reaches() {
		s := newShop(t)
		s.Service = payments.New(s.store, s, s.clock, payments.WithReach(func() payments.Reach { return reach }))
		_, err := s.Checkout(t.Context(), terms("S1"))
		unseen, refused := errors.AsType[*payments.UnseenError](err)
		if refused != reach.Blind() || refused && unseen.Reach != reach || err != nil && !refused {
			t.Errorf("%s: %v", reach, err)
		}
		orders, err := s.Orders(t.Context(), payments.Query{Limit: 9})
		must(t, err)
		if refused && len(orders)+len(s.asked) > 0 || !refused && len(orders)*len(s.asked) != 1 {
			t.Errorf("%s: %d orders, %d calls", reach, len(orders), len(s.asked))
		}
	}
}

func TestAnOrderIsAwaitedUntilHalfAnHourAfterItsLink(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	if got := s.AwaitedUntil(t.Context(), order.OrderReference); !got.Equal(order.Link.ExpiresAt.Add(30 * time.Minute)) {
		t.Errorf("a new order is awaited until %v", got)
	}
	s.receive(t, event(payments.PaymentFailed, order, ""))
	if s.AwaitedUntil(t.Context(), order.OrderReference).IsZero() {
		t.Error("a failed order is not awaited, but the customer may try again")
	}
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	for _, reference := range []string{order.OrderReference, "REF_9"} {
		if got := s.AwaitedUntil(t.Context(), reference); !got.IsZero() {
			t.Errorf("%s is awaited until %v", reference, got)
		}
	}
}
