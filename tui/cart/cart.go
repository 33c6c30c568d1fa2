// Package cart is the shopping cart of one till, without a user interface: the
// sale that is being entered, its undo history, and the sales that are held for
// other customers. The console and the line mode share it. It guarantees that
// equal items at an equal price are one line, that the total of the lines never
// overflows, that a line that was entered is lost by no other action than its own
// removal, and that lines of one customer never get the sale ID of another.
package cart

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
)

// Cart is a value: a method that changes it returns the changed cart, and the
// one before stays as it was.
type Cart struct {
	newSale func() payments.Sale
	sale    payments.Sale
	history []payments.Sale  // Undo stack, newest last.
	held    []payments.Sale  // The longest held first.
	heldAs  string           // The name that the current sale was held under; blank for none.
	unsaved []*payments.Sale // Write queue, each sale once, as it stood when it was queued.
}

// New returns a cart with an empty sale. newSale makes sales with an ID of their
// own.
func New(newSale func() payments.Sale) Cart { return Cart{newSale: newSale, sale: newSale()} }

// Sale returns the sale that is being entered.
func (c Cart) Sale() payments.Sale { return c.sale }

// Items returns the lines of the sale. They must not be changed.
func (c Cart) Items() []payments.Item { return c.sale.Items }

// Empty tells whether the sale has no lines.
func (c Cart) Empty() bool { return len(c.sale.Items) == 0 }

// Untouched tells whether there is nothing to lose of the sale: neither a line
// nor a note.
func (c Cart) Untouched() bool { return c.Empty() && c.sale.Description == "" }

// Terms returns the terms of an order for the sale.
func (c Cart) Terms() payments.Terms {
	return payments.Terms{
		Sale: c.sale.ID, Till: c.sale.Till, Items: c.sale.Items, Description: c.sale.Description,
	}
}

// Annotate makes a text the note to the customer; a blank one takes it away.
func (c Cart) Annotate(text string) Cart {
	next := c.sale
	next.Description = payments.Clean(text, payments.MaxDescriptionWidth)
	if next.Description == c.sale.Description {
		return c
	}
	return c.change(next)
}

// Drop throws the lines and the note away, and begins another sale. Undo brings
// them back.
func (c Cart) Drop() Cart { return c.change(payments.Sale{ID: c.sale.ID, Till: c.sale.Till}) }

// Undo takes the last change back; ok is false when there is none.
func (c Cart) Undo() (_ Cart, ok bool) {
	last := len(c.history) - 1
	if last < 0 {
		return c, false
	}
	c.sale, c.history = c.history[last], c.history[:last]
	return c.Save(), true
}

// change makes next the sale, so that it can be undone. A sale of which nothing
// is left is over: what is entered then is another customer's, and has an ID of
// its own.
func (c Cart) change(next payments.Sale) Cart {
	c.history = append(slices.Clone(c.history), c.sale)
	c = c.queue(next)
	if c.sale = next; c.Untouched() {
		c.sale, c.heldAs = c.newSale(), ""
	}
	return c
}

// begin begins a new sale; what was done before cannot be undone.
func (c Cart) begin() Cart {
	c.sale, c.history, c.heldAs = c.newSale(), nil, ""
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
			c.held = append(slices.Clone(c.held), sale)
		default:
			nameless = append(nameless, sale)
		}
	}
	if last := len(nameless) - 1; last >= 0 && c.Untouched() {
		c.sale, nameless, resumed = nameless[last], nameless[:last], true
	}
	for _, sale := range nameless {
		c = c.putAside(sale, c.FreeName(), now)
	}
	return c, resumed
}

// Charged removes a sale of which an order was made; when it is the current one
// a new sale begins.
func (c Cart) Charged(id string) Cart {
	c.held = without(c.held, id)
	if c.sale.ID != id {
		return c
	}
	return c.begin()
}

// ChargedAs takes in that an order was made of a sale as it stands here. A
// current sale that has other lines by now is another sale, and is written again.
func (c Cart) ChargedAs(sale payments.Sale) Cart {
	if c.sale.ID == sale.ID && (c.sale.Description != sale.Description || !slices.Equal(c.sale.Items, sale.Items)) {
		return c.Save()
	}
	return c.Charged(sale.ID)
}

