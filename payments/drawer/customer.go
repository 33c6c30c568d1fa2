package drawer

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Customer is a person who buys on account. The balance of [Customer.Account] is what the customer
// owes.
type Customer struct {
	Code string    // Random letters and digits, which are part of the name of the customer's account.
	Name string    // Unique in the shop; upper and lower case are equal, and repeated blanks count as one. Empty after [Service.Forget].
	At   time.Time // When the customer was stored; zero after [Service.Forget].
}

// Account returns the ledger account of the customer's debt.
func (c Customer) Account() ledger.Account { return ledger.Customer(c.Code) }

// Title returns the name. For a customer whose name was removed by [Service.Forget], it returns "…"
// and the end of the code.
func (c Customer) Title() string {
	return cmp.Or(c.Name, forgottenMark+c.Code[max(0, len(c.Code)-shownCode):])
}

const (
	forgottenMark = "…"
	shownCode     = 4 // How many characters of the code the title shows.
)

// Debtor is a customer with the balance of the customer's account, which may be zero.
type Debtor struct {
	Customer
	Owed  money.Ariary // Below zero if the shop owes money to the customer.
	Since time.Time    // When the balance last rose above zero; zero without a debt.
	Last  time.Time    // When the balance last changed; zero if it never did.
}

// nameOf returns a name in the form in which it is stored: cleaned by [clean.Text], and with a
// letter and its accent as one character.
func nameOf(name string) string { return norm.NFC.String(clean.Text(name, payments.MaxTillWidth)) }

// fold returns the form in which names are compared: as stored, but in lower case.
func fold(name string) string { return strings.ToLower(nameOf(name)) }

// FindDebtor returns the customer whose [Customer.Title] is the given name; upper and lower case
// are equal, and repeated blanks count as one.
func FindDebtor(all []Debtor, name string) (Debtor, bool) {
	for _, debtor := range all {
		if fold(debtor.Title()) == fold(name) {
			return debtor, true
		}
	}
	return Debtor{}, false
}

// Debtors returns all customers with a name, and the forgotten customers whose balance is not zero,
// sorted by title.
func (s *Service) Debtors(ctx context.Context) (all []Debtor, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		all, err = tx.Debtors(ledger.Query{})
		return err
	})
	all = slices.DeleteFunc(all, func(debtor Debtor) bool { return debtor.Name == "" && debtor.Owed == 0 })
	slices.SortStableFunc(all, func(a, b Debtor) int { return cmp.Compare(fold(a.Title()), fold(b.Title())) })
	return all, err
}

// debtorOf is [Service.DebtorOf] in a transaction.
func debtorOf(tx Tx, account ledger.Account) (Debtor, error) {
	all, err := tx.Debtors(ledger.Query{})
	for _, debtor := range all {
		if debtor.Account() == account {
			return debtor, nil
		}
	}
	return Debtor{Customer: Customer{Code: account.Name()}}, err
}

// CustomerOf returns the [Customer.Title] of the customer whose debt the order pays, or "" if the
// order pays no debt.
func (s *Service) CustomerOf(ctx context.Context, order payments.Order) (string, error) {
	if order.Debt == "" {
		return "", nil
	}
	debtor, err := s.DebtorOf(ctx, order.Debt)
	return debtor.Title(), err
}

// DebtorOf returns the customer who has this account; the name is empty after [Service.Forget]. If
// there is no such customer, the result has only the code of the account.
func (s *Service) DebtorOf(ctx context.Context, account ledger.Account) (debtor Debtor, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		debtor, err = debtorOf(tx, account)
		return err
	})
	return debtor, err
}

// forgotten returns the forgotten customer who has this [Customer.Title] and a balance, or
// [ErrNoCustomer].
func forgotten(tx Tx, title string) (Customer, error) {
	all, err := tx.Debtors(ledger.Query{})
	for _, debtor := range all {
		if debtor.Name == "" && debtor.Owed != 0 && debtor.Title() == title {
			return debtor.Customer, nil
		}
	}
	return Customer{}, cmp.Or(err, ErrNoCustomer)
}

