package sale

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/entry"
)

// reduce gives the chosen line another unit price. What is taken off is taken
// off the price before any discount.
func (m Model) reduce(text string) (Model, tea.Cmd) {
	if text == "" {
		return m.told(), nil
	}
	item, err := entry.Reduced(m.sale.Items[m.cursor], text)
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.replace(item)
	}
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	return m.told(), cmd
}
