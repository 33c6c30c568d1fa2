package entry

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// Joined puts an item among others: into the line that is the same but for its
// quantity, or else in a line of its own at a place. It returns the lines and
// where that is; items may be changed. The errors are those of payments.NewItem
// and payments.Total.
func Joined(items []payments.Item, place int, item payments.Item) ([]payments.Item, int, error) {
	at := slices.IndexFunc(items, func(other payments.Item) bool {
		other.Quantity = item.Quantity
		return other == item
	})
	if at < 0 {
		at, items = place, slices.Insert(items, place, item)
	} else {
		sum, err := Times(item, items[at].Quantity+item.Quantity)
		if err != nil {
			return nil, 0, err
		}
		items[at] = sum
	}
	_, err := payments.Total(items)
	return items, at, err
}

// Times is an item in another quantity. The errors are those of
// payments.NewItem.
func Times(item payments.Item, quantity int64) (payments.Item, error) {
	changed, err := payments.NewItem(item.Label, item.UnitPrice, quantity)
	if err == nil {
		changed.ListPrice = item.ListPrice
	}
	return changed, err
}

// FullPrice is the unit price of an item before any discount.
func FullPrice(item payments.Item) payments.Ariary { return max(item.ListPrice, item.UnitPrice) }

// Reduced is an item at the unit price that a text gives it, by [Discounted].
// What is taken off is taken off the price before any discount.
func Reduced(item payments.Item, text string) (payments.Item, error) {
	item.UnitPrice, item.ListPrice = FullPrice(item), 0
	price, err := Discounted(text, item.UnitPrice)
	if err != nil {
		return payments.Item{}, err
	}
	return item.At(price)
}

// Corrected is what stands in the place of an item that was corrected: a line
// that had a discount keeps its old price with it.
func Corrected(before, item payments.Item) payments.Item {
	if item.Label == before.Label && before.ListPrice > item.UnitPrice {
		item.ListPrice = before.ListPrice
	}
	return item
}

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
