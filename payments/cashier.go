package payments

import (
	"cmp"
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// Role is what a cashier may do beside selling.
type Role string

// The roles.
const (
	RoleCashier Role = "cashier" // Records findings and closes days.
	RoleOwner   Role = "owner"   // Also says who the cashiers are.
)

// Roles returns the roles, the one that may do the most last.
func Roles() []Role { return []Role{RoleCashier, RoleOwner} }

// Cashier is a person who answers for findings and closings with a name and a
// PIN. A shop may have none; then nobody is asked. A shop that has cashiers
// has an owner among them.
type Cashier struct {
	Name  string // Cleaned, at most MaxTillWidth columns; unique, whatever its case.
	Role  Role
	PIN   PINHash
	Tries Tries
}

// Tries are the wrong PINs since the last right one.
type Tries struct {
	Failed int
	Until  time.Time // No PIN is looked at before; zero for no pause.
}

const (
	freeTries  = 3                // So many wrong PINs cost nothing.
	firstPause = 30 * time.Second // After the next one; each further one doubles it.
	maxPause   = time.Hour
)

// again returns the tries with one more at now.
func (t Tries) again(now time.Time) Tries {
	t.Failed++
	t.Until = time.Time{}
	if beyond := t.Failed - freeTries; beyond > 0 {
		pause := firstPause << min(beyond-1, 10)
		t.Until = now.Add(min(pause, maxPause)).UTC()
	}
	return t
}

// paused tells whether no PIN is looked at at now. A pause longer than any that
// is given is a clock's that was wrong.
func (t Tries) paused(now time.Time) bool {
	return now.Before(t.Until) && t.Until.Sub(now) <= maxPause
}

// Identity is who somebody says to be.
type Identity struct {
	Name string
	PIN  Secret
}

// PausedError says that a PIN is not looked at, for wrong ones came before.
type PausedError struct {
	Until time.Time // UTC.
}

// Error says until when.
func (e *PausedError) Error() string {
	return "too many wrong PINs: wait until " + e.Until.Format(time.RFC3339)
}

// Cashiers returns the shop's cashiers by name; none where nobody is asked.
func (s *Service) Cashiers(ctx context.Context) (cashiers []Cashier, err error) {
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		cashiers, err = tx.Staff().Cashiers()
		return err
	})
	return cashiers, err
}

// Identify returns the cashier who somebody is, or [ErrWrongPIN], or a
// [*PausedError] after too many wrong PINs. The try is counted, durably, before
// the PIN is looked at, so that nobody tries twice at once or crashes the
// program to try again.
func (s *Service) Identify(ctx context.Context, who Identity) (Cashier, error) {
	var found Cashier
	err := s.store.Update(ctx, func(tx Tx) error {
		cashiers, err := tx.Staff().Cashiers()
		if err != nil {
			return err
		}
		var known bool
		if found, known = named(cashiers, who.Name); !known {
			return ErrWrongPIN
		}
		now := s.now()
		if found.Tries.paused(now) {
			return &PausedError{Until: found.Tries.Until}
		}
		return tx.Staff().SaveTries(found.Name, found.Tries.again(now))
	})
	if err != nil {
		return Cashier{}, err
	}
	// Outside of the transaction: it takes long, and others want to write.
	if !found.PIN.is(who.PIN) {
		return Cashier{}, ErrWrongPIN
	}
	found.Tries = Tries{}
	return found, s.store.Update(ctx, func(tx Tx) error { return tx.Staff().SaveTries(found.Name, Tries{}) })
}

// named returns the cashier of a name, whatever its case.
func named(cashiers []Cashier, name string) (Cashier, bool) {
	name = Clean(strings.TrimSpace(name), MaxTillWidth)
	i := slices.IndexFunc(cashiers, func(c Cashier) bool { return strings.EqualFold(c.Name, name) })
	if i < 0 {
		return Cashier{}, false
	}
	return cashiers[i], true
}

func owners(cashiers []Cashier) (count int) {
	for _, cashier := range cashiers {
		if cashier.Role == RoleOwner {
			count++
		}
	}
	return count
}

// AddCashier adds a cashier. The first one is an owner, and nobody has to say
// who they are; later ones an owner adds. A blank role is that of an owner for
// the first and of a cashier for others. Its errors are [ErrInvalidCashier],
// [ErrNeedsOwner], [ErrNotOwner] and those of [Service.Identify].
func (s *Service) AddCashier(ctx context.Context, name string, role Role, pin Secret, by Identity) (Cashier, error) {
	added := Cashier{Name: Clean(strings.TrimSpace(name), MaxTillWidth), Role: role}
	if added.Name == "" || role != "" && !slices.Contains(Roles(), role) {
		return Cashier{}, fmt.Errorf("%w: a name and a role are needed", ErrInvalidCashier)
	}
	verified, err := s.asOwner(ctx, by)
	if err != nil {
		return Cashier{}, err
	}
	if added.PIN, err = s.hashPIN(pin); err != nil {
		return Cashier{}, err
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		all, err := tx.Staff().Cashiers()
		if err != nil {
			return err
		}
		if _, taken := named(all, added.Name); taken {
			return fmt.Errorf("%w: there is a cashier of this name", ErrInvalidCashier)
		}
		switch {
		case len(all) == 0 && cmp.Or(role, RoleOwner) != RoleOwner:
			return ErrNeedsOwner
		case len(all) == 0:
			added.Role = RoleOwner
		case !verified:
			return ErrIdentityNeeded // Another first owner was added meanwhile.
		default:
			added.Role = cmp.Or(role, RoleCashier)
		}
		return tx.Staff().SaveCashier(added)
	})
	return added, err
}

