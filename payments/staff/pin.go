package staff

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"checkout/till/payments/secret"
)

// Tries counts the wrong PINs of a cashier at one till since the count was last reset, usually by a
// right PIN.
type Tries struct {
	Failed int
	Until  time.Time // End of the pause that the last wrong PIN started; zero without one.
}

// maxPause is the longest pause. It is short, because anybody at a till can enter wrong PINs with an
// owner's name, and so lock the owner out.
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

// PINHash is the stored hash of a PIN. Keep it secret: there are few PINs, so trying all of them
// finds the PIN of a hash.
type PINHash struct {
	secret.Hidden

	Salt       []byte
	Sum        []byte
	Iterations int // Rounds of PBKDF2 with HMAC-SHA-256.
}

// Limits of a PIN, and the default cost of its hash.
const (
	MinPIN     = 4       // Digits of the shortest PIN.
	MaxPIN     = 12      // Digits of the longest PIN.
	Iterations = 600_000 // Default PBKDF2 rounds: a fraction of a second on the machine of a till.
)

// CheckPIN returns [ErrInvalidPIN] unless the text has 4 to 12 digits that are not all the same and
// do not count up or down.
func CheckPIN(pin secret.Text) error {
	text := pin.Reveal()
	if len(text) < MinPIN || len(text) > MaxPIN || strings.Trim(text, "0123456789") != "" || predictable(text) {
		return ErrInvalidPIN
	}
	return nil
}

func (s *Service[T]) hashPIN(pin secret.Text) (PINHash, error) {
	if err := CheckPIN(pin); err != nil {
		return PINHash{}, err
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
	// Key fails only for an invalid length; sha256.Size is a valid one.
	sum, _ := pbkdf2.Key(sha256.New, pin.Reveal(), h.Salt, h.Iterations, sha256.Size)
	return sum
}
