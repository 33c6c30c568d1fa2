package doctor

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
)

// Codes of [Findings], in addition to those of [payments.Reach] and [payments.CauseKind]. The
// contributor's guide lists the codes with these comments.
const (
	RelayUnknown  Code = "relay_unknown"  // The relay does not know the till's key any more.
	ListenerLost  Code = "listener_lost"  // A listener no longer records that it runs, but another one does.
	UnknownKind   Code = "unknown_kind"   // An event had a kind that is not in the specification.
	NoOrder       Code = "no_order"       // Payments without an order must be reviewed.
	Strangers     Code = "strangers"      // Requests that did not come from the service were refused; no problem.
	StoreReadable Code = "store_readable" // The traffic to the database server is not encrypted, or the server's certificate is not verified.
	StorePolled   Code = "store_polled"   // Changes are polled, because the server sends no notifications; no problem.
	OutboxWaits   Code = "outbox_waits"   // Events wait in the outbox for the database.
	OutboxAside   Code = "outbox_aside"   // The database refuses events of the outbox.
	OutboxFull    Code = "outbox_full"    // An event was lost, because the outbox could not take it.
	ClockSet      Code = "clock_set"      // The machine's clock was changed while the program ran.
	ClockServer   Code = "clock_server"   // The clocks of the machine and the database server differ.
	ClockService  Code = "clock_service"  // The clocks of the shop and the payment service differ.
)

const (
	// Larger differences between two clocks are reported. clockTolerance is for the machine's wall
	// clock and monotonic clock, skewTolerance for the clocks of the machine and the database
	// server.
	clockTolerance, skewTolerance = 2 * time.Second, 5 * time.Second
	// badClock is the largest difference between two clocks that is only a warning. A larger one
	// makes the till wrong about the end of links.
	badClock = 5 * time.Minute
)

// Picture contains what the till knows about itself.
type Picture struct {
	Health  payments.Health
	Reach   payments.Reach // Whether the till would see a payment.
	Now     time.Time
	Zone    *time.Location
	Moved   time.Duration // How far the machine's clock was set since the start.
	Orphans money.Sum     // Payments without an order that a person must review.
}

// Findings returns the state of a till as findings, in the language of t. The first one is about
// the [payments.Reach].
func Findings(t i18n.Texts, p Picture) []Finding {
	found := []Finding{p.listener(t), p.store(t)}
	if p.Reach.Conditions().StoreDown {
		found[0], found[1] = found[1], found[0]
	}
	// If the listener is in another process (Listening, but no Address), only that process knows
	// the events.
	if !p.Health.Listening || p.Health.Address != "" {
		found = append(found, p.events(t))
	}
	if sum := p.Orphans; sum.Count > 0 {
		found = append(found, Finding{
			Check: Events, Code: NoOrder, State: Warn, Short: t.Alarms.Orphans.With(sum.Count),
			Text: t.Alarms.WithoutOrder.With(sum.Count, i18n.Money(sum.Amount)), Advice: t.Alarms.WithoutOrderTodo,
		})
	}
	found = append(found, p.clock(t))
	return append(found, p.outbox(t)...)
}

// Headline returns the finding for a place that shows only one. If the reach needs no advice, that
// is the first other finding with a Short text. Otherwise, or without such a finding, it is the one
// about the reach. found is the result of [Findings].
func Headline(found []Finding, reach payments.Reach) Finding {
	if !reach.NeedsAdvice() {
		for _, finding := range found[1:] {
			if finding.Short != "" {
				return finding
			}
		}
	}
	return found[0]
}

// Refusal returns the finding that says why the service's events are refused, or that they may be
// forged. It returns false if the cashier need not know.
func Refusal(found []Finding, reach payments.Reach) (Finding, bool) {
	for _, finding := range found {
		forged := finding.Code == Code(payments.CauseSignatureKnown)
		if finding.Check == Events && finding.State == Fail && (forged || reach == payments.ReachRefused) {
			return finding, true
		}
	}
	return Finding{}, false
}