// asOwner lets an owner pass, and tells whether it verified one: while the shop
// has no cashiers it lets anybody pass. The transaction that follows demands a
// verified owner when there are cashiers by then.
func (s *Service) asOwner(ctx context.Context, by Identity) (verified bool, err error) {
	all, err := s.Cashiers(ctx)
	if err != nil || len(all) == 0 {
		return false, err
	}
	if by == (Identity{}) {
		return false, ErrIdentityNeeded
	}
	found, err := s.Identify(ctx, by)
	if err == nil && found.Role != RoleOwner {
		err = ErrNotOwner
	}
	return err == nil, err
}

// DropCashier removes a cashier; an owner does. The last owner goes last:
// [ErrNeedsOwner]. What the cashier recorded stays under the name.
func (s *Service) DropCashier(ctx context.Context, name string, by Identity) error {
	verified, err := s.asOwner(ctx, by)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx Tx) error {
		all, err := tx.Staff().Cashiers()
		if err != nil {
			return err
		}
		found, known := named(all, name)
		switch {
		case len(all) > 0 && !verified:
			return ErrIdentityNeeded
		case !known:
			return fmt.Errorf("%w: there is none of this name", ErrInvalidCashier)
		case found.Role == RoleOwner && owners(all) == 1 && len(all) > 1:
			return ErrNeedsOwner
		}
		return tx.Staff().DropCashier(found.Name)
	})
}

// ChangePIN gives a cashier another PIN, and ends a pause. The cashier does so
// or an owner.
func (s *Service) ChangePIN(ctx context.Context, name string, pin Secret, by Identity) error {
	found, err := s.Identify(ctx, by)
	if err != nil {
		return err
	}
	if found.Role != RoleOwner && !strings.EqualFold(found.Name, Clean(strings.TrimSpace(name), MaxTillWidth)) {
		return ErrNotOwner
	}
	hash, err := s.hashPIN(pin)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx Tx) error {
		all, err := tx.Staff().Cashiers()
		if err != nil {
			return err
		}
		changed, known := named(all, name)
		if !known {
			return fmt.Errorf("%w: there is none of this name", ErrInvalidCashier)
		}
		changed.PIN, changed.Tries = hash, Tries{}
		return tx.Staff().SaveCashier(changed)
	})
}

// guarded runs change in one transaction for a cashier, whose name it is told.
// Without an identity it demands a shop without cashiers: [ErrIdentityNeeded].
func (s *Service) guarded(ctx context.Context, who Identity, change func(tx Tx, cashier string) error) error {
	if who != (Identity{}) {
		found, err := s.Identify(ctx, who)
		if err != nil {
			return err
		}
		return s.store.Update(ctx, func(tx Tx) error { return change(tx, found.Name) })
	}
	return s.store.Update(ctx, func(tx Tx) error {
		all, err := tx.Staff().Cashiers()
		if err == nil && len(all) > 0 {
			err = ErrIdentityNeeded
		}
		if err != nil {
			return err
		}
		return change(tx, "")
	})
}

// PINHash is what is kept of a PIN. Whoever has it and enough time finds the
// PIN, for there are few of them: it is printed nowhere.
type PINHash struct {
	Salt       []byte
	Sum        []byte
	Iterations int // Of PBKDF2 with HMAC-SHA-256.
}

const (
	minPIN = 4
	maxPIN = 12
	// pinIterations costs a counter's machine a fraction of a second.
	pinIterations = 600_000
	pinSalt       = 16
)

// WithPINIterations sets how much work a PIN costs that is set from now on. The
// default is 600,000 rounds; tests take fewer.
func WithPINIterations(count int) Option { return func(s *Service) { s.iterations = count } }

// hashPIN checks a new PIN and returns what is kept of it. [ErrInvalidCashier].
func (s *Service) hashPIN(pin Secret) (PINHash, error) {
	text := pin.Reveal()
	if len(text) < minPIN || len(text) > maxPIN || strings.Trim(text, "0123456789") != "" {
		return PINHash{}, fmt.Errorf("%w: a PIN is %d to %d digits", ErrInvalidCashier, minPIN, maxPIN)
	}
	if predictable(text) {
		return PINHash{}, fmt.Errorf("%w: this PIN is one of the first that somebody tries; take digits that do not count and are not all the same", ErrInvalidCashier)
	}
	hash := PINHash{Salt: make([]byte, pinSalt), Iterations: s.iterations}
	_, _ = rand.Read(hash.Salt) // It never fails.
	hash.Sum = hash.sum(pin)
	return hash, nil
}

// predictable tells whether digits are all the same, or count up or down by one.
func predictable(digits string) bool {
	step := int(digits[1]) - int(digits[0])
	for i := 1; i < len(digits); i++ {
		if int(digits[i])-int(digits[i-1]) != step {
			return false
		}
	}
	return step >= -1 && step <= 1
}

func (h PINHash) sum(pin Secret) []byte {
	// It refuses nothing but lengths and hashes, which are right here.
	sum, _ := pbkdf2.Key(sha256.New, pin.Reveal(), h.Salt, h.Iterations, sha256.Size)
	return sum
}

// is tells whether the hash is of a PIN.
func (h PINHash) is(pin Secret) bool {
	if pin.Empty() || len(h.Sum) != sha256.Size || h.Iterations < 1 {
		return false
	}
	return subtle.ConstantTimeCompare(h.sum(pin), h.Sum) == 1
}

// Format writes "[redacted]" for every verb and flag.
func (h PINHash) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// MarshalText returns "[redacted]", for JSON and every other encoding.
func (h PINHash) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns "[redacted]".
func (h PINHash) LogValue() slog.Value { return slog.StringValue(redacted) }
