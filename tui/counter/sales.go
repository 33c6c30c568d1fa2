package counter

import (
	"cmp"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
)

type sales struct {
	*Config
	*queue
	*asking
	seller       string // Name of the cashier who has signed in; empty without one.
	cart         cart.Cart
	changes      int // Counted up by keep and pay: a read of payments that began earlier is out of date.
	saving       bool
	salesRead    bool
	readingSales bool
	// Reference of the order that [Counter.BackToCode] shows, or empty.
	leftCode string
}

// SignIn sets the name of the cashier who sells, also in an open question.
func (s *sales) SignIn(name string) {
	s.seller = name
	if s.question != nil && s.question.Terms.Reference == "" { // An order that is sent again keeps its cashier.
		s.question.Terms.By = name
	}
}

// Seller returns the name of the cashier who has signed in, or "".
func (s *sales) Seller() string { return s.seller }

// Cart returns the sale, the held sales, and the sales that are not yet on disk.
func (s *sales) Cart() cart.Cart { return s.cart }

// Doubted reports whether the open question is about another payment of the current sale.
func (s *sales) Doubted() bool {
	return s.question != nil && s.question.Unbidden && s.question.Terms.Sale == s.cart.Sale.ID
}

// terms returns the terms to charge the sale, or its rest.
func (s *sales) terms() payments.Terms {
	terms := s.cart.Terms()
	terms.By = s.seller
	if terms.Part.RestOf != "" {
		terms.Part.Label = s.Words.Rest(cart.Total(terms.Items))
	}
	return terms
}

// termsOf returns the terms for the lines of an order. They name this till, because its account
// gets the money.
func (s *sales) termsOf(order payments.Order) payments.Terms {
	terms := order.Terms()
	terms.Till = s.Till
	return terms
}

// Ways returns the tenders at the counter for the sale. A debt cannot be paid on account.
func (s *sales) Ways() []drawer.Tender {
	if s.cart.Sale.Debt == "" {
		return s.Tenders
	}
	return slices.DeleteFunc(slices.Clone(s.Tenders), func(tender drawer.Tender) bool { return tender == drawer.TenderAccount })
}

// NextTender returns the tender that [Counter.Tender] asks about next, or "" if there is none.
func (s *sales) NextTender() drawer.Tender {
	ways, next := s.Ways(), 0
	if s.Asking() == AskTender || s.Asking() == AskRest {
		next = slices.Index(ways, s.question.Tender) + 1
	}
	if len(ways) == 0 {
		return ""
	}
	return ways[next%len(ways)]
}

// Drop asks whether to drop the sale. For an untouched sale, it reports [Refused].
func (s *sales) Drop() {
	if s.cart.Untouched() {
		s.tell(Refused{Empty})
		return
	}
	s.ask(Question{Kind: AskDrop, Sale: s.cart.Sale})
}

// DropHeld asks whether to drop a held sale. at is its index in the field Held of the cart.
func (s *sales) DropHeld(at int) { s.ask(Question{Kind: AskDropHeld, Sale: s.cart.Held[at]}) }

// Replace replaces a line with an item; see [cart.Cart.Replace].
func (s *sales) Replace(at int, item payments.Item) (cart.Line, error) {
	return s.change(s.cart.Replace(at, item))
}

// SetQuantity changes the quantity of a line. It returns [cart.ErrMeasured] and the other errors of
// [cart.Cart.SetQuantity].
func (s *sales) SetQuantity(at int, quantity int64) (cart.Line, error) {
	return s.change(s.cart.SetQuantity(at, quantity))
}

// Discount changes the unit price of a line. text is a new price or a discount, such as "3000",
// "10%" or "-500". A discount applies to the list price. The errors are those of
// [entry.Discounted] and [cart.Cart.Fixed].
func (s *sales) Discount(at int, text string) (cart.Line, error) {
	return s.change(s.cart.Discount(at, text))
}

// DiscountAll takes an amount off the whole sale. It returns [entry.ErrDiscount] if the amount
// cannot be taken off, and the errors of [cart.Cart.Fixed].
func (s *sales) DiscountAll(off money.Ariary) error {
	reduced, err := s.cart.DiscountAll(off)
	if err == nil {
		s.keep(reduced)
	}
	return err
}

