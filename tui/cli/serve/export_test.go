package serve

import (
	"context"
	"log/slog"
	"time"

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

// RenewalProblem returns the problem that a relay reports of a certificate for 90 days, 10 days before
// the certificate's end, or "". The authority has refused that long ago, with these words. If issued,
// the first attempt succeeded afterwards.
func RenewalProblem(ago time.Duration, words string, issued bool) string {
	c := newCertificates(context.Background(), relayOptions{}, slog.New(slog.DiscardHandler))
	c.words, c.said = words, time.Now().Add(-ago)
	if issued {
		c.note(nil, 1)
	}
	end := time.Now().AddDate(0, 0, 10)
	for _, problem := range c.renewal(end.AddDate(0, 0, -90), end) {
		return problem.Text
	}
	return ""
}
