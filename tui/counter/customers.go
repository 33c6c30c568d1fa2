package counter

import (
	"context"

	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
)

// ReadDebtors reads the customers and what they owe.
type ReadDebtors struct {
	Debtors []drawer.Debtor
	Err     error
}

// Perform reads the customers and what each of them owes.
func (e ReadDebtors) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Debtors, e.Err = service.Debtors(ctx)
	return e
}

// ReadMovements reads the transfers of a customer's account.
type ReadMovements struct {
	Code      string
	Movements []ledger.Transfer
	Err       error
}

// Perform reads the transfers into and out of the account, oldest first.
func (e ReadMovements) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Movements, e.Err = service.Movements(ctx, e.Code)
	return e
}

type customers struct {
	*queue
	all []drawer.Debtor
}

// ReadMovements queues a read of the transfers of a customer's account. [MovementsRead] follows.
func (c *customers) ReadMovements(code string) { c.do(ReadMovements{Code: code}) }

// ReadDebtors queues a read of the customers. [DebtorsRead] follows.
func (c *customers) ReadDebtors() { c.do(ReadDebtors{}) }

func (c *customers) readDebtors(read ReadDebtors) {
	if read.Err == nil {
		c.all = read.Debtors
	}
	c.tell(DebtorsRead{read.Err})
}

// Debtors returns the customers of the last read; see [drawer.Service.Debtors].
func (c *customers) Debtors() []drawer.Debtor { return c.all }

// Debtor returns the customer of an account, if it was read.
func (c *customers) Debtor(account ledger.Account) (drawer.Debtor, bool) {
	for _, debtor := range c.all {
		if debtor.Account() == account {
			return debtor, true
		}
	}
	return drawer.Debtor{}, false
}

func (c *customers) debtOf(account ledger.Account) {
	if account.IsCustomer() {
		c.ReadDebtors()
	}
}
