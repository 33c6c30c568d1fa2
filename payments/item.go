package payments

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// Item is one line of a sale.
type Item struct {
	Label     string       // Cleaned by [clean.Text], not blank, at most MaxLabelWidth columns.
	UnitPrice money.Ariary // 1 to MaxAriary.
	Quantity  int64        // At least 1.
	// ListPrice is the unit price before a discount; 0 without one. It is not sent to the service.
	ListPrice money.Ariary
	// Measure is what was weighed or measured; zero for whole pieces. The payment service does not
	// get it: only the label names it, as in "Vary 1,2 kg".
	Measure Measure
}

// Measure is how much of an article was weighed or measured, such as 1.2 kg. An item with a measure
// has the quantity 1, and its unit price is the price of the whole measure.
type Measure struct {
	Article     string       // Label of the article in the catalogue, without the measure.
	Thousandths int64        // Amount in thousandths of the unit; 0 if the item has no measure.
	Unit        string       // kg, l or m. Blank for a fraction of a piece, such as half a cake.
	Price       money.Ariary // Price of one whole unit, before a discount on the line.
}

// Decimal formats thousandths without trailing zeros: 1200 gives "1.2" if mark is ".".
func Decimal(thousandths int64, mark string) string {
	whole := strconv.FormatInt(thousandths/1000, 10)
	decimals := strings.TrimRight(fmt.Sprintf("%03d", thousandths%1000), "0")
	if decimals == "" {
		return whole
	}
	return whole + mark + decimals
}

// NewItem returns an item; it cleans the label with [clean.Text]. It returns [ErrInvalidItem] if
// the label is blank, or the price or the quantity is not above zero, and [money.ErrTooLarge] for a
// total above [money.MaxAriary].
func NewItem(label string, unitPrice money.Ariary, quantity int64) (Item, error) {
	item := Item{Label: clean.Text(label, MaxLabelWidth), UnitPrice: unitPrice, Quantity: quantity}
	switch {
	case item.Label == "":
		return Item{}, fmt.Errorf("%w: the label is blank", ErrInvalidItem)
	case unitPrice <= 0:
		return Item{}, fmt.Errorf("%w: the unit price must be above zero", ErrInvalidItem)
	case quantity <= 0:
		return Item{}, fmt.Errorf("%w: the quantity must be above zero", ErrInvalidItem)
	}
	total, err := unitPrice.Times(quantity)
	if err != nil || total > money.MaxAriary {
		return Item{}, money.ErrTooLarge
	}
	return item, nil
}

// NewMeasured returns an item for a measured part of an article. Its price is the price of the
// whole measure, rounded half up. label must name the article and the measure, such as "Vary 1,2
// kg". The errors are those of [NewItem], and [ErrTooSmall] if the price rounds to 0.
func NewMeasured(measure Measure, label string) (Item, error) {
	if measure.Thousandths <= 0 {
		return Item{}, fmt.Errorf("%w: the measure must be above zero", ErrInvalidItem)
	}
	article, err := NewItem(measure.Article, measure.Price, 1)
	if err != nil {
		return Item{}, err
	}
	measure.Article = article.Label
	thousandfold, err := measure.Price.Times(measure.Thousandths)
	if err == nil {
		thousandfold, err = thousandfold.Plus(500)
	}
	if err != nil {
		return Item{}, err
	}
	if thousandfold < 1000 {
		return Item{}, ErrTooSmall
	}
	item, err := NewItem(label, thousandfold/1000, 1)
	if err == nil {
		item.Measure = measure
	}
	return item, err
}

// Measured reports whether the item has a Measure, such as 1.2 kg.
func (i Item) Measured() bool { return i.Measure.Thousandths > 0 }

// Article returns the label of the item without its measure.
func (i Item) Article() string {
	if i.Measured() {
		return i.Measure.Article
	}
	return i.Label
}

// At returns the item with another unit price. ListPrice becomes the highest earlier price, or 0 if
// that is not above the new one. The errors are those of [NewItem].
func (i Item) At(unitPrice money.Ariary) (Item, error) {
	if _, err := NewItem(i.Label, unitPrice, i.Quantity); err != nil {
		return Item{}, err
	}
	i.ListPrice = max(i.ListPrice, i.UnitPrice)
	if i.ListPrice <= unitPrice {
		i.ListPrice = 0
	}
	i.UnitPrice = unitPrice
	return i, nil
}

// Total returns the price of all units. It cannot overflow for items made by [NewItem].
func (i Item) Total() money.Ariary { return i.UnitPrice * money.Ariary(i.Quantity) }

// Total returns the sum of the items, or [money.ErrTooLarge] if it is above [money.MaxAriary].
func Total(items []Item) (money.Ariary, error) {
	var sum money.Ariary
	for _, item := range items {
		line, err := item.UnitPrice.Times(item.Quantity)
		if err == nil {
			sum, err = sum.Plus(line)
		}
		if err != nil || sum > money.MaxAriary {
			return 0, money.ErrTooLarge
		}
	}
	return sum, nil
}

// Reduce spreads a discount over items in proportion to their prices, so that the total falls by
// exactly off. The discount of each piece is rounded down, and the pieces with the largest
// remainders get one ariary more. An item of which only some pieces get one more is split into two.
// The errors are those of [Total], and [ErrInvalidItem] if off is not between zero and the total,
// or if a piece would cost nothing.
func Reduce(items []Item, off money.Ariary) ([]Item, error) {
	total, err := Total(items)
	if err != nil {
		return nil, err
	}
	if off <= 0 || off >= total {
		return nil, fmt.Errorf("%w: the discount must be above zero and below the total", ErrInvalidItem)
	}
	type share struct {
		each      money.Ariary
		remainder uint64
		more      int64 // Number of pieces that get one ariary more.
	}
	shares := make([]share, len(items))
	order := make([]int, len(items))
	left := off
	for i, item := range items {
		high, low := bits.Mul64(uint64(off), uint64(item.UnitPrice))      //nolint:gosec // The amounts are above zero.
		each, remainder := bits.Div64(high, low, uint64(total))           //nolint:gosec // The total is above zero.
		shares[i] = share{each: money.Ariary(each), remainder: remainder} //nolint:gosec // The share is below the price.
		left -= shares[i].each * money.Ariary(item.Quantity)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shares[b].remainder, shares[a].remainder) })
	for _, i := range order {
		shares[i].more = min(items[i].Quantity, int64(left))
		left -= money.Ariary(shares[i].more)
	}
	var reduced []Item
	for i, item := range items {
		each, more := shares[i].each, shares[i].more
		for _, part := range []struct {
			pieces   int64
			discount money.Ariary
		}{{more, each + 1}, {item.Quantity - more, each}} {
			if part.pieces == 0 {
				continue
			}
			item.Quantity = part.pieces
			cheaper, err := item.At(item.UnitPrice - part.discount)
			if err != nil {
				return nil, err
			}
			reduced = append(reduced, cheaper)
		}
	}
	return reduced, nil
}
