package health

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/doctor"
	"checkout/till/tui/live"
)

// link is one connection on the path of a payment.
type link struct {
	state doctor.State // Empty if it is not known yet.
	word  string       // What happened last at the connection, such as "tried".
	when  string       // When that happened, or its duration.
}

func (l link) says() string { return strings.TrimSpace(l.word + " " + l.when) }

// path is the path of a payment, from the customer's phone to the disk.
type path struct {
	live.Console
	names  []string // Names of the points, from the phone to the disk.
	places []string // Address or place of each point.
	stored string   // Path or address of the database.
	links  []link
	width  int // Columns to draw the path in.
}

// path returns the path with the current state of its links. Its third point is the relay, or else
// the public address.
func (m Model) path(found []doctor.Finding, width int) path {
	words := m.Texts.Path
	middle := words.Address
	if m.facts.Relay.Host != "" {
		middle = words.Relay
	}
	return path{
		Console: m.Console, width: width,
		names:  []string{words.Phone, words.Service, middle, words.Listener, words.Disk},
		places: m.places(found), links: m.links(found), stored: stored(found),
	}
}

// links returns the connections on the path, from the phone to the disk.
func (m Model) links(found []doctor.Finding) []link {
	words := m.Texts.Path
	phone := link{word: words.Nothing}
	service := link{state: worst(found, doctor.Service), word: words.Nothing}
	disk := link{state: worst(found, doctor.Database), word: words.Ready}
	if disk.state == doctor.Fail {
		disk.word = words.Fails
	}
	if last := m.lastEvent(); !last.IsZero() {
		phone = link{doctor.OK, words.Event, m.clock(last)}
		disk.word, disk.when = words.Stored, m.clock(last)
	}
	switch {
	case m.checking:
		service = link{word: m.Texts.Health.Asking}
	case !m.checked.IsZero():
		service.word, service.when = words.Tried, m.clock(m.checked)
	}
	if calls := m.called; len(calls) > 0 && !m.checking {
		service.when = millis(calls[len(calls)-1].Took)
	}
	return []link{phone, service, m.wayIn(found), disk}
}

// lastEvent returns when the last event came, if that is known. From a listener in another process,
// only a payment of the last hour is known.
func (m Model) lastEvent() time.Time {
	if m.facts.Address == "" && m.facts.LastEvent.IsZero() {
		return m.hour.paid
	}
	return m.facts.LastEvent
}

// wayIn returns the connection to the listener: from the relay or, without a relay, from the public
// address.
func (m Model) wayIn(found []doctor.Finding) link {
	const period = 3 * time.Minute // Usual time between two checks of the public address.
	words, event := m.Texts.Path, m.facts.LastEvent
	wayIn := link{state: worst(found, doctor.Public, doctor.Listener, doctor.Events), word: words.Nothing}
	if relay := m.facts.Relay; relay.Host != "" {
		if !relay.Contact.IsZero() {
			wayIn.word, wayIn.when = "", words.Ago.With(i18n.Span(relay.Silent(m.Now())))
		}
		return wayIn
	}
	if listeners := m.facts.Listeners; m.facts.Address == "" && len(listeners) > 0 {
		wayIn.word, wayIn.when = "", words.Ago.With(i18n.Span(listeners[0].Silent))
		return wayIn
	}
	tried := m.facts.Looked
	if m.PublicURL != "" && worst(found, doctor.Public) != "" && m.checked.After(tried) {
		tried = m.checked
	}
	silent := min(m.Now().Sub(tried), m.Now().Sub(event))
	unset := m.PublicURL == "" && m.facts.Address != ""
	switch {
	case unset && wayIn.state == doctor.OK:
		if !event.IsZero() {
			wayIn.word, wayIn.when = words.Event, m.clock(event)
		}
		if silent >= 3*period {
			wayIn.state = "" // Without a public address there is nothing to try, and there was no recent event.
		}
	case !tried.IsZero():
		wayIn.word, wayIn.when = words.Tried, m.clock(tried)
	}
	switch {
	case wayIn.state == doctor.OK && tried.IsZero() && event.IsZero():
		wayIn.state = "" // Nothing has come through the public address yet.
	case m.facts.Looked.IsZero() || silent < 3*period:
	case silent < 10*period && wayIn.state != doctor.Fail:
		wayIn = link{doctor.Warn, words.Silent, i18n.Span(silent)}
	default:
		wayIn = link{doctor.Fail, words.Silent, i18n.Span(silent)}
	}
	return wayIn
}

func (m Model) places(found []doctor.Finding) []string {
	words := m.Texts.Path
	listener, disk := m.facts.Address, ""
	if listeners := m.facts.Listeners; listener == "" && len(listeners) > 0 {
		listener = listeners[0].Name
	}
	if at := stored(found); at != "" {
		disk = filepath.Base(at)
	}
	return []string{words.Operator, host(m.ServiceURL), m.address(found), listener, disk}
}

// stored returns the path or the address of the database, or "".
func stored(found []doctor.Finding) string {
	for _, finding := range found {
		if finding.Check == doctor.Stored {
			return finding.Text
		}
	}
	return ""
}

// address returns the host that receives the service's events for the till, a text that says why
// there is none, or "" if that is not known.
func (m Model) address(found []doctor.Finding) string {
	switch {
	case m.facts.Relay.Host != "":
		return m.facts.Relay.Host
	case m.PublicURL != "":
		return host(m.PublicURL)
	case m.facts.Address == "" || m.checked.IsZero(): // The public address is not known.
		return ""
	case worst(found, doctor.Public) == "": // The service is on this machine.
		return m.Texts.Path.Unneeded
	}
	return m.Texts.Path.NotSet
}

// host returns the host and the port of a URL, or "".
func host(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}

// worst returns the worst state among the findings of some kinds, or "" without one. found must be
// sorted, the worst finding first.
func worst(found []doctor.Finding, kinds ...doctor.Kind) doctor.State {
	for _, finding := range found {
		if slices.Contains(kinds, finding.Check) {
			return finding.State
		}
	}
	return ""
}

func (m Model) clock(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

// worstLinks returns the worst state of the links, and how many links have this state. Unknown ("")
// is between warning and OK.
func worstLinks(links []link) (doctor.State, int) {
	counts := make(map[doctor.State]int)
	for _, link := range links {
		counts[link.state]++
	}
	for _, state := range []doctor.State{doctor.Fail, doctor.Warn, ""} {
		if counts[state] > 0 {
			return state, counts[state]
		}
	}
	return doctor.OK, len(links)
}
