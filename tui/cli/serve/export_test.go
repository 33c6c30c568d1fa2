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

// Certificates are the certificates of a relay in a test, which plays the authority.
type Certificates struct{ *certificates }

// NewCertificates returns the certificates of a relay that has none.
func NewCertificates() Certificates {
	return Certificates{newCertificates(context.Background(), relayOptions{}, slog.New(slog.DiscardHandler))}
}

// Refused plays a refusal of the authority, that long ago.
func (c Certificates) Refused(words string, ago time.Duration) {
	c.words, c.said = words, time.Now().Add(-ago)
}

// Issued plays the success of the first attempt.
func (c Certificates) Issued() { c.note(nil, 1) }

// Reported returns the reported problem of a certificate for 90 days, or "".
func (c Certificates) Reported(left time.Duration) string {
	end := time.Now().Add(left)
	for _, problem := range c.renewal(end.AddDate(0, 0, -90), end) {
		return problem.Text
	}
	return ""
}
