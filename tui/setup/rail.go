package setup

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/huh"

	"checkout/till/payments"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

const (
	minRail   = 60 // Minimum width of a window with the list of the steps (the rail), in columns.
	separator = "   "
)

func (m Model) title(s step) string { return m.Texts.Asked["step "+s.name] }

func (m Model) railWidth() int {
	if m.width < minRail {
		return 0
	}
	return theme.Width(strings.Join(m.rail(), "\n")) + theme.Width(separator)
}

func (m Model) rail() (rows []string) {
	for i, step := range m.steps() {
		row := m.Theme.Muted.Render("○ " + m.title(step))
		switch {
		case i < m.at:
			row = m.Theme.Text.Render("✓ " + m.title(step))
		case i == m.at:
			row = m.Theme.Accent.Render("› ") + m.Theme.Strong.Render(m.title(step))
		}
		rows = append(rows, row)
	}
	return rows
}

func (m Model) beside(rows []string) []string {
	rail, wide := m.rail(), m.railWidth()-theme.Width(separator)
	var drawn []string
	if rows[0] == "" {
		rail = append([]string{""}, rail...)
	}
	for i := range max(len(rail), len(rows)) {
		left, right := "", ""
		if i < len(rail) {
			left = rail[i]
		}
		if i < len(rows) {
			right = rows[i]
		}
		drawn = append(drawn, theme.AlignLeft(left, wide)+separator+right)
	}
	return drawn
}

// preview shows what the answers of the first two steps change: the customer's screen and the
// receipt. At any other step, or without enough width, it returns nil.
func (m Model) preview(width int) []string {
	const gap, high, least = 2, 4, 24
	wide, narrow := (width-gap)/2, (width-gap)/2 < least
	if narrow {
		wide = width
	}
	texts, step := m.Texts, m.steps()[m.at].name
	if step != "language" && step != "shop" || wide < least {
		return nil
	}
	if hovered, is := m.form.GetFocusedField().(*huh.Select[string]); is {
		if code, found := hovered.Hovered(); found {
			texts = m.Load(code)
		}
	}
	words := texts.Setup
	name := strings.ToUpper(cmp.Or(m.Answers["shop"], "Épicerie Soa"))
	box := func(title string, rows ...string) string {
		return strings.Join(pane.Pane{Title: m.Theme.Muted.Render(title), Rows: rows}.Lines(m.Theme, wide, high), "\n")
	}
	inner, _ := pane.FullBorder.Inner(wide, high)
	centred := theme.Center(m.Theme.Strong.Render(theme.Truncate(name, inner)), inner, 1)
	sees := box(words.CustomerSees, theme.Center(m.Theme.Accent.Render(theme.Truncate(name, inner)), inner, 1), theme.Center(texts.Customer.Welcome, inner, 1))
	begins := box(words.ReceiptBegins, centred, texts.Receipt.Ticket+" "+payments.TillCode(cmp.Or(m.Answers["till"], "T1"))+"-000001")
	if narrow {
		return strings.Split(sees+"\n"+begins, "\n")
	}
	return strings.Split(theme.Beside(sees, strings.Repeat(" ", gap), begins), "\n")
}
