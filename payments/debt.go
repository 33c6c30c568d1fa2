package payments

import (
	"fmt"

	"checkout/till/payments/money"
)

// OwedError says that a payment is more than the customer owes.
type OwedError struct {
	Owed   money.Ariary
	Amount money.Ariary
}

func (e *OwedError) Error() string {
	return fmt.Sprintf("the customer owes %s Ar, not %s Ar", e.Owed, e.Amount)
}

// checkDebt raises [DebtOverpaid] if the first money of an order that pays a debt is more than the customer owes.
func checkDebt(tx Tx, before, after Order) (Order, error) {
	switch {
	case after.Debt == "", after.Net() > 0 && before.Net() > 0:
		return after, nil
	case after.Net() <= 0:
		after.drop(DebtOverpaid)
		return after, nil
	}
	owed, err := tx.Owed(after.Debt)
	if owed < after.Net() {
		after.raise(DebtOverpaid)
	}
	return after, err
}

// MayPay returns nil if terms pay no debt, or a debt that the customer has. It returns an [*OwedError] if the
// customer owes less than the amount. If other links that can still be paid would then pay too much, it returns
// [ErrUnderWay] or an [*Objection] of the kind [SalePayable], unless terms.Despite lists that kind.
func (s *Service) MayPay(tx Tx, terms Terms) error {
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
	others, err := tx.DebtOrders(terms.Debt, s.now().Add(-LinkGrace))
	if err != nil {
		return err
	}
	for _, other := range others {
		objection := s.MayCharge([]Order{other}, Taken{}, Terms{Items: terms.Items, Despite: terms.Despite})
		if objection == nil || other.Sale == terms.Sale { // For an order of the same sale, the caller asks MayCharge.
			continue
		}
		if due += other.Amount; due > owed {
			return objection
		}
	}
	return nil
}
