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
	// ErrNotUnderstood says that the entry is neither a price nor an article.
	ErrNotUnderstood = errors.New("neither a price nor an article")
	// ErrNoPrice says that a label has no price behind it; a [NoPriceError] names
	// the label.
	ErrNoPrice = errors.New("the price is missing")
	// ErrDotted says that a price is written with a dot or a comma.
	ErrDotted = fmt.Errorf("a dot or comma in a price: %w", payments.ErrNotAmount)
	// ErrPercent says that a discount was typed where a price belongs.
	ErrPercent = fmt.Errorf("a discount and no price: %w", payments.ErrNotAmount)
	// ErrQuantity says that a quantity is not a whole number above zero.
	ErrQuantity = errors.New("not a quantity")
	// ErrTwoQuantities says that there is a quantity before and behind.
	ErrTwoQuantities = errors.New("two quantities")
	// ErrApart says that what looks like a price below 100 with its quantity
	// attached may as well be a measure.
	ErrApart = errors.New("a price below 100 with its quantity attached")
	// ErrTooLong says that an entry is wider than MaxWidth.
	ErrTooLong = errors.New("too long an entry")
	// ErrDiscount says that a text gives no new price above zero.
	ErrDiscount = errors.New("not a discount")
)

// MaxWidth bounds an entry, in terminal columns.
const MaxWidth = 160

// SeveralError says that more than one article fits the letters typed.
type SeveralError struct {
	Labels []string // At most five of them, cleaned.
}

// Error names the articles.
func (e *SeveralError) Error() string { return "several articles fit: " + strings.Join(e.Labels, ", ") }

// NoPriceError is [ErrNoPrice] with the label whose price is missing.
type NoPriceError struct{ Label string }

// Error names the label.
func (e *NoPriceError) Error() string { return ErrNoPrice.Error() + ": " + e.Label }

// Is tells whether target is [ErrNoPrice].
func (e *NoPriceError) Is(target error) bool { return target == ErrNoPrice }

// UnknownCodeError says that a number is too long for a price that somebody
// types, and no article's code.
type UnknownCodeError struct{ Code string }

// Error names the code.
func (e *UnknownCodeError) Error() string { return "unknown code " + e.Code }

// MinCode is how many digits a bare number has that is a code and no price;
// prices of so many are written in groups.
const MinCode = 8

// Parse reads an entry line: LABEL PRICE [xQTY], QTY*LABEL PRICE, a bare price,
// an article's code, or a few letters of an article's name. A price may be
// grouped in threes by blanks, and may have its quantity, from 100 Ar on, or its
// unit attached ("3500x2", "3500 Ar"), and a quantity with its sign may stand
// before the label or the price ("2x riz 3500", "Riz x2 3500"), where no article
// is called so. QTY**LABEL PRICE takes the label as it is written. What is none of
// that may be an article with its quantity or its price before it ("3 coca",
// "2000 coca"), or a quantity with its sign before a price ("2x3500"). free is the
// label of a bare price. The errors are this package's, payments.ErrNotAmount,
// payments.ErrTooLarge and payments.ErrInvalidItem.
func Parse(entry string, shelf Shelf, free string) (payments.Item, error) {
	item, err := parse(entry, shelf, free)
	if err == nil {
		return item, nil
	}
	if other := reordered(entry, shelf); other != "" {
		if item, otherErr := parse(other, shelf, free); otherErr == nil {
			return item, nil
		}
	}
	return item, err
}

// reordered writes an entry whose number stands before what it counts as one that
// has it in its place; blank where its meaning is not clear.
func reordered(entry string, shelf Shelf) string {
	words := strings.Fields(payments.Clean(entry, MaxWidth))
	if len(words) == 1 {
		quantity, price, is := strings.Cut(strings.NewReplacer("X", "x", "×", "x").Replace(words[0]), "x")
		if is && isDigits(quantity) && len(quantity) < minAttached && isDigits(price) && len(price) >= minAttached {
			return quantity + "*" + price
		}
		return ""
	}
	if len(words) == 0 || !isDigits(words[0]) || len(words[0]) >= MinCode {
		return ""
	}
	if _, taken := timesAt(words[1:]); taken > 0 {
		return ""
	}
	rest := strings.Join(words[1:], " ")
	switch fit := shelf.Find(rest, 1); {
	case !fit.Sure:
		return ""
	case len(words[0]) < minAttached:
		return words[0] + "*" + rest
	default:
		return fit.Best[0].Label + " " + words[0]
	}
}

