package entry

import (
	"errors"
	"strings"

	"checkout/till/payments/money"
)

// ParseSum reads an amount that a customer gives or pays, like [money.ParseAriary]. It returns
// [ErrSum] in place of [money.ErrNotAmount].
func ParseSum(text string) (money.Ariary, error) {
	amount, err := money.ParseAriary(text)
	if errors.Is(err, money.ErrNotAmount) {
		err = ErrSum
	}
	return amount, err
}

// SplitAmount splits a text into the amount at its beginning and the note after it: "50 000 pain"
// is 50000 and "pain". A note cannot begin with a digit, because "5 00 pain" may be a mistyped
// amount. The error is [ErrNoAmount] or [money.ErrTooLarge].
func SplitAmount(text string) (amount money.Ariary, note string, err error) {
	words := strings.Fields(text)
	unread := ErrNoAmount
	err = unread
	taken := 0
	for i := range words { // Use the longest amount: "50 000" is not 50.
		digits := strings.Join(words[:i+1], " ")
		if digits == "0" {
			err, taken = nil, 1
			continue
		}
		switch read, readErr := money.ParseAriary(digits); {
		case readErr == nil:
			amount, err = read, nil
			taken = i + 1
		case errors.Is(readErr, money.ErrTooLarge):
			unread = readErr
		}
	}
	note = strings.Join(words[taken:], " ")
	if unit, rest, _ := strings.Cut(note, " "); strings.EqualFold(unit, "ar") {
		note = rest
	}
	if note != "" && note[0] >= '0' && note[0] <= '9' {
		err = unread
	}
	return amount, note, err
}
