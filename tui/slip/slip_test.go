package slip_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/slip"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAFailedPrintNamesItsSaleUnderAnotherOne(t *testing.T) {
	shop := shoptest.Open(t)
	sold := shop.Pay(shop.Charge("S1", shoptest.Vary())).Reference
	printer := receipt.Printer{Address: filepath.Join(t.TempDir(), "missing", "printer")}
	m := slip.Model{Console: live.Console{
		Service: shop.Service, Run: shoptest.Run(t), Zone: shoptest.Zone(), Texts: i18n.Load("en"),
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

// The receipt was shown before the sale was printed elsewhere, and then voided.
func TestTheReceiptIsPrintedAsTheSaleIsNow(t *testing.T) {
	shop := shoptest.Open(t)
	sale := shop.Sell(shoptest.Terms("S1"), shoptest.Cash())
	paper := filepath.Join(t.TempDir(), "printer")
	tuitest.Must(t, os.WriteFile(paper, nil, 0o600))
	m := slip.Model{Console: live.Console{
		Service: shop.Service, Run: shoptest.Run(t), Zone: shoptest.Zone(), Texts: i18n.Load("en"),
		Receipts: receipt.Config{Printer: receipt.Printer{Address: paper}, Columns: 32, NoCode: true},
	}}
	m, issue := m.Press(sale.Number)
	m = m.Update(issue())
	onPaper := func() (notice, printed string) {
		t.Helper()
		tuitest.Must(t, os.Truncate(paper, 0))
		next, prints := m.Press(sale.Number)
		notice = next.Update(prints()).Notice()
		text, err := os.ReadFile(paper)
		tuitest.Must(t, err)
		return notice, string(text)
	}
	settled, err := shop.IssueReceipt(t.Context(), sale.Number)
	tuitest.Must(t, err)
	tuitest.Must(t, shop.NotePrinted(t.Context(), settled.Receipt))
	if _, printed := onPaper(); !strings.Contains(printed, "COPY") {
		t.Errorf("the second print is %q", printed)
	}
	shop.Void(sale.Number)
	if notice, printed := onPaper(); printed != "" || !strings.Contains(notice, "There is no receipt") {
		t.Errorf("after the void %q is printed, and the screen says %q", printed, notice)
	}
}
