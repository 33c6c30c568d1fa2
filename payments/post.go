package payments

import (
	"time"

	"checkout/till/payments/ledger"
)

// post adds the transfers for what a change of an order moved between the shop's sales and the
// payment service. After it, the service's account has [Order.Collected] for the order.
func post(tx Tx, before, after Order, now time.Time) error {
	entry := ledger.Transfer{
		At: now, Booked: now, Till: after.Till, Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: after.Reference},
	}
	if found := after.Finding; found != nil && found != before.Finding {
		entry.By, entry.Note = found.By, found.Note
	} else if after.Paid() && !before.Paid() {
		entry.At = after.Facts.PaidAt
	}
	back := after.refundedInArea() - before.refundedInArea()
	if err := postSigned(tx, entry, ledger.Sale, after.Collected()-before.Collected()+back); err != nil {
		return err
	}
	return postSigned(tx, entry, ledger.Refund, -back)
}

// postSigned posts a transfer to the payment service's account, or from it if the amount is below
// zero. It posts nothing for zero.
func postSigned(tx Tx, entry ledger.Transfer, kind ledger.Kind, amount Ariary) error {
	entry.Kind = kind
	entry.From, entry.To = ledger.Sales, ledger.Service
	if amount < 0 {
		entry.From, entry.To = entry.To, entry.From
		amount = -amount
	}
	entry.Amount = amount
	if amount == 0 {
		return nil
	}
	return tx.Post(entry)
}
