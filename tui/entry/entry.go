// Package entry reads what a cashier types as a line of a sale: articles by
// letters or code, free amounts, quantities before or behind, discounts. It
// guarantees that every screen and the line mode understand the same, that an
// entry is either an item that can be sold or an error that says what is wrong,
// and that what it writes of an item it reads back.
package entry

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// The ways in which an entry is not understood.
var (
	ErrNotUnderstood = errors.New("neither a price nor an article")
	ErrNoPrice       = errors.New("the price is missing")
	ErrPriceFirst    = errors.New("the price stands before the name")
	ErrSeveral       = errors.New("several articles fit")
	ErrUnknownCode   = errors.New("unknown code") // Of a number too long for a price that somebody types.
	ErrPieces        = errors.New("a price or a quantity")
	ErrDotted        = fmt.Errorf("a dot or comma in a price: %w", payments.ErrNotAmount)
	ErrPercent       = fmt.Errorf("a discount and no price: %w", payments.ErrNotAmount)
	ErrQuantity      = errors.New("not a quantity")
	ErrTwoQuantities = errors.New("two quantities")
	ErrApart         = errors.New("a price below 100 with its quantity attached") // It may as well be a measure.
	ErrTooLong       = errors.New("too long an entry")
	ErrDiscount      = errors.New("not a new price above zero")
)

// Error is ErrNoPrice, ErrPriceFirst, ErrSeveral, ErrUnknownCode or ErrPieces with
// what it is about.
type Error struct {
	Err error
	// Text is the label without a price, an entry that has the price in its place,
	// at most five of the articles that fit, the unknown code, or an entry that
	// sells Pieces.
	Text   string
	Pieces payments.Ariary
}

// Error says what is wrong with what.
func (e *Error) Error() string { return e.Err.Error() + ": " + e.Text }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

const (
	// MaxWidth bounds an entry, in terminal columns.
	MaxWidth = 160
	// MinCode is how many digits a bare number has that is a code and no price;
	// prices of so many are written in groups.
	MinCode = 8
	// minPrice is from where on a number looks like a price.
	minPrice = 100
	// maxFit is how many articles that fit are named or shown.
	maxFit = 5
)

// Parse reads an entry line: LABEL PRICE [xQTY], QTY*LABEL PRICE, a bare price,
// an article's code, or a few letters of an article's name. A price may be
// grouped in threes by blanks or commas, and may have its quantity, from 100 Ar
// on, or its unit attached ("3500x2", "3500 Ar"), and a quantity with its sign may
// stand before the label or the price ("2x riz 3500", "Riz x2 3500"), where no
// article is called so. QTY**LABEL PRICE takes the label as it is written. What is
// none of that may be an article with its quantity or its price before it ("3
// coca", "2000 coca"), or a quantity with its sign before a price ("2x3500"). free
// is the label of a bare price. The errors are this package's,
// payments.ErrNotAmount, payments.ErrTooLarge and payments.ErrInvalidItem.
func Parse(entry string, shelf Shelf, free string) (payments.Item, error) {
	item, err := parse(entry, shelf, free)
	if err == nil {
		return item, nil
	}
	if other := reordered(payments.Clean(entry, MaxWidth), shelf); other != "" {
		if item, otherErr := parse(other, shelf, free); otherErr == nil {
			return item, nil
		}
	}
	return item, err
}

// reordered writes an entry whose number stands before what it counts as one that
// has it in its place; blank where its meaning is not clear.
func reordered(text string, shelf Shelf) string {
	if m := swapped.FindStringSubmatch(text); m != nil {
		return m[1] + "*" + m[2]
	}
	m := leading.FindStringSubmatch(text)
	if len(m) == 0 || first.MatchString(m[2]) || alone.MatchString(m[2]) {
		return ""
	}
	switch fit := shelf.Find(m[2], 1); {
	case !fit.Sure:
		return ""
	case len(m[1]) < len("100"):
		return m[1] + "*" + m[2]
	default:
		return fit.Best[0].Label + " " + m[1]
	}
}

