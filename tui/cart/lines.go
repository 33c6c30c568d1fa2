package cart

import (
	"errors"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/entry"
)

// Line says where an item is after a change.
type Line struct {
	Index  int
	Joined bool // Whether the item was added to an existing line.
}

// ErrBegun says that a customer has paid a part of the sale, so that its lines cannot change.
var ErrBegun = errors.New("a part of this sale is paid: finish it or hold it first")

// ErrDebt says that the sale is the payment of a debt, so that its line cannot change.
var ErrDebt = errors.New("this is the payment of a debt: charge it, hold it or drop it first")

// Fixed returns why the lines of the current sale cannot change: [ErrDebt], [ErrBegun] or nil.
func (c Cart) Fixed() error {
	switch {
	case c.Sale.Debt != "":
		return ErrDebt
	case c.Sale.Taken > 0:
		return ErrBegun
	}
	return nil
}

// PayLess changes the amount of the current sale, which must pay a debt. Undo cannot undo this
// change.
func (c Cart) PayLess(amount money.Ariary) Cart {
	c.Sale.Items = slices.Clone(c.Sale.Items)
	c.Sale.Items[0].UnitPrice = amount
	return c.Save()
}

// Add adds items as one change, and returns the line of the last item. It returns the errors of
// [Cart.Fixed] and [payments.Total].
func (c Cart) Add(items ...payments.Item) (Cart, Line, error) {
	lines := slices.Clone(c.Sale.Items)
	var line Line
	if err := c.Fixed(); err != nil {
		return c, line, err
	}
	for _, item := range items {
		var err error
		if lines, line, err = join(lines, len(lines), item); err != nil {
			return c, Line{}, err
		}
	}
	return c.withLines(lines), line, nil
}

// Replace replaces a line with an item. If another line differs from an unmeasured item only in the
// quantity, the item is added to that line. If the item has the same label and a price below the
// list price, the line keeps its list price. An item with the same measure does not change the
// line.
func (c Cart) Replace(index int, item payments.Item) (Cart, Line, error) {
	before := c.Sale.Items[index]
	if item.Label == before.Label && before.ListPrice > item.UnitPrice {
		item.ListPrice = before.ListPrice
	}
	if item.Measured() && item.Measure == before.Measure {
		item = before
	}
	return c.put(index, item)
}

// put replaces a line like [Cart.Replace], but takes over the item unchanged.
func (c Cart) put(index int, item payments.Item) (Cart, Line, error) {
	if item == c.Sale.Items[index] {
		return c, Line{Index: index}, nil
	}
	if err := c.Fixed(); err != nil {
		return c, Line{}, err
	}
	items, line, err := join(slices.Delete(slices.Clone(c.Sale.Items), index, index+1), index, item)
	if err != nil {
		return c, Line{}, err
	}
	return c.withLines(items), line, nil
}

// ErrMeasured says that a measured line, such as 1.2 kg, has no quantity to change.
var ErrMeasured = errors.New("a measured line has no quantity to change")

// SetQuantity changes the quantity of a line. It returns [ErrMeasured] for a measured line, and the
// errors of [payments.NewItem], [Cart.Fixed] and [payments.Total].
func (c Cart) SetQuantity(index int, quantity int64) (Cart, Line, error) {
	item := c.Sale.Items[index]
	if item.Measured() {
		return c, Line{}, ErrMeasured
	}
	item, err := payments.NewItem(item.Label, item.UnitPrice, quantity)
	if err != nil {
		return c, Line{}, err
	}
	return c.Replace(index, item)
}

// Discount changes the unit price of a line by a text such as "3000", "10%" or "-500"; see
// [entry.Discounted]. A discount applies to the list price.
func (c Cart) Discount(index int, text string) (Cart, Line, error) {
	item := c.Sale.Items[index]
	price, err := entry.Discounted(text, ListPrice(item))
	if err == nil {
		item, err = item.At(price)
	}
	if err != nil {
		return c, Line{}, err
	}
	return c.put(index, item)
}

// DiscountAll takes an amount off the whole sale; see [payments.Reduce]. It returns
// [entry.ErrDiscount] and the errors of [Cart.Fixed].
func (c Cart) DiscountAll(off money.Ariary) (Cart, error) {
	if err := c.Fixed(); err != nil {
		return c, err
	}
	items, err := payments.Reduce(c.Sale.Items, off)
	if err != nil {
		return c, entry.ErrDiscount
	}
	return c.withLines(items), nil
}

// Remove removes a line. It changes nothing if [Cart.Fixed] returns an error.
func (c Cart) Remove(index int) Cart {
	if c.Fixed() != nil {
		return c
	}
	return c.withLines(slices.Delete(slices.Clone(c.Sale.Items), index, index+1))
}

// ListPrice returns the unit price of an item before any discount.
func ListPrice(item payments.Item) money.Ariary { return max(item.ListPrice, item.UnitPrice) }

// join adds an item to items, and may change the slice. An unmeasured item joins a line that
// differs only in the quantity. Any other item is inserted at index.
func join(items []payments.Item, index int, item payments.Item) ([]payments.Item, Line, error) {
	line := Line{Index: slices.IndexFunc(items, func(other payments.Item) bool {
		other.Quantity = item.Quantity
		return other == item && !item.Measured()
	})}
	if line.Joined = line.Index >= 0; line.Joined {
		item.Quantity += items[line.Index].Quantity
		items[line.Index] = item
	} else {
		line.Index, items = index, slices.Insert(items, index, item)
	}
	_, err := payments.Total(items)
	return items, line, err
}

func (c Cart) withLines(items []payments.Item) Cart {
	next := c.Sale
	next.Items = items
	return c.change(next)
}
