package receipt_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/tui/receipt"
)

func TestAReceiptHasTheTimeOfTheSale(t *testing.T) {
	made := time.Date(2026, 11, 21, 12, 0, 0, 0, zone())
	paid, found, printed := made.Add(2*time.Minute), made.Add(time.Hour), made.Add(6*time.Hour)
	order := func(paidAt time.Time, kind payments.FindingKind) payments.Order {
		order := payments.Order{CreatedAt: made, Amount: 500, Facts: payments.Facts{PaidAt: paidAt}}
		if kind != "" {
			order.Finding = &payments.Finding{Kind: kind, At: found}
			order.Findings = []payments.Finding{*order.Finding}
		}
		return order
	}
	refunded := order(paid, "")
	refunded.Refunds.Area = 500
	refunded.Transfers = []ledger.Transfer{{At: found, Kind: ledger.Refund, From: ledger.Service, To: ledger.Sales, Amount: 500}}
	unproven := order(time.Time{}, payments.FoundPaid)
	unproven.Refunds, unproven.Transfers = refunded.Refunds, refunded.Transfers
	for name, c := range map[string]struct {
		settled     drawer.Settled
		want, proof string
	}{
		"paid":        {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByLink}, Order: order(paid, "")}, "12:02", "PAID 12:02"},
		"marked paid": {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByFinding}, Order: order(time.Time{}, payments.FoundPaid)}, "13:00", "MARKED PAID 13:00"},
		"refunded":    {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByRefund}, Order: refunded}, "13:00", "PAID 12:02"},
		"refunded without a proof": {
			drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByRefund}, Order: unproven}, "13:00", "MARKED PAID 13:00",
		},
		"cash": {
			drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.Settlement(drawer.TenderCash)}, Cash: drawer.CounterSale{Number: "T1-GT-C-000001", Account: ledger.Drawer("T1"), At: paid}}, "12:02", "CASH 12:02",
		},
	} {
		c.settled.Receipt.At = printed
		paper := of(t, "en", receipt.Shop{}, c.settled, 32)
		if lines := text(paper.Lines()); !strings.Contains(lines, "21/11/26 "+c.want) {
			t.Errorf("%s: want the time %s\n%s", name, c.want, lines)
		} else if !strings.Contains(lines, "b"+c.proof) {
			t.Errorf("%s: want a line with %s\n%s", name, c.proof, lines)
		}
	}
}
