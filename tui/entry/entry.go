// Package entry parses the text that a cashier types for a line of a sale, such as "2*Riz 3500".
// The text has an article's code, some letters of its name, or a free amount, and may have a
// quantity. The package also parses discounts.
//
// It guarantees:
//
//   - Every screen and the line mode read an entry the same way.
//   - An entry is either an item that can be sold or an error with the reason.
//   - An entry that [Format] writes for an item is parsed by [Parse] as the same item.
package entry

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// The errors of an entry.
var (
	ErrNotUnderstood    = errors.New("neither a price nor an article")
	ErrNoPrice          = errors.New("the price is missing")
	ErrSeveral          = errors.New("several articles fit")
	ErrUnknownCode      = errors.New("unknown code") // Too many digits for a price, and no article's code.
	ErrPieces           = errors.New("a price or a quantity")
	ErrPriceFirst       = errors.New("the price stands before the name")
	ErrPercent          = errors.New("a discount in place of a price")
	ErrDotted           = fmt.Errorf("a dot or comma in a price: %w", money.ErrNotAmount)
	ErrNoAmount         = fmt.Errorf("no amount at the beginning: %w", money.ErrNotAmount)
	ErrQuantity         = errors.New("not a quantity")
	ErrDecimal          = fmt.Errorf("a decimal quantity that is zero, too exact or out of place: %w", ErrQuantity)
	ErrTwoQuantities    = errors.New("two quantities")
	ErrAttachedQuantity = errors.New("a price below 100 with its quantity attached") // A text such as "4x40" may be a size.
	ErrTooLong          = errors.New("too long an entry")
	ErrDiscount         = errors.New("not a new price above zero")
	ErrRaised           = errors.New("a discount that raises the price")
)

// Error wraps ErrNoPrice, ErrPriceFirst, ErrSeveral, ErrUnknownCode or ErrPieces, and adds a text
// for the message to the cashier.
type Error struct {
	Err error
	// Text depends on Err. For ErrNoPrice it is the label, for ErrSeveral the names of at
	// most five articles, for ErrUnknownCode the code. For ErrPriceFirst and ErrPieces it is
	// a corrected entry.
	Text   string
	Pieces money.Ariary // The number that is probably a quantity; only for ErrPieces.
}

func (e *Error) Error() string { return e.Err.Error() + ": " + e.Text }

func (e *Error) Unwrap() error { return e.Err }

const (
	// MaxWidth is the longest entry, in terminal columns.
	MaxWidth = 160
	// minPrice is the smallest number that looks like a price.
	minPrice = 100
	// maxFit is the largest number of articles that an error names or [Shelf.Fitting] returns.
	maxFit = 5
)

// Words has the texts in the till's language that an item's label may need.
type Words struct {
	FreeAmount  string // Label of an amount without a name.
	DecimalMark string
}

// Parsed is what an entry says about an item.
type Parsed struct {
	Label       string // Label of an article, or of a free amount.
	Price       money.Ariary
	Thousandths int64 // Quantity in thousandths of a piece or of the article's unit.
}

// ParsedOf returns what an entry for the item says: the label, the price and the quantity.
func ParsedOf(item payments.Item) Parsed {
	if item.Measured() {
		return Parsed{item.Measure.Article, item.Measure.Price, item.Measure.Thousandths}
	}
	return Parsed{item.Label, item.UnitPrice, whole * item.Quantity}
}

// whole is one piece or one unit, in thousandths.
const whole = 1000

