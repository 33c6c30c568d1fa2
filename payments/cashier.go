package payments

import (
	"cmp"
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
)

// Role is what a cashier may do besides selling.
type Role string

// The roles.
const (
	RoleCashier Role = "cashier" // May record findings, and close a till whose account is all from today.
	RoleOwner   Role = "owner"   // May also close a till whose account began on an earlier day, and add and remove cashiers.
)

// Cashier is a person who confirms findings and closings with a name and a PIN. A shop without
// cashiers asks for no name and no PIN. A shop with cashiers has at least one owner.
type Cashier struct {
	Name  string // Cleaned, at most MaxTillWidth columns. Unique in the shop, ignoring case.
	Role  Role
	PIN   PINHash
	Tries map[string]Tries // By the name of the till at which the PINs were entered; only tills with wrong PINs.
}

// PausedUntil returns the end of the cashier's last pause, or the zero time if no till refuses the
// cashier's PINs now.
func (c Cashier) PausedUntil(now time.Time) (until time.Time) {
	for _, tries := range c.Tries {
		if tries.Paused(now) && tries.Until.After(until) {
			until = tries.Until
		}
	}
	return until
}

// Tries counts the wrong PINs of a cashier at one till since the last right one.
type Tries struct {
	Failed int
	Until  time.Time // End of the pause that the last wrong PIN started; zero if it started none.
}

// maxPause is the longest pause. Anybody at a till can enter wrong PINs for an owner, so it is short.
const maxPause = 5 * time.Minute

// Fail returns the tries after another wrong PIN. The fourth wrong PIN starts a pause of 30
// seconds, in which the till refuses the cashier's PINs. Each further wrong PIN doubles the pause, up
// to five minutes.
func (t Tries) Fail(now time.Time) Tries {
	failed := Tries{Failed: t.Failed + 1}
	if failed.Failed > 3 {
		doubled := min(failed.Failed-4, 4) // 30 s doubled 4 times is over maxPause.
		failed.Until = now.Add(min(30*time.Second<<doubled, maxPause))
	}
	return failed
}

// Paused reports whether the till refuses the cashier's PINs now. It ignores a pause longer than
// five minutes, because only a wrong clock can have set one.
func (t Tries) Paused(now time.Time) bool {
	left := t.Until.Sub(now)
	return left > 0 && left <= maxPause
}

// Identity is a cashier's name and PIN. In a shop with cashiers, the methods with an
// Identity as argument return [ErrIdentityNeeded] for an empty identity, [ErrWrongPIN] for a
// wrong name or PIN, and a [*PausedError] after too many wrong PINs.
type Identity struct {
	Name string
	PIN  secret.Text
}

// PausedError says that the PIN was not checked, because too many wrong PINs came before.
type PausedError struct{ Until time.Time } // When PINs are checked again, UTC.

func (e *PausedError) Error() string {
	return "too many wrong PINs: wait until " + e.Until.Format(time.RFC3339)
}

// Guarded checks the identity and calls the function change with its cashier, in one transaction.
// In a shop without cashiers, the identity must be empty, and change gets the zero Cashier.
func (s *Service) Guarded(ctx context.Context, who Identity, change func(tx Tx, by Cashier) error) error {
	if who == (Identity{}) {
		return s.store.Update(ctx, func(tx Tx) error {
			all, err := tx.Cashiers()
			switch {
			case err != nil:
				return err
			case len(all) > 0:
				return ErrIdentityNeeded
			}
			return change(tx, Cashier{})
		})
	}
	all, err := s.Cashiers(ctx)
	if err != nil {
		return err
	}
	found, known := FindCashier(all, who.Name)
	if !known {
		return ErrWrongPIN
	}
	sum := found.PIN.sum(who.PIN) // Hash before the transaction: hashing is slow and would block other writers.
	var right bool
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		found, right, err = s.tryPIN(tx, found.Name, sum)
		if err != nil || !right {
			// For a wrong PIN, err is nil, so that the transaction commits the count of wrong PINs.
			return err
		}
		return change(tx, found)
	})
	if err == nil && !right {
		err = ErrWrongPIN
	}
	return err
}

