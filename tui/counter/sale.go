package counter

import (
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
)

// Drop asks whether to drop the sale.
func (c *Counter) Drop() {
	if c.cart.Untouched() {
		c.tell(Refused{Empty})
		return
	}
	c.ask(Question{Kind: AskDrop, Sale: c.cart.Sale})
}

// DropHeld asks whether to drop a held sale.
func (c *Counter) DropHeld(at int) { c.ask(Question{Kind: AskDropHeld, Sale: c.cart.Held[at]}) }

// Add adds items to the sale. Like the other methods that change a line, it returns the
// errors of [cart.Cart.Add].
func (c *Counter) Add(items ...payments.Item) (cart.Line, error) {
	if c.shown.Order.Reference != "" && c.cart.Untouched() {
		c.shown.NextBegun = true
	}
	return c.change(c.cart.Add(items...))
}

// Replace replaces a line with an item.
func (c *Counter) Replace(at int, item payments.Item) (cart.Line, error) {
	return c.change(c.cart.Replace(at, item))
}

// SetQuantity changes the quantity of a line.
func (c *Counter) SetQuantity(at int, quantity int64) (cart.Line, error) {
	return c.change(c.cart.SetQuantity(at, quantity))
}

// Discount changes the unit price of a line; see [cart.Cart.Discount] for the text.
func (c *Counter) Discount(at int, text string) (cart.Line, error) {
	return c.change(c.cart.Discount(at, text))
}

// DiscountAll takes an amount off the whole sale.
func (c *Counter) DiscountAll(off money.Ariary) error {
	reduced, err := c.cart.DiscountAll(off)
	if err == nil {
		c.keep(reduced)
	}
	return err
}

// Remove removes a line from the sale. It returns the errors of [cart.Cart.Fixed].
func (c *Counter) Remove(at int) error {
	if err := c.cart.Fixed(); err != nil {
		return err
	}
	c.keep(c.cart.Remove(at))
	return nil
}

// Annotate sets the note to the customer. A blank text removes the note.
func (c *Counter) Annotate(text string) { c.keep(c.cart.Annotate(text)) }

// Undo undoes the last change of the sale. It reports whether there was a change to undo.
func (c *Counter) Undo() bool {
	before, undone := c.cart.Undo()
	if undone {
		c.keep(before)
	}
	return undone
}

// Hold puts the sale on hold under a name; see [cart.Cart.Hold] for the results.
func (c *Counter) Hold(name string) (heldAs string, free bool) {
	held, heldAs, free := c.cart.Hold(name, c.Now())
	if free {
		c.keep(held)
	}
	return heldAs, free
}

// Resume makes a held sale the current one. Call it only if [cart.Cart.Untouched] reports true for
// the cart.
func (c *Counter) Resume(at int) { c.keep(c.cart.Resume(at)) }

func (c *Counter) change(changed cart.Cart, line cart.Line, err error) (cart.Line, error) {
	if err == nil {
		c.keep(changed)
	}
	return line, err
}

// keep replaces the cart by a changed one and queues its write. It closes an open question about
// the sale, because the question shows the old total.
func (c *Counter) keep(changed cart.Cart) {
	c.changes++
	c.cart = changed
	if !changed.Untouched() {
		c.leftCode = ""
	}
	if c.Asking().OfSale() {
		c.DismissQuestion()
	}
	c.save()
}

// Save retries the writes of the sales that are not on disk.
func (c *Counter) Save() { c.write(SaveSale{again: true}) }

func (c *Counter) save() { c.write(SaveSale{}) }

// write writes the next sale of the cart's queue, unless a write is under way.
func (c *Counter) write(save SaveSale) {
	if len(c.cart.Unsaved) > 0 && !c.saving {
		c.saving = true
		save.Sale = c.cart.Unsaved[0]
		c.do(save)
	}
}

// SalesRead reports whether the saved sales were read. Before, Cart lacks them.
func (c *Counter) SalesRead() bool { return c.salesRead }

// ReadSales queues a read of the saved sales, unless one is under way. [SalesRead] or [NotRestored]
// follows.
func (c *Counter) ReadSales() {
	if !c.readingSales {
		c.readingSales = true
		c.do(ReadSales{Till: c.Till})
	}
}

