package entry

import (
	"cmp"
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
	return splitWords(words, len(words))
}

// SplitArguments is [SplitAmount] for the arguments of a command. After the first argument, one with
// several words that is no amount belongs to the note, even if it begins with digits: 500 and
// "200 bags" are not 500200.
func SplitArguments(arguments []string) (amount money.Ariary, note string, err error) {
	words, limit := []string{}, 0
	for i, argument := range arguments {
		parts := strings.Fields(argument)
		if _, err := money.ParseAriary(argument); i > 0 && limit == 0 && err != nil && len(parts) > 1 {
			limit = len(words)
		}
		words = append(words, parts...)
	}
	return splitWords(words, cmp.Or(limit, len(words)))
}

// splitWords is [SplitAmount] for an amount of at most limit words. With fewer words than there are,
// the note may begin with a digit after all of them.
func splitWords(words []string, limit int) (amount money.Ariary, note string, err error) {
	unread := ErrNoAmount
	err = unread
	taken := 0
	for i := range limit { // Use the longest amount: "50 000" is not 50.
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
	apart := taken == limit && limit < len(words)
	if !apart && note != "" && note[0] >= '0' && note[0] <= '9' {
		err = unread
	}
	return amount, note, err
}
