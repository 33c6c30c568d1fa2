package storagetest

import (
	"context"
	"math/rand/v2"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func paymentOf(order payments.Order) ledger.Payment {
	return ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference}
}

func cashPayment(number string) ledger.Payment {
	return ledger.Payment{Kind: ledger.AtCounter, Ref: number}
}

// part returns the whole amount or a random part of it.
func part(random *rand.Rand, amount money.Ariary) money.Ariary {
	if random.IntN(2) == 0 {
		return amount
	}
	return 1 + money.Ariary(random.Int64N(int64(amount)))
}

func transfersOf(ctx context.Context, store drawer.Store, payment ledger.Payment) (all []ledger.Transfer, err error) {
	err = store.View(ctx, func(tx drawer.Tx) error {
		all, err = tx.Transfers(ledger.Query{Payment: payment})
		return err
	})
	return all, err
}

// pickRefund returns a random refund of a payment that can be taken back, or the zero transfer.
func pickRefund(ctx context.Context, random *rand.Rand, store drawer.Store, payment ledger.Payment) (ledger.Transfer, error) {
	all, err := transfersOf(ctx, store, payment)
	if err != nil {
		return ledger.Transfer{}, err
	}
	unpaid := false // If the order was found unpaid, the service has no money for it.
	if payment.Kind == ledger.ByOrder {
		order, _, err := store.Order(ctx, payment.Ref)
		if err != nil {
			return ledger.Transfer{}, err
		}
		unpaid = order.Gross() == 0
	}
	var left []ledger.Transfer
	for _, refund := range all {
		ended := slices.ContainsFunc(all, func(t ledger.Transfer) bool { return t.Corrects == refund.ID || t.Kind == ledger.Void })
		if refund.Kind == ledger.Refund && !refund.Back() && !ended && !(unpaid && refund.AtService()) {
			left = append(left, refund)
		}
	}
	if len(left) == 0 {
		return ledger.Transfer{}, nil
	}
	return left[random.IntN(len(left))], nil
}