// Only returns the findings of the given kinds.
func Only(found []Finding, kinds ...Kind) (some []Finding) {
	for _, finding := range found {
		if slices.Contains(kinds, finding.Check) {
			some = append(some, finding)
		}
	}
	return some
}

// Coded returns the findings with the given code.
func Coded(found []Finding, code Code) (some []Finding) {
	for _, finding := range found {
		if finding.Code == code {
			some = append(some, finding)
		}
	}
	return some
}

// listener returns the finding about the shop's listener. While the database is down, it says only
// whether the listener works.
func (p Picture) listener(t i18n.Texts) Finding {
	health, reach := p.Health, p.Reach
	switch {
	case !health.Listening:
		reach = payments.ReachNotListening
	case reach.Conditions().StoreDown:
		reach = payments.ReachListens
	}
	found := Finding{
		Check: Listener, Code: Code(reach), State: stateOf(reach), Short: t.Reach[reach],
		silence: health.Silence(reach, p.Now), Advice: t.Charging[reach],
	}
	found.Text = found.Brief()
	if reach == payments.ReachNoRelay && health.Relay.Unknown {
		found.Code = RelayUnknown
		found.Advice = t.Illness.UnknownTill
	}
	if reach.Blind() {
		found.Advice = strings.TrimSpace(found.Advice + " " + health.Relay.Fault)
	}
	switch {
	case reach == payments.ReachRelayHeld:
		found.Text = t.Frame.Labelled.With(found.Text, health.Relay.HeldBy)
	case health.Address != "":
		found.Text = t.Frame.Labelled.With(health.Address, found.Text)
	case found.State == OK:
		found.Text = t.Health.Elsewhere
	case reach == payments.ReachListenerSilent, reach == payments.ReachNoListener:
		if where := names(health.Listeners); where != "" {
			found.Text = t.Frame.Labelled.With(where, found.Text)
		}
		return found // The text names the silent listeners.
	}
	return NameSilent(t, found, health)
}

func stateOf(reach payments.Reach) State {
	switch {
	case reach.Blind():
		return Fail
	case reach.NeedsAdvice():
		return Warn
	}
	return OK
}

// NameSilent adds to a finding the names of the shop's silent listeners, and what to do about
// them.
func NameSilent(t i18n.Texts, found Finding, health payments.Health) Finding {
	silent := health.SilentListeners()
	if len(silent) == 0 {
		return found
	}
	advice := t.Illness.SilentListeners.With(names(silent), i18n.Span(silent[0].Silent))
	if len(silent) < len(health.Listeners) || health.Address != "" {
		advice += " " + t.Illness.AnotherWorks
	}
	found.Advice = strings.TrimSpace(found.Advice + " " + advice)
	if found.State == OK {
		found.State = Warn
		found.Code = ListenerLost
		found.Short = t.Alarms.Listener
	}
	return found
}

func names(listeners []payments.Listener) string {
	var names []string
	for _, listener := range listeners {
		names = append(names, listener.Name)
	}
	return strings.Join(names, ", ")
}

// events returns the finding about received events. Requests of strangers are only counted,
// because anyone can send them.
func (p Picture) events(t i18n.Texts) Finding {
	health := p.Health
	found := Finding{Check: Events, State: Skipped, Text: t.Health.NoEvent} // No event has proven that events arrive.
	if last := health.LastEvent; !last.IsZero() {
		found.State = OK
		found.Text = t.Health.LastAt.With(i18n.Moment(last.In(p.Zone)), int64(max(0, p.Now.Sub(last))/time.Minute))
	}
	switch {
	case health.Suspicious(), p.Reach == payments.ReachRefused:
		return refused(t, health)
	case health.UnknownKind != "":
		found.Code = UnknownKind
		found.State = Warn
		found.Advice = t.Illness.UnknownKind.With(health.UnknownKind)
	case health.Refused > 0:
		found.Code = Strangers
		found.Advice = t.Health.Strangers.With(health.Refused)
	}
	return found
}

