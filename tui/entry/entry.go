// Package entry parses the text that a cashier types for a line of a sale, such as "2*Riz 3500",
// and discounts. [Forms] lists what can be typed.
//
// It guarantees:
//
//   - Every screen and the line mode read an entry the same way.
//   - An entry is either items that can be sold or an error with the reason.
//   - An article that is sold by weight or measure needs a weight or measure in the entry.
//   - [Format] writes an entry that [Parse] reads as the same label, price and quantity, if it
//     finds one.
package entry

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// The errors of an entry or a discount.
var (
	ErrNotUnderstood    = errors.New("neither a price nor an article")
	ErrNoPrice          = errors.New("the price is missing")
	ErrSeveral          = errors.New("several articles fit")
	ErrUnknownCode      = errors.New("unknown code") // Too many digits for a price, and not the code of an article.
	ErrPieces           = errors.New("a price or a quantity")
	ErrWeightOrPrice    = errors.New("a weight or a price")
	ErrTwoPrices        = errors.New("two prices or a name of digits")
	ErrByPiece          = errors.New("a weight of an article that is sold by the piece")
	ErrPriceFirst       = errors.New("the price stands before the name")
	ErrPercent          = errors.New("a discount in place of a price")
	ErrDotted           = fmt.Errorf("a dot or comma in a price: %w", money.ErrNotAmount)
	ErrSum              = fmt.Errorf("what is given or paid: %w", money.ErrNotAmount)
	ErrNoAmount         = fmt.Errorf("no amount at the beginning: %w", money.ErrNotAmount)
	ErrQuantity         = errors.New("not a quantity")
	ErrDecimal          = fmt.Errorf("a decimal quantity that is zero, too exact or out of place: %w", ErrQuantity)
	ErrTwoQuantities    = errors.New("two quantities")
	ErrAttachedQuantity = errors.New("a price below 100 with its quantity attached") // A text such as "4x40" may be a size.
	ErrTooLong          = errors.New("too long an entry")
	ErrDiscount         = errors.New("not a new price above zero")
	ErrEither           = errors.New("a number without its unit")
	ErrRaised           = errors.New("a discount that raises the price")
)

// Error says why an entry was not accepted.
type Error struct {
	Err error
	// Text depends on Err. It is the label for ErrNoPrice, the names of at most five articles for
	// ErrSeveral, the code for ErrUnknownCode, and the article for ErrByPiece. For ErrPriceFirst,
	// ErrPieces, ErrWeightOrPrice, ErrTwoPrices and ErrEither it is a corrected entry.
	Text     string
	Other    string // Corrected entry for a second possible meaning; blank if there is only one.
	Quantity int64  // The number that is probably a quantity, in thousandths; only for ErrPieces.

	meant *Parsed // The meaning that a corrected entry must express; see explained.
}

func (e *Error) Error() string { return e.Err.Error() + ": " + e.Text }

func (e *Error) Unwrap() error { return e.Err }

// WeightError is returned if an entry lacks the weight or measure of its article.
type WeightError struct {
	Sold Parsed // The parsed entry, without a quantity.
	Unit string // Unit of the article.
}

func (e *WeightError) Error() string { return "how many " + e.Unit + " of " + e.Sold.Label }

const (
	// MaxWidth is the maximum width of an entry, in terminal columns.
	MaxWidth = 160
	// minPrice is the smallest number that looks like a price.
	minPrice = 100
	// maxFit is the largest number of articles that an error names or a search returns.
	maxFit = 5
)

// Words contains texts in the till's language for labels of items.
type Words struct {
	FreeAmount  string // Label of an amount without a name.
	DecimalMark string
}

// Parsed is the content of an entry for one item.
type Parsed struct {
	Label       string
	Price       money.Ariary
	Thousandths int64 // Quantity in thousandths of a piece or of the article's unit; 0 if the entry has none.
}

// ParsedOf returns the content of an entry for the item.
func ParsedOf(item payments.Item) Parsed {
	if item.Measured() {
		return Parsed{item.Measure.Article, item.Measure.Price, item.Measure.Thousandths}
	}
	return Parsed{item.Label, item.UnitPrice, whole * item.Quantity}
}

// whole is one piece or one unit, in thousandths.
const whole = 1000

