package sale

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// The ways in which an entry is not understood.
var (
	// ErrNotUnderstood says that the entry is neither a price nor an article.
	ErrNotUnderstood = errors.New("neither a price nor an article")
	// ErrNoPrice says that a label has no price behind it.
	ErrNoPrice = errors.New("the price is missing")
	// ErrQuantity says that a quantity is not a whole number above zero.
	ErrQuantity = errors.New("not a quantity")
	// ErrTwoQuantities says that there is a quantity before and behind.
	ErrTwoQuantities = errors.New("two quantities")
)

// SeveralError says that more than one article fits the letters typed.
type SeveralError struct {
	Labels []string // At most five of them, cleaned.
}

// Error names the articles.
func (e *SeveralError) Error() string { return "several articles fit: " + strings.Join(e.Labels, ", ") }

// UnknownCodeError says that a number is too long for a price that somebody
// types, and no article's code.
type UnknownCodeError struct{ Code string }

// Error names the code.
func (e *UnknownCodeError) Error() string { return "unknown code " + e.Code }

// minCode is how many digits a bare number has that is a code and no price, in
// digits; prices of so many are written in groups.
const minCode = 8

// Parse reads an entry line: LABEL PRICE [xQTY], QTY*LABEL PRICE, a bare price,
// an article's code, or a few letters of an article's name. A price may be
// grouped in threes by blanks, and may have its quantity or its unit attached
// ("3500x2", "3500 Ar") where no article is called so. free is the label of a
// bare price. The errors are this package's, payments.ErrNotAmount,
// payments.ErrTooLarge and payments.ErrInvalidItem.
func Parse(entry string, shelf Shelf, free string) (payments.Item, error) {
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
		if label = free; len(price) >= minCode && isDigits(price) {
			return payments.Item{}, &UnknownCodeError{price}
		}
	}
	amount, err := payments.ParseAriary(price)
	if err != nil {
		// The last word may belong to a name: "Coca 1L".
		if named, nameErr := fromName(shelf, strings.Join(wanted.words, " "), wanted.quantity); nameErr == nil {
			return named, nil
		}
		return payments.Item{}, err
	}
	return payments.NewItem(label, amount, wanted.quantity)
}

// Format writes an item as an entry that Parse reads back. A label may end or
// begin like a price or a quantity ("Eau 150"): then the entry says more than
// it otherwise would.
func Format(item payments.Item) string {
	ways := spellings(item)
	for _, entry := range ways {
		if read, err := Parse(entry, Shelf{}, ""); err == nil && read == item {
			return entry
		}
	}
	return ways[0]
}

// spellings are the ways to write an item, the plainest first.
func spellings(item payments.Item) []string {
	var ways []string
	price, quantity := item.UnitPrice.String(), strconv.FormatInt(item.Quantity, 10)
	// Groups of three are a price wherever they stand, even behind "2* x".
	grouped := i18n.Number(int64(item.UnitPrice))
	if item.UnitPrice < 1000 {
		grouped = fmt.Sprintf("0 %03d", item.UnitPrice)
	}
	for _, price := range []string{price, "0" + price, grouped} {
		entry := item.Label + " " + price
		if item.Quantity == 1 {
			ways = append(ways, entry)
		}
		ways = append(ways, entry+" x"+quantity, quantity+"*"+entry)
	}
	return ways
}

// maxFit is how many articles that fit are named or shown.
const maxFit = 5

// fromName makes an item of the article that letters of its name stand for.
func fromName(shelf Shelf, letters string, quantity int64) (payments.Item, error) {
	fit := shelf.Find(letters, maxFit)
	switch {
	case fit.Total == 0:
		return payments.Item{}, ErrNoPrice
	case fit.Sure:
		return payments.NewItem(fit.Best[0].Label, fit.Best[0].UnitPrice, quantity)
	}
	var several SeveralError
	for _, article := range fit.Best {
		several.Labels = append(several.Labels, article.Label)
	}
	return payments.Item{}, &several
}