// owed returns the sum of all debts, and the number of customers who have one. It does not subtract
// what the shop owes to other customers.
func owed(all []Debtor) (sum money.Sum) {
	for _, debtor := range all {
		if debtor.Owed > 0 {
			sum.Count++
			sum.Amount += debtor.Owed
		}
	}
	return sum
}

// Movements returns the transfers into and out of a customer's account, oldest first.
func (s *Service) Movements(ctx context.Context, code string) (all []ledger.Transfer, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		all, err = tx.Transfers(ledger.Query{Account: ledger.Customer(code)})
		return err
	})
	return all, err
}

// customerOf returns the customer with a name, or stores a new one if create is true. It refuses a
// name that is too long, because cutting could make two names equal. It creates no customer with a
// name that looks like the title of a forgotten one.
func (s *Service) customerOf(tx Tx, name string, create bool, now time.Time) (Customer, error) {
	whole := norm.NFC.String(clean.Text(name, payments.MaxShownWidth))
	name = nameOf(name)
	switch {
	case name == "":
		return Customer{}, ErrNameNeeded
	case name != whole:
		return Customer{}, ErrLongName
	}
	customer, err := tx.CustomerOf(fold(name))
	if !errors.Is(err, ErrNoCustomer) || !create || strings.HasPrefix(name, forgottenMark) {
		return customer, err
	}
	customer = Customer{Code: rand.Text()[:codeLength], Name: name, At: now.UTC().Truncate(time.Millisecond)}
	return customer, tx.InsertCustomer(customer, fold(name))
}

// codeLength is the length of a [Customer.Code], in characters. A new code equals a given other
// code with a probability of 2^-50; storing the new customer then fails.
const codeLength = 10

// LimitError is returned if a customer would owe more than [Service.CreditLimit] after a sale on
// account. It wraps [staff.ErrNotOwner], because an owner may exceed the limit.
type LimitError struct {
	Limit money.Ariary
	Owed  money.Ariary // What the customer would owe after the sale.
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the customer would owe %s Ar, and the limit is %s Ar", e.Owed, e.Limit)
}

func (e *LimitError) Unwrap() error { return staff.ErrNotOwner }

func (s *Service) mayOwe(tx Tx, sale CounterSale, byOwner bool) error {
	if s.CreditLimit == 0 || byOwner || !sale.Account.IsCustomer() {
		return nil
	}
	owed, err := tx.Owed(sale.Account)
	if err == nil && owed+sale.Amount > s.CreditLimit {
		err = &LimitError{Limit: s.CreditLimit, Owed: owed + sale.Amount}
	}
	return err
}

// WriteOff records that the shop gives up a debt or a part of it. The amount must be above zero and
// at most what the customer owes, else the error is a [*payments.OwedError]. A cashier who is not
// an owner gets [staff.ErrNotOwner]. WriteOff also returns [ErrNoCustomer], [ErrReasonNeeded], an
// [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) WriteOff(ctx context.Context, till, name string, amount money.Ariary, reason string, who staff.Identity) error {
	till = clean.Text(till, payments.MaxTillWidth)
	reason = clean.Text(reason, payments.MaxShownWidth)
	if reason == "" {
		return ErrReasonNeeded
	}
	asked := []any{ledger.Waived, till, fold(name), amount, reason, who.Name}
	return s.unlessStored(ctx, who, asked, func(tx Tx, by staff.Cashier, request *Request) error {
		if err := by.CheckOwner(); err != nil {
			return err
		}
		customer, owed, err := owedBy(tx, name)
		switch {
		case err != nil:
			return err
		case amount <= 0, amount > owed:
			return &payments.OwedError{Owed: max(0, owed), Amount: amount}
		}
		return s.post(tx, ledger.Transfer{
			At: request.At, Booked: request.At, Kind: ledger.Waived, From: customer.Account(), To: ledger.WrittenOff, Amount: amount,
			Till: till, By: cmp.Or(by.Name, till), Note: reason,
		})
	})
}