// GiveBack brings back the lines of an order that is not to be paid: as the
// current sale or, while that holds something, as a held one, whose name is
// returned. ok is false when they are in the cart already.
func (c Cart) GiveBack(terms payments.Terms, now time.Time) (_ Cart, heldAs string, ok bool) {
	sale := payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items, Description: terms.Description}
	if sale.ID == "" {
		sale.ID = c.newSale().ID
	}
	switch {
	case c.knows(sale.ID):
		return c, "", false
	case c.Untouched():
		c.sale, c.history = sale, nil
		return c.Save(), "", true
	}
	name := c.FreeName()
	return c.putAside(sale, name, now), name, true
}

func (c Cart) knows(id string) bool {
	return c.sale.ID == id || slices.ContainsFunc(c.held, func(sale payments.Sale) bool { return sale.ID == id })
}

// Held returns the sales that are held, the longest held first. They must not be
// changed.
func (c Cart) Held() []payments.Sale { return c.held }

// HeldAs returns the index of the sale that is held under a name, -1 for none;
// case does not matter.
func (c Cart) HeldAs(name string) int {
	return slices.IndexFunc(c.held, func(sale payments.Sale) bool { return strings.EqualFold(sale.Name, name) })
}

// FreeName proposes a name to hold the sale under: the one that it had, or the
// first number that is free.
func (c Cart) FreeName() string {
	if c.heldAs != "" && c.HeldAs(c.heldAs) < 0 {
		return c.heldAs
	}
	for n := 1; ; n++ {
		if name := strconv.Itoa(n); c.HeldAs(name) < 0 {
			return name
		}
	}
}

// Name is the name that the sale was held under; blank for none.
func (c Cart) Name() string { return c.heldAs }

// Hold puts the sale aside under a name, or under FreeName when that is blank, and
// begins a new one. ok is false when another sale is held under the name.
func (c Cart) Hold(name string, now time.Time) (_ Cart, heldAs string, ok bool) {
	if name = payments.Clean(name, payments.MaxTillWidth); name == "" {
		name = c.FreeName()
	}
	if c.HeldAs(name) >= 0 {
		return c, name, false
	}
	return c.putAside(c.sale, name, now).begin(), name, true
}

func (c Cart) putAside(sale payments.Sale, name string, now time.Time) Cart {
	sale.Name, sale.UpdatedAt = name, now.UTC()
	c.held = append(slices.Clone(c.held), sale)
	return c.queue(sale)
}

// Resume goes on with a held sale; the current one must be untouched.
func (c Cart) Resume(index int) Cart {
	sale := c.held[index]
	c.held, c.heldAs = without(c.held, sale.ID), sale.Name
	sale.Name = ""
	c.sale, c.history = sale, nil
	return c.Save()
}

// DropHeld throws a held sale away.
func (c Cart) DropHeld(index int) Cart {
	sale := c.held[index]
	c.held = without(c.held, sale.ID)
	return c.queue(payments.Sale{ID: sale.ID, Till: sale.Till})
}

// Save queues the current sale to be written to disk.
func (c Cart) Save() Cart { return c.queue(c.sale) }

// queue replaces an older state of the sale that still waits to be written.
func (c Cart) queue(sale payments.Sale) Cart {
	c.unsaved = slices.DeleteFunc(slices.Clone(c.unsaved), func(older *payments.Sale) bool { return older.ID == sale.ID })
	c.unsaved = append(c.unsaved, &sale)
	return c
}

// Unsaved is the write queue: the sales that are not on disk, that which has
// waited longest first. One write must end before the next begins, so that an
// older state of a sale never lands on a newer one. They must not be changed.
func (c Cart) Unsaved() []*payments.Sale { return c.unsaved }

// Written takes a sale of Unsaved off the write queue, unless a newer state of it
// waits by now.
func (c Cart) Written(sale *payments.Sale) Cart {
	c.unsaved = slices.DeleteFunc(slices.Clone(c.unsaved), func(other *payments.Sale) bool { return other == sale })
	return c
}

func without(sales []payments.Sale, id string) []payments.Sale {
	return slices.DeleteFunc(slices.Clone(sales), func(sale payments.Sale) bool { return sale.ID == id })
}
