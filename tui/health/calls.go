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
	const facts, gap = 15, 2 // Columns of the facts, and of the gap before them.
	calls := m.called
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
	drawn := append(bars.Dense(m.Theme, amounts, room, high), m.callTimes(room))
	var rows []string
	for i, row := range drawn {
		fact := ""
		if i < len(numbers) {
			fact = theme.Spread(numbers[i].name, numbers[i].style.Render(numbers[i].value), facts)
		}
		rows = append(rows, theme.AlignLeft(row, room+gap)+fact)
	}
	return m.callsPane(rows).Aired(height)
}

func (m Model) callsPane(rows []string) pane.Pane {
	return pane.Pane{Frame: m.frame(), Title: m.Texts.Calls.Title, Right: m.Theme.Strong.Render(strconv.Itoa(len(m.called))), Rows: rows}
}

// callFigures returns the figures about the order calls as rows, or nil if there are too few calls
// or if there is room for their bars.
func (m Model) callFigures(width int) []string {
	if m.halved() || !m.timed() {
		return nil
	}
	var figures []string
	for _, figure := range m.measured() {
		figures = append(figures, figure.name+" "+figure.style.Render(figure.value))
	}
	widest := theme.Width(strings.Join(figures, "\n"))
	for i := range figures {
		figures[i] = theme.AlignLeft(figures[i], widest)
	}
	return fit.Flow(figures, width, "   ", "  ")
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
	middle := m.clock(m.called[slowest].At)
	at := (2*slowest+1)*width/(2*len(m.called)) - theme.Width(middle)/2
	if at < theme.Width(first)+apart || at+theme.Width(middle)+apart > width-theme.Width(last) {
		middle = ""
	}
	row := theme.AlignLeft(m.Theme.Muted.Render(first), at) + m.Theme.Flow.Render(middle)
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
	failed := number{words.Failed, strconv.Itoa(m.failed()), strong}
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
