package sale

import "checkout/till/tui/theme"

// empty is what a sale without lines says: what to type, or, to somebody who
// has never seen the program, what this is as well.
func (m Model) empty(room int) []string {
	if m.Welcome == "" {
		return m.wrapped(m.Theme.Subdued.Render, m.Texts.Sale.Empty, room)
	}
	words := m.Texts.Welcome
	rows := m.wrapped(m.Theme.Strong.Render, words.What, m.size.height)
	rows = append(rows, m.wrapped(m.Theme.Accent.Render, words.Try, m.size.height)...)
	rows = append(rows, m.wrapped(m.Theme.Subdued.Render, words.Live.With(m.Welcome), m.size.height)...)
	return theme.Clip(rows, m.size.width, room)
}
