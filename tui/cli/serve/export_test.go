package serve

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
)

// BrowserCommand returns the command that opens a page in a browser.
func BrowserCommand(system string, env func(string) string) []string {
	return browserCommand(system, env)
}

// Night returns the model of the picture that the demo shows during its power cut.
func Night(styles theme.Theme, texts i18n.Texts) tea.Model {
	return night{theme: styles, texts: texts, till: "T1"}
}

// Paid returns the message that a customer has paid during the power cut.
func Paid(amount money.Ariary) tea.Msg { return paidInTheDark(amount) }
