package health

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// calls returns the pane with the durations of the order calls as bars. There must be at least
// [few] calls.
func (m Model) calls(width, height int) pane.Pane {
	const facts, gap = 15, 2 // Columns of the facts, and of the gap before them.
	words, calls := m.Texts.Calls, m.called
	inner := width - pane.Borders
	room := inner - facts - gap
	amounts := make([]int64, len(calls))
	for i, call := range calls {
		amounts[i] = max(1, call.Took.Milliseconds())
	}
	numbers := m.measured()
	_, high := pane.FullBorder.Inner(width, height)
	high-- // The times are below the bars.
	if high > len(numbers) {
		high-- // A blank row is above the bars.
	}
	drawn := append(bars.Dense(m.Theme, amounts, room, high), m.Theme.Muted.Render(theme.Spread(m.clock(calls[max(0, len(calls)-room)].At), m.clock(calls[len(calls)-1].At), room)))
	shown := pane.Pane{Title: words.Title, Right: words.Last.With(millis(m.called[len(m.called)-1].Took))}
	for i, row := range drawn {
		fact := ""
		switch {
		case i < len(numbers):
			fact = theme.Spread(numbers[i].name, m.Theme.Strong.Render(numbers[i].value), facts)
		case i == len(drawn)-1:
			fact = m.Theme.Muted.Render(theme.AlignRight(words.Count.With(len(m.called)), facts))
		}
		shown.Rows = append(shown.Rows, theme.AlignLeft(row, room+gap)+fact)
	}
	return shown.Aired(height)
}

// few is the minimum number of order calls for their pane, and for a median.
const few = 5

func (m Model) timed() bool { return len(m.called) >= few }

type number struct{ name, value string }

// measured returns figures about the order calls. There must be at least one call.
func (m Model) measured() []number {
	words := m.Texts.Calls
	var took []time.Duration
	for _, call := range m.called {
		took = append(took, call.Took)
	}
	slices.Sort(took)
	all := []number{{words.Slowest, millis(took[len(took)-1])}, {words.Failed, strconv.Itoa(m.failed())}}
	if len(took) < few {
		return all
	}
	return append([]number{{words.Median, millis(took[len(took)/2])}, {words.Most, millis(took[len(took)*95/100])}}, all...)
}

func (m Model) failed() (count int) {
	for _, call := range m.called {
		if call.Failed {
			count++
		}
	}
	return count
}

// millis formats the duration of a call in milliseconds, at least 1 ms; from ten seconds on in
// seconds.
func millis(took time.Duration) string {
	if took < 10*time.Second {
		return strconv.FormatInt(max(1, took.Milliseconds()), 10) + " ms"
	}
	return strconv.FormatInt(int64(took/time.Second), 10) + " s"
}

// report returns the facts of the screen for the support of the payment service. The report
// contains no secret and no order.
func (m Model) report() []string {
	rows := []string{"till · " + m.Till + " · " + m.Now().In(m.Zone).Format(time.RFC3339), ""}
	for _, found := range m.findings() {
		sign, _ := found.State.Mark(m.Theme)
		rows = append(rows, sign+" "+m.Texts.Checks[string(found.Check)]+": "+found.Text)
	}
	if len(m.called) == 0 {
		return rows
	}
	var facts []string
	for _, fact := range m.measured() {
		facts = append(facts, fact.name+" "+fact.value)
	}
	return append(rows, "", m.Texts.Calls.Title+" · "+m.Texts.Calls.Count.With(len(m.called)), strings.Join(facts, " · "))
}
