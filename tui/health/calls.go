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
// [few] calls. The last call is at the right.
func (m Model) calls(width, height int) pane.Pane {
	const facts, gap, bar = 15, 3, 3 // Columns of the facts, of the gap before them, and of a bar.
	words, calls := m.Texts.Calls, m.called
	inner := width - pane.Borders
	shown := pane.Pane{Title: words.Title}
	numbers := m.measured()
	shown.Right = words.Last.With(millis(calls[len(calls)-1].Took))
	room := inner - facts - gap
	all := make([]bars.Bar, max(1, room/bar))
	calls = calls[max(0, len(calls)-len(all)):]
	for i, call := range calls {
		all[len(all)-len(calls)+i].Amount = max(1, call.Took.Milliseconds())
	}
	drawn := bars.Draw(m.Theme, all, bars.Scale(all), room, m.barsIn(height))
	first, last := m.clock(calls[0].At), m.clock(calls[len(calls)-1].At)
	if first != last {
		last = first + " – " + last
	}
	drawn[len(drawn)-1] = m.Theme.Muted.Render(theme.AlignRight(last, room))
	for i, row := range drawn {
		fact := ""
		if i < len(numbers) {
			fact = theme.Spread(numbers[i].name, m.Theme.Strong.Render(numbers[i].value), facts)
		}
		shown.Rows = append(shown.Rows, theme.AlignLeft(row, room+gap)+fact)
	}
	shown.Rows = append(shown.Rows, m.Theme.Muted.Render(words.Count.With(len(m.called))))
	return shown.Aired(height)
}

// few is the smallest useful number of order calls.
const few = 5

// timed reports whether there are enough order calls for a pane.
func (m Model) timed() bool { return len(m.called) >= few }

type number struct{ name, value string }

// measured returns figures about one order call or more: the maximum duration, the number of failed
// calls and, from [few] calls on, the median and the 95th percentile.
func (m Model) measured() []number {
	words, failed := m.Texts.Calls, 0
	var took []time.Duration
	for _, call := range m.called {
		took = append(took, call.Took)
		if call.Failed {
			failed++
		}
	}
	slices.Sort(took)
	all := []number{{words.Slowest, millis(took[len(took)-1])}, {words.Failed, strconv.Itoa(failed)}}
	if len(took) < few {
		return all
	}
	return append([]number{{words.Median, millis(took[len(took)/2])}, {words.Most, millis(took[len(took)*95/100])}}, all...)
}

// millis formats a duration in milliseconds, from ten seconds on in seconds.
func millis(took time.Duration) string {
	if took < 10*time.Second {
		return strconv.FormatInt(took.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatInt(int64(took/time.Second), 10) + " s"
}

// report returns the facts of the screen for the support of the payment service. It contains no
// secret and no order.
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
