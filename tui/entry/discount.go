package entry

import (
	"errors"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// Discounted reads a new unit price for what costs full: the price itself, a
// share that is taken off ("10%"), or an amount that is ("-500"). A share is
// rounded to the nearest ariary. The errors are ErrDiscount and
// payments.ErrTooLarge.
func Discounted(text string, full payments.Ariary) (payments.Ariary, error) {
	words := strings.Fields(payments.Clean(text, MaxWidth))
	if len(words) == 0 {
		return 0, ErrDiscount
	}
	text = strings.Join(dropUnit(words), " ")
	if share, is := strings.CutSuffix(text, "%"); is {
		return less(strings.TrimSpace(strings.TrimPrefix(share, "-")), full)
	}
	off, isOff := strings.CutPrefix(text, "-")
	amount, err := payments.ParseAriary(off)
	switch {
	case errors.Is(err, payments.ErrTooLarge):
		return 0, err
	case err != nil, isOff && amount >= full:
		return 0, ErrDiscount
	case isOff:
		return full - amount, nil
	}
	return amount, nil
}

// less takes a share of hundredths off a price.
func less(share string, full payments.Ariary) (payments.Ariary, error) {
	hundredths, err := strconv.ParseUint(share, 10, 7)
	if err != nil || hundredths > 100 {
		return 0, ErrDiscount
	}
	price := (full*payments.Ariary(100-hundredths) + 50) / 100
	if price < 1 {
		return 0, ErrDiscount
	}
	return price, nil
}
