package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

func TestAListenerIDIsUniqueAndHasTheListenersName(t *testing.T) {
	id := payments.NewListenerID("server:8788")
	if id == payments.NewListenerID("server:8788") {
		t.Errorf("two listeners have the ID %s", id)
	}
	for name, want := range map[string]bool{"server:8788": true, "server:8790": false, "": false} {
		if (payments.Listener{Name: name}).Has(id) != want {
			t.Errorf("%q has %s: %t, want %t", name, id, !want, want)
		}
	}
	if (payments.Listener{}).Has(payments.NewListenerID("")) || (payments.Listener{Name: "server:8788"}).Has("") {
		t.Error("a listener without a name is recognized")
	}
}

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
	elsewhere := func(silent ...time.Duration) (health payments.Health) {
		health.Listening, health.Shared = true, true
		for _, silence := range silent {
			health.Listeners = append(health.Listeners, payments.Listener{Name: "server:8788", Silent: silence})
		}
		return health
	}
	here := elsewhere(time.Second, time.Hour)
	here.Address = "127.0.0.1:8788"
	several := payments.Expected{Order: "B", At: ago, Several: true}
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
			payments.Health{Listening: true, Refused: 3, Cause: payments.Cause{Kind: payments.CauseWrongPath}},
			payments.ReachListens, yes,
		},
		{
			"an expected event is refused",
			payments.Health{Listening: true, Looked: ago, LeadsHere: true, LastEvent: ago, Expected: payments.Expected{Order: "A", At: ago}},
			payments.ReachUnconfirmed, asks,
		},
		{
			"expected events of several orders are refused",
			payments.Health{Listening: true, Looked: ago, Expected: several},
			payments.ReachRefused, asks,
		},
		{"the connections are at their limit", payments.Health{Listening: true, LastEvent: ago, Crowded: true}, payments.ReachCrowded, asks},
		{
			"the connections are at their limit, but the relay answers",
			payments.Health{Listening: true, Crowded: true, Relay: payments.RelayState{Host: "relay.example.mg", Contact: now, Emptied: true}},
			payments.ReachRelay, yes,
		},
		{"the listener is down", payments.Health{LastEvent: ago, Expected: several}, payments.ReachNotListening, no},
		{"the database fails", payments.Health{StoreDown: true}, payments.ReachStoreDown, no},
		{"the database server is away", payments.Health{Listening: true, StoreDown: true, Shared: true}, payments.ReachCutOff, no},
		{"a listener elsewhere left a sign of life", elsewhere(10 * time.Second), payments.ReachListens, yes},
		{"it has been silent for seconds", elsewhere(11 * time.Second), payments.ReachListenerSilent, asks},
		{"it has been silent for two minutes", elsewhere(2 * time.Minute), payments.ReachListenerSilent, asks},
		{"it has been silent for longer", elsewhere(121 * time.Second), payments.ReachNoListener, no},
		{"no listener left a sign of life", elsewhere(), payments.ReachNoListener, no},
		{"one of several listeners is silent", elsewhere(time.Second, time.Hour), payments.ReachListens, yes},
		{"one of several listeners is silent, and this one is here", here, payments.ReachListens, yes},
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
		if advice := test.charge != yes || got == payments.ReachRelayLocked; got.NeedsAdvice() != advice {
			t.Errorf("%s: needs advice: %v", test.name, got.NeedsAdvice())
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
	for reach, want := range map[payments.Reach]time.Duration{
		payments.ReachListenerSilent: 11 * time.Second, payments.ReachRelaySilent: time.Minute, payments.ReachListens: 0,
	} {
		health := elsewhere(11*time.Second, time.Hour)
		health.Relay.Contact = ago
		if got := health.Silence(reach, now); got != want {
			t.Errorf("%s: silent for %v, want %v", reach, got, want)
		}
	}
	if silent := here.SilentListeners(); len(silent) != 1 || silent[0].Silent != time.Hour {
		t.Errorf("silent listeners: %+v", silent)
	}
	away := here
	away.StoreDown = true
	if silent := away.SilentListeners(); silent != nil {
		t.Errorf("silent listeners while the database is away: %+v", silent)
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

func TestRefusedEventsOfSeveralOrdersWithinAnHourAreDoubtedForAnHour(t *testing.T) {
	for _, test := range []struct {
		name  string
		named string        // Orders of the refused events, ten minutes apart.
		after time.Duration // Time since the last refused event.
		want  payments.Reach
	}{
		{"none", "", 0, payments.ReachListens},
		{"one order", "A", 9 * time.Minute, payments.ReachUnconfirmed},
		{"one order, ten minutes later", "A", 10 * time.Minute, payments.ReachListens},
		{"one order twice", "AA", 9 * time.Minute, payments.ReachUnconfirmed},
		{"two orders", "AB", 59 * time.Minute, payments.ReachRefused},
		{"two orders, an hour later", "AB", time.Hour, payments.ReachListens},
		{"two orders, and then the second one again", "ABBBBBBBBB", 59 * time.Minute, payments.ReachRefused},
		{"two orders an hour apart", "A     B", 0, payments.ReachUnconfirmed},
		{"the clock was set back by a day", "AB", -24 * time.Hour, payments.ReachListens},
	} {
		var expected payments.Expected
		at := opening()
		for i, order := range test.named {
			at = opening().Add(time.Duration(i) * 10 * time.Minute)
			if order != ' ' {
				expected = expected.Refuse(string(order), at)
			}
		}
		health := payments.Health{Listening: true, Expected: expected}
		if got := health.Reach(at.Add(test.after)); got != test.want || expected.Doubt(at.Add(test.after)) != (got != payments.ReachListens) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestTheShopExpectsOnlyEventsThatTheServiceCanSend(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(s *shop, order, other payments.Order, event *payments.Event)
		want   bool
	}{
		{"as the service sends it", func(*shop, payments.Order, payments.Order, *payments.Event) {}, true},
		{"after a failure, because the customer may try again", func(s *shop, order, _ payments.Order, _ *payments.Event) {
			s.receive(t, event(payments.PaymentFailed, order, ""))
		}, true},
		{"another reference", func(_ *shop, _, _ payments.Order, e *payments.Event) { e.Reference = payments.TextValue("CMD-1") }, true},
		{"the service's reference of another order", func(_ *shop, _, other payments.Order, e *payments.Event) {
			e.Reference = payments.TextValue(other.OrderReference)
		}, true},
		{"no reference", func(_ *shop, _, _ payments.Order, e *payments.Event) { e.Reference = payments.Value{} }, true},
		{"29 minutes after the link's end", func(s *shop, order, _ payments.Order, _ *payments.Event) {
			s.now = order.Link.ExpiresAt.Add(payments.DeafGrace - time.Minute)
		}, true},
		{"half an hour after the link's end", func(s *shop, order, _ payments.Order, _ *payments.Event) {
			s.now = order.Link.ExpiresAt.Add(payments.DeafGrace)
		}, false},
		{"after the payment", func(s *shop, order, _ payments.Order, _ *payments.Event) {
			s.receive(t, event(payments.PaymentSuccess, order, ""))
		}, false},
		{"after a finding", func(s *shop, order, _ payments.Order, _ *payments.Event) {
			must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundPaid})))
		}, false},
		{"the shop's own reference", func(_ *shop, order, _ payments.Order, e *payments.Event) { e.OrderReference = order.Reference }, false},
		{"an unknown order", func(_ *shop, _, _ payments.Order, e *payments.Event) { e.OrderReference = "REF_9" }, false},
		{"another amount", func(_ *shop, _, _ payments.Order, e *payments.Event) { e.Amount = payments.AmountValue(8999) }, false},
		{"another currency", func(_ *shop, _, _ payments.Order, e *payments.Event) { e.Currency = payments.TextValue("MGA") }, false},
		{"the own reference of another order", func(_ *shop, _, other payments.Order, e *payments.Event) {
			e.Reference = payments.TextValue(other.Reference)
		}, false},
		{"while the store fails", func(s *shop, _, _ payments.Order, _ *payments.Event) { s.store.Fault = storagetest.Away }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			order, other := s.charge(t, "S1"), s.charge(t, "S2")
			heard := event(payments.PaymentSuccess, order, "")
			test.change(s, order, other, &heard)
			if got := s.Expects(t.Context(), heard); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
