package payments

import (
	"time"

	"checkout/till/payments/ledger"
)

// post adds the transfer for what a change of an order moved between the shop's sales, or the debt of a customer, and the payment
// service, besides refunds. After it and the refunds of the change, the service's account has
// [Order.Collected] for the order.
func post(tx Tx, before, after Order, now time.Time) error {
	entry := ledger.Transfer{
		At: now, Booked: now, Kind: ledger.Sale, From: after.PaidFor(), To: ledger.Service, Till: after.Till,
		Amount:  after.Collected() - before.Collected() + after.Refunds.Area - before.Refunds.Area,
		Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: after.Reference},
	}
	if after.Debt != "" {
		entry.Kind = ledger.Paid
	}
	if found := after.Finding; found != nil && found != before.Finding {
		entry.By, entry.Note = found.By, found.Note
	} else if after.Paid() && !before.Paid() {
		entry.At = after.Facts.PaidAt
	}
	if entry.Amount == 0 {
		return nil
	}
	return tx.Post(entry.Forward())
}
