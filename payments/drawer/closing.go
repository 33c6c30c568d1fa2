package drawer

import (
	"cmp"
	"context"
	"time"

	"checkout/till/payments"
)

// Account is the money that a till took and gave since its last closing.
type Account struct {
	Till    string
	Since   time.Time             // When the last closing was made; zero before the first.
	Moves   map[Kind]payments.Sum // Sum of the moves of each kind, except Count.
	Counted *Move                 // The last count; nil if the money was not counted.
	AtCount payments.Ariary       // Cash that should have been in the drawer at the last count.
	// Received is the money of orders that the payment service has: see [payments.Order.Collected].
	// Money given back in cash is not subtracted.
	Received payments.Sum
	Returned payments.Sum // Money that an earlier closing counted and that was lost since, as by a refund.
}

// Expected returns how much cash should be in the drawer.
func (a Account) Expected() payments.Ariary {
	var sum payments.Ariary
	for kind, moved := range a.Moves {
		sum += kind.Sign() * moved.Amount
	}
	return sum
}

// CashSales returns the number and the sum of the cash sales, without the voided ones.
func (a Account) CashSales() payments.Sum {
	made, voided := a.Moves[Cash], a.Moves[Void]
	return payments.Sum{Count: made.Count - voided.Count, Amount: made.Amount - voided.Amount}
}

// Taken returns the money received in cash and through the payment service, minus refunds and
// voids, with the number of sales.
func (a Account) Taken() payments.Sum {
	cash := a.CashSales()
	refunded := a.Moves[Refund].Amount - a.Moves[Reversal].Amount
	return payments.Sum{
		Count:  a.Received.Count + cash.Count,
		Amount: a.Received.Amount - a.Returned.Amount + cash.Amount - refunded,
	}
}

// Empty reports whether nothing happened since the last closing.
func (a Account) Empty() bool {
	return len(a.Moves) == 0 && a.Counted == nil && a.Received.Count == 0 && a.Returned.Count == 0
}

// Difference returns the money of the last count minus the money that should have been in the
// drawer then. counted is false if the money was not counted.
func (a Account) Difference() (difference payments.Ariary, counted bool) {
	if a.Counted == nil {
		return 0, false
	}
	return a.Counted.Amount - a.AtCount, true
}

// Closing is a till's account when it was closed, like the Z report of a cash register. It
// never changes.
type Closing struct {
	Account
	Number string // A [payments.ClosingNumber].
	By     string
	At     time.Time
}

// newAccount returns the account of a till, and the time of its first move or of the first money of
// its orders (zero if nothing happened).
func newAccount(tx Tx, till string) (account Account, begun time.Time, err error) {
	account = Account{Till: till, Moves: make(map[Kind]payments.Sum)}
	last, err := tx.LastClosing(till)
	if err != nil {
		return Account{}, begun, err
	}
	account.Since = last.At
	moves, err := tx.OpenMoves(till)
	if err != nil {
		return Account{}, begun, err
	}
	account.Received, account.Returned, begun, err = tx.OpenMoney(till)
	if err != nil {
		return Account{}, begun, err
	}
	for _, move := range moves {
		if begun.IsZero() || move.At.Before(begun) {
			begun = move.At
		}
		if move.Kind == Count {
			account.Counted = &move
			account.AtCount = account.Expected()
			continue
		}
		account.Moves[move.Kind] = account.Moves[move.Kind].Add(move.Amount)
	}
	return account, begun, nil
}

// Account returns the till's account since its last closing.
func (s *Service) Account(ctx context.Context, till string) (account Account, err error) {
	till = payments.Clean(till, payments.MaxTillWidth)
	err = s.store.View(ctx, func(tx Tx) error {
		account, _, err = newAccount(tx, till)
		return err
	})
	return account, err
}

// Close closes the till's account. The closing has the cashier's name; in a shop without
// cashiers, it has the name in by. In a shop with cashiers, only an owner may close an account
// whose first money is from an earlier local day, in cash or not: Close returns [payments.ErrNotOwner]
// to other cashiers. Close also returns an [*UnknownError] and the errors of a [payments.Identity].
func (s *Service) Close(ctx context.Context, till, by string, who payments.Identity) (Closing, error) {
	till = payments.Clean(till, payments.MaxTillWidth)
	var made Closing
	asked := []any{"closing", till, by, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, cashier payments.Cashier, request *Request, stored bool) (err error) {
		if stored {
			made, err = closingOf(tx, till, *request)
			return err
		}
		now := s.Now()
		account, begun, err := newAccount(tx, till)
		if err != nil {
			return err
		}
		if !begun.IsZero() && begun.Before(payments.Day(now).From) {
			if err := cashier.CheckOwner(); err != nil {
				return err
			}
		}
		number, err := s.NextNumber(tx, payments.ClosingNumber, till)
		if err != nil {
			return err
		}
		made = Closing{Account: account, Number: number, At: request.At.Truncate(time.Millisecond)}
		made.By = cmp.Or(cashier.Name, payments.Clean(by, payments.MaxTillWidth))
		request.Ref = number
		return tx.InsertClosing(made)
	})
	return made, err
}

// closingOf returns the closing that a request made.
func closingOf(tx Tx, till string, request Request) (Closing, error) {
	at := request.At.Truncate(time.Millisecond)
	found, err := tx.Closings(payments.Period{From: at, To: at.Add(time.Millisecond)}, till)
	for _, closing := range found {
		if closing.Number == request.Ref {
			return closing, nil
		}
	}
	return Closing{}, cmp.Or(err, ErrNotFound)
}

// Closings returns the closings that were made in a period, oldest first. An empty till
// selects all tills.
func (s *Service) Closings(ctx context.Context, period payments.Period, till string) (found []Closing, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		found, err = tx.Closings(period, till)
		return err
	})
	return found, err
}