func parse(entry string, shelf Shelf, free string) (payments.Item, error) {
	wanted, err := take(entry, shelf)
	if err != nil {
		return payments.Item{}, err
	}
	if article, found := shelf.Coded(wanted.text); found {
		return payments.NewItem(article.Label, article.UnitPrice, wanted.quantity)
	}
	label, price := splitPrice(wanted.text)
	if price == "" {
		return fromName(shelf, label, wanted.quantity)
	}
	if label == "" {
		if code.MatchString(price) {
			return payments.Item{}, &Error{Err: ErrUnknownCode, Text: price}
		}
		label, wanted.priced = free, true
	}
	amount, err := ParsePrice(price)
	if err != nil {
		// The last word may belong to a name: "Coca 1L".
		if named, nameErr := fromName(shelf, wanted.text, wanted.quantity); nameErr == nil {
			return named, nil
		}
		return payments.Item{}, attachedFault(wanted.text, err, shelf)
	}
	if !wanted.priced {
		if err := ambiguous(label, amount, shelf); err != nil {
			return payments.Item{}, err
		}
	}
	return payments.NewItem(label, amount, wanted.quantity)
}

// fromName makes an item of the article that letters of its name stand for.
func fromName(shelf Shelf, letters string, quantity int64) (payments.Item, error) {
	fit := shelf.Find(letters, maxFit)
	switch {
	case fit.Total == 0:
		return payments.Item{}, unpriced(letters, quantity, shelf)
	case fit.Sure:
		return payments.NewItem(fit.Best[0].Label, fit.Best[0].UnitPrice, quantity)
	}
	var labels []string
	for _, article := range fit.Best {
		labels = append(labels, article.Label)
	}
	return payments.Item{}, &Error{Err: ErrSeveral, Text: strings.Join(labels, ", ")}
}

// unpriced says what is wrong with a text that names no article and does not end in
// a price. Before a label a number from minPrice on is its price, and another one how
// many pieces are meant.
func unpriced(text string, quantity int64, shelf Shelf) error {
	m := upfront.FindStringSubmatch(text)
	if m == nil {
		return &Error{Err: ErrNoPrice, Text: text}
	}
	price, err := ParsePrice(strings.ReplaceAll(m[1], " ", ""))
	if err != nil || price < minPrice {
		return &Error{Err: ErrNoPrice, Text: m[2]}
	}
	item := payments.Item{Label: m[2], UnitPrice: price, Quantity: quantity}
	return &Error{Err: ErrPriceFirst, Text: Format(item, shelf)}
}

// attachedFault says better than err, where it can, what is wrong with a last
// word that is no price: half of a quantity, a measure, or a quantity before its price.
func attachedFault(text string, err error, shelf Shelf) error {
	m := torn.FindStringSubmatch(text)
	switch {
	case m == nil:
		return err
	case m[2] == "":
		return ErrQuantity
	}
	label := strings.TrimSpace(strings.TrimSuffix(text, m[0]))
	price, priceErr := ParsePrice(m[2])
	count, countErr := parseQuantity(m[1])
	if label == "" || priceErr != nil || countErr != nil || price < minPrice || count >= minPrice {
		return ErrApart
	}
	return &Error{ErrPieces, Format(payments.Item{Label: label, UnitPrice: price, Quantity: count}, shelf), payments.Ariary(count)}
}

