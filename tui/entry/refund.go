package entry

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"checkout/till/payments/money"
)

// Refund is what a person types about a refund.
type Refund struct {
	Amount   money.Ariary // Amount to give back; 0 for all that is left.
	TakeBack int64        // Number of the refund that is taken back; 0 for a new one.
	Note     string       // Why; may be blank.
}

// leastRefund is the smallest amount that needs no unit. A smaller number probably counts things:
// "2 cups are broken".
const leastRefund = 50

// ParseRefund reads a refund in one of three forms: an amount, usually with a reason ("4000
// broken"); only a reason, for all that is left; or the number of a refund to take back, with a
// reason ("#12 mistake"). For any other text, the error wraps [money.ErrNotAmount].
func ParseRefund(text string) (Refund, error) {
	text = strings.TrimSpace(text)
	if number, note, found := strings.Cut(text, " "); strings.HasPrefix(number, "#") {
		taken, err := strconv.ParseInt(number[1:], 10, 64)
		if err != nil || taken <= 0 || !found {
			return Refund{}, money.ErrNotAmount
		}
		return Refund{TakeBack: taken, Note: strings.TrimSpace(note)}, nil
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLetter(first) {
		return Refund{Note: text}, nil
	}
	amount, note, err := SplitAmount(text)
	named := strings.HasPrefix(strings.ToLower(strings.TrimLeft(text, "0123456789 ")), "ar ")
	if err == nil && (amount == 0 || amount < leastRefund && !named) {
		err = money.ErrNotAmount
	}
	return Refund{Amount: amount, Note: note}, err
}
