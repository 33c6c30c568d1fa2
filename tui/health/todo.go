package health

import (
	"slices"
	"strings"
	"time"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// told is the content of the pane with the findings. If the points are drawn, others is drawn in
// place of the facts: it lacks the facts that the points contain.
type told struct{ todo, points, others, facts, signs []string }

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

// heights returns the possible heights of todo and facts, the largest first. If scrolls is true,
// the last one may be too small for all rows.
func (t told) heights(scrolls bool) []int {
	aired := len(told{todo: t.todo, facts: t.facts}.aired()) - 2
	if scrolls {
		return []int{aired, min(len(t.least()), someTold)}
	}
	return []int{aired, len(t.least())}
}

// in returns the rows for a pane that is height rows high. todo and facts are always in them, even if
// they do not fit; the points and the signs only if there is room.
func (t told) in(height int) []string {
	short := told{todo: t.todo, facts: t.facts}
	signed := short
	signed.signs = t.signs
	ways := []told{signed, short}
	if len(t.points) > 0 {
		pointed := told{todo: t.todo, points: t.points, facts: t.others}
		full := pointed
		full.signs = t.signs
		ways = []told{full, pointed, signed, short}
	}
	for _, less := range ways {
		if rows := less.aired(); len(rows) <= height {
			return rows
		}
	}
	rows := t.least()
	if len(rows) < height {
		rows = append([]string{""}, rows...)
	}
	if len(rows) < height {
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
	var wrong, others, facts []doctor.Finding
	for _, finding := range found {
		switch {
		case finding.State != doctor.OK && finding.State != doctor.Skipped:
			wrong = append(wrong, finding)
		case drawn && finding.Advice == "" && m.onPath(finding.Check): // The path shows this finding.
		case drawn && finding.Check == doctor.Events:
			finding.State = doctor.OK
			if m.facts.Accepted == 0 {
				finding.State = doctor.Skipped // Nothing shows that events arrive.
			}
			finding.Text = m.Texts.Health.Counted.With(m.facts.Accepted, m.facts.Repeated, m.facts.Refused)
			facts = append(facts, finding)
			if finding.Advice != "" {
				others = append(others, finding)
			}
		default:
			facts = append(facts, finding)
			others = append(others, finding)
		}
	}
	said := told{
		todo: doctor.Rows(m.Texts, wrong, m.Theme, width), facts: m.facted(facts, width),
		points: m.points(path), others: m.facted(others, width), signs: m.signs(width),
	}
	if len(wrong) == 0 {
		said.todo = m.well(path.links, width)
	}
	return said
}

// onPath reports whether the path already shows findings of a kind, if they are no problem.
func (m Model) onPath(kind doctor.Kind) bool {
	switch kind {
	case doctor.Public, doctor.Stored, doctor.Service:
		return true
	case doctor.Listener:
		return m.facts.Address != ""
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
		says = words.Sample.With(m.clock(m.opened))
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

// facted draws findings without a problem, in two columns if they fit.
func (m Model) facted(found []doctor.Finding, width int) []string {
	const gap = 2
	var short, long []doctor.Finding
	for _, finding := range found {
		if finding.Advice != "" {
			long = append(long, finding)
		} else {
			short = append(short, finding)
		}
	}
	middle := (len(short) + 1) / 2
	rows := strings.Split(m.table(append(short[:middle:middle], long...), width), "\n")
	left, right := strings.Join(rows[:middle], "\n"), m.table(short[middle:], width)
	if theme.Width(left)+gap+theme.Width(right) > width { // Leave out the listener's address, which the path already shows.
		left = m.table(briefly(short[:middle]), width)
	}
	if at := max(theme.Width(left)+gap, min((width+gap)/2, width-theme.Width(right))); at+theme.Width(right) <= width {
		left = theme.Beside(left, theme.AlignLeft("", at-theme.Width(left)), right)
		return append(strings.Split(left, "\n"), rows[middle:]...)
	}
	return doctor.Rows(m.Texts, append(short, long...), m.Theme, width)
}

// briefly returns the findings, without the address that precedes a brief text.
func briefly(found []doctor.Finding) []doctor.Finding {
	brief := slices.Clone(found)
	for i, finding := range brief {
		if strings.HasSuffix(finding.Text, ": "+finding.Brief()) {
			brief[i].Text = finding.Brief()
		}
	}
	return brief
}

func (m Model) table(found []doctor.Finding, width int) string {
	return strings.Join(doctor.Rows(m.Texts, found, m.Theme, width), "\n")
}

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