// Item returns the item that p describes. If an article has the label of p, the item gets the
// article's label and unit. A higher price of the article becomes the list price. The errors are
// [WeightError] and those of payments.NewItem and payments.NewMeasured.
func (p Parsed) Item(shelf Shelf, words Words) (payments.Item, error) {
	article, found := shelf.Labelled(p.Label)
	if found {
		p.Label = article.Label
	}
	if p.Thousandths == 0 && article.Unit != "" {
		return payments.Item{}, &WeightError{p, article.Unit}
	}
	p.Thousandths = cmp.Or(p.Thousandths, whole)
	item, err := p.sold(article.Unit, words)
	if err != nil || !found || article.UnitPrice <= p.Price {
		return item, err
	}
	p.Price = article.UnitPrice
	full, err := p.sold(article.Unit, words)
	if err == nil && full.UnitPrice > item.UnitPrice {
		item.ListPrice = full.UnitPrice
	}
	return item, nil
}

// sold returns the item that p describes, without a list price.
func (p Parsed) sold(unit string, words Words) (payments.Item, error) {
	if p.Thousandths%whole == 0 && unit == "" {
		return payments.NewItem(p.Label, p.Price, p.Thousandths/whole)
	}
	measure := payments.Measure{Article: p.Label, Thousandths: p.Thousandths, Unit: unit, Price: p.Price}
	quantity := " " + strings.TrimSpace(payments.Decimal(p.Thousandths, words.DecimalMark)+" "+unit)
	article := clean.Text(p.Label, payments.MaxLabelWidth-len(quantity)) // Shorten the name, not the quantity.
	return payments.NewMeasured(measure, article+quantity)
}

// Parse reads an entry line for one item. Its forms are:
//
//   - LABEL PRICE, LABEL PRICE xQTY or QTY*LABEL PRICE
//   - QTY**LABEL PRICE; this label may contain a text that looks like a quantity
//   - a price only, or QTYxPRICE; the item gets the label of a free amount
//   - an article's code, or a few letters of an article's name
//   - an article with a quantity in words or in another order; see spoken
//
// A quantity has at most three decimals, after a point or a comma. The digits of a price may be
// grouped in threes by blanks. The currency (Ar) may follow the price. Between a price of at least
// 100 Ar and a quantity, the blank may be missing ("3500x2"). See [Parsed.Item] for the item. The
// errors are those of this package and of Parsed.Item, money.ErrNotAmount and
// money.ErrTooLarge.
func Parse(entry string, shelf Shelf, words Words) (payments.Item, error) {
	parsed, err := parse(entry, shelf, words.FreeAmount)
	if err != nil {
		return payments.Item{}, explained(err, shelf)
	}
	return parsed.Item(shelf, words)
}

// explained adds a corrected entry to an error. parse cannot add it, because format uses parse.
func explained(err error, shelf Shelf) error {
	about, is := errors.AsType[*Error](err)
	if !is || about.meant == nil {
		return err
	}
	whole := *about
	whole.meant = nil
	switch short := about.meant.Label + " x" + payments.Decimal(about.Quantity, "."); {
	case errors.Is(err, ErrTwoPrices):
		whole.Other = format(*about.meant, shelf)
	case reads(short, *about.meant, shelf):
		whole.Text = short
	default:
		whole.Text = format(*about.meant, shelf)
	}
	return &whole
}

// ParseAll reads an entry line like Parse. The line may contain several entries, with a plus sign
// between them or, between two numbers, a word for "and".
func ParseAll(entry string, shelf Shelf, words Words) ([]payments.Item, error) {
	text := conjunction.ReplaceAllString(clean.Text(entry, MaxWidth), "$1+$2")
	label, _ := splitPrice(text)
	article, named := shelf.Labelled(label)
	named = shelf.has(text) || named && strings.EqualFold(article.Label, label)
	if !named && !literal.MatchString(text) && plus.MatchString(text) {
		if items := parts(text, shelf, words); items != nil {
			return items, nil
		}
	}
	item, err := Parse(entry, shelf, words)
	if err == nil {
		return []payments.Item{item}, nil
	}
	if items := parts(text, shelf, words); items != nil {
		return items, nil
	}
	return nil, err
}

