package entry

import (
	"slices"
	"strings"
	"unicode"

	"checkout/till/payments"
)

// wish is an entry taken apart: what is wanted, and how many of it.
type wish struct {
	words    []string // At least one.
	quantity int64
	priced   bool // A quantity or a unit says that the last number is a price.
}

// coded finds the article that has the single word as its code.
func (w wish) coded(shelf Shelf) (payments.Article, bool) {
	if len(w.words) != 1 {
		return payments.Article{}, false
	}
	return shelf.Coded(w.words[0])
}

// Quantity reads a text that is a quantity alone ("2*", "x2", "2x"). A blank text is
// none, which is 0; ok tells whether there is nothing else.
func Quantity(text string) (quantity int64, ok bool) {
	words := strings.Fields(text)
	if digits, taken := timesAt(words); taken > 0 && taken == len(words) {
		quantity, err := count(digits)
		return quantity, err == nil
	}
	rest, quantity, err := takeQuantity(words)
	return quantity, err == nil && len(rest) == 0
}

// takeApart cleans an entry and takes off its quantity, and the unit of its
// price. What is an article's code or whole name stays whole.
func takeApart(entry string, shelf Shelf) (wish, error) {
	clean := payments.Clean(entry, MaxWidth)
	if clean != payments.Clean(entry, len(entry)) {
		return wish{}, ErrTooLong
	}
	words, quantity, literal, err := takeLiteral(strings.FieldsFunc(clean, unicode.IsSpace))
	if err == nil && !literal {
		words, quantity, err = takeQuantity(words)
	}
	switch {
	case err != nil:
		return wish{}, err
	case len(words) == 0:
		return wish{}, ErrNotUnderstood
	}
	whole := wish{words, max(1, quantity), quantity > 0}
	_, coded := whole.coded(shelf)
	if _, named := shelf.Labelled(strings.Join(words, " ")); coded || named || literal {
		return whole, nil
	}
	words = dropUnit(words)
	priced := !slices.Equal(words, whole.words)
	words, inner, err := takeInner(words, shelf)
	switch {
	case err != nil:
		return wish{}, err
	case inner > 0 && quantity > 0:
		return wish{}, ErrTwoQuantities
	}
	if quantity = max(quantity, inner); quantity == 0 {
		if words, quantity, err = takeAttached(words); err != nil {
			return wish{}, err
		}
	}
	return wish{words, max(1, quantity), priced || quantity > 0}, nil
}

// takeQuantity takes a quantity off the front ("2*Vary") or the back ("x2")
// and returns what is left; without one it is 0.
func takeQuantity(words []string) ([]string, int64, error) {
	if len(words) == 0 {
		return nil, 0, nil
	}
	words = joinTimes(words)
	digits, found := "", false
	if head, rest, star := cutTimes(words[0]); star && isNumeric(head) {
		digits, found = head, true
		if words[0] = rest; rest == "" {
			words = words[1:]
		}
	}
	last := len(words) - 1
	if last >= 0 {
		if back, is := behind(words[last]); is {
			if found {
				return nil, 0, ErrTwoQuantities
			}
			digits, found, words = back, true, words[:last]
		}
	}
	if !found {
		return words, 0, nil
	}
	quantity, err := count(digits)
	return words, quantity, err
}

// minAttached is how many digits a price has at least that has its quantity
// attached: what is shorter is rather a measure, as in "Vis 4x40".
const minAttached = 3

// takeAttached takes a quantity off the price that it is attached to:
// "Riz 3500x2". Without one it is 0.
func takeAttached(words []string) ([]string, int64, error) {
	last := len(words) - 1
	i := strings.IndexAny(words[last], "xX×*")
	if i < minAttached || !isDigits(words[last][:i]) {
		return words, 0, nil
	}
	digits, is := behind(words[last][i:])
	if !is {
		return words, 0, nil
	}
	quantity, err := count(digits)
	if err != nil {
		return nil, 0, err
	}
	words = slices.Clone(words)
	words[last] = words[last][:i]
	return words, quantity, nil
}

