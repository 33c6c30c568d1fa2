package health

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/component/badge"
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
		used[0], used[3] = m.clock(last), m.clock(last)
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
	paid, calls := "", ""
	if !m.hour.paid.IsZero() {
		paid = words.Last.With(badge.Of(m.Texts, payments.Order{}, payments.VerdictPaid).Tag() + " " + m.clock(m.hour.paid))
	}
	if m.timed() { // The pane of the calls has their number and durations.
		slowest := slices.MaxFunc(m.called, func(a, b payments.Call) int { return cmp.Compare(a.Took, b.Took) })
		calls = words.Slowest + " · " + m.clock(slowest.At)
	} else if len(m.called) > 0 {
		calls = words.Count.With(len(m.called)) + " · " + words.Failed + " " + strconv.Itoa(m.failed())
	}
	listener := m.Texts.Checks[string(doctor.Events)] + " " + m.Texts.Health.Counted.With(m.facts.Accepted, m.facts.Repeated, m.facts.Refused)
	if m.facts.Address == "" { // The listeners are other processes.
		listener = path.places[3]
	}
	return []string{paid, calls, path.places[2], listener, path.stored}
}

func (m Model) hourPaid() (paid int64) {
	for _, report := range m.hour.reports {
		paid += report.Verdicts[payments.VerdictPaid].Count
	}
	return paid
}
