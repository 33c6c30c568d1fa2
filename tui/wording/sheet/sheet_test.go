package sheet_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/wording/sheet"
)

// TestASheetTellsWhatHappenedInItsOrder uses an order that was paid, then refunded from the drawer,
// and then marked as unpaid.
func TestASheetTellsWhatHappenedInItsOrder(t *testing.T) {
	at := func(minutes int) time.Time { return time.Date(2026, 11, 21, 12, minutes, 0, 0, time.UTC) }
	paid := payments.Record{ReceivedAt: at(1), Effect: payments.Applied, Count: 2, Event: payments.Event{
		Kind: payments.PaymentSuccess, Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"),
	}}
	order := payments.Order{
		Reference: "A1", Till: "T1", By: "Rado", CreatedAt: at(0), Amount: 9000, Status: payments.StatusSuccess,
		Findings: []payments.Finding{{Kind: payments.FoundUnpaid, At: at(3), By: "Soa", Note: "no money"}},
		Transfers: []ledger.Transfer{
			{ID: 1, At: at(1), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service, Amount: 9000},
			{ID: 2, At: at(2), Kind: ledger.Refund, From: ledger.Drawer("T1"), To: ledger.Sales, Amount: 500, By: "Rado", Note: "broken"},
		},
	}
	teller := sheet.Teller{Texts: i18n.Load("en"), Theme: theme.Plain(), Zone: time.UTC, Moment: i18n.Moment}
	var steps []string
	for _, step := range teller.Order(order, "", []payments.Record{paid}, payments.VerdictMarkedUnpaid, at(4)).Steps {
		steps = append(steps, step.Sign+" "+strings.Join(step.Texts, ". "))
	}
	want := []string{
		"● Saved by Rado",
		"✓ Paid, the service says  2 times  +9 000 Ar",
		"◇ Refunded  −500 Ar in cash from the drawer  #2 by Rado. Reason: broken",
		"◇ MARKED UNPAID by Soa. Reason: no money",
	}
	tuitest.Equal(t, steps, want, "the steps")
}