// attachedFault says better than err, where it can, what is wrong with a last
// word that is no price: it may have a quantity attached, or half of one.
func attachedFault(words []string, err error) error {
	if _, attached, _ := takeAttached(words); attached > 0 {
		return ErrTwoQuantities // One was taken off before.
	}
	last := words[len(words)-1]
	price := strings.TrimRight(strings.TrimRight(last, "0123456789"), "xX×*")
	if price == last || !isDigits(price) {
		return amountFault(last, err)
	}
	if isTimes(strings.TrimPrefix(last, price)) {
		return ErrQuantity
	}
	if len(price) < minAttached {
		return ErrApart
	}
	return err
}

// amountFault says better than err, where it can, why a text is no price.
func amountFault(text string, err error) error {
	switch {
	case strings.HasSuffix(text, "%"):
		return ErrPercent
	case strings.ContainsAny(text, ".,") && strings.Trim(text, "0123456789.,") == "":
		return ErrDotted
	}
	return err
}

// dropUnit takes the unit of money off a price: "2000 Ar", "2000Ar".
func dropUnit(words []string) []string {
	last := len(words) - 1
	word := strings.ToLower(words[last])
	if last > 0 && (word == "ar" || word == "ariary") && isDigits(words[last-1]) {
		return words[:last]
	}
	if price, attached := strings.CutSuffix(word, "ar"); attached && isDigits(price) {
		words = slices.Clone(words)
		words[last] = price
	}
	return words
}

// joinTimes joins a sign of multiplication that stands alone with its number:
// "x 2" at the end, "2 *" at the beginning.
func joinTimes(words []string) []string {
	words = slices.Clone(words)
	last := len(words) - 1
	if last > 0 && isTimes(words[last-1]) && isDigits(words[last]) {
		words = append(words[:last-1], words[last-1]+words[last])
	}
	if len(words) > 1 && isNumeric(words[0]) && isTimes(words[1]) {
		words = append([]string{words[0] + "*"}, words[2:]...)
	}
	return words
}

func isTimes(word string) bool { return word == "x" || word == "X" || word == "×" || word == "*" }

// cutTimes cuts a word at its first sign of multiplication.
func cutTimes(word string) (before, after string, found bool) {
	i := strings.IndexAny(word, "*×")
	if i < 0 {
		return "", "", false
	}
	return word[:i], strings.TrimLeft(word[i:], "*×"), true
}

// behind returns the digits of a last word like x2, X2, ×2 or *2.
func behind(word string) (digits string, is bool) {
	rest := strings.TrimLeft(word, "xX×*")
	if len(rest) == len(word) {
		return "", false
	}
	return rest, isNumeric(rest)
}

// splitPrice splits the words into a label and the price behind it, which may
// be grouped: "Vary 3 500" is Vary at 3 500. A last word that begins like a
// number is a price, be it a wrong one.
func splitPrice(words []string) (label, price string) {
	first := priceAt(words)
	return strings.Join(words[:first], " "), strings.Join(words[first:], " ")
}

// priceAt is where the price begins; behind the last word where there is none.
func priceAt(words []string) int {
	first := len(words) - 1
	if first < 0 || !beginsLikeNumber(words[first]) {
		return len(words)
	}
	for first > 0 && isGroup(words[first]) && isDigits(words[first-1]) && len(words[first-1]) <= 3 {
		first--
	}
	return first
}

func beginsLikeNumber(word string) bool {
	digits := strings.TrimLeft(word, "-+")
	return digits != "" && unicode.IsDigit([]rune(digits)[0])
}

// isNumeric tells whether a word is meant as a number, be it a wrong one.
func isNumeric(word string) bool {
	word = strings.TrimLeft(word, "-+")
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsDigit(r) && r != '.' && r != ','
	})
}

func isGroup(word string) bool { return len(word) == 3 && isDigits(word) }

func isDigits(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }
