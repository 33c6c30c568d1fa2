package pay

import (
	"strings"

	"checkout/till/tui/theme"
)

// Beside gives the screen what is said on every screen, in dressed rows, the
// most important one first: this one has the whole window.
func (m Model) Beside(rows []string) Model {
	m.looks.beside = rows
	return m
}

// notices are what is said beside the order. Turned to the customer they are a
// sign alone, which the cashier knows.
func (m Model) notices(width int) []string {
	if len(m.looks.beside) == 0 {
		return nil
	}
	if m.looks.facing {
		return []string{m.Theme.Alarm.Render(" ! ")}
	}
	rows := make([]string, 0, len(m.looks.beside))
	for _, row := range m.looks.beside {
		rows = append(rows, theme.Truncate(row, width))
	}
	return rows
}

// lastRow is the one row below a code in a narrow window: what is said on every
// screen, a remark, or the keys.
func (m Model) lastRow() string {
	if notices := m.notices(m.size.width); len(notices) > 0 {
		return strings.Join(notices, " ")
	}
	return m.line()
}
