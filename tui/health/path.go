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
	points []point
	links  []link // Each leads from a point to the next one.
	width  int    // Columns to draw the path in.
}

// point is a station of a payment, such as the listener, as the findings list it.
type point struct {
	name  string
	does  string // What the point does, in few words.
	place string // Address or file of the point.
	whole string // The place with its folder.
	says  string // Facts that the path does not show.
}

// path returns the path with the current state of its links. Between the service and the listener
// is the relay or else the public address, unless the service is on this machine.
func (m Model) path(found []doctor.Finding, width int) path {
	words := m.Texts.Path
	listener, disk := m.facts.Address, fine(found, doctor.Stored)
	if listeners := m.facts.Listeners; listener == "" && len(listeners) > 0 {
		listener = listeners[0].Name
	}
	all := []point{
		{name: words.Phone},
		{name: words.Service, does: words.Reports, place: host(m.ServiceURL), says: fine(found, doctor.Service)},
	}
	if all[1].says != "" && !m.checking {
		all[1].says += " · " + words.Tried + " " + m.clock(m.checked)
	}
	middle := point{name: words.Address, does: words.Brings, place: host(m.PublicURL)}
	switch {
	case m.facts.Relay.Host != "":
		middle.name, middle.place = words.Relay, m.facts.Relay.Host
	case m.PublicURL == "" && m.facts.Address != "": // The address of a listener in another process is not known.
		middle.place = words.NotSet
	}
	local := strings.HasPrefix(m.ServiceURL, "http:") // Without TLS, only a service on this machine is allowed.
	if m.facts.Relay.Host != "" || m.PublicURL != "" || !local {
		all = append(all, middle)
	}
	all = append(all, point{name: words.Listener, does: words.Keeps, place: listener}, point{name: words.Disk, does: words.Holds, whole: disk})
	end := all[len(all)-2:]
	if m.facts.Address != "" { // Listeners in other processes count their own events.
		end[0].says = m.counted()
	}
	if disk != "" {
		end[1].place = filepath.Base(disk)
	}
	if m.onPath(doctor.Database) {
		end[1].says = fine(found, doctor.Database)
	}
	return path{Console: m.Console, points: all, links: m.links(found, len(all)), width: width}
}

// fine returns the text of the first finding of a kind if it is no problem, or "".
func fine(found []doctor.Finding, kind doctor.Kind) string {
	for _, finding := range found {
		if finding.Check == kind && finding.State == doctor.OK {
			return finding.Text
		}
	}
	return ""
}

// links returns the connections between the points of the path, from the phone to the disk.
func (m Model) links(found []doctor.Finding, points int) []link {
	words := m.Texts.Path
	paid := link{word: words.Nothing} // An event proves each connection up to the listener.
	disk := link{state: worst(found, doctor.Database), word: words.Ready}
	if disk.state == doctor.Fail {
		disk.word = words.Fails
	}
	if last := m.lastEvent(); !last.IsZero() {
		paid = link{doctor.OK, words.Event, m.clock(last)}
		disk.word, disk.when = words.Stored, m.clock(last)
	}
	phone := paid
	switch state := worst(found, doctor.Service); {
	case m.checking:
		phone.word, phone.when = m.Texts.Health.Asking, ""
	case state == doctor.Fail, state == doctor.Warn: // What this till cannot reach, a phone may not reach either.
		phone = link{state, words.Tried, m.clock(m.checked)}
	}
	links := []link{phone, paid, m.wayIn(found), disk}
	if points == len(links) { // The service calls the listener itself.
		links = slices.Delete(links, 1, 2)
	}
	return links
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
