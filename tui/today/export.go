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
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/tui/component/account"
)

type exported struct {
	path string
	err  error
}

func (e exported) says(t i18n.Texts) string {
	if e.err != nil {
		return t.Account.NotExported.With(clean.Text(e.err.Error(), payments.MaxShownWidth))
	}
	return t.Account.Exported.With(clean.Text(e.path, payments.MaxShownWidth))
}

func (m Model) export() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		path, err := m.writeMonth(ctx)
		return exported{path, err}
	})
}

// writeMonth writes the sales of the shown day's month to a file in the user's home folder. It
// replaces an earlier file of that month.
func (m Model) writeMonth(ctx context.Context) (path string, err error) {
	year, month, _ := m.wanted().From.In(m.Zone).Date()
	firstDay := time.Date(year, month, 1, 12, 0, 0, 0, m.Zone)
	period := money.Period{From: m.Service.DayOf(firstDay).From, To: m.Service.DayOf(firstDay.AddDate(0, 1, 0)).From}
	entries, err := m.Service.Journal(ctx, period)
	if err != nil {
		return "", err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	var table bytes.Buffer
	if err := account.WriteSales(&table, m.Texts, m.Zone, entries); err != nil {
		return "", err
	}
	name := firstDay.Format("till-2006-01.csv")
	if m.Receipts.Shop.Demo {
		name = "till-demo-" + firstDay.Format("2006-01.csv") // A demo must not replace a real shop's file.
	}
	path = filepath.Join(home, name)
	draft := path + ".new" // If the disk is full, the earlier file stays.
	if err := os.WriteFile(draft, table.Bytes(), 0o600); err != nil {
		_ = os.Remove(draft)
		return "", err
	}
	return path, os.Rename(draft, path)
}