// restored handles the result of [ReadSales].
func (c *Counter) restored(read ReadSales) {
	c.readingSales = false
	if read.Err != nil {
		c.tell(NotRestored{})
		return
	}
	c.salesRead = true
	cart, restored := c.cart.Restore(read.Sales, c.Now())
	c.keep(cart)
	c.tell(SalesRead{Restored: restored})
}

// readParts queues a read of the sales that are paid in part. Call it when an order for the rest of a sale may have
// ended unpaid. Before the first read of all sales, it does nothing.
func (c *Counter) readParts() {
	if c.salesRead {
		c.do(ReadParts{Till: c.Till, changes: c.changes})
	}
}

// partsRead puts the sales that are paid in part, and that no sale of the cart has, back into a sale. If the cart
// has changed since the read began, such a sale may have ended, so partsRead reads again.
func (c *Counter) partsRead(read ReadParts) {
	if read.changes != c.changes && read.Err == nil {
		c.readParts()
		return
	}
	for _, sale := range read.Sales {
		c.putBack(cart.TermsOf(sale), true)
		c.hasTaken(sale.ID, sale.Taken, sale.RestOf)
	}
}

// drop drops the current sale or a held one. It first gives back what the customer has paid of the sale.
func (c *Counter) drop(sale payments.Sale) {
	if sale.Taken > 0 {
		c.do(VoidParts{Sale: sale, Reason: c.Dropped})
		return
	}
	if c.cart.Sale.ID == sale.ID {
		c.keep(c.cart.Drop())
		c.tell(Dropped{})
	} else if at := c.cart.HeldAt(sale.ID); at >= 0 {
		c.keep(c.cart.DropHeld(at))
		c.tell(Dropped{Held: true})
	}
}

// voidedParts handles the result of voiding what a customer paid of a sale.
func (c *Counter) voidedParts(done VoidParts) {
	if done.Err != nil {
		c.do(ReadTaken{Sale: done.Sale.ID})
		c.tell(CashNotTaken{Err: done.Err})
		return
	}
	c.cart = c.cart.Took(done.Sale.ID, 0, "")
	done.Sale.Taken = 0
	c.drop(done.Sale)
	c.Wake()
}

// readTaken handles what was read about the part of a sale that is paid.
func (c *Counter) readTaken(read ReadTaken) {
	if read.Err == nil {
		c.hasTaken(read.Sale, read.Taken, read.RestOf)
	}
}

// hasTaken sets what a customer has paid of a sale. If that is all, the sale ends.
func (c *Counter) hasTaken(id string, taken money.Ariary, restOf string) {
	c.cart = c.cart.Took(id, taken, restOf)
	if sale := c.cart.Find(id); taken > 0 && sale.ID != "" && taken >= cart.Total(sale.Items) && !c.Charging() {
		current := c.cart.Sale.ID == id
		c.keep(c.cart.Ended(id))
		c.tell(SaleCharged{Current: current, Recovered: true})
	}
}

// endSale ends a sale that was charged, unless the sale was edited since.
func (c *Counter) endSale(sale payments.Sale, recovered bool) {
	before := c.cart.Sale.ID
	c.keep(c.cart.Charged(sale))
	c.tell(SaleCharged{Current: c.cart.Sale.ID != before, Recovered: recovered})
}

// putBack puts the lines of an order back into a sale. It does nothing if a sale still has those
// lines. wanted reports whether the cashier asked for the lines.
func (c *Counter) putBack(terms payments.Terms, wanted bool) {
	back, heldAs, away := c.cart.PutBack(terms, c.Now())
	if !away {
		return
	}
	c.keep(back)
	c.tell(LinesKept{HeldAs: heldAs, Wanted: wanted})
}

// join puts the lines of an order back into a sale and adds the lines of the current sale. If a
// line cannot be added, for example because the sum is too large, the sales stay separate.
func (c *Counter) join(terms payments.Terms) {
	joined, _, away := c.cart.Drop().PutBack(terms, c.Now())
	for _, item := range c.cart.Items() {
		var err error
		joined, _, err = joined.Add(item)
		if err != nil {
			c.putBack(terms, true)
			return
		}
	}
	c.keep(joined)
	if away {
		c.tell(LinesKept{Wanted: true})
	}
}
