package drawer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Sales returns a till's unfinished sales as [payments.Service.Sales] does, with the money that
// customers have paid for them in parts. It adds each partly paid sale without an open order, so
// that the cashier can complete that sale or give the money back. If the paid parts cannot be read,
// Sales returns only the unfinished sales, without that money.
func (s *Service) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	sales, err := s.Service.Sales(ctx, till)
	if err != nil {
		return nil, err
	}
	_ = s.store.View(ctx, func(tx Tx) error {
		sales, err = withParts(tx, till, sales)
		return err
	})
	return sales, nil
}

// withParts returns the result of [Service.Sales]. After an error, it returns sales unchanged.
func withParts(tx Tx, till string, sales []payments.Sale) ([]payments.Sale, error) {
	known := make(map[string]bool)
	all := slices.Clone(sales)
	for i, sale := range all {
		known[sale.ID] = true
		taken, restOf, err := takenFor(tx, sale.ID)
		if err != nil {
			return sales, err
		}
		all[i].Taken = taken
		all[i].RestOf = restOf
	}
	parts, err := tx.FirstParts(till)
	if err != nil {
		return sales, err
	}
	for _, part := range parts {
		taken, restOf, err := takenFor(tx, part.Sale)
		if err != nil {
			return sales, err
		}
		if taken > 0 && !known[part.Sale] {
			known[part.Sale] = true
			all = append(all, part.unfinished(taken, restOf))
		}
	}
	return all, nil
}

// unfinished returns the unfinished sale whose first payment is c.
func (c CounterSale) unfinished(taken money.Ariary, restOf string) payments.Sale {
	sold := payments.Order{Sale: c.Sale, Till: c.Till, Items: c.Items, Description: c.Description, Debt: c.Debt}.Terms()
	return payments.Sale{
		ID: sold.Sale, Till: sold.Till, Items: sold.Items, Description: sold.Description, Debt: sold.Debt,
		UpdatedAt: c.At, Taken: taken, RestOf: restOf,
	}
}

// TakenFor returns the money that the shop has for a sale, and the number of the sale's oldest
// counter payment that was not fully given back. Without such a payment, it returns zero values.
func (s *Service) TakenFor(ctx context.Context, id string) (taken money.Ariary, restOf string, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		taken, restOf, err = takenFor(tx, id)
		return err
	})
	return taken, restOf, err
}

func takenFor(tx Tx, id string) (taken money.Ariary, restOf string, err error) {
	paid, err := tx.Taken(id)
	if err != nil || paid.First == "" {
		return 0, "", err
	}
	orders, err := tx.Siblings(id)
	taken, _ = payments.MoneyOf(orders, paid)
	return taken, paid.First, err
}

// VoidParts voids the payments at the counter for an unfinished sale that the cashier drops: all of
// them, or none. sale has the ID, and in Taken the money that the cashier saw. Cash leaves the drawer
// of the given till; VoidParts returns how much. The errors are [ErrReasonNeeded],
// [payments.ErrOutdated] if the shop has another sum for the sale or money from a link, an
// [*UnknownError] and those of a [staff.Identity]. VoidParts needs no identity if there is no money to
// give back.
func (s *Service) VoidParts(
	ctx context.Context, till string, sale payments.Sale, reason string, who staff.Identity,
) (cash money.Ariary, err error) {
	till = clean.Text(till, payments.MaxTillWidth)
	reason = clean.Text(reason, payments.MaxShownWidth)
	if reason == "" {
		return 0, ErrReasonNeeded
	}
	var left []CounterSale
	var outdated error
	err = s.store.View(ctx, func(tx Tx) error {
		left, err = leftOf(tx, sale.ID)
		outdated = checkTaken(tx, sale)
		return err
	})
	if err != nil || len(left) == 0 && sale.Taken == 0 {
		return 0, err
	}
	asked := []any{"void parts", till, sale.ID, reason, who.Name}
	err = s.unlessStored(ctx, who, asked, func(tx Tx, cashier staff.Cashier, request *Request) error {
		cash = 0
		if err := checkTaken(tx, sale); err != nil {
			return err
		}
		left, err := leftOf(tx, sale.ID)
		for _, part := range left {
			if err != nil {
				return err
			}
			err = s.void(tx, part, ledger.Transfer{At: request.At, Till: till, By: cmp.Or(cashier.Name, till), Note: reason})
			if part.Account.IsDrawer() {
				cash += part.Left()
			}
		}
		return err
	})
	if outdated != nil && errors.Is(err, staff.ErrIdentityNeeded) {
		err = outdated // Do not ask for a PIN for a change that fails anyway.
	}
	return cash, err
}

// leftOf returns the counter payments for a sale that were not fully given back.
func leftOf(tx Tx, id string) ([]CounterSale, error) {
	all, err := tx.CashOf(id)
	return slices.DeleteFunc(all, func(part CounterSale) bool { return part.Left() == 0 }), err
}

// checkTaken returns [payments.ErrOutdated] if the shop has another sum for a sale than sale.Taken,
// or has money from an order of the sale: another till, or the customer, has paid or got money since
// the cashier looked.
func checkTaken(tx Tx, sale payments.Sale) error {
	orders, paid, err := payments.ReadSale(tx, sale.ID, "")
	net, _ := payments.MoneyOf(orders, paid)
	byLink := slices.ContainsFunc(orders, func(order payments.Order) bool { return order.Net() > 0 })
	if err == nil && (net != sale.Taken || byLink) {
		err = payments.ErrOutdated
	}
	return err
}

// parts returns the payments of a sale that was paid in parts: first those at the counter, without
// the voided ones, then the orders that were paid or found paid. It returns nil if the payment in
// settled is for the whole sale.
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
			paid = append(paid, Part{Tender: sale.Tender(), Amount: sale.Amount, Refunded: sale.Refunded})
		}
	}
	orders, err := tx.Siblings(id)
	for _, order := range orders {
		if order.Gross() > 0 {
			paid = append(paid, Part{Tender: TenderLink, Amount: order.Amount, Refunded: order.Refunds.Sum(), Proven: order.Paid()})
		}
	}
	return paid, err
}

// Part is one of several payments of a sale.
type Part struct {
	Tender   Tender
	Amount   money.Ariary
	Refunded money.Ariary // How much of the Amount was given back.
	Proven   bool         // Whether the payment service confirmed the payment.
}
