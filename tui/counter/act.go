package counter

// Begin reads the sales that were being entered or held, the articles and the orders.
func (c *Counter) Begin() {
	c.do(ReadSales{Till: c.Till})
	c.catalogue.due = true
	c.Restock()
	c.Wake()
}

// Take takes in an effect that was performed.
func (c *Counter) Take(done Effect) {
	switch done := done.(type) {
	case SaveSale:
		c.saved(done)
	case Checkout:
		c.answered(done)
	case Acknowledge:
		c.acknowledged(done)
	case ReadOrder:
		c.reread(done)
	case ReadPicture:
		c.pictured(done)
	case ReadSales:
		c.restored(done)
	case ReadArticles:
		c.stocked(done)
	case Recover:
		c.recovered(done)
	case Notice:
		c.noticed(done)
	}
}

// Tick says that a second went by. What failed is tried again.
func (c *Counter) Tick() {
	if c.watch.failing {
		c.Wake()
	}
	c.settle(false)
	if !c.watch.failing {
		c.Save()
	}
	if c.Now().Sub(c.catalogue.at) >= restocking {
		c.Restock()
	}
}

// Yes answers the question. It does nothing while the question could not be read yet.
func (c *Counter) Yes() {
	question := c.question
	switch {
	case question == nil || c.Charging():
		return
	case question.Unbidden && c.Now().Before(c.shown.graceEnds):
		return
	}
	c.question = nil
	switch question.Kind {
	case AskCharge:
		c.charge(question)
	case AskDrop:
		c.keep(c.cart.Drop())
		c.tell(Dropped{})
	case AskDropHeld:
		if at := c.held(question.Sale); at >= 0 {
			c.keep(c.cart.DropHeld(at))
		}
	case AskAgain, AskPaid, AskDoubtful:
		c.send(question.Terms, question.seen)
	case AskLeave:
		c.leave()
	case AskDone:
		c.do(question.seen)
	case AskNotice:
		c.do(Notice{Record: question.Record})
	case AskQuit:
		c.tell(Quits{})
	}
}

// No closes the question. If it was about an order call and no order is shown, nothing
// is left to show.
func (c *Counter) No() {
	question := c.question
	c.Close()
	if question != nil && question.Unbidden && c.shown.order.Reference == "" {
		c.tell(Closed{})
	}
}

// Quit leaves the program. While payments are awaited it asks first.
func (c *Counter) Quit() {
	awaited := c.Awaited()
	if awaited == 0 {
		c.tell(Quits{})
		return
	}
	c.ask(Question{Kind: AskQuit, Count: awaited})
}
