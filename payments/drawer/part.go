package drawer

import (
	"context"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Sales returns a till's unfinished sales as [payments.Service.Sales] does, with what customers have paid
// of them in parts. If that cannot be read, Sales leaves it out: charging such a sale is then refused
// with a [*payments.Objection].
func (s *Service) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	sales, err := s.Service.Sales(ctx, till)
	for i, sale := range sales {
		if taken, restOf, readErr := s.TakenFor(ctx, sale.ID); readErr == nil {
			sales[i].Taken = taken
			sales[i].RestOf = restOf
		}
	}
	return sales, err
}

// TakenFor returns what the shop has for a sale that was paid in part at the counter, and the number of the
// first part. Without such a part, it returns zero.
func (s *Service) TakenFor(ctx context.Context, id string) (taken money.Ariary, restOf string, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		taken, restOf = 0, ""
		paid, err := tx.Taken(id)
		if err != nil || paid.First == "" {
			return err
		}
		orders, err := tx.Siblings(id)
		taken, restOf = paid.Net, paid.First
		for _, order := range orders {
			taken += order.Net()
		}
		return err
	})
	return taken, restOf, err
}

// VoidParts voids what customers paid at the counter for an unfinished sale, because the sale is dropped.
// Cash comes from the drawer of the given till. VoidParts returns [ErrReasonNeeded], an [*UnknownError] and
// the errors of a [staff.Identity]; it needs no identity if there is nothing to give back.
func (s *Service) VoidParts(ctx context.Context, till, id, reason string, who staff.Identity) error {
	var parts []CounterSale
	err := s.store.View(ctx, func(tx Tx) (err error) {
		parts, err = tx.CashOf(id)
		return err
	})
	if err != nil {
		return err
	}
	for _, part := range parts {
		if part.Left() == 0 {
			continue
		}
		if _, err := s.VoidSale(ctx, till, part.Number, reason, who); err != nil {
			return err
		}
	}
	return nil
}

// parts returns the payments of a sale that was paid in parts: first those at the counter, without the
// voided ones, then the orders with money. It returns nil for a sale that was paid at once.
func parts(tx Tx, settled Settled) (paid []Part, err error) {
	cash, order := settled.Cash, settled.Order
	id, whole := cash.Sale, cash.Amount >= cash.Total
	if cash.Number == "" {
		id, whole = order.Sale, order.Amount >= order.SaleTotal()
	}
	if whole {
		return nil, nil
	}
	taken, err := tx.CashOf(id)
	if err != nil {
		return nil, err
	}
	for _, sale := range taken {
		if !sale.Voided() {
			paid = append(paid, Part{Ref: sale.Number, Tender: sale.Tender(), Amount: sale.Amount})
		}
	}
	orders, err := tx.Siblings(id)
	for _, order := range orders {
		if order.Gross() > 0 {
			paid = append(paid, Part{Ref: order.Reference, Tender: TenderLink, Amount: order.Amount, Proven: order.Paid()})
		}
	}
	return paid, err
}

// Part is one of the payments of a sale that was paid in parts.
type Part struct {
	Ref    string
	Tender Tender
	Amount money.Ariary
	Proven bool // The service confirmed the payment of a link; otherwise a person found so.
}
