// Package cart is the shopping cart of one till, without a user interface: the current sale with
// its undo history, and the sales that are held for other customers.
//
// It guarantees:
//
//   - An item that differs from a line only in the quantity is added to that line, unless it was
//     weighed or measured.
//   - The total of the lines never overflows.
//   - An entered line is lost only when the line or its sale is removed, or when the entry is undone.
//   - The lines for one customer never get the ID of another customer's sale.
package cart

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// Cart is a value: a method that changes it returns a changed copy. Change its fields only by
// methods.
type Cart struct {
	Sale payments.Sale
	Name string // Name under which the current sale was held before; blank if it was not held.
	Held []payments.Sale
	// Unsaved is the write queue: the latest state of each sale whose changes are not on disk. A
	// sale without lines and note is to be removed from the disk. Writes must run one after the
	// other, in this order.
	Unsaved []*payments.Sale

	newSale func() payments.Sale
	history []payments.Sale // Undo stack, newest last.
}

// New returns a cart with an empty sale. newSale returns a sale with a new ID.
func New(newSale func() payments.Sale) Cart { return Cart{newSale: newSale, Sale: newSale()} }

// Items returns the lines of the current sale.
func (c Cart) Items() []payments.Item { return c.Sale.Items }

// Empty reports whether the current sale has no lines.
func (c Cart) Empty() bool { return len(c.Sale.Items) == 0 }

// Untouched reports whether the current sale has neither lines nor a note to the customer.
func (c Cart) Untouched() bool { return c.Empty() && c.Sale.Description == "" }

// Terms returns the terms of an order for the current sale; see [TermsOf].
func (c Cart) Terms() payments.Terms { return TermsOf(c.Sale) }

// TermsOf returns the terms of an order for a sale or, if a part of it is paid, for the rest.
func TermsOf(sale payments.Sale) payments.Terms {
	terms := payments.Terms{Sale: sale.ID, Till: sale.Till, Items: sale.Items, Description: sale.Description, Debt: sale.Debt}
	if sale.Taken > 0 {
		terms.Part = payments.Part{Amount: Total(sale.Items) - sale.Taken, Taken: sale.Taken, RestOf: sale.RestOf}
	}
	return terms
}

// Find returns the current or held sale with an ID, or the zero sale.
func (c Cart) Find(id string) payments.Sale {
	for _, sale := range append(slices.Clone(c.Held), c.Sale) {
		if sale.ID == id {
			return sale
		}
	}
	return payments.Sale{}
}

// Took sets how much a customer has paid of a sale. restOf is the number of the sale's oldest
// payment at the counter whose money was not all given back.
func (c Cart) Took(id string, taken money.Ariary, restOf string) Cart {
	if c.Sale.ID == id {
		if c.Sale.Taken != taken {
			c.history = nil
		}
		c.Sale.Taken = taken
		c.Sale.RestOf = restOf
	}
	c.Held = slices.Clone(c.Held)
	for i := range c.Held {
		if c.Held[i].ID == id {
			c.Held[i].Taken = taken
			c.Held[i].RestOf = restOf
		}
	}
	return c
}

// Annotate sets the current sale's note to the customer. A blank text removes the note.
func (c Cart) Annotate(text string) Cart {
	next := c.Sale
	next.Description = clean.Text(text, payments.MaxDescriptionWidth)
	if next.Description == c.Sale.Description {
		return c
	}
	return c.change(next)
}

// Drop removes the lines and the note of the current sale, and begins a new sale. Undo restores the
// dropped one.
func (c Cart) Drop() Cart { return c.change(payments.Sale{ID: c.Sale.ID, Till: c.Sale.Till}) }

// Undo undoes the last change of the current sale. ok is false if there is no change to undo.
func (c Cart) Undo() (_ Cart, ok bool) {
	last := len(c.history) - 1
	if last < 0 {
		return c, false
	}
	before := c.history[last]
	c.history = c.history[:last]
	return c.become(before), true
}

// change makes next the current sale and adds a step to the undo history.
func (c Cart) change(next payments.Sale) Cart {
	c.history = append(slices.Clone(c.history), c.Sale)
	return c.become(next)
}

// become makes next the current sale. If next has no lines and no note, the sale has ended, and a
// sale with a new ID begins for the next customer.
func (c Cart) become(next payments.Sale) Cart {
	c = c.queue(next)
	if c.Sale = next; c.Untouched() {
		c.Sale, c.Name = c.newSale(), ""
	}
	return c
}

func (c Cart) begin() Cart {
	c.Sale = c.newSale()
	c.history = nil
	c.Name = ""
	return c
}

// Restore adds unfinished sales from the disk, except those that the cart has. The newest sale must
// be the first. If the current sale is untouched, the newest sale without a name replaces it, and
// resumed is true. The other sales are held; a sale without a name gets a free name.
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
		c.history = nil
		nameless = nameless[:last]
		resumed = true
	}
	for _, sale := range nameless {
		c = c.putAside(sale, c.FreeName(), now)
	}
	return c, resumed
}