// Item returns the item that p describes. A decimal quantity makes a measured item. If an article
// has the label of p, the item gets the label and the unit of the article. A higher price of the
// article becomes the item's list price. The errors are those of payments.NewItem and
// payments.NewMeasured.
func (p Parsed) Item(shelf Shelf, words Words) (payments.Item, error) {
	article, found := shelf.Labelled(p.Label)
	if found {
		p.Label = article.Label
	}
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

// sold returns the item that p describes, without a list price. unit is used only with a decimal
// quantity.
func (p Parsed) sold(unit string, words Words) (payments.Item, error) {
	if p.Thousandths%whole == 0 {
		return payments.NewItem(p.Label, p.Price, p.Thousandths/whole)
	}
	measure := payments.Measure{Article: p.Label, Thousandths: p.Thousandths, Unit: unit, Price: p.Price}
	quantity := " " + strings.TrimSpace(payments.Decimal(p.Thousandths, words.DecimalMark)+" "+unit)
	article := clean.Text(p.Label, payments.MaxLabelWidth-len(quantity)) // Shorten the name, but not the quantity.
	return payments.NewMeasured(measure, article+quantity)
}

// Parse reads an entry line. Its forms are:
//
//   - LABEL PRICE, LABEL PRICE xQTY or QTY*LABEL PRICE
//   - QTY**LABEL PRICE; this label may contain a text that looks like a quantity
//   - a price only; the item gets the label of a free amount
//   - an article's code, or a few letters of an article's name
//
// A quantity has at most three decimals, after a point or a comma. The digits of a price may be
// grouped in threes by blanks. The currency (Ar) may follow the price. Between a price of at least
// 100 Ar and a quantity, the blank may be missing ("3500x2"). See [Parsed.Item] for the item. The
// errors are those of this package and of Parsed.Item, money.ErrNotAmount and
// money.ErrTooLarge.
func Parse(entry string, shelf Shelf, words Words) (payments.Item, error) {
	parsed, err := parse(entry, shelf, words.FreeAmount)
	if err != nil {
		return payments.Item{}, err
	}
	return parsed.Item(shelf, words)
}

// parse reads an entry. free is the label of a free amount.
func parse(entry string, shelf Shelf, free string) (Parsed, error) {
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
		// The last word looks like a price but may belong to a name, as in "Coca 1L".
		if named, nameErr := fromName(shelf, text, quantity); nameErr == nil {
			return named, nil
		}
		switch {
		case measure.MatchString(text):
			err = ErrAttachedQuantity
		case decimal.MatchString(text):
			err = ErrDecimal
		}
		return Parsed{}, err
	}
	if _, named := shelf.Labelled(label); !named && discount.MatchString(label) {
		return Parsed{}, ErrPercent
	}
	if label != "" && !priced {
		if err := ambiguous(label, amount, shelf); err != nil {
			return Parsed{}, err
		}
	}
	return Parsed{cmp.Or(label, free), amount, quantity}, nil
}

// fromName returns the article whose name matches some letters. A number of pieces may come before
// the letters, as in "3 coca". If not exactly one article matches, the error says why.
func fromName(shelf Shelf, letters string, quantity int64) (Parsed, error) {
	fit := shelf.Find(letters, maxFit)
	if m := spoken.FindStringSubmatch(letters); m != nil && fit.Total == 0 && quantity == whole {
		count, _ := parseQuantity(m[1])
		if parsed, err := fromName(shelf, m[2], count); err == nil {
			return parsed, nil
		}
	}
	first := priceFirst.FindStringSubmatch(letters)
	switch {
	case fit.Total == 0 && first != nil:
		return Parsed{}, &Error{Err: ErrPriceFirst, Text: first[2] + " " + first[1]}
	case fit.Total == 0:
		return Parsed{}, &Error{Err: ErrNoPrice, Text: letters}
	case fit.Sure:
		return Parsed{fit.Best[0].Label, fit.Best[0].UnitPrice, quantity}, nil
	}
	var labels []string
	for _, article := range fit.Best {
		labels = append(labels, article.Label)
	}
	return Parsed{}, &Error{Err: ErrSeveral, Text: strings.Join(labels, ", ")}
}

