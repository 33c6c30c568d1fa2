package tui

import tea "github.com/charmbracelet/bubbletea"

// dozeAfter is after how many ticks of the clock a console dozes which nobody
// has touched since, and for which nothing has come from the store.
const dozeAfter = 2

// dozer lets a console doze: run on one processor. To look at the screen for
// changes wakes the machine for each frame, and where there are several
// processors each time two of them, to find that there is nothing to do: most of
// what an idle console costs. The first key gives it all of them again.
type dozer struct {
	use   func(processors int) (before int) // See [runtime.GOMAXPROCS].
	all   int                               // What it had before it dozed; 0 while it is awake.
	ticks int                               // Since it was touched.
}

// watch sees each message before the console does, and leaves it as it is.
func (d *dozer) watch(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg, changed, typed:
		d.ticks = 0
		if d.all > 0 {
			d.use(d.all)
			d.all = 0
		}
	case ticked:
		if d.ticks++; d.ticks == dozeAfter {
			d.all = d.use(1)
		}
	}
	return msg
}
