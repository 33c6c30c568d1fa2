package staff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
)

// AddCashier adds a cashier. The first cashier of a shop becomes an owner, and by must be empty.
// Later, by must be an owner's identity, and an empty role means [RoleCashier]. AddCashier returns
// [ErrInvalidCashier], [ErrNeedsOwner], [ErrNotOwner] and the errors of an [Identity].
func (s *Service[T]) AddCashier(ctx context.Context, name string, role Role, pin secret.Text, by Identity) (Cashier, error) {
	added := Cashier{Name: clean.Text(name, MaxNameWidth)}
	if err := added.checkNamed(role); err != nil {
		return Cashier{}, err
	}
	hash, err := s.hashPIN(pin)
	if err != nil {
		return Cashier{}, err
	}
	added.PIN = hash
	err = s.asOwner(ctx, by, func(tx T, all []Cashier) error {
		added.Role, err = added.roleAmong(all, role)
		if err != nil {
			return err
		}
		return tx.SaveCashier(added)
	})
	return added, err
}

// CheckNewCashier returns the error that [Service.AddCashier] would return with a valid PIN for the
// new cashier. It adds nothing. It counts a wrong PIN in by.
func (s *Service[T]) CheckNewCashier(ctx context.Context, name string, role Role, by Identity) error {
	added := Cashier{Name: clean.Text(name, MaxNameWidth)}
	if err := added.checkNamed(role); err != nil {
		return err
	}
	return s.asOwner(ctx, by, func(_ T, all []Cashier) error {
		_, err := added.roleAmong(all, role)
		return err
	})
}

// checkNamed returns an error for a blank name or an unknown role.
func (c Cashier) checkNamed(role Role) error {
	if c.Name == "" || role != "" && role != RoleCashier && role != RoleOwner {
		return fmt.Errorf("%w: a name and a role are needed", ErrInvalidCashier)
	}
	return nil
}

// roleAmong returns the role that a new cashier gets in a shop with the cashiers all. role is the
// wanted role, or empty.
func (c Cashier) roleAmong(all []Cashier, role Role) (Role, error) {
	_, taken := FindCashier(all, c.Name)
	switch {
	case taken:
		return "", ErrCashierTaken
	case len(all) > 0:
		return cmp.Or(role, RoleCashier), nil
	case role == RoleCashier:
		return "", ErrNeedsOwner
	}
	return RoleOwner, nil
}

// asOwner calls the function change with all cashiers of the shop, if by is the identity of an
// owner or the shop has no cashiers.
func (s *Service[T]) asOwner(ctx context.Context, by Identity, change func(tx T, all []Cashier) error) error {
	return s.Guarded(ctx, by, func(tx T, cashier Cashier) error {
		if err := cashier.CheckOwner(); err != nil {
			return err
		}
		all, err := tx.Cashiers()
		if err != nil {
			return err
		}
		return change(tx, all)
	})
}

// DropCashier removes a cashier. The name stays in findings and closings. by must be an owner's
// identity. DropCashier returns [ErrNoCashier], [ErrNeedsOwner] for the last owner if there are
// other cashiers, [ErrNotOwner] and the errors of an [Identity].
func (s *Service[T]) DropCashier(ctx context.Context, name string, by Identity) error {
	return s.asOwner(ctx, by, func(tx T, all []Cashier) error {
		found, known := FindCashier(all, name)
		if !known {
			return ErrNoCashier
		}
		others := slices.DeleteFunc(all, func(c Cashier) bool { return c.Name == found.Name })
		if len(others) > 0 && !slices.ContainsFunc(others, func(c Cashier) bool { return c.Role == RoleOwner }) {
			return ErrNeedsOwner
		}
		return tx.DropCashier(found.Name)
	})
}

// ChangePIN sets a cashier's PIN and resets the wrong tries, which also ends a pause. by must be
// the identity of that cashier or of an owner, otherwise the error is [ErrNotOwner]. ChangePIN also
// returns [ErrInvalidPIN], [ErrNoCashier] and the errors of an [Identity].
func (s *Service[T]) ChangePIN(ctx context.Context, name string, pin secret.Text, by Identity) error {
	hash, err := s.hashPIN(pin)
	if err != nil {
		return err
	}
	return s.Guarded(ctx, by, func(tx T, cashier Cashier) error {
		if cashier.Role != RoleOwner && !cashier.is(name) {
			return ErrNotOwner
		}
		_, err := setPIN(tx, name, hash)
		return err
	})
}

func setPIN(tx Tx, name string, pin PINHash) (Cashier, error) {
	all, err := tx.Cashiers()
	if err != nil {
		return Cashier{}, err
	}
	changed, known := FindCashier(all, name)
	if !known {
		return Cashier{}, ErrNoCashier
	}
	changed.PIN, changed.Tries = pin, nil
	return changed, tx.SaveCashier(changed)
}

// resetSeries begins the names of the number series that record PIN resets. Such a series counts
// nothing: its name contains the time and the cashier's name, as in "pin-reset/2026-11-21T09:00:00Z Soa".
const resetSeries = "pin-reset/"

// PINReset records that [Service.ResetPIN] set a PIN. No cashier and no owner gave a PIN for it.
type PINReset struct {
	Cashier string
	At      time.Time
}

// ResetPIN sets a cashier's PIN, resets the wrong tries and records the reset for
// [Service.PINResets]. It checks no identity: the caller must make sure that the person may do
// this. ResetPIN returns [ErrInvalidPIN] and [ErrNoCashier].
func (s *Service[T]) ResetPIN(ctx context.Context, name string, pin secret.Text) error {
	hash, err := s.hashPIN(pin)
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx T) error {
		reset, err := setPIN(tx, name, hash)
		if err != nil {
			return err
		}
		// A counter is never deleted, so its name can record the reset.
		_, err = tx.NextNumber(resetSeries + s.now().UTC().Format(time.RFC3339) + " " + reset.Name)
		return err
	})
}

// PINResets returns the PIN resets in a period, newest first.
func (s *Service[T]) PINResets(ctx context.Context, period money.Period) (found []PINReset, err error) {
	err = s.update(ctx, func(tx T) error {
		found = nil
		from := resetSeries + period.From.UTC().Format(time.RFC3339)
		last, err := tx.LastSeries(from, resetSeries+period.To.UTC().Format(time.RFC3339))
		for err == nil && last != "" {
			at, cashier, _ := strings.Cut(strings.TrimPrefix(last, resetSeries), " ")
			moment, _ := time.Parse(time.RFC3339, at) // ResetPIN wrote this time, so parsing cannot fail.
			found = append(found, PINReset{cashier, moment})
			last, err = tx.LastSeries(from, last)
		}
		return err
	})
	return found, err
}
