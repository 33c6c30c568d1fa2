package payments

import (
	"fmt"

	"checkout/till/payments/money"
)

// OwedError is returned for a payment or a write-off that is larger than the customer's debt, and
// for a write-off that is not above zero.
type OwedError struct {
	Owed   money.Ariary
	Amount money.Ariary
}

func (e *OwedError) Error() string {
	return fmt.Sprintf("the customer owes %s Ar, not %s Ar", e.Owed, e.Amount)
}

// checkDebt sets [DebtOverpaid] when an order gets more money than the customer owes, and removes
// [DebtOverpaid] when the shop has no more money for the order.
func checkDebt(tx Tx, before, after Order) (Order, error) {
	more := after.Net() - before.Net()
	if after.Net() <= 0 {
		after.drop(DebtOverpaid)
	}
	if after.Debt == "" || after.Net() <= 0 || more <= 0 {
		return after, nil
	}
	owed, err := tx.Owed(after.Debt)
	if owed < more {
		after.raise(DebtOverpaid)
	}
	return after, err
}

// mayPay returns an [*OwedError] if terms pay more than the customer's debt. If the customer could
// pay too much because other orders for the debt may still be paid, mayPay returns [ErrUnderWay] or
// an [*Objection].
func (s *Service) mayPay(tx Tx, terms Terms) error {
	if terms.Debt == "" {
		return nil
	}
	owed, err := tx.Owed(terms.Debt)
	if err != nil {
		return err
	}
	due := terms.Due()
	if due > owed {
		return &OwedError{Owed: max(0, owed), Amount: due}
	}
	others, err := tx.DebtOrders(terms.Debt)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.Net() > 0 { // This order has lowered the debt already.
			continue
		}
		objection := s.mayCharge([]Order{other}, Taken{}, Terms{Items: terms.Items, Despite: terms.Despite})
		if objection == nil || other.Sale == terms.Sale { // [Service.MayCharge] has checked the orders of the same sale.
			continue
		}
		if due += other.Amount; due > owed {
			return objection
		}
	}
	return nil
}
