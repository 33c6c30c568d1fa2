package tui_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/doctor"
	"checkout/till/tui/plain"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// stranger receives a payment for an order that this shop does not know, and then advances the
// clock by payments.OrphanGrace. Before that, a late answer to an order call could show that the
// payment belongs to an order of the shop.
func stranger(c *console) {
	c.t.Helper()
	c.Hear(shoptest.Event(payments.Order{Reference: "X-1", OrderReference: "REF_800001", Amount: 4000}, payments.PaymentSuccess, ""))
	c.wake().after(payments.OrphanGrace)
}

func TestAPaymentWithoutOrderRaisesAnAlarm(t *testing.T) {
	t.Run("F3 opens it, and a review ends the alarm", func(t *testing.T) {
		c := open(t)
		c.press("f6")
		stranger(c)
		c.Sees("PAID WITHOUT ORDER: 1 · F3", "Orders1").Press("f3")
		c.Sees("it belongs to no order here: 4 000 Ar, REF_800001").Press("s", "enter")
		c.wake().Lacks("PAID WITHOUT ORDER", "no order here").Sees("● receives payments")
		after := at(t, c.Counter)
		after.Lacks("PAID WITHOUT ORDER")
		tuitest.Equal(t, after.bells(), 0, "bells after a restart")
	})
	t.Run("the alarm sounds once, also after a restart", func(t *testing.T) {
		c := open(t)
		stranger(c)
		c.after(time.Second).wake()
		tuitest.Equal(t, c.bells(), 10, "bells")
		after := at(t, c.Counter)
		after.Sees("PAID WITHOUT ORDER: 1")
		tuitest.Equal(t, after.bells(), 10, "bells after a restart")
	})
	t.Run("F3 opens it from a code, and Esc returns to the code", func(t *testing.T) {
		c := open(t)
		c.charge()
		stranger(c)
		c.Sees("PAID WITHOUT ORDER: 1 · F3").Press("f3")
		c.Sees("Paid, but it belongs to no order here").Press("esc")
		c.Sees("… WAITING", "An SMS is no proof.")
		c.serve().Sees("PAID WITHOUT ORDER: 1 · F3")
	})
}

func TestRefusedWebhooksAreShown(t *testing.T) {
	t.Run("the news stay visible", func(t *testing.T) {
		c := open(t)
		c.Pay(c.Charge("S1"))
		c.refuse(3)
		c.wake().Sees("WEBHOOKS REFUSED · F8", "✓ PAID", "F2  Show")
		c.Resize(40, 15).Sees("WEBHOOKS REFUSED · F8", "✓ PAID", "9 000 Ar").Press("f8")
		c.Resize(80, 24).Sees("Health", "refused since the last good one: 3")
	})
	t.Run("a doubtful way in stays in the header", func(t *testing.T) {
		c := open(t)
		stranger(c)
		c.health.Looked = c.Now()
		c.after(time.Second).Sees("! payments not confirmed", "PAID WITHOUT ORDER: 1 · F3").Fits()
	})
	t.Run("the screen turned to the customer shows only a sign", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.press("f9")
		c.health.Cause = payments.Cause{Kind: payments.CauseSignatureKnown}
		c.after(time.Second).Sees(" ! ", "9 000 Ar").Lacks("SECRET")
		tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
	})
}

func TestThePaymentScreenAnnouncesOtherOrders(t *testing.T) {
	c := open(t)
	first, second := c.Charge("S1"), c.Charge("S2", shoptest.Coca())
	order := c.wake().charge()
	c.Pay(first)
	c.Fail(second, "")
	c.wake().Sees("… WAITING", "Another order: ✓ PAID 9 000 Ar", "· F2 (+1)").Fits()
	tuitest.Equal(t, c.bells(), 1, "bells")
	tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
	c.Pay(order)
	c.wake().Sees("✓ PAID", "Another order: ✓ PAID 9 000 Ar · F2 (+1)")
	c.after(counter.Grace).press("enter").wake().Sees("Type what the customer takes", "(+1)")
}

