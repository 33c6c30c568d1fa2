package health

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// calls returns the pane with the durations of the order calls as bars. There must be at least
// [few] calls.
func (m Model) calls(width, height int) pane.Pane {
	frame := m.frame()
	inner, room := frame.Inner(width, height)
	amounts := make([]int64, len(m.called))
	for i, call := range m.called {
		amounts[i] = max(1, call.Took.Milliseconds())
	}
	rows := m.under(room-frame.Air()+1, m.callFigures(inner), func(high int) []string {
		return append(bars.Dense(m.Theme, amounts, inner, high), m.callTimes(inner))
	})
	last := m.Texts.Calls.Last.With(millis(m.called[len(m.called)-1].Took))
	return pane.Pane{Frame: frame, Title: m.Texts.Calls.Title, Right: m.Theme.Strong.Render(last), Rows: rows}
}

// callFigures returns the figures about the order calls, in columns.
func (m Model) callFigures(width int) []string {
	const gap = 2
	all := m.measured()
	names, values := 0, 0
	for _, figure := range all {
		names, values = max(names, theme.Width(figure.name)), max(values, theme.Width(figure.value))
	}
	figures := make([]string, len(all))
	for i, figure := range all {
		figures[i] = theme.Spread(figure.name, figure.style.Render(figure.value), names+gap+values)
	}
	return fit.Flow(figures, width, "     ", "   ", "  ")
}

// callTimes returns the times of the first and the last call, at the ends of a row, and of the
// slowest one, below its bar.
func (m Model) callTimes(width int) string {
	const apart = 2
	first, last := m.clock(m.called[0].At), m.clock(m.called[len(m.called)-1].At)
	slowest := 0
	for i, call := range m.called {
		if call.Took > m.called[slowest].Took {
			slowest = i
		}
	}
	middle, row := m.clock(m.called[slowest].At), m.Theme.Muted.Render(first)
	at := (2*slowest+1)*width/(2*len(m.called)) - theme.Width(middle)/2
	if at >= theme.Width(first)+apart && at+theme.Width(middle)+apart <= width-theme.Width(last) {
		row = theme.AlignLeft(row, at) + m.Theme.Flow.Render(middle)
	}
	return theme.Spread(row, m.Theme.Muted.Render(last), width)
}

// few is the minimum number of order calls for their pane, and for a median.
const few = 5

func (m Model) timed() bool { return len(m.called) >= few }

type number struct {
	name, value string
	style       theme.Style
}

// measured returns figures about the order calls. There must be at least one call.
func (m Model) measured() []number {
	words := m.Texts.Calls
	var took []time.Duration
	for _, call := range m.called {
		took = append(took, call.Took)
	}
	slices.Sort(took)
	strong := m.Theme.Strong
	slowest := number{words.Slowest, millis(took[len(took)-1]), m.Theme.Flow.Bold(true)} // Like its bar.
	failed := number{words.Failed, strconv.Itoa(m.failed()) + "/" + strconv.Itoa(len(m.called)), strong}
	if len(took) < few {
		return []number{slowest, failed}
	}
	return []number{slowest, {words.Most, millis(took[len(took)*95/100]), strong}, {words.Median, millis(took[len(took)/2]), strong}, failed}
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
	var figures []string
	for _, figure := range m.measured() {
		figures = append(figures, figure.name+" "+figure.value)
	}
	return append(rows, "", m.Texts.Calls.Title+" · "+m.Texts.Calls.Count.With(len(m.called)), strings.Join(figures, " · "))
}