// tryPIN returns the cashier with the name, and whether sum is the hash of that cashier's PIN. It
// counts a wrong PIN at this till and resets counts after a right one. During a pause it returns a
// [*PausedError] and does not check the PIN. For an unknown name, right is false.
func (s *Service) tryPIN(tx Tx, name string, sum []byte) (cashier Cashier, right bool, err error) {
	all, err := tx.Cashiers()
	if err != nil {
		return cashier, false, err
	}
	cashier, known := FindCashier(all, name)
	if !known {
		return cashier, false, nil
	}
	tries := cashier.Tries[s.till]
	if tries.Paused(s.now()) {
		return cashier, false, &PausedError{Until: tries.Until}
	}
	if subtle.ConstantTimeCompare(cashier.PIN.Sum, sum) == 1 {
		return cashier, true, s.resetTries(tx, all, cashier)
	}
	counted := map[string]Tries{s.till: tries.Fail(s.now())}
	for till, tries := range cashier.Tries {
		if till != s.till {
			counted[till] = tries
		}
	}
	return cashier, false, tx.SaveTries(cashier.Name, counted)
}

// resetTries resets the counts of wrong PINs after the right PIN of a cashier: that cashier's count
// at this till or, for an owner, the counts of all cashiers at all tills.
func (s *Service) resetTries(tx Tx, all []Cashier, by Cashier) error {
	for _, cashier := range all {
		left := maps.Clone(cashier.Tries)
		switch {
		case by.Role == RoleOwner:
			clear(left)
		case cashier.Name == by.Name:
			delete(left, s.till)
		}
		if len(left) == len(cashier.Tries) {
			continue
		}
		if err := tx.SaveTries(cashier.Name, left); err != nil {
			return err
		}
	}
	return nil
}

// FindCashier returns the cashier with a name, ignoring case and blanks around it.
func FindCashier(all []Cashier, name string) (found Cashier, known bool) {
	for _, cashier := range all {
		if cashier.is(name) {
			return cashier, true
		}
	}
	return Cashier{}, false
}

func (c Cashier) is(name string) bool {
	return strings.EqualFold(c.Name, clean.Text(name, MaxTillWidth))
}

// CheckOwner returns [ErrNotOwner] for a cashier who is no owner. It accepts the zero
// Cashier, which [Service.Guarded] gives in a shop without cashiers.
func (c Cashier) CheckOwner() error {
	if c.Name != "" && c.Role != RoleOwner {
		return ErrNotOwner
	}
	return nil
}

// AddCashier adds a cashier. The first one becomes an owner, and by must be empty. For the others,
// by must be an owner's identity, and an empty role means [RoleCashier]. AddCashier returns
// [ErrInvalidCashier], [ErrNeedsOwner], [ErrNotOwner] and the errors of an [Identity].
func (s *Service) AddCashier(ctx context.Context, name string, role Role, pin secret.Text, by Identity) (Cashier, error) {
	added := Cashier{Name: clean.Text(name, MaxTillWidth)}
	if added.Name == "" || role != "" && role != RoleCashier && role != RoleOwner {
		return Cashier{}, fmt.Errorf("%w: a name and a role are needed", ErrInvalidCashier)
	}
	hash, err := s.hashPIN(pin)
	if err != nil {
		return Cashier{}, err
	}
	added.PIN = hash
	err = s.asOwner(ctx, by, func(tx Tx, all []Cashier) error {
		if _, taken := FindCashier(all, added.Name); taken {
			return ErrCashierTaken
		}
		added.Role = cmp.Or(role, RoleCashier)
		if len(all) == 0 {
			added.Role = RoleOwner
		}
		if role == RoleCashier && added.Role == RoleOwner {
			return ErrNeedsOwner
		}
		return tx.SaveCashier(added)
	})
	return added, err
}