func TestAnotherOutcomeHasItsColourOnlyNextToACode(t *testing.T) {
	styles := theme.Full(theme.Dark)
	c := open(t, dressed(styles))
	first := c.Charge("S1")
	order := c.wake().charge()
	c.Pay(first)
	_, block := badge.Paid.Styles(styles)
	tuitest.Contains(t, c.wake().View(), block.Render("✓ PAID"))
	c.Pay(order)
	tuitest.Contains(t, c.wake().View(), styles.Strong.Render("Another order: ✓ PAID 9 000 Ar"))
}

func TestTheHeaderShowsAClockDifference(t *testing.T) {
	c := open(t)
	c.health.Ahead = 2 * time.Minute
	c.wake().Sees("● receives payments").Lacks("CLOCK")
	c.health.Ahead = -3*time.Hour - time.Minute
	c.wake().Sees("✗ CLOCK OFF BY 3 h · F8").Press("f8")
	c.wake().Sees("CLOCK OFF BY 3 h", "✗ Clock", "3 h apart from the payment service's", "Let the network set it").Lacks("· F8")
}

// ills returns functions that change a till's health, by the code of the finding that follows. now
// is the time of the change.
func ills(now time.Time) map[doctor.Code]func(h *payments.Health) {
	relay := payments.RelayState{Host: "relay.example.mg", Since: now.Add(-time.Hour), Contact: now, Emptied: true}
	fetches := func(alter func(*payments.RelayState)) func(*payments.Health) {
		return func(h *payments.Health) { h.Relay = relay; alter(&h.Relay) }
	}
	elsewhere := func(silent ...time.Duration) func(*payments.Health) {
		return func(h *payments.Health) {
			h.Shared, h.Heard, h.Address = true, now, ""
			for _, silence := range silent {
				h.Listeners = append(h.Listeners, payments.Listener{Name: "server:8788", Silent: silence})
			}
		}
	}
	all := map[doctor.Code]func(h *payments.Health){
		"receives":      func(*payments.Health) {},
		"listens":       func(h *payments.Health) { h.LastEvent = time.Time{} },
		"relay":         fetches(func(*payments.RelayState) {}),
		"unconfirmed":   func(h *payments.Health) { h.Looked = now },
		"refused":       func(h *payments.Health) { h.Expected = payments.Expected{Order: "REF_1", At: now, Several: true} },
		"crowded":       func(h *payments.Health) { h.Crowded = true },
		"not_listening": func(h *payments.Health) { h.Listening = false },
		"store_down":    func(h *payments.Health) { h.StoreDown = true },
		"cut_off":       func(h *payments.Health) { h.StoreDown, h.Shared = true, true },

		"listener_silent":    elsewhere(11 * time.Second),
		"no_listener":        elsewhere(time.Hour),
		doctor.ListenerLost:  elsewhere(time.Second, time.Hour),
		"fetching":           fetches(func(r *payments.RelayState) { r.Emptied = false }),
		"relay_silent":       fetches(func(r *payments.RelayState) { r.Contact = now.Add(-13 * time.Second) }),
		"no_relay":           fetches(func(r *payments.RelayState) { r.Contact = now.Add(-time.Hour) }),
		"relay_held":         fetches(func(r *payments.RelayState) { r.HeldBy = "T2" }),
		"relay_full":         fetches(func(r *payments.RelayState) { r.Full = true }),
		"relay_locked":       fetches(func(r *payments.RelayState) { r.OtherKey = 2 }),
		doctor.RelayUnknown:  fetches(func(r *payments.RelayState) { r.Unknown = true }),
		doctor.UnknownKind:   func(h *payments.Health) { h.UnknownKind = "payment.cancelled" },
		doctor.StoreReadable: func(h *payments.Health) { h.Shared, h.Heard, h.Readable = true, now, "disable" },
		doctor.ClockService:  func(h *payments.Health) { h.Ahead = 3 * time.Hour },
		doctor.OutboxWaits:   func(h *payments.Health) { h.Outbox.Events = 2 },
		doctor.OutboxAside:   func(h *payments.Health) { h.Outbox.Events, h.Outbox.SetAside = 2, 1 },
		doctor.OutboxFull:    func(h *payments.Health) { h.Outbox.Full, h.Outbox.Lost = true, 3 },
	}
	for _, cause := range payments.CauseKinds() {
		all[doctor.Code(cause)] = func(h *payments.Health) { h.Refused, h.Cause = 3, payments.Cause{Kind: cause, Detail: "body"} }
	}
	return all
}

