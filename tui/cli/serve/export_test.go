package serve

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
)

// BrowserCommand lets tests see the command that opens a page.
func BrowserCommand(system string, env func(string) string) []string {
	return browserCommand(system, env)
}

// Night returns the model of the power cut's picture.
func Night(styles theme.Theme, texts i18n.Texts) tea.Model {
	return night{theme: styles, texts: texts, till: "T1"}
}

// Paid returns the message that a customer has paid during the power cut.
func Paid(amount money.Ariary) tea.Msg { return paidInTheDark(amount) }