// ambiguous returns an error where a number is more likely how many pieces are
// meant: a price behind a code, or behind a label that ends in a larger number; and
// a small number before a label, as in "2 rice 3500". An article that is called so
// may have a price of its own, from minPrice on.
func ambiguous(label string, price payments.Ariary, shelf Shelf) error {
	article, named := shelf.Labelled(label)
	if named && price >= minPrice {
		return nil
	}
	if _, coded := shelf.Coded(label); coded && !named {
		return &Error{ErrPieces, label + " x" + price.String(), price}
	}
	if code.MatchString(label) {
		return &Error{Err: ErrUnknownCode, Text: label}
	}
	if m := spoken.FindStringSubmatch(label); m != nil && !named {
		count, _ := payments.ParseAriary(m[1])
		return &Error{ErrPieces, Format(payments.Item{Label: m[2], UnitPrice: price, Quantity: int64(count)}, shelf), count}
	}
	head, number := splitPrice(label)
	last, err := ParsePrice(number)
	if larger := err == nil && last >= minPrice && last > price; !larger {
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
	return &Error{ErrPieces, form, price}
}

// Format writes an item as an entry that Parse reads back with the same shelf.
// A label may end or begin like a price or a quantity ("Eau 150"): then the
// entry says more than it otherwise would.
func Format(item payments.Item, shelf Shelf) string {
	price, quantity := item.UnitPrice.String(), strconv.FormatInt(item.Quantity, 10)
	var forms []string
	for _, zero := range []string{"", "0"} { // A group of three with a zero before it is none, and stands for itself.
		entry := item.Label + " " + zero + price
		forms = append(forms, entry, entry+" x"+quantity, quantity+"*"+entry, quantity+"**"+entry)
	}
	for _, entry := range forms {
		read, err := Parse(entry, shelf, "")
		if read.ListPrice = item.ListPrice; err == nil && read == item {
			return entry
		}
	}
	return forms[0]
}

// Fitting returns what of the shelf fits an entry that has no price yet, and
// the quantity beside it.
func (s Shelf) Fitting(entry string) (Fit, int64) {
	wanted, err := take(entry, s)
	if err != nil {
		return Fit{}, 0
	}
	if article, found := s.Coded(wanted.text); found {
		return Fit{Best: []payments.Article{article}, Total: 1, Sure: true}, wanted.quantity
	}
	_, price := splitPrice(wanted.text)
	if _, err := ParsePrice(price); err == nil {
		return Fit{}, 0
	}
	fit := s.Find(wanted.text, maxFit)
	if head, isSign := strings.CutSuffix(strings.ToLower(wanted.text), " x"); fit.Total == 0 && isSign {
		fit = s.Find(head, maxFit) // The quantity is on its way.
	}
	return fit, wanted.quantity
}

// Quantity reads a text that is a quantity alone ("2*", "x2", "2x"). A blank text is
// none, which is 0; ok tells whether there is nothing else.
func Quantity(text string) (quantity int64, ok bool) {
	text = payments.Clean(text, MaxWidth)
	m := alone.FindStringSubmatch(text)
	if m == nil {
		return 0, text == ""
	}
	quantity, err := parseQuantity(m[1] + m[2] + m[3] + m[4])
	return quantity, err == nil
}

// Discounted reads a new unit price for what costs full: the price itself, a
// share that is taken off ("10%"), or an amount that is ("-500"). A share is
// rounded to the nearest ariary. The errors are ErrDiscount and
// payments.ErrTooLarge.
func Discounted(text string, full payments.Ariary) (payments.Ariary, error) {
	text = unit.ReplaceAllString(payments.Clean(text, MaxWidth), "$1")
	text, isOff := strings.CutPrefix(text, "-")
	price, err := ParsePrice(text)
	if share, is := strings.CutSuffix(text, "%"); is {
		var hundredths uint64
		hundredths, err = strconv.ParseUint(strings.TrimSpace(share), 10, 7)
		price = (full*payments.Ariary(100-min(100, hundredths)) + 50) / 100
	} else if isOff {
		price = full - price
	}
	switch {
	case errors.Is(err, payments.ErrTooLarge):
		return 0, err
	case err != nil, price < 1:
		return 0, ErrDiscount
	}
	return price, nil
}