// The tests of payments prove which state of the way in follows from a till's health, and
// whether the till may charge in that state. This test checks that the console and the line mode
// obey.
func TestEachFindingIsInEachFace(t *testing.T) {
	t.Parallel()
	for _, reach := range payments.Reaches() {
		if ills(time.Time{})[doctor.Code(reach)] == nil {
			t.Errorf("the test does not show %s", reach)
		}
	}
	for _, code := range tuitest.Some(4, slices.Sorted(maps.Keys(ills(time.Time{})))) {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			c := open(t)
			c.Resize(120, 40)
			c.charge()
			ills(c.Now())[code](&c.health)
			c.after(0)
			c.showsCode()
			c.press("esc", "enter")
			if finding := c.finding(code); finding.Bad() {
				c.showsFinding(finding)
				c.saysFinding(finding)
			}
			c.mayCharge()
		})
	}
}

// wayIn returns whether the console would see a payment now, and the warning before a charge.
func (c *console) wayIn() (reach payments.Reach, warning string) {
	reach = c.health.Reach(c.Now())
	return reach, c.config.Texts.Charging[reach]
}

// showsCode checks that the code on the screen disappears if no payment would be seen, and that it
// has a warning if one may not be seen.
func (c *console) showsCode() {
	c.t.Helper()
	reach, warning := c.wayIn()
	if reach == payments.ReachUnconfirmed {
		warning = c.config.Texts.Code.Look
	}
	_, missing := c.Screen().Code()
	warns := warning != "" && strings.Contains(c.text(), warning)
	if (missing != nil) != reach.Blind() || missing == nil && warns != reach.Doubtful() {
		c.t.Errorf("%s: the code is missing: %v; the warning is shown: %v\n%s", reach, missing, warns, c.View())
	}
}

func (c *console) finding(code doctor.Code) doctor.Finding {
	c.t.Helper()
	reach, _ := c.wayIn()
	found := doctor.Findings(c.config.Texts, doctor.Picture{Health: c.health, Reach: reach, Now: c.Now(), Zone: c.config.Zone})
	coded := doctor.Coded(found, code)
	if len(coded) != 1 {
		c.t.Fatalf("there is no finding %s in %+v", code, found)
	}
	return coded[0]
}

func (c *console) showsFinding(finding doctor.Finding) {
	c.t.Helper()
	if header, _, _ := strings.Cut(c.View(), "\n"); !strings.Contains(header, finding.Brief()) {
		c.t.Errorf("the header is %q, want %q", header, finding.Brief())
	}
	c.press("f8")
	for _, row := range doctor.Rows(c.config.Texts, []doctor.Finding{finding}, theme.Plain(), 60) {
		c.Sees(strings.Fields(row)...)
	}
	c.press("f8")
}

func (c *console) saysFinding(finding doctor.Finding) {
	c.t.Helper()
	said := c.inLines("health\n")
	tuitest.Contains(c.t, said, finding.Text, finding.Advice)
}

// mayCharge charges a sale on the screen, and one in the line mode. Both must refuse it if no
// payment would be seen, and warn if one may not be seen.
func (c *console) mayCharge() {
	c.t.Helper()
	reach, warning := c.wayIn()
	charges := func(face string, charge func() (asked string)) {
		c.t.Helper()
		before := len(c.Calls())
		asked := charge()
		charged := len(c.Calls()) > before
		if warns := charged && warning != "" && strings.Contains(asked, warning); charged == reach.Blind() || warns != reach.Doubtful() {
			c.t.Errorf("%s: the %s charges: %v, with a warning: %v\n%s", reach, face, charged, warns, asked)
		}
	}
	charges("screen", func() (asked string) {
		asked = c.enter("Savony 1200", "").text()
		c.press("enter")
		return asked
	})
	charges("line mode", func() string { return c.inLines("Savony 1200\ncharge\nyes\n") })
}

func (c *console) inLines(lines string) string {
	c.t.Helper()
	var output bytes.Buffer
	console := c.config.Console
	console.Till = "T2"
	tuitest.Must(c.t, plain.Run(c.t.Context(), plain.Config{
		Console: console, Health: c.config.Health, Input: strings.NewReader(lines), Output: &output,
	}))
	return output.String()
}
