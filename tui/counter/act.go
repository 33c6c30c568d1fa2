package counter

// Begin queues the reads of the saved state.
func (c *Counter) Begin() {
	c.ReadSales()
	if c.OnAccount() {
		c.ReadDebtors()
	}
	c.ArticlesChanged()
	c.Wake()
}

// Take updates the counter with the result of an effect that the caller has performed.
func (c *Counter) Take(done Effect) {
	switch done := done.(type) {
	case SaveSale:
		c.saved(done)
	case Checkout:
		c.answered(done)
	case TakeCash:
		c.took(done)
	case FindCash:
		c.found(done)
	case Acknowledge:
		c.acknowledged(done)
	case ReadOrder:
		c.reread(done)
	case ReadPicture:
		c.pictured(done)
	case ReadSales:
		c.restored(done)
	case ReadParts:
		c.partsRead(done)
	case ReadArticles:
		c.articlesRead(done)
	case Recover:
		c.recovered(done)
	case VoidParts:
		c.voidedParts(done)
	case ReadTaken:
		c.readTaken(done)
	case ReadMovements:
		c.tell(MovementsRead(done))
	case ReadDebtors:
		c.readDebtors(done)
	case Review:
		c.tell(Reviewed(done))
		c.Wake()
	}
}

// Tick updates the counter for the current time. Call it every second: retries depend on it.
func (c *Counter) Tick() {
	if c.failing {
		c.Wake()
	}
	c.update(false)
	if !c.failing {
		c.Save()
	}
	c.catalogue.tick()
}

// Yes answers the open question with yes. It does nothing while a confirmed charge is under way. A
// question that is [Question.Unbidden] must first have been visible for [Config.Grace].
func (c *Counter) Yes() {
	question := c.question
	if question == nil || c.Charging() || question.Unbidden && c.early() {
		return
	}
	switch {
	case question.Kind == AskCharge:
		c.confirmCharge(question)
	case question.Kind == AskTender:
		c.TakeCash(0)
	case question.Kind == AskRest && c.blind():
		c.tell(Refused{Blind})
	case question.Kind == AskRest:
		c.confirm(question.first(Checkout{}))
	case question.Kind == AskLess:
		c.payLess(*question)
	case question.Tender != "": // Charges at the counter in spite of another payment of the sale.
		c.confirm(withTerms(question.take, question.Terms))
	default:
		c.question = nil
		c.perform(question)
	}
}

func (c *Counter) perform(question *Question) {
	switch question.Kind {
	case AskDrop:
		c.drop(c.cart.Sale)
	case AskDropHeld:
		c.drop(question.Sale)
	case AskAgain, AskPaid, AskDoubtful:
		c.send(question.Terms, question.seen)
	case AskLeave:
		c.leave()
	case AskDone:
		c.do(question.seen)
	case AskReview:
		c.do(Review{Record: question.Record})
	case AskQuit:
		c.tell(Quits{})
	}
}

// No closes the question, unless a confirmed charge is under way. After an unbidden question, if no
// order is shown, it also reports [OrderLeft].
func (c *Counter) No() {
	question := c.question
	c.DismissQuestion()
	if question != nil && c.question == nil && question.Unbidden && c.shown.Order.Reference == "" {
		c.tell(OrderLeft{})
	}
}

// Quit reports [Quits], which ends the program. If payments may still come, Quit asks first. While
// a confirmed charge is under way, it reports [Refused].
func (c *Counter) Quit() {
	if c.Charging() {
		c.tell(Refused{Busy})
		return
	}
	awaited := c.Awaited()
	if awaited == 0 {
		c.tell(Quits{})
		return
	}
	c.No()
	c.ask(Question{Kind: AskQuit, Count: awaited})
}