func parse(entry string, shelf Shelf, free string) (payments.Item, error) {
	wanted, err := takeApart(entry, shelf)
	if err != nil {
		return payments.Item{}, err
	}
	if article, found := wanted.coded(shelf); found {
		return payments.NewItem(article.Label, article.UnitPrice, wanted.quantity)
	}
	label, price := splitPrice(wanted.words)
	if price == "" {
		return fromName(shelf, label, wanted.quantity)
	}
	if label == "" {
		if len(price) >= MinCode && isDigits(price) {
			return payments.Item{}, &UnknownCodeError{price}
		}
		label, wanted.priced = free, true
	}
	amount, err := payments.ParseAriary(price)
	if err != nil {
		// The last word may belong to a name: "Coca 1L".
		if named, nameErr := fromName(shelf, strings.Join(wanted.words, " "), wanted.quantity); nameErr == nil {
			return named, nil
		}
		return payments.Item{}, attachedFault(wanted.words, err)
	}
	if err := wanted.pieces(label, amount, shelf); err != nil {
		return payments.Item{}, err
	}
	return payments.NewItem(label, amount, wanted.quantity)
}

// Format writes an item as an entry that Parse reads back with the same shelf.
// A label may end or begin like a price or a quantity ("Eau 150"): then the
// entry says more than it otherwise would.
func Format(item payments.Item, shelf Shelf) string {
	ways := spellings(item)
	for _, entry := range ways {
		read, err := Parse(entry, shelf, "")
		if read.ListPrice = item.ListPrice; err == nil && read == item {
			return entry
		}
	}
	return ways[0]
}

// spellings are the ways to write an item, the plainest first.
func spellings(item payments.Item) []string {
	var ways []string
	price, quantity := item.UnitPrice.String(), strconv.FormatInt(item.Quantity, 10)
	// Groups of three are a price wherever they stand.
	prices := []string{price, "0" + price, grouped(item.UnitPrice)}
	for _, price := range prices {
		entry := item.Label + " " + price
		if item.Quantity == 1 {
			ways = append(ways, entry)
		}
		ways = append(ways, entry+" x"+quantity, quantity+"*"+entry)
	}
	for _, price := range prices {
		ways = append(ways, quantity+literally+item.Label+" "+price)
	}
	return ways
}

// grouped writes a price in groups of three, at least two of them: 12 500, 0 500.
func grouped(price payments.Ariary) string {
	head, last := price/1000, price%1000
	if head < 1000 {
		return fmt.Sprintf("%d %03d", head, last)
	}
	return fmt.Sprintf("%s %03d", grouped(head), last)
}

// maxFit is how many articles that fit are named or shown.
const maxFit = 5

// fromName makes an item of the article that letters of its name stand for.
func fromName(shelf Shelf, letters string, quantity int64) (payments.Item, error) {
	fit := shelf.Find(letters, maxFit)
	switch {
	case fit.Total == 0:
		return payments.Item{}, &NoPriceError{letters}
	case fit.Sure:
		return payments.NewItem(fit.Best[0].Label, fit.Best[0].UnitPrice, quantity)
	}
	var several SeveralError
	for _, article := range fit.Best {
		several.Labels = append(several.Labels, article.Label)
	}
	return payments.Item{}, &several
}

// Fitting returns what of the shelf fits an entry that has no price yet, and
// the quantity beside it.
func (s Shelf) Fitting(entry string) (Fit, int64) {
	wanted, err := takeApart(entry, s)
	if err != nil {
		return Fit{}, 0
	}
	if article, found := wanted.coded(s); found {
		return Fit{Best: []payments.Article{article}, Total: 1, Sure: true}, wanted.quantity
	}
	_, price := splitPrice(wanted.words)
	if _, err := payments.ParseAriary(price); err == nil {
		return Fit{}, 0
	}
	fit := s.Find(strings.Join(wanted.words, " "), maxFit)
	last := len(wanted.words) - 1
	if fit.Total == 0 && last > 0 && isTimes(wanted.words[last]) {
		// The quantity is on its way: "Coca x".
		fit = s.Find(strings.Join(wanted.words[:last], " "), maxFit)
	}
	return fit, wanted.quantity
}