// reclaim corrects the balance of a customer after a sale on account was refunded or voided; given
// is that transfer. If the debt had been written off or moved to another name, the balance may now
// be below zero: the shop would owe money that it never got. reclaim then reverses write-offs, and
// after them moves, until the balance is zero or none is left. It does the same for each account
// from which it moves a debt back.
func (s *Service) reclaim(tx Tx, given ledger.Transfer) error {
	account := given.From
	if !account.IsCustomer() {
		return nil
	}
	owed, err := tx.Owed(account)
	if err != nil || owed >= 0 {
		return err
	}
	transfers, err := tx.Transfers(ledger.Query{Account: account})
	if err != nil {
		return err
	}
	takers := []ledger.Account{ledger.WrittenOff}
	taken := make(map[ledger.Account]money.Ariary)
	for _, transfer := range slices.Backward(transfers) {
		if transfer.Kind != ledger.Waived && transfer.Kind != ledger.Renamed {
			continue
		}
		other := transfer.To
		if other == account {
			other = transfer.From
		}
		if !slices.Contains(takers, other) {
			takers = append(takers, other)
		}
		taken[other] -= transfer.Into(account)
	}
	for _, other := range takers {
		back := given
		back.Kind = ledger.Renamed
		if other == ledger.WrittenOff {
			back.Kind = ledger.Waived
		}
		back.From, back.To = other, account
		back.Payment = ledger.Payment{}
		back.Amount = min(-owed, taken[other])
		if back.Amount <= 0 {
			continue
		}
		owed += back.Amount
		if err := s.post(tx, back); err != nil {
			return err
		}
		if err := s.reclaim(tx, back); err != nil {
			return err
		}
	}
	return nil
}

// Rename moves the whole balance of a customer to the customer with another name, who may be new.
// Orders that pay the debt and have no transfer yet then pay the debt of that customer. The errors
// are [ErrNoDebt] for a balance of zero, [ErrSameName] for the same customer, [staff.ErrNotOwner],
// [ErrNoCustomer], [ErrNameNeeded], [ErrLongName], an [*UnknownError] and those of a
// [staff.Identity].
func (s *Service) Rename(ctx context.Context, till, name, other string, who staff.Identity) error {
	till = clean.Text(till, payments.MaxTillWidth)
	asked := []any{ledger.Renamed, till, fold(name), fold(other), who.Name}
	return s.unlessStored(ctx, who, asked, func(tx Tx, by staff.Cashier, request *Request) error {
		if err := by.CheckOwner(); err != nil {
			return err
		}
		from, owed, err := owedBy(tx, name)
		if err != nil {
			return err
		}
		to, err := s.customerOf(tx, other, true, request.At)
		switch {
		case err != nil:
			return err
		case from.Code == to.Code:
			return ErrSameName
		case owed == 0:
			return ErrNoDebt
		}
		entry := ledger.Transfer{
			At: request.At, Booked: request.At, Kind: ledger.Renamed, From: from.Account(), To: to.Account(), Amount: owed,
			Till: till, By: cmp.Or(by.Name, till),
		}
		if err := s.post(tx, entry.Forward()); err != nil {
			return err
		}
		return tx.MoveDebt(from.Account(), to.Account())
	})
}

// Forget removes the name of a customer with a balance of zero; for any other balance it returns
// [ErrOwes]. The transfers of the account stay. Forget also returns [ErrNoCustomer], an
// [*UnknownError] and the errors of a [staff.Identity]. In a shop with cashiers it returns
// [staff.ErrNotOwner] to cashiers who are not owners.
func (s *Service) Forget(ctx context.Context, name string, who staff.Identity) error {
	asked := []any{"forget", fold(name), who.Name}
	return s.unlessStored(ctx, who, asked, func(tx Tx, by staff.Cashier, _ *Request) error {
		if err := by.CheckOwner(); err != nil {
			return err
		}
		customer, owed, err := owedBy(tx, name)
		switch {
		case err != nil:
			return err
		case owed != 0:
			return ErrOwes
		}
		return tx.DropCustomer(customer.Code)
	})
}

// owedBy returns the customer with a name, and how much the customer owes. It finds a forgotten
// customer by the title, if the balance is not zero.
func owedBy(tx Tx, name string) (customer Customer, owed money.Ariary, err error) {
	customer, err = tx.CustomerOf(fold(name))
	if errors.Is(err, ErrNoCustomer) {
		customer, err = forgotten(tx, name)
	}
	if err == nil {
		owed, err = tx.Owed(customer.Account())
	}
	return customer, owed, err
}
