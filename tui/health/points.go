package health

import (
	"strconv"
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// points returns a row for each point of the path: what it does, when it was last used, and a fact
// about it. It returns nil if the screen is too narrow.
func (m Model) points(path path) []string {
	const gap = "   "
	words := m.Texts.Path
	does := []string{words.Pays, words.Reports, words.Brings, words.Keeps, words.Holds}
	used, facts := m.used(path), m.pointFacts(path)
	columns := make([][]string, 4)
	for i, name := range path.names {
		columns[0] = append(columns[0], "  "+m.Theme.Strong.Render(name))
		columns[1] = append(columns[1], m.Theme.Text.Render(does[i]))
		columns[2] = append(columns[2], m.Theme.Muted.Render(used[i]))
		columns[3] = append(columns[3], m.Theme.Text.Render(facts[i]))
	}
	var blocks []string
	for i, column := range columns {
		if i > 0 {
			blocks = append(blocks, gap)
		}
		blocks = append(blocks, strings.Join(column, "\n"))
	}
	rows := theme.Beside(blocks...)
	if theme.Width(rows) > path.width {
		return nil
	}
	return strings.Split(rows, "\n")
}

// used returns when each point was last used.
func (m Model) used(path path) []string {
	used := make([]string, len(path.names))
	for i := range used {
		used[i] = m.Texts.Path.Nothing
	}
	if last := m.lastEvent(); !last.IsZero() {
		used[3] = m.clock(last)
	}
	if paid := m.hour.paid; !paid.IsZero() {
		used[0] = m.clock(paid)
	}
	switch {
	case len(m.called) > 0:
		used[1] = m.clock(m.called[len(m.called)-1].At)
	case !m.checked.IsZero():
		used[1] = m.clock(m.checked)
	}
	used[2], used[4] = path.links[2].says(), path.links[3].when
	return used
}

// pointFacts returns a figure or a place for each point.
func (m Model) pointFacts(path path) []string {
	words := m.Texts.Calls
	calls := ""
	if len(m.called) > 0 {
		calls = words.Count.With(len(m.called)) + " · " + words.Failed + " " + strconv.Itoa(m.failed())
	}
	listener := m.Texts.Checks[string(doctor.Events)] + " " + m.Texts.Health.Counted.With(m.facts.Accepted, m.facts.Repeated, m.facts.Refused)
	if m.facts.Address == "" { // The listeners are other processes.
		listener = path.places[3]
	}
	return []string{m.Texts.Path.Hour + " · " + strconv.FormatInt(m.hourPaid(), 10), calls, path.places[2], listener, path.stored}
}

func (m Model) hourPaid() (paid int64) {
	for _, report := range m.hour.reports {
		paid += report.Verdicts[payments.VerdictPaid].Count
	}
	return paid
}
