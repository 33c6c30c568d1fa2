package slip_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/slip"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAFailedPrintNamesItsSaleUnderAnotherOne(t *testing.T) {
	shop := shoptest.Open(t)
	sold := shop.Pay(shop.Charge("S1", shoptest.Vary())).Reference
	run := func(work func(context.Context) tea.Msg) tea.Cmd { return func() tea.Msg { return work(t.Context()) } }
	printer := receipt.Printer{Address: filepath.Join(t.TempDir(), "missing", "printer")}
	m := slip.Model{Console: live.Console{
		Service: shop.Service, Run: run, Zone: shoptest.Zone(), Texts: i18n.Load("en"),
		Receipts: receipt.Config{Printer: printer, Columns: 32, When: receipt.Always},
	}}
	m, issue := m.Of(sold).Press(sold)
	m = m.Update(issue())
	m, prints := m.Press(sold)
	for name, ends := range map[string]tea.Cmd{"by a key": prints, "after the sale": m.Settled(sold, false)} {
		t.Run(name, func(t *testing.T) {
			failed := ends()
			if says := m.Update(failed).Notice(); says == "" || strings.Contains(says, sold) {
				t.Errorf("its own sale says %q", says)
			}
			if says := m.Of("T1-other").Update(failed).Notice(); !strings.HasPrefix(says, sold+": ") {
				t.Errorf("another sale says %q", says)
			}
		})
	}
}
