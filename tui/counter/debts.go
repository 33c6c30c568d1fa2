package counter

import (
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// SellTo answers the question [AskTender] with the name of the customer who buys on account. If
// create is true, an unknown customer is stored.
func (c *Counter) SellTo(name string, create bool) {
	if c.Asking() != AskTender || c.Charging() {
		return
	}
	c.confirm(c.question.first(TakeCash{Tender: c.question.Tender, Customer: name, New: create}))
}

// Allow repeats a charge that was refused with a [drawer.LimitError], with the identity of an
// owner. It reports [Refused] if the sale has changed or another charge is under way.
func (c *Counter) Allow(charge TakeCash, owner staff.Identity) {
	same := c.cart.Sale.ID == charge.Terms.Sale && slices.Equal(c.cart.Items(), charge.Terms.Items)
	if !same || c.charging.waiting() || c.Charging() {
		c.tell(Refused{Busy})
		return
	}
	charge.Err = nil
	charge.Owner = &owner
	c.confirm(charge)
}

// PayDebt makes a sale that pays an amount of a customer's debt, and asks whether to charge it. A
// current sale that is not [cart.Cart.Untouched] is put on hold. PayDebt returns a
// [*payments.OwedError] and the errors of [payments.NewItem].
func (c *Counter) PayDebt(debtor drawer.Debtor, amount money.Ariary) error {
	item, err := payments.NewItem(c.Words.Debt, amount, 1)
	switch {
	case err != nil:
		return err
	case amount > debtor.Owed:
		return &payments.OwedError{Owed: max(0, debtor.Owed), Amount: amount}
	}
	sale := c.NewSale()
	terms := payments.Terms{Sale: sale.ID, Till: sale.Till, Items: []payments.Item{item}, Debt: debtor.Account()}
	recalled, heldAs := c.cart.Recall(terms, c.Now())
	c.keep(recalled)
	c.Charge()
	if heldAs != "" {
		c.tell(SaleHeld{heldAs})
	}
	return nil
}