// Remove removes a line from the sale. It returns the errors of [cart.Cart.Fixed].
func (s *sales) Remove(at int) error {
	if err := s.cart.Fixed(); err != nil {
		return err
	}
	s.keep(s.cart.Remove(at))
	return nil
}

// Annotate sets the note to the customer. A blank text removes the note.
func (s *sales) Annotate(text string) { s.keep(s.cart.Annotate(text)) }

// Undo undoes the last change of the sale. It reports whether there was a change to undo.
func (s *sales) Undo() bool {
	before, undone := s.cart.Undo()
	if undone {
		s.keep(before)
	}
	return undone
}

// Hold puts the sale on hold under a name, and begins a new sale. A blank name becomes a free one.
// heldAs is the cleaned name. If a held sale already has it, free is false and Hold does nothing.
func (s *sales) Hold(name string) (heldAs string, free bool) {
	held, heldAs, free := s.cart.Hold(name, s.Now())
	if free {
		s.keep(held)
	}
	return heldAs, free
}

// Resume makes a held sale the current one. at is its index in the field Held of the cart. The
// current sale must be [cart.Cart.Untouched].
func (s *sales) Resume(at int) { s.keep(s.cart.Resume(at)) }

func (s *sales) change(changed cart.Cart, line cart.Line, err error) (cart.Line, error) {
	if err == nil {
		s.keep(changed)
	}
	return line, err
}

// keep replaces the cart by a changed one and queues the write. It closes a question about a sale,
// because the question shows the old total.
func (s *sales) keep(changed cart.Cart) {
	s.changes++
	s.cart = changed
	if !changed.Untouched() {
		s.leftCode = ""
	}
	if s.Asking().OfSale() {
		s.DismissQuestion()
	}
	s.save()
}

// Save retries the writes of the sales that are not on disk.
func (s *sales) Save() { s.write(SaveSale{again: true}) }

func (s *sales) save() { s.write(SaveSale{}) }

func (s *sales) write(save SaveSale) {
	if len(s.cart.Unsaved) > 0 && !s.saving {
		s.saving = true
		save.Sale = s.cart.Unsaved[0]
		s.do(save)
	}
}

// SalesRead reports whether the saved sales were read.
func (s *sales) SalesRead() bool { return s.salesRead }

// ReadSales queues a read of the saved sales, unless one is under way. [SalesRead] or [NotRestored]
// follows.
func (s *sales) ReadSales() {
	if !s.readingSales {
		s.readingSales = true
		s.do(ReadSales{Till: s.Till})
	}
}

func (s *sales) restored(read ReadSales) {
	s.readingSales = false
	if read.Err != nil {
		s.tell(NotRestored{})
		return
	}
	s.salesRead = true
	cart, restored := s.cart.Restore(read.Sales, s.Now())
	s.keep(cart)
	for _, sale := range read.Sales {
		if sale.Taken > 0 {
			s.hasTaken(sale.ID, sale.Taken, sale.RestOf)
		}
	}
	s.tell(SalesRead{Restored: restored && !s.cart.Untouched()})
}

// readParts queues a read of the sales that are paid in part. Call it when an order for the rest of
// a sale may have ended unpaid.
func (s *sales) readParts() {
	if s.salesRead {
		s.do(ReadParts{Till: s.Till, changes: s.changes})
	}
}

// partsRead adds each sale that is paid in part to the cart, if the cart lacks it. If the cart has
// changed since the read began, one of these sales may have ended, so partsRead reads again.
func (s *sales) partsRead(read ReadParts) {
	if read.changes != s.changes && read.Err == nil {
		s.readParts()
		return
	}
	for _, sale := range read.Sales {
		s.putBack(cart.TermsOf(sale), true)
		s.hasTaken(sale.ID, sale.Taken, sale.RestOf)
	}
}

