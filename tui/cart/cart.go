// Package cart is the shopping cart of one till, without a user interface: the
// sale that is being entered, its undo history, and the sales that are held for
// other customers. The console and the line mode share it. It guarantees that
// equal items at an equal price are one line, that the total of the lines never
// overflows, that a line that was entered is lost by no other action than its
// removal or that of its sale, and that lines of one customer never get the sale ID of another.
package cart

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
)

// Cart is a value: a method that changes it returns the changed cart, and the
// one before stays as it was. Nothing else changes its sales and their lines.
type Cart struct {
	Sale payments.Sale   // What is being entered.
	Name string          // The name that it was held under; blank for none.
	Held []payments.Sale // The sales that are held, the longest held first.
	// Unsaved is the write queue: the sales that are not on disk, as they stood when
	// they were queued, each once, that which has waited longest first. One write must
	// end before the next begins, so that an older state of a sale never lands on a
	// newer one.
	Unsaved []*payments.Sale

	newSale func() payments.Sale
	history []payments.Sale // Undo stack, newest last.
}

// New returns a cart with an empty sale. newSale makes sales with an ID of their
// own.
func New(newSale func() payments.Sale) Cart { return Cart{newSale: newSale, Sale: newSale()} }

// Items returns the lines of the sale.
func (c Cart) Items() []payments.Item { return c.Sale.Items }

// Empty tells whether the sale has no lines.
func (c Cart) Empty() bool { return len(c.Sale.Items) == 0 }

// Untouched tells whether there is nothing to lose of the sale: neither a line
// nor a note.
func (c Cart) Untouched() bool { return c.Empty() && c.Sale.Description == "" }

// Terms returns the terms of an order for the sale.
func (c Cart) Terms() payments.Terms {
	return payments.Terms{
		Sale: c.Sale.ID, Till: c.Sale.Till, Items: c.Sale.Items, Description: c.Sale.Description,
	}
}

// Annotate makes a text the note to the customer; a blank one takes it away.
func (c Cart) Annotate(text string) Cart {
	next := c.Sale
	next.Description = payments.Clean(text, payments.MaxDescriptionWidth)
	if next.Description == c.Sale.Description {
		return c
	}
	return c.change(next)
}

// Drop throws the lines and the note away, and begins another sale. Undo brings
// them back.
func (c Cart) Drop() Cart { return c.change(payments.Sale{ID: c.Sale.ID, Till: c.Sale.Till}) }

// Undo takes the last change back; ok is false when there is none.
func (c Cart) Undo() (_ Cart, ok bool) {
	last := len(c.history) - 1
	if last < 0 {
		return c, false
	}
	c.Sale, c.history = c.history[last], c.history[:last]
	return c.Save(), true
}

// change makes next the sale, so that it can be undone. A sale of which nothing
// is left is over: what is entered then is another customer's, and has an ID of
// its own.
func (c Cart) change(next payments.Sale) Cart {
	c.history = append(slices.Clone(c.history), c.Sale)
	c = c.queue(next)
	if c.Sale = next; c.Untouched() {
		c.Sale, c.Name = c.newSale(), ""
	}
	return c
}

// begin begins a new sale; what was done before cannot be undone.
func (c Cart) begin() Cart {
	c.Sale = c.newSale()
	c.history = nil
	c.Name = ""
	return c
}

// Restore takes in the unfinished sales of the till, newest first, as they were
// read from disk. The newest one without a name is the sale again, if that is
// untouched; others without a name are held. resumed tells whether the sale was
// replaced.
func (c Cart) Restore(sales []payments.Sale, now time.Time) (_ Cart, resumed bool) {
	var nameless []payments.Sale
	for _, sale := range slices.Backward(sales) {
		switch {
		case c.knows(sale.ID):
		case sale.Name != "":
			c.Held = append(slices.Clone(c.Held), sale)
		default:
			nameless = append(nameless, sale)
		}
	}
	if last := len(nameless) - 1; last >= 0 && c.Untouched() {
		c.Sale = nameless[last]
		nameless = nameless[:last]
		resumed = true
	}
	for _, sale := range nameless {
		c = c.putAside(sale, c.FreeName(), now)
	}
	return c, resumed
}

