// Package staff manages the cashiers of a shop and checks their PINs. It guarantees that wrong PINs
// are counted. In a shop with cashiers, it stores a guarded change only if a cashier's PIN was
// right in the same transaction.
package staff

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/secret"
)

// Errors that callers compare with.
var (
	ErrIdentityNeeded = errors.New("say who you are: a cashier's name and PIN are needed")
	ErrWrongPIN       = errors.New("the name or the PIN is wrong")
	ErrNotOwner       = errors.New("only an owner may do this")
	ErrNeedsOwner     = errors.New("a shop that has cashiers needs an owner: the first added and the last removed must be owners")
	// ErrInvalidCashier says that a name or a role is not valid. The next three errors wrap it.
	ErrInvalidCashier = errors.New("this is no cashier")
	ErrInvalidPIN     = fmt.Errorf("%w: a PIN is %d to %d digits that do not count and are not all the same", ErrInvalidCashier, MinPIN, MaxPIN)
	ErrCashierTaken   = fmt.Errorf("%w: there is a cashier of this name", ErrInvalidCashier)
	ErrNoCashier      = fmt.Errorf("%w: there is none of this name", ErrInvalidCashier)
)

// Role says what a cashier may do besides making sales.
type Role string

// The roles. A shop with cashiers has at least one owner.
const (
	RoleCashier Role = "cashier" // May do what is not reserved to owners, such as recording findings and refunds.
	RoleOwner   Role = "owner"   // May also do what other cashiers get ErrNotOwner for.
)

// MaxNameWidth is the maximum width of a cashier's name in terminal columns.
const MaxNameWidth = 40

// Cashier is a person who confirms changes such as findings, refunds and closings with a name and a
// PIN. A shop without cashiers asks for no name and no PIN.
type Cashier struct {
	Name  string // Cleaned by [clean.Text], at most MaxNameWidth columns. Unique in the shop, ignoring case.
	Role  Role
	PIN   PINHash
	Tries map[string]Tries // The wrong PINs at each till, by the till's name.
}

// PausedUntil returns when every till accepts the cashier's PINs again: the end of the pause that
// ends last. It returns the zero time if every till accepts them now.
func (c Cashier) PausedUntil(now time.Time) (until time.Time) {
	for _, tries := range c.Tries {
		if tries.Paused(now) && tries.Until.After(until) {
			until = tries.Until
		}
	}
	return until
}

// CheckOwner returns [ErrNotOwner] for a cashier who is not an owner. It accepts the zero Cashier,
// which [Service.Guarded] passes in a shop without cashiers.
func (c Cashier) CheckOwner() error {
	if c.Name != "" && c.Role != RoleOwner {
		return ErrNotOwner
	}
	return nil
}

// FindCashier returns the cashier with a name, ignoring case and blanks around the name.
func FindCashier(all []Cashier, name string) (found Cashier, known bool) {
	for _, cashier := range all {
		if cashier.is(name) {
			return cashier, true
		}
	}
	return Cashier{}, false
}

func (c Cashier) is(name string) bool {
	return strings.EqualFold(c.Name, clean.Text(name, MaxNameWidth))
}

// Identity is a cashier's name and PIN. In a shop with cashiers, each method that gets an Identity
// checks it. The errors are [ErrIdentityNeeded] for an empty one, [ErrWrongPIN] for a wrong name or
// PIN, and a [*PausedError] after too many wrong PINs.
type Identity struct {
	Name string
	PIN  secret.Text
}

// PausedError says that the PIN was not checked, because too many wrong PINs were entered before.
type PausedError struct{ Until time.Time } // When PINs are checked again, UTC.

func (e *PausedError) Error() string {
	return "too many wrong PINs: wait until " + e.Until.Format(time.RFC3339)
}
