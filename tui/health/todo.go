package health

import (
	"slices"
	"strings"
	"time"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// told is the content of the pane with the findings. If the points are drawn, notes is drawn in
// place of the facts: it lacks the facts that the points contain.
type told struct {
	todo, points, notes, facts, signs []string
	routine                           []fit.Part // Findings without a problem, for the border.
}

// least returns the rows that are never omitted.
func (t told) least() []string { return slices.Concat(t.todo, t.facts) }

// aired returns all rows, with blank rows between the parts and around them.
func (t told) aired() []string {
	rows := []string{""}
	for _, part := range [][]string{t.todo, t.points, t.facts, t.signs} {
		if len(part) > 0 {
			rows = append(append(rows, part...), "")
		}
	}
	return rows
}

// heights returns the possible heights, the largest first: with the points, without them, and
// without blank rows. If scrolls is true, the last one may be too small for all rows.
func (t told) heights(scrolls bool) []int {
	least := len(t.least())
	if scrolls {
		least = min(least, someTold)
	}
	heights := []int{len(told{todo: t.todo, facts: t.facts}.aired()) - 2, least}
	if rows := t.pointed(); rows != nil {
		heights = append([]int{len(rows)}, heights...)
	}
	return heights
}

// pointed returns the points below todo in as few rows as possible, or nil if there are notes.
func (t told) pointed() []string {
	if len(t.points) == 0 || len(t.notes) > 0 {
		return nil
	}
	return slices.Concat(t.todo, []string{""}, t.points)
}

// in returns the rows for a pane that is height rows high. todo is always in them, even if it does
// not fit, and either the facts or the points. The signs are only in them if there is room.
func (t told) in(height int) []string {
	var ways [][]string
	add := func(told told) {
		short := told.aired()
		told.signs = t.signs
		ways = append(ways, told.aired(), short)
	}
	if len(t.points) > 0 {
		add(told{todo: t.todo, points: t.points, facts: t.notes})
	}
	if rows := t.pointed(); rows != nil {
		ways = append(ways, rows)
	}
	add(told{todo: t.todo, facts: t.facts})
	rows := t.least()
	if fits := slices.IndexFunc(ways, func(rows []string) bool { return len(rows) <= height }); fits >= 0 {
		rows = ways[fits]
	}
	if len(rows) < height && rows[0] != "" {
		rows = append([]string{""}, rows...)
	}
	if len(rows) < height && rows[len(rows)-1] != "" {
		rows = append(rows, "") // A blank row above the keys.
	}
	return rows
}

// tell returns the content of the pane with the findings, or the report for support. If the path is
// drawn, the findings do not repeat what it says.
func (m Model) tell(found []doctor.Finding, path path, width int, drawn bool) told {
	if m.reporting {
		return told{todo: m.reportRows(width)}
	}
	var wrong, notes, facts, routine []doctor.Finding
	for _, finding := range found {
		switch {
		case finding.State != doctor.OK && finding.State != doctor.Skipped:
			wrong = append(wrong, finding)
		case !drawn:
			facts = append(facts, finding)
		case finding.Check == doctor.Events:
			finding.Text, finding.State = m.counted(), doctor.OK
			if m.facts.Accepted == 0 {
				finding.State = doctor.Skipped // Nothing shows that events arrive.
			}
			if m.facts.Accepted+m.facts.Repeated+m.facts.Refused > 0 { // Else the path says that nothing came.
				facts = append(facts, finding)
			}
			if finding.Advice != "" {
				notes = append(notes, finding)
			}
		case finding.Advice != "":
			facts = append(facts, finding)
			notes = append(notes, finding)
		case !m.onPath(finding.Check):
			routine = append(routine, finding)
		}
	}
	said := told{todo: doctor.Rows(m.Texts, wrong, m.Theme, width), signs: m.signs(width)}
	if drawn {
		said.points = path.table()
	}
	said.facts, said.notes = doctor.Rows(m.Texts, facts, m.Theme, width), doctor.Rows(m.Texts, notes, m.Theme, width)
	for _, finding := range routine {
		said.routine = append(said.routine, fit.Drop(1, doctor.Rows(m.Texts, []doctor.Finding{finding}, m.Theme, width)[0]))
	}
	if len(wrong) == 0 {
		said.todo = m.well(path.links, width)
	}
	return said
}

// onPath reports whether the path already shows findings of a kind, if they are no problem.
func (m Model) onPath(kind doctor.Kind) bool {
	switch kind {
	case doctor.Public, doctor.Stored, doctor.Service, doctor.Listener:
		return true
	case doctor.Database:
		return !m.facts.Shared
	}
	return false
}

// well says that everything works, and when the last event came, or since when the till waits for
// one.
func (m Model) well(links []link, width int) []string {
	state, _ := worstLinks(links)
	sign, style := state.Mark(m.Theme)
	words, last := m.Texts.Path, m.lastEvent()
	says := words.Well.With(m.clock(last))
	switch {
	case last.IsZero() && m.facts.Address == "": // If another process receives the events, only the last hour is known.
		says = words.Try.With(m.clock(m.Now().Add(-time.Hour)))
	case last.IsZero() && m.Sample && m.hourPaid() > 0:
		says = words.Sample
	case last.IsZero():
		says = words.Fresh.With(m.clock(m.opened))
	case state == doctor.Fail, state == doctor.Warn: // The link to the listener is silent; see wayIn.
		says = words.Try.With(m.clock(last))
	}
	rows := theme.Indent(theme.Paragraph(m.Theme.Strong, says, width-signed, 0), signed)
	rows[0] = style.Bold(true).Render(sign) + " " + strings.TrimLeft(rows[0], " ")
	return rows
}

const signed = 2 // Width of a sign with a blank.

// signs draws the meaning of each sign that a link can have.
func (m Model) signs(width int) []string {
	words := m.Texts.Path
	signs := []struct {
		state doctor.State
		says  string
	}{{doctor.OK, words.Answers}, {doctor.Warn, words.Slow}, {doctor.Fail, words.Fails}, {"", words.Nothing}}
	var all []string
	for _, each := range signs {
		sign, style := each.state.Mark(m.Theme)
		all = append(all, style.Render(sign)+" "+m.Theme.Muted.Render(each.says))
	}
	return fit.Flow(all, width, "   ", "  ")
}

func (m Model) reportRows(width int) []string {
	rows := append(theme.Paragraph(m.Theme.Strong, m.Texts.Pay.Copied, width, 0), "")
	for _, row := range m.report() {
		rows = append(rows, theme.Paragraph(m.Theme.Text, row, width, 0)...)
	}
	return rows
}