// asOwner checks that by is the identity of an owner, unless the shop has no cashiers. Then it
// calls the function change with all cashiers of the shop.
func (s *Service) asOwner(ctx context.Context, by Identity, change func(tx Tx, all []Cashier) error) error {
	return s.Guarded(ctx, by, func(tx Tx, cashier Cashier) error {
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

// DropCashier removes a cashier, whose name stays in findings and closings. by must be an owner's
// identity. DropCashier returns [ErrNeedsOwner] for the last owner if there are other cashiers.
func (s *Service) DropCashier(ctx context.Context, name string, by Identity) error {
	return s.asOwner(ctx, by, func(tx Tx, all []Cashier) error {
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
// the identity of that cashier or of an owner.
func (s *Service) ChangePIN(ctx context.Context, name string, pin secret.Text, by Identity) error {
	hash, err := s.hashPIN(pin)
	if err != nil {
		return err
	}
	return s.Guarded(ctx, by, func(tx Tx, cashier Cashier) error {
		if cashier.Role != RoleOwner && !cashier.is(name) {
			return ErrNotOwner
		}
		_, err := setPIN(tx, name, hash)
		return err
	})
}

// setPIN sets a cashier's PIN and resets the wrong tries. It returns the changed cashier.
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

// resetSeries begins the names of the counters that record PIN resets. The time and the cashier's
// name follow, as in "pin-reset/2026-11-21T09:00:00Z Soa".
const resetSeries = "pin-reset/"

// PINReset records that a PIN was set without the old PIN.
type PINReset struct {
	Cashier string
	At      time.Time
}

// ResetPIN sets a cashier's PIN, resets the wrong tries and records the reset for
// [Service.PINResets]. It needs no identity: the caller must check that the person may do this.
func (s *Service) ResetPIN(ctx context.Context, name string, pin secret.Text) error {
	hash, err := s.hashPIN(pin)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx Tx) error {
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
func (s *Service) PINResets(ctx context.Context, period money.Period) (found []PINReset, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		found = nil
		from := resetSeries + period.From.UTC().Format(time.RFC3339)
		last, err := tx.LastSeries(from, resetSeries+period.To.UTC().Format(time.RFC3339))
		for err == nil && last != "" {
			at, cashier, _ := strings.Cut(strings.TrimPrefix(last, resetSeries), " ")
			moment, _ := time.Parse(time.RFC3339, at) // ResetPIN wrote this time, so it is valid.
			found = append(found, PINReset{cashier, moment})
			last, err = tx.LastSeries(from, last)
		}
		return err
	})
	return found, err
}

// PINHash is the stored hash of a PIN. It must not be printed: there are so few PINs that trying
// them all finds the PIN of a hash.
type PINHash struct {
	secret.Hidden

	Salt       []byte
	Sum        []byte
	Iterations int // Rounds of PBKDF2 with HMAC-SHA-256.
}

// Limits of a PIN, and the cost of its hash.
const (
	MinPIN        = 4       // Digits of the shortest PIN.
	MaxPIN        = 12      // Digits of the longest PIN.
	pinIterations = 600_000 // Default PBKDF2 rounds: a fraction of a second on the machine of a till.
)

// WithPINIterations sets the PBKDF2 rounds for new PINs, so that tests are fast.
func WithPINIterations(count int) Option { return func(s *Service) { s.iterations = count } }

// hashPIN checks a new PIN and returns its hash, or [ErrInvalidPIN].
func (s *Service) hashPIN(pin secret.Text) (PINHash, error) {
	text := pin.Reveal()
	if len(text) < MinPIN || len(text) > MaxPIN || strings.Trim(text, "0123456789") != "" || predictable(text) {
		return PINHash{}, ErrInvalidPIN
	}
	hash := PINHash{Salt: make([]byte, 16), Iterations: s.iterations}
	_, _ = rand.Read(hash.Salt) // Read never fails.
	hash.Sum = hash.sum(pin)
	return hash, nil
}

// predictable reports whether the digits are all the same, or count up or down by one.
func predictable(digits string) bool {
	const rising, falling = "0123456789", "9876543210"
	return digits == strings.Repeat(digits[:1], len(digits)) || strings.Contains(rising, digits) || strings.Contains(falling, digits)
}

func (h PINHash) sum(pin secret.Text) []byte {
	// Key fails only for a length or an iteration count below 1; then sum is nil.
	sum, _ := pbkdf2.Key(sha256.New, pin.Reveal(), h.Salt, h.Iterations, sha256.Size)
	return sum
}
