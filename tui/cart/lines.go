package cart

import (
	"slices"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Line says which line a change ended in.
type Line struct {
	Index  int
	Joined bool // It was there already, and has more of it now.
}

// Add adds an item: to the line that is the same but for its quantity, or as the
// last line. The errors are those of payments.NewItem and payments.Total, as for
// all methods that change lines.
func (c Cart) Add(item payments.Item) (Cart, Line, error) {
	return c.join(slices.Clone(c.Sale.Items), len(c.Sale.Items), item)
}

// Replace puts an item in the place of a line, or into the line that it then is
// the same as. A line that had a discount keeps its list price.
func (c Cart) Replace(index int, item payments.Item) (Cart, Line, error) {
	before := c.Sale.Items[index]
	if item.Label == before.Label && before.ListPrice > item.UnitPrice {
		item.ListPrice = before.ListPrice
	}
	if item == before {
		return c, Line{Index: index}, nil
	}
	return c.join(slices.Delete(slices.Clone(c.Sale.Items), index, index+1), index, item)
}

// SetQuantity gives a line another quantity.
func (c Cart) SetQuantity(index int, quantity int64) (Cart, Line, error) {
	item := c.Sale.Items[index]
	item, err := payments.NewItem(item.Label, item.UnitPrice, quantity)
	if err != nil {
		return c, Line{}, err
	}
	return c.Replace(index, item)
}

// Discount gives a line another unit price, by a text that entry.Discounted
// reads. What is taken off is taken off the list price.
func (c Cart) Discount(index int, text string) (Cart, Line, error) {
	item := c.Sale.Items[index]
	price, err := entry.Discounted(text, ListPrice(item))
	if err == nil {
		item, err = item.At(price)
	}
	if err != nil {
		return c, Line{}, err
	}
	return c.Replace(index, item)
}

// Remove takes a line out.
func (c Cart) Remove(index int) Cart {
	return c.withLines(slices.Delete(slices.Clone(c.Sale.Items), index, index+1))
}

// ListPrice is the unit price of an item before any discount.
func ListPrice(item payments.Item) payments.Ariary { return max(item.ListPrice, item.UnitPrice) }

// join makes items the lines of the sale, with one more item among them.
func (c Cart) join(items []payments.Item, index int, item payments.Item) (Cart, Line, error) {
	line := Line{Index: slices.IndexFunc(items, func(other payments.Item) bool {
		other.Quantity = item.Quantity
		return other == item
	})}
	if line.Joined = line.Index >= 0; line.Joined {
		item.Quantity += items[line.Index].Quantity
		items[line.Index] = item
	} else {
		line.Index, items = index, slices.Insert(items, index, item)
	}
	if _, err := payments.Total(items); err != nil {
		return c, Line{}, err
	}
	return c.withLines(items), line, nil
}

func (c Cart) withLines(items []payments.Item) Cart {
	next := c.Sale
	next.Items = items
	return c.change(next)
}
