package drawer

import (
	"cmp"
	"context"

	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// Transfers returns the transfers whose money moved in a period, in the order of their IDs.
// articles contains the description of each order and cash sale of these transfers.
func (s *Service) Transfers(ctx context.Context, period money.Period) (found []ledger.Transfer, articles map[ledger.Payment]string, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		if found, err = tx.Transfers(ledger.Query{Period: period}); err != nil {
			return err
		}
		articles = make(map[ledger.Payment]string)
		entries, err := s.entries(tx, period)
		for payment, entry := range entries {
			articles[payment] = cmp.Or(entry.Order.Description, entry.Cash.Description)
		}
		return err
	})
	return found, articles, err
}
