package health

import (
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/component/fit"
)

// points returns a row for each point of the path: what it does, and where it is. The listener's row
// also counts the events. points returns nil if the screen is too narrow.
func (m Model) points(path path) []string {
	words, counted := m.Texts.Path, m.counted()
	does := []string{words.Pays, words.Reports, words.Brings, words.Keeps, words.Holds}
	listener, disk := path.places[3], path.stored
	listeners := []string{listener + " · " + counted, counted, listener}
	if m.facts.Address == "" { // The listeners are other processes, which count their own events.
		listeners = []string{listener, listener}
	}
	for _, listener := range listeners {
		var table []string
		for i, place := range []string{path.places[0], path.places[1], path.places[2], listener, disk} {
			table = append(table, "  "+m.Theme.Strong.Render(path.names[i]), m.Theme.Text.Render(does[i]), m.Theme.Muted.Render(place))
		}
		blanks := func(columns int) string { return strings.Repeat(" ", columns) }
		if rows := fit.Columns(table, 3, path.width, blanks); rows != nil {
			return rows
		}
		disk = path.places[4]
	}
	return nil
}

// counted says how many events the listener of this process accepted, got again and refused.
func (m Model) counted() string {
	return m.Texts.Health.Counted.With(m.facts.Accepted, m.facts.Repeated, m.facts.Refused)
}

func (m Model) hourPaid() (paid int64) {
	for _, report := range m.hour.reports {
		paid += report.Verdicts[payments.VerdictPaid].Count
	}
	return paid
}
