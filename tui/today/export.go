package today

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/account"
)

// exported is the result of writing the journal to a file.
type exported struct {
	path string
	err  error
}

// says returns a sentence about the file.
func (e exported) says(t i18n.Texts) string {
	if e.err != nil {
		return t.Account.NotExported.With(payments.Clean(e.err.Error(), payments.MaxShownWidth))
	}
	return t.Account.Exported.With(payments.Clean(e.path, payments.MaxShownWidth))
}

// export returns a command that writes the journal of the shown day's month to a file in the
// user's folder. It replaces an earlier file of the month.
func (m Model) export() tea.Cmd {
	service := m.Service
	texts, zone := m.Texts, m.Zone
	prefix := "till-"
	if m.Demo {
		prefix = "till-demo-" // Do not replace the file of a real shop.
	}
	year, month, _ := m.wanted().From.In(zone).Date()
	period := payments.Period{From: firstOf(year, month, zone), To: firstOf(year, month+1, zone)}
	return m.Run(func(ctx context.Context) tea.Msg {
		entries, err := service.Journal(ctx, period)
		if err != nil {
			return exported{err: err}
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return exported{err: err}
		}
		var table bytes.Buffer
		if err := account.WriteSales(&table, texts, zone, entries); err != nil {
			return exported{err: err}
		}
		path := filepath.Join(home, prefix+period.From.In(zone).Format("2006-01")+".csv")
		return exported{path, os.WriteFile(path, table.Bytes(), 0o600)}
	})
}

// firstOf returns the beginning of a month.
func firstOf(year int, month time.Month, zone *time.Location) time.Time {
	return payments.Day(time.Date(year, month, 1, 12, 0, 0, 0, zone)).From
}