// Charged removes a sale of which an order was made as it stands here; when it is
// the current one a new sale begins. One that has other lines or another note by now
// is still to be charged: it stays, and is written again.
func (c Cart) Charged(sale payments.Sale) Cart {
	for _, kept := range append(slices.Clone(c.Held), c.Sale) {
		changed := kept.Description != sale.Description || !slices.Equal(kept.Items, sale.Items)
		if kept.ID == sale.ID && changed {
			return c.queue(kept)
		}
	}
	c.Held = without(c.Held, sale.ID)
	if c.Sale.ID != sale.ID {
		return c
	}
	return c.begin()
}

// SaleOf returns the sale that the terms of an order are of.
func SaleOf(terms payments.Terms) payments.Sale {
	return payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items, Description: terms.Description}
}

// GiveBack brings back the lines of an order that is not to be paid: as the
// current sale or, while that holds something, as a held one, whose name is
// returned. ok is false when they are in the cart already.
func (c Cart) GiveBack(terms payments.Terms, now time.Time) (_ Cart, heldAs string, ok bool) {
	sale := SaleOf(terms)
	if sale.ID == "" {
		sale.ID = c.newSale().ID
	}
	switch {
	case c.knows(sale.ID):
		return c, "", false
	case c.Untouched():
		c.Sale, c.history = sale, nil
		return c.Save(), "", true
	}
	name := c.FreeName()
	return c.putAside(sale, name, now), name, true
}

func (c Cart) knows(id string) bool {
	return c.Sale.ID == id || slices.ContainsFunc(c.Held, func(sale payments.Sale) bool { return sale.ID == id })
}

// HeldAs returns the index of the sale that is held under a name, -1 for none;
// case does not matter.
func (c Cart) HeldAs(name string) int {
	return slices.IndexFunc(c.Held, func(sale payments.Sale) bool { return strings.EqualFold(sale.Name, name) })
}

// FreeName proposes a name to hold the sale under: the one that it had, or the
// first number that is free.
func (c Cart) FreeName() string {
	if c.Name != "" && c.HeldAs(c.Name) < 0 {
		return c.Name
	}
	for n := 1; ; n++ {
		if name := strconv.Itoa(n); c.HeldAs(name) < 0 {
			return name
		}
	}
}

// Hold puts the sale aside under a name, or under FreeName when that is blank, and
// begins a new one. ok is false when another sale is held under the name.
func (c Cart) Hold(name string, now time.Time) (_ Cart, heldAs string, ok bool) {
	if name = payments.Clean(name, payments.MaxTillWidth); name == "" {
		name = c.FreeName()
	}
	if c.HeldAs(name) >= 0 {
		return c, name, false
	}
	return c.putAside(c.Sale, name, now).begin(), name, true
}

func (c Cart) putAside(sale payments.Sale, name string, now time.Time) Cart {
	sale.Name, sale.UpdatedAt = name, now.UTC()
	c.Held = append(slices.Clone(c.Held), sale)
	return c.queue(sale)
}

// Resume goes on with a held sale; the current one must be untouched.
func (c Cart) Resume(index int) Cart {
	sale := c.Held[index]
	c.Held, c.Name = without(c.Held, sale.ID), sale.Name
	sale.Name = ""
	c.Sale, c.history = sale, nil
	return c.Save()
}

// DropHeld throws a held sale away.
func (c Cart) DropHeld(index int) Cart {
	sale := c.Held[index]
	c.Held = without(c.Held, sale.ID)
	return c.queue(payments.Sale{ID: sale.ID, Till: sale.Till})
}

// Save queues the current sale to be written to disk.
func (c Cart) Save() Cart { return c.queue(c.Sale) }

// queue replaces an older state of the sale that still waits to be written.
func (c Cart) queue(sale payments.Sale) Cart {
	c.Unsaved = slices.DeleteFunc(slices.Clone(c.Unsaved), func(older *payments.Sale) bool { return older.ID == sale.ID })
	c.Unsaved = append(c.Unsaved, &sale)
	return c
}

// Written takes a sale of Unsaved off the write queue, unless a newer state of it
// waits by now.
func (c Cart) Written(sale *payments.Sale) Cart {
	c.Unsaved = slices.DeleteFunc(slices.Clone(c.Unsaved), func(other *payments.Sale) bool { return other == sale })
	return c
}

func without(sales []payments.Sale, id string) []payments.Sale {
	return slices.DeleteFunc(slices.Clone(sales), func(sale payments.Sale) bool { return sale.ID == id })
}

// Total is what items come to; zero for a sum that is too large, which no cart has.
func Total(items []payments.Item) payments.Ariary {
	total, _ := payments.Total(items)
	return total
}
