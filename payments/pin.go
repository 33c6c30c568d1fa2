package payments

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

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
