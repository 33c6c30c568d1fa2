package health

import (
	"slices"
	"strings"
	"time"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// told is what the lowest pane says: what to do, the other facts, and the meaning of the path.
type told struct{ todo, facts, meaning []string }

// least returns the rows that say everything but the meaning.
func (t told) least() []string { return slices.Concat(t.todo, t.facts) }

// aired returns the rows with blank rows between the parts.
func (t told) aired() []string {
	rows := []string{""}
	for _, part := range [][]string{t.todo, t.facts, t.meaning} {
		if len(part) > 0 {
			rows = append(append(rows, part...), "")
		}
	}
	return rows[:len(rows)-1]
}

// in returns the rows for a pane with a number of rows inside.
func (t told) in(height int) []string {
	if rows := t.aired(); len(rows) <= height {
		return rows
	}
	t.meaning = nil
	if rows := t.aired(); len(rows) <= height {
		return rows
	}
	return t.least()
}

// tell returns what the lowest pane says: the findings or, while it is shown, the report for support.
func (m Model) tell(found []doctor.Finding, width int) told {
	if m.reporting {
		return told{todo: m.reportRows(width)}
	}
	isFact := func(finding doctor.Finding) bool {
		return finding.State == doctor.OK || finding.State == doctor.Skipped
	}
	wrong := slices.DeleteFunc(slices.Clone(found), isFact)
	facts := slices.DeleteFunc(slices.Clone(found), func(finding doctor.Finding) bool { return !isFact(finding) })
	said := told{todo: doctor.Rows(m.Texts, wrong, m.Theme, width), facts: m.facted(facts, width), meaning: m.meaning(width)}
	if len(wrong) == 0 {
		said.todo = m.well(m.links(found), width)
	}
	return said
}

// well draws the sentence that nothing is wrong, and when the last payment came.
func (m Model) well(links []link, width int) []string {
	state, _ := worstLinks(links)
	sign, style := state.Mark(m.Theme)
	words, last := m.Texts.Path, m.lastEvent()
	says := words.Well.With(m.clock(last))
	if last.IsZero() {
		says = words.Fresh.With(m.clock(m.opened))
		if m.facts.Address == "" { // Payments that came to another process are known only of the last hour.
			says = words.Try.With(m.clock(m.Now().Add(-time.Hour)))
		}
	}
	rows := theme.Indent(theme.Paragraph(m.Theme.Strong, says, width-signed, 0), signed)
	rows[0] = style.Bold(true).Render(sign) + " " + strings.TrimLeft(rows[0], " ")
	return rows
}

const signed = 2 // Columns of a sign with a blank.

// facted draws findings without a problem, in two columns if they fit. Findings with a note come last.
func (m Model) facted(found []doctor.Finding, width int) []string {
	const gap = 3
	noted := func(finding doctor.Finding) bool { return finding.Advice != "" }
	short := slices.DeleteFunc(slices.Clone(found), noted)
	long := slices.DeleteFunc(slices.Clone(found), func(finding doctor.Finding) bool { return !noted(finding) })
	half := (len(short) + 1) / 2
	left, right := m.table(short[:half], width), m.table(short[half:], width)
	least := theme.Width(left) + gap
	if least+theme.Width(right) > width {
		return doctor.Rows(m.Texts, append(short, long...), m.Theme, width)
	}
	at := max(least, min(width/2, width-theme.Width(right)))
	between := theme.AlignLeft("", at-theme.Width(left))
	return append(strings.Split(theme.Beside(left, between, right), "\n"), doctor.Rows(m.Texts, long, m.Theme, width)...)
}

func (m Model) table(found []doctor.Finding, width int) string {
	return strings.Join(doctor.Rows(m.Texts, found, m.Theme, width), "\n")
}

// meaning draws what each link of the path does, and what the signs mean.
func (m Model) meaning(width int) []string {
	words, names := m.Texts.Path, m.names()
	var links []string
	for i := range names[1:] {
		links = append(links, "  "+m.Theme.Strong.Render(names[i]+" ▸ "+names[i+1]))
	}
	at := theme.Width(strings.Join(links, "\n")) + 2
	for i, does := range []string{words.Pays, words.Reports, words.Brings, words.Keeps} {
		links[i] = theme.AlignLeft(links[i], at) + m.Theme.Muted.Render(does)
		if theme.Width(links[i]) > width {
			return nil
		}
	}
	signs := []struct {
		state doctor.State
		says  string
	}{{doctor.OK, words.Answers}, {doctor.Warn, words.Slow}, {doctor.Fail, words.Fails}, {"", words.Nothing}}
	var all []string
	for _, each := range signs {
		sign, style := each.state.Mark(m.Theme)
		all = append(all, style.Render(sign)+" "+m.Theme.Muted.Render(each.says))
	}
	return slices.Concat(links, []string{""}, fit.Flow(all, width, "   ", "  "))
}

// reportRows draws the report for support.
func (m Model) reportRows(width int) []string {
	rows := append(theme.Paragraph(m.Theme.Strong, m.Texts.Pay.Copied, width, 0), "")
	for _, row := range m.report() {
		rows = append(rows, theme.Paragraph(m.Theme.Text, row, width, 0)...)
	}
	return rows
}
