package drawer

import (
	"context"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// Transfers returns the transfers whose money moved in a period, in the order of their IDs.
func (s *Service) Transfers(ctx context.Context, period payments.Period) (found []ledger.Transfer, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		found, err = tx.Transfers(ledger.Query{Period: period})
		return err
	})
	return found, err
}

// Descriptions returns the descriptions of the orders and of the sales at the counter to which transfers
// belong. These never change after the sale.
func (s *Service) Descriptions(ctx context.Context, transfers []ledger.Transfer) (found map[ledger.Payment]string, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		found = make(map[ledger.Payment]string)
		for _, transfer := range transfers {
			if _, known := found[transfer.Payment]; known {
				continue
			}
			switch payment := transfer.Payment; payment.Kind {
			case ledger.ByOrder:
				order, err := tx.Order(payment.Ref)
				if err != nil {
					return err
				}
				found[payment] = order.Description
			case ledger.AtCounter:
				sale, err := tx.Cash(payment.Ref)
				if err != nil {
					return err
				}
				found[payment] = sale.Description
			}
		}
		return nil
	})
	return found, err
}