// parts returns the items of a line with several entries. It returns nil for a single entry, or if
// an entry is invalid.
func parts(text string, shelf Shelf, words Words) []payments.Item {
	entries := strings.Split(text, "+")
	if len(entries) == 1 {
		return nil
	}
	var items []payments.Item
	for _, entry := range entries {
		item, err := Parse(entry, shelf, words)
		if err != nil {
			return nil
		}
		items = append(items, item)
	}
	return items
}

// parse reads an entry for one item. free is the label of a free amount.
func parse(entry string, shelf Shelf, free string) (Parsed, error) {
	if clean.Text(entry, MaxWidth) == clean.Text(entry, len(entry)) {
		entry = inSigns(entry, shelf)
	}
	parsed, err := written(entry, shelf, free)
	finals := []error{ErrSeveral, ErrTooLong, ErrPieces, ErrWeightOrPrice, ErrTwoPrices, ErrUnknownCode, ErrTwoQuantities}
	if err == nil || slices.ContainsFunc(finals, func(final error) bool { return errors.Is(err, final) }) {
		return parsed, err
	}
	if said, spokenErr := spoken(clean.Text(entry, MaxWidth), shelf); !errors.Is(spokenErr, errNotSpoken) {
		return said, spokenErr
	}
	return parsed, err
}

// written reads an entry in all forms except those of spoken.
func written(entry string, shelf Shelf, free string) (Parsed, error) {
	text, quantity, priced, err := take(entry, shelf)
	if err != nil {
		return Parsed{}, err
	}
	if article, found := shelf.Coded(text); found {
		return Parsed{article.Label, article.UnitPrice, quantity}, nil
	}
	label, price := splitPrice(text)
	number, grouped := barcode.Canonical(text), label == "" && strings.Contains(price, " ")
	switch {
	case code.MatchString(number) && !grouped:
		return Parsed{}, &Error{Err: ErrUnknownCode, Text: number}
	case price == "":
		return fromName(shelf, label, quantity)
	}
	amount, err := ParsePrice(price)
	if label == "" && errors.Is(err, ErrPercent) {
		return Parsed{}, err
	}
	if err != nil {
		// The last word may belong to a name, as in "Coca 1L".
		if named, nameErr := fromName(shelf, text, quantity); nameErr == nil {
			return named, nil
		}
		return times(text, free, err)
	}
	if _, named := shelf.Labelled(label); !named && discount.MatchString(label) {
		return Parsed{}, ErrPercent
	}
	check := ambiguous
	if priced {
		check = ambiguousName
	}
	if label != "" && quantity == 0 {
		if err := check(label, amount, shelf); err != nil {
			return Parsed{}, err
		}
	}
	return Parsed{cmp.Or(label, free), amount, quantity}, nil
}

// times reads a number of pieces with a price, as in "3x1500". For any other text, it returns the
// error invalid, or a more exact one.
func times(text, free string, invalid error) (Parsed, error) {
	if m := product.FindStringSubmatch(text); m != nil {
		quantity, _ := parseQuantity(m[2])
		price, err := ParsePrice(m[3])
		switch {
		case err != nil:
			return Parsed{}, err
		case m[1] == "":
			return Parsed{free, price, quantity}, nil
		}
		return Parsed{}, pieces(Parsed{m[1], price, quantity})
	}
	switch {
	case size.MatchString(text):
		invalid = ErrAttachedQuantity
	case decimal.MatchString(text):
		invalid = ErrDecimal
	}
	return Parsed{}, invalid
}

// fromName returns the article whose name matches the letters.
func fromName(shelf Shelf, letters string, quantity int64) (Parsed, error) {
	fit := shelf.Find(letters, maxFit)
	first := priceFirst.FindStringSubmatch(letters)
	switch {
	case fit.Total == 0 && first != nil:
		return Parsed{}, &Error{Err: ErrPriceFirst, Text: first[2] + " " + first[1]}
	case fit.Total == 0:
		return Parsed{}, &Error{Err: ErrNoPrice, Text: letters}
	case fit.Sure:
		return Parsed{fit.Best[0].Label, fit.Best[0].UnitPrice, quantity}, nil
	}
	return Parsed{}, severalFit(fit)
}

func severalFit(fit Fit) error {
	var labels []string
	for _, article := range fit.Best {
		labels = append(labels, article.Label)
	}
	return &Error{Err: ErrSeveral, Text: strings.Join(labels, ", ")}
}
