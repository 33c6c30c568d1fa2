// Package money defines amounts of money, their sums, and the periods of reports.
package money

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	// ErrTooLarge says that an amount is above its limit, which is usually [MaxAriary].
	ErrTooLarge = errors.New("the amount is too large")
	// ErrNotAmount says that a text is not a whole amount above zero, or that an amount is not
	// valid for a refund.
	ErrNotAmount = errors.New("not a whole amount of ariary")
)

// Ariary is an amount of money in whole Malagasy ariary. There is no smaller unit.
type Ariary int64

// MaxAriary is the largest amount of a line or an order: 10^12 Ar. The payment service has no known
// limit; this one keeps the sums of reports far from an overflow.
const MaxAriary Ariary = 1_000_000_000_000

// Times returns the amount times quantity, or [ErrTooLarge] if the product does not fit into an
// int64.
func (a Ariary) Times(quantity int64) (Ariary, error) {
	if a == 0 || quantity == 0 {
		return 0, nil
	}
	product := int64(a) * quantity
	if product/quantity != int64(a) || (quantity == -1 && int64(a) == math.MinInt64) {
		return 0, ErrTooLarge
	}
	return Ariary(product), nil
}

// Plus returns the sum of a and b, or [ErrTooLarge] if it does not fit into an int64.
func (a Ariary) Plus(b Ariary) (Ariary, error) {
	sum := a + b
	if (b > 0 && sum < a) || (b < 0 && sum > a) {
		return 0, ErrTooLarge
	}
	return sum, nil
}

// String returns the digits of the amount, without grouping and unit, for programs.
func (a Ariary) String() string { return strconv.FormatInt(int64(a), 10) }

// grouped matches the digits of an amount. Each group after a blank must have three digits, so that
// "1 5" is not read as fifteen.
var grouped = regexp.MustCompile(`^(\d+|\d{1,3}([ \x{a0}\x{202f}]+\d{3})+)$`)

// ParseAriary parses a whole amount above zero: digits, optionally grouped by three with spaces,
// no-break spaces or narrow no-break spaces ("9000", "9 000"). It returns [ErrTooLarge] for an
// amount above [MaxAriary], and [ErrNotAmount] for any other text.
func ParseAriary(text string) (Ariary, error) {
	text = strings.TrimSpace(text)
	if !grouped.MatchString(text) {
		return 0, ErrNotAmount
	}
	digits := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(text)
	value, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || Ariary(value) > MaxAriary {
		return 0, ErrTooLarge
	}
	if value == 0 {
		return 0, fmt.Errorf("%w: it must be above zero", ErrNotAmount)
	}
	return Ariary(value), nil
}

// TaxIn returns the tax that is contained in a price, rounded half away from zero. percent is the
// tax rate.
func TaxIn(price Ariary, percent int64) Ariary {
	if price < 0 {
		return -TaxIn(-price, percent)
	}
	whole := Ariary(100 + percent)
	return (2*price*Ariary(percent) + whole) / (2 * whole)
}
