package health

import (
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/doctor"
)

// link is one connection on the path of a payment, with a short text about it.
type link struct {
	state doctor.State // State of the connection; empty if nothing is known yet.
	says  string
}

// links returns the connections on the path from the customer's phone to the disk.
func (m Model) links(found []doctor.Finding) []link {
	words := m.Texts.Path
	phone := link{says: words.Nothing}
	service := link{worst(found, doctor.Service), words.Nothing}
	disk := link{state: worst(found, doctor.Database)}
	last := m.facts.LastEvent
	if last.IsZero() { // A listener in another process has received the event of the last payment.
		last = m.hour.paid
	}
	if !last.IsZero() {
		phone = link{doctor.OK, words.Event.With(m.clock(last))}
		disk.says = words.Stored.With(m.clock(last))
	}
	switch {
	case m.checking:
		service = link{says: m.Texts.Health.Asking}
	case !m.checked.IsZero():
		service.says = words.Tried.With(m.clock(m.checked))
	}
	if calls := m.called; len(calls) > 0 && !m.checking {
		service.says = millis(calls[len(calls)-1].Took)
	}
	return []link{phone, service, m.wayIn(found), disk}
}

// wayIn returns the connection from the public address to the listener.
func (m Model) wayIn(found []doctor.Finding) link {
	const period = 3 * time.Minute // Time between two checks of the public address by the listener.
	words, event := m.Texts.Path, m.facts.LastEvent
	wayIn := link{worst(found, doctor.Public, doctor.Listener, doctor.Events), words.Nothing}
	if relay := m.facts.Relay; relay.Host != "" {
		if !relay.Contact.IsZero() {
			wayIn.says = words.Ago.With(i18n.Span(relay.Silent(m.Now())))
		}
		return wayIn
	}
	if listeners := m.facts.Listeners; m.facts.Address == "" && len(listeners) > 0 {
		wayIn.says = words.Ago.With(i18n.Span(listeners[0].Silent))
		return wayIn
	}
	tried := m.facts.Looked
	if m.PublicURL != "" && worst(found, doctor.Public) != "" && m.checked.After(tried) {
		tried = m.checked
	}
	silent := min(m.Now().Sub(tried), m.Now().Sub(event))
	unset := m.PublicURL == "" && m.facts.Address != ""
	switch {
	case unset && wayIn.state == doctor.OK && silent < 3*period:
		wayIn.says = words.Event.With(m.clock(event))
	case unset && wayIn.state == doctor.OK:
		wayIn = link{says: words.NotSet} // No address can be tried, and no recent event proves that one works.
	case unset:
		wayIn.says = words.NotSet
	case !tried.IsZero():
		wayIn.says = words.Tried.With(m.clock(tried))
	}
	switch {
	case wayIn.state == doctor.OK && tried.IsZero() && event.IsZero():
		wayIn.state = "" // The listener runs, but no request has come through the public address yet.
	case m.facts.Looked.IsZero() || silent < 3*period:
	case silent < 10*period && wayIn.state != doctor.Fail:
		wayIn = link{doctor.Warn, words.Silent.With(i18n.Span(silent))}
	default:
		wayIn = link{doctor.Fail, words.Silent.With(i18n.Span(silent))}
	}
	return wayIn
}

// worst returns the worst state of the findings of some kinds, or "" if there is no such finding.
// found is sorted, the worst finding first.
func worst(found []doctor.Finding, kinds ...doctor.Kind) doctor.State {
	for _, finding := range found {
		if slices.Contains(kinds, finding.Check) {
			return finding.State
		}
	}
	return ""
}

func (m Model) clock(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

// verdict returns a text about the worst state of the links and how many links have that state.
func (m Model) verdict(links []link) string {
	counts := make(map[doctor.State]int)
	for _, link := range links {
		counts[link.state]++
	}
	state, says := doctor.OK, m.Texts.Path.Whole
	switch {
	case counts[doctor.Fail] > 0:
		state, says = doctor.Fail, m.Texts.Path.Broken.With(counts[doctor.Fail])
	case counts[doctor.Warn] > 0:
		state, says = doctor.Warn, m.Texts.Path.Doubtful.With(counts[doctor.Warn])
	case counts[""] > 0:
		state, says = "", m.Texts.Path.Unknown.With(counts[""])
	}
	sign, style := state.Mark(m.Theme)
	return style.Bold(true).Render(sign + " " + says)
}
