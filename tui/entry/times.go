package entry

import (
	"strconv"
	"strings"

	"checkout/till/payments"
)

// literally is what stands between a quantity and a label that is taken as it
// is written, whatever it looks like: "1**Riz x2 3500".
const literally = "**"

// takeLiteral takes a quantity off the front that says that a label follows as
// it is written.
func takeLiteral(words []string) (rest []string, quantity int64, is bool, err error) {
	if len(words) == 0 {
		return nil, 0, false, nil
	}
	digits, label, is := strings.Cut(words[0], literally)
	if !is || !isNumeric(digits) {
		return words, 0, false, nil
	}
	rest = words[1:]
	if label != "" {
		rest = append([]string{label}, rest...)
	}
	quantity, err = count(digits)
	return rest, quantity, true, err
}

// count reads the digits of a quantity.
func count(digits string) (int64, error) {
	quantity, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || quantity < 1 {
		return 0, ErrQuantity
	}
	return quantity, nil
}

// takeInner takes a quantity off that stands with a sign of multiplication
// before the label ("2x riz 3500") or between it and the price ("Riz x2 3500"),
// unless an article is called so. Without one it is 0.
func takeInner(words []string, shelf Shelf) ([]string, int64, error) {
	digits, after := "", words
	if head, n := timesAt(words); n > 0 && n < len(words) {
		digits, after = head, words[n:]
	}
	if before, rest := timesBeforePrice(after); before != "" {
		if digits != "" && !names(shelf, words) {
			return nil, 0, ErrTwoQuantities
		}
		digits, after = before, rest
	}
	if digits == "" || names(shelf, words) {
		return words, 0, nil
	}
	quantity, err := count(digits)
	return after, quantity, err
}

// timesAt reads a quantity that words begin with (x2, 2x, x 2, 2 x), and how
// many of them it takes; none for no quantity.
func timesAt(words []string) (digits string, taken int) {
	if len(words) == 0 {
		return "", 0
	}
	if digits, is := behind(words[0]); is {
		return digits, 1
	}
	if digits := strings.TrimRight(words[0], "xX×*"); digits != words[0] && isNumeric(digits) {
		return digits, 1
	}
	switch {
	case len(words) > 1 && isTimes(words[0]) && isNumeric(words[1]):
		return words[1], 2
	case len(words) > 1 && isNumeric(words[0]) && isTimes(words[1]):
		return words[0], 2
	}
	return "", 0
}

// timesBeforePrice finds a quantity between a label and its price, and returns
// what is left without it. A sign between two numbers is rather a measure
// ("Planche 20 x 30 5000"), unless the price behind it is in groups.
func timesBeforePrice(words []string) (digits string, rest []string) {
	price := priceAt(words)
	if price == len(words) {
		return "", nil
	}
	without := func(from, to int) []string {
		return append(append([]string{}, words[:from]...), words[to:]...)
	}
	if price > 0 {
		if digits, n := timesAt(words[price-1 : price]); n > 0 {
			return digits, without(price-1, price)
		}
	}
	apart := func(sign int) bool {
		return sign > 0 && isTimes(words[sign]) && !isNumeric(words[sign-1])
	}
	switch {
	case price > 2 && apart(price-2) && isNumeric(words[price-1]):
		return words[price-1], without(price-2, price)
	case price > 1 && apart(price-1) && len(words)-price > 1:
		// The first group belongs to the sign: "Riz x 2 500".
		return words[price], without(price-1, price+1)
	case price > 2 && isNumeric(words[price-2]) && isTimes(words[price-1]):
		return words[price-2], without(price-2, price)
	}
	return "", nil
}

// names tells whether an article is called what the words say, be it with a
// price behind it or by letters of its name, the sign of multiplication being a
// part of it.
func names(shelf Shelf, words []string) bool {
	signed := func(article payments.Article) bool { return strings.ContainsAny(article.Label, "xX×*") }
	label, price := splitPrice(words)
	if article, found := shelf.Labelled(label); found && signed(article) {
		return true
	}
	if _, err := payments.ParseAriary(price); err == nil {
		return false
	}
	for _, article := range shelf.Find(strings.Join(words, " "), 1).Best {
		return signed(article)
	}
	return false
}

// PiecesError says that a last number is as likely how many pieces as a price.
type PiecesError struct {
	Pieces payments.Ariary // The number.
	Form   string          // An entry that sells so many pieces.
}

// Error says how the number would be a quantity.
func (e *PiecesError) Error() string {
	return "a price or a quantity: " + e.Pieces.String() + " pieces are " + e.Form
}

// minNumber is from where on a number that ends a label looks like a price.
const minNumber = 100

// pieces returns a PiecesError, or for an unknown code its error, where a price
// is more likely how many pieces are meant: behind a code, and where the label
// ends in a larger number. An article that is called so may have a price of its
// own, from minNumber on.
func (w wish) pieces(label string, price payments.Ariary, shelf Shelf) error {
	if w.priced || label == "" {
		return nil
	}
	article, named := shelf.Labelled(label)
	if named && price >= minNumber {
		return nil
	}
	if _, coded := shelf.Coded(label); coded && !named {
		return &PiecesError{price, label + " x" + price.String()}
	}
	if len(label) >= MinCode && isDigits(label) {
		return &UnknownCodeError{label}
	}
	head, number := splitPrice(strings.Fields(label))
	last, err := payments.ParseAriary(number)
	if larger := err == nil && last >= minNumber && last > price; !larger {
		return nil
	}
	sold := payments.Item{Label: head, UnitPrice: last, Quantity: int64(price)}
	if named {
		sold.Label, sold.UnitPrice = article.Label, article.UnitPrice
	}
	form := label + "x" + price.String()
	if read, err := Parse(form, shelf, ""); named || head != "" && (err != nil || read != sold) {
		form = Format(sold, shelf)
	}
	return &PiecesError{price, form}
}