// Charged removes a sale after it was charged. A sale that was edited after the charge began stays
// and is saved again. After the charge of a rest (RestOf is set), only edited lines keep the sale:
// the terms of such an order may lack the note.
func (c Cart) Charged(sale payments.Sale) Cart {
	if kept := c.Find(sale.ID); kept.ID != "" {
		noted := kept.Description != sale.Description
		if noted && sale.RestOf == "" || !slices.Equal(kept.Items, sale.Items) {
			return c.queue(kept)
		}
		if noted { // The sale may be on disk again with its new note, so remove it.
			c = c.queue(payments.Sale{ID: sale.ID, Till: sale.Till})
		}
	}
	c.Held = without(c.Held, sale.ID)
	if c.Sale.ID != sale.ID {
		return c
	}
	return c.begin()
}

// Ended removes a sale that was fully paid outside this cart, for example by an earlier link.
func (c Cart) Ended(id string) Cart {
	sale := c.Find(id)
	return c.queue(payments.Sale{ID: sale.ID, Till: sale.Till}).Charged(sale)
}

// SaleOf makes a sale from the terms of an order. The sale has no name and no time.
func SaleOf(terms payments.Terms) payments.Sale {
	sale := payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items, Description: terms.Description, Debt: terms.Debt}
	if terms.Part.RestOf != "" {
		sale.Taken = terms.Part.Taken
		sale.RestOf = terms.Part.RestOf
	}
	return sale
}

// PutBack puts the lines of an order back into the cart. If the current sale is untouched, they
// replace it. Otherwise they become a held sale with the name heldAs. If the cart still has the
// order's sale, ok is false and nothing changes.
func (c Cart) PutBack(terms payments.Terms, now time.Time) (_ Cart, heldAs string, ok bool) {
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

// Recall makes the sale of an order the current sale. If the cart lacks it, Recall restores the
// lines from terms. If another sale was begun, it is held under the name heldAs.
func (c Cart) Recall(terms payments.Terms, now time.Time) (_ Cart, heldAs string) {
	if c.Sale.ID == terms.Sale {
		return c, ""
	}
	if !c.Untouched() {
		c, heldAs, _ = c.Hold("", now) // A blank name cannot fail.
	}
	if at := c.HeldAt(terms.Sale); at >= 0 {
		return c.Resume(at), heldAs
	}
	c, _, _ = c.PutBack(terms, now)
	return c, heldAs
}

func (c Cart) knows(id string) bool { return c.Sale.ID == id || c.HeldAt(id) >= 0 }

// HeldAt returns the index of the held sale with an ID, or -1.
func (c Cart) HeldAt(id string) int {
	return slices.IndexFunc(c.Held, func(sale payments.Sale) bool { return sale.ID == id })
}

// HeldAs returns the index of the sale that is held under a name, or -1. It ignores case.
func (c Cart) HeldAs(name string) int {
	return slices.IndexFunc(c.Held, func(sale payments.Sale) bool { return strings.EqualFold(sale.Name, name) })
}

// FreeName returns a name that no held sale has: the current sale's earlier name, or the first free
// number.
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

// Hold holds the current sale under a name and begins a new sale. A blank name means FreeName.
// heldAs is the cleaned name. If a held sale already has it, ok is false.
func (c Cart) Hold(name string, now time.Time) (_ Cart, heldAs string, ok bool) {
	if name = clean.Text(name, payments.MaxTillWidth); name == "" {
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

// Resume makes a held sale the current one. The current sale must be untouched.
func (c Cart) Resume(index int) Cart {
	sale := c.Held[index]
	c.Held, c.Name = without(c.Held, sale.ID), sale.Name
	sale.Name = ""
	c.Sale, c.history = sale, nil
	return c.Save()
}

// DropHeld removes a held sale. Undo cannot restore it.
func (c Cart) DropHeld(index int) Cart {
	sale := c.Held[index]
	c.Held = without(c.Held, sale.ID)
	return c.queue(payments.Sale{ID: sale.ID, Till: sale.Till})
}

// Save queues the current sale to be written to disk.
func (c Cart) Save() Cart { return c.queue(c.Sale) }

// queue adds a sale to the write queue, in place of any older state of the same sale.
func (c Cart) queue(sale payments.Sale) Cart {
	c.Unsaved = slices.DeleteFunc(slices.Clone(c.Unsaved), func(older *payments.Sale) bool { return older.ID == sale.ID })
	c.Unsaved = append(c.Unsaved, &sale)
	return c
}

// Written removes a state of a sale from the write queue after it was saved. A newer state stays.
func (c Cart) Written(sale *payments.Sale) Cart {
	c.Unsaved = slices.DeleteFunc(slices.Clone(c.Unsaved), func(other *payments.Sale) bool { return other == sale })
	return c
}

func without(sales []payments.Sale, id string) []payments.Sale {
	return slices.DeleteFunc(slices.Clone(sales), func(sale payments.Sale) bool { return sale.ID == id })
}

// Total returns the sum of items, or zero if the sum is too large, which the methods of Cart
// prevent.
func Total(items []payments.Item) money.Ariary {
	total, _ := payments.Total(items)
	return total
}