// ambiguous checks an entry that was split into a label and a price. It returns an error if one of
// the numbers is probably a quantity:
//
//   - the price, if the label is an article's code or ends in a larger number, as in "Eau 150 2"
//   - a small number at the start of the label, as in "2 rice 3500"
//   - a number that still has its quantity sign, because take did not find it
//
// If the label is an article's name, ambiguous accepts any price of at least minPrice.
func ambiguous(label string, price money.Ariary, shelf Shelf) error {
	article, named := shelf.Labelled(label)
	_, coded := shelf.Coded(label)
	_, number := splitPrice(label)
	last, err := ParsePrice(number)
	larger := err == nil && last >= minPrice && last > price
	said := spoken.FindStringSubmatch(label)
	switch {
	case named && (price >= minPrice || !larger):
		return nil
	case named:
		sold := payments.Item{Label: article.Label, UnitPrice: article.UnitPrice, Quantity: int64(price)}
		return &Error{ErrPieces, Format(sold, shelf), price}
	case code.MatchString(label) && !coded:
		return &Error{Err: ErrUnknownCode, Text: label}
	case coded, larger:
		return &Error{ErrPieces, label + " x" + price.String(), price}
	case misplaced.MatchString(label):
		return ErrNotUnderstood
	case said != nil:
		count, _ := parseQuantity(said[1])
		sold := payments.Item{Label: said[2], UnitPrice: price, Quantity: count / whole}
		return &Error{ErrPieces, Format(sold, shelf), money.Ariary(sold.Quantity)}
	}
	return nil
}

// Format returns an entry that Parse, with the same shelf, reads as the item. If the label
// begins or ends like a price or a quantity ("Eau 150"), the entry has a longer form.
func Format(item payments.Item, shelf Shelf) string {
	parsed := ParsedOf(item)
	quantity := payments.Decimal(parsed.Thousandths, ".")
	var forms []string
	// A leading zero separates the price from a number at the end of the label, as in
	// "Eau 150 0700".
	for _, zero := range []string{"", "0"} {
		entry := parsed.Label + " " + zero + parsed.Price.String()
		forms = append(forms, entry, entry+" x"+quantity, quantity+"**"+entry)
	}
	for _, entry := range forms {
		if read, err := parse(entry, shelf, ""); err == nil && read == parsed {
			return entry
		}
	}
	return forms[0]
}

// Fitting returns the articles that fit an entry without a price, and the quantity in thousandths.
// It returns no articles for an invalid entry or one with a price.
func (s Shelf) Fitting(entry string) (Fit, int64) {
	text, quantity, _, err := take(entry, s)
	if err != nil {
		return Fit{}, 0
	}
	if article, found := s.Coded(text); found {
		return Fit{Best: []payments.Article{article}, Total: 1, Sure: true}, quantity
	}
	_, price := splitPrice(text)
	if _, err := ParsePrice(price); err == nil {
		return Fit{}, 0
	}
	return s.Find(text, maxFit), quantity
}

// Quantity reads a text that is only a quantity, such as "2*", "x2", "2x" or "x1,2". It returns
// the quantity in thousandths. For a blank text it returns 0 and true. For any other text ok
// is false.
func Quantity(text string) (thousandths int64, ok bool) {
	text = clean.Text(text, MaxWidth)
	m := alone.FindStringSubmatch(text)
	if m == nil {
		return 0, text == ""
	}
	thousandths, err := parseQuantity(m[1] + m[2])
	return thousandths, err == nil
}

// Discounted returns the unit price after a discount on full. The text is the new price, a
// percentage off ("10%"), or an amount off ("-500"). The price after a percentage off is rounded to
// the nearest ariary. The errors are ErrDiscount, ErrRaised and money.ErrTooLarge.
func Discounted(text string, full money.Ariary) (money.Ariary, error) {
	text, isOff := strings.CutPrefix(clean.Text(text, MaxWidth), "-")
	price, err := ParsePrice(text)
	if share, is := strings.CutSuffix(text, "%"); is {
		var hundredths uint64
		hundredths, err = strconv.ParseUint(strings.TrimSpace(share), 10, 7)
		price = (full*money.Ariary(100-min(100, hundredths)) + 50) / 100
	} else if isOff {
		price = full - price
	}
	switch {
	case errors.Is(err, money.ErrTooLarge):
		return 0, err
	case err != nil, price < 1:
		return 0, ErrDiscount
	case price > full:
		return 0, ErrRaised
	}
	return price, nil
}