// drop drops the current sale or a held one. If a part of it is paid, [VoidParts] first voids the
// payments at the counter.
func (s *sales) drop(sale payments.Sale) {
	if sale.Taken > 0 {
		s.do(VoidParts{Sale: sale, Reason: s.Words.Dropped})
		return
	}
	if s.cart.Sale.ID == sale.ID {
		s.keep(s.cart.Drop())
		s.tell(Dropped{})
	} else if at := s.cart.HeldAt(sale.ID); at >= 0 {
		s.keep(s.cart.DropHeld(at))
		s.tell(Dropped{Held: true})
	}
}

// DropBy repeats the drop of a sale that was paid in part, with the identity of the cashier who
// gives the money back.
func (s *sales) DropBy(sale payments.Sale, who staff.Identity) {
	s.do(VoidParts{Sale: sale, Reason: s.Words.Dropped, Who: who})
}

func (s *sales) readTaken(read ReadTaken) {
	switch {
	case read.Err != nil:
	case read.changes != s.changes:
		s.readTakenOf(read.Sale)
	default:
		s.hasTaken(read.Sale, read.Taken, read.RestOf)
	}
}

// setTaken sets what a customer has paid of a sale, and closes a question that shows the old
// amount.
func (s *sales) setTaken(id string, taken money.Ariary, restOf string) {
	if s.cart.Find(id).Taken != taken && s.Asking().OfSale() && cmp.Or(s.question.Terms.Sale, s.question.Sale.ID) == id {
		s.DismissQuestion()
	}
	s.cart = s.cart.Took(id, taken, restOf)
}

// hasTaken sets what a customer has paid of a sale. A fully paid sale ends, unless a charge of it is
// under way.
func (s *sales) hasTaken(id string, taken money.Ariary, restOf string) {
	s.setTaken(id, taken, restOf)
	if sale := s.cart.Find(id); taken > 0 && sale.ID != "" && taken >= cart.Total(sale.Items) && s.charging.sale() != id {
		current := s.cart.Sale.ID == id
		s.keep(s.cart.Ended(id))
		s.tell(SaleCharged{Current: current, Recovered: true})
	}
}

// confirm queues a write of the sale. The charge begins once the sale is on disk.
func (s *sales) confirm(charge Effect) {
	s.charging.confirmed = charge
	s.cart = s.cart.Save()
	s.save()
}

// payLess charges only a part of a debt. The rest stays owed.
func (s *sales) payLess(question Question) {
	s.cart = s.cart.PayLess(question.Part)
	s.confirm(TakeCash{Terms: s.terms(), Tender: question.Tender})
}

// endSale ends a charged sale, unless it was edited since. For recovered, see [SaleCharged].
func (s *sales) endSale(sale payments.Sale, recovered bool) {
	before := s.cart.Sale.ID
	s.keep(s.cart.Charged(sale))
	s.tell(SaleCharged{Current: s.cart.Sale.ID != before, Recovered: recovered})
}

// putBack puts the lines of an order back into a sale, unless the cart still has that sale. For
// wanted, see [LinesKept].
func (s *sales) putBack(terms payments.Terms, wanted bool) {
	back, heldAs, away := s.cart.PutBack(terms, s.Now())
	if !away {
		return
	}
	s.keep(back)
	s.readTakenOf(terms.Sale)
	s.tell(LinesKept{HeldAs: heldAs, Wanted: wanted})
}

func (s *sales) readTakenOf(sale string) { s.do(ReadTaken{Sale: sale, changes: s.changes}) }

// pay is setTaken after a payment or a void. It counts a change, because a read that is under way
// may lack that payment or void.
func (s *sales) pay(sale string, taken money.Ariary, restOf string) {
	s.changes++
	s.setTaken(sale, taken, restOf)
}

// join puts the lines of an order back into a sale and adds the lines of the current sale. If a
// line cannot be added, the sales stay separate.
func (s *sales) join(terms payments.Terms) {
	joined, _, away := s.cart.Drop().PutBack(terms, s.Now())
	for _, item := range s.cart.Items() {
		var err error
		joined, _, err = joined.Add(item)
		if err != nil {
			s.putBack(terms, true)
			return
		}
	}
	s.keep(joined)
	if away {
		s.readTakenOf(terms.Sale)
		s.tell(LinesKept{Wanted: true})
	}
}