func refused(t i18n.Texts, health payments.Health) Finding {
	cause := cmp.Or(health.Cause.Kind, payments.CauseSecretChanged)
	found := Finding{Check: Events, Code: Code(cause), State: Fail, Text: t.WhyRefused(health.Cause)}
	switch cause {
	case payments.CauseSignatureKnown:
		found.Short = t.Alarms.Signature
		found.Advice = t.Illness.SignatureTodo
	case payments.CauseSecretChanged:
		found.Advice = t.Illness.RefusedTodo.With(health.Refused)
	default:
		found.Advice = t.Illness.RefusedWhy.With(health.Refused)
	}
	return found
}

func (p Picture) store(t i18n.Texts) Finding {
	health := p.Health
	ago := i18n.Span(p.Now.Sub(health.Heard))
	down := p.Reach.Conditions().StoreDown || health.StoreDown
	found := Finding{Check: Database, State: OK, Text: t.Health.Answered.With(ago)}
	switch {
	case down && health.Shared:
		last := t.Illness.Silent.With(ago)
		if health.Heard.IsZero() {
			last = t.Illness.NeverHeard
		}
		found = Down(t, payments.ReachCutOff, health.Fault)
		found.Text = t.Frame.Labelled.With(found.Text, last)
	case down:
		return Down(t, payments.ReachStoreDown, "")
	case health.Readable != "":
		found.Code = StoreReadable
		found.State = Warn
		found.Advice = t.Illness.Readable.With(health.Readable)
	case health.Polls:
		found.Code = StorePolled
		found.Advice = t.Illness.Polled
	case !health.Shared:
		found.Text = t.Health.Writing
	}
	return found
}

// Down returns the finding about a database that cannot be used. reach is [payments.ReachCutOff]
// for an unreachable server, else [payments.ReachStoreDown]. fault is the reason; may be blank.
func Down(t i18n.Texts, reach payments.Reach, fault string) Finding {
	return Finding{
		Check: Database, Code: Code(reach), State: Fail, Short: t.Reach[reach], Text: t.Reach[reach],
		Advice: strings.TrimSpace(t.Charging[reach] + " " + fault),
	}
}

func (p Picture) clock(t i18n.Texts) Finding {
	found := Finding{Check: Clock, State: OK, Text: i18n.Moment(p.Now.In(p.Zone))}
	skew := p.Health.Skew.Abs()
	switch {
	case p.Moved.Abs() > clockTolerance:
		found.Code = ClockSet
		found.State = Fail
		found.Advice = t.Illness.ClockTodo
	case skew > skewTolerance:
		found.Code = ClockServer
		found.State = severe(skew)
		found.Advice = t.Illness.SkewTodo.With(i18n.Span(skew))
	case p.Health.ClockOff():
		found = apart(t, p.Health.Ahead)
		found.Short = t.Alarms.Clock.With(i18n.Span(p.Health.Ahead.Abs()))
	}
	return found
}

// apart says that the payment service's clock differs from the shop's. ahead is negative if the
// service's clock is behind.
func apart(t i18n.Texts, ahead time.Duration) Finding {
	return Finding{
		Check: Clock, Code: ClockService, State: severe(ahead.Abs()),
		Text: t.Doctor.Apart.With(i18n.Span(ahead.Abs())), Advice: t.Doctor.SetClock,
	}
}

func severe(apart time.Duration) State {
	if apart > badClock {
		return Fail
	}
	return Warn
}

func (p Picture) outbox(t i18n.Texts) []Finding {
	state, words := p.Health.Outbox, t.Illness
	found := Finding{Check: Database, State: Warn}
	switch {
	case state.Full:
		found.Code = OutboxFull
		found.State = Fail
		found.Text = words.OutboxFull.With(state.Lost)
		found.Advice = words.OutboxFullTodo
	case state.SetAside > 0:
		found.Code = OutboxAside
		found.Text = words.OutboxAside.With(state.SetAside)
		found.Advice = words.OutboxAsideTodo
	case state.Events > 0:
		found.Code = OutboxWaits
		found.Text = words.OutboxWaits.With(state.Events)
	default:
		return nil
	}
	return []Finding{found}
}
