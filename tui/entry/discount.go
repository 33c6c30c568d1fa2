package entry

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// onSale matches the beginning of a discount on the whole sale.
var onSale = regexp.MustCompile(`^- ?\d`)

// SaleDiscount reads a discount on the whole sale, such as "-10 %" or "-500". is reports whether
// the text has this form. The errors are ErrDiscount and money.ErrTooLarge.
func SaleDiscount(text string, total money.Ariary) (off money.Ariary, is bool, err error) {
	text = clean.Text(text, MaxWidth)
	if !onSale.MatchString(text) {
		return 0, false, nil
	}
	price, err := Discounted(text, total)
	return total - price, true, err
}

// Discounted returns the unit price after a discount on the price full. The text is the new price,
// a percentage to take off ("10%"), or an amount to take off ("-500"). The result is rounded to the
// nearest ariary. The errors are ErrDiscount, ErrRaised and money.ErrTooLarge, and ErrEither for a
// number that may be meant as a percentage.
func Discounted(text string, full money.Ariary) (money.Ariary, error) {
	text = clean.Text(text, MaxWidth)
	number, isOff := strings.CutPrefix(text, "-")
	number = strings.TrimSpace(number)
	price, err := ParsePrice(number)
	if share, is := strings.CutSuffix(number, "%"); is {
		var hundredths uint64
		hundredths, err = strconv.ParseUint(strings.TrimSpace(share), 10, 7)
		price = (full*money.Ariary(100-min(100, hundredths)) + 50) / 100
	} else if isOff {
		price = full - price
	}
	switch {
	case errors.Is(err, money.ErrTooLarge):
		return 0, err
	case err != nil, price < 1, isOff && price == full:
		return 0, ErrDiscount
	case text == price.String() && price < minPrice && 2*price <= full:
		return 0, &Error{Err: ErrEither, Text: text + "%", Other: text + " Ar"}
	case price > full:
		return 0, ErrRaised
	}
	return price, nil
}
