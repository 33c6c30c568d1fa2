package counter

import (
	"slices"
	"time"

	"checkout/till/payments"
)

// SoonOver is the time before the end of a link at which that end is announced.
const SoonOver = time.Minute

func (c *Counter) pictured(read ReadPicture) {
	if read.number != c.watch.number {
		return
	}
	c.watch.reading = false
	if c.watch.again {
		c.read()
	}
	c.watch.failing = read.Err != nil
	if !c.watch.failing {
		c.watch.picture = c.watch.picture.Take(read.Picture, c.Now())
		if c.unsure != nil {
			c.do(*c.unsure)
			c.unsure = nil
		}
	}
	c.watch.givenUp = slices.DeleteFunc(c.watch.givenUp, func(order payments.Order) bool {
		_, open := c.Picture().Find(order.Reference) // Drop an order that the picture has: Awaited finds it there.
		return open
	})
	c.settle(!c.watch.failing)
}

// settle updates the shown order from the picture and announces what is new in the picture. If this
// call finds that the store works again after a failure, it queues [Recover] instead, and a later
// call announces. The parameter changed is true if the picture was just read.
func (c *Counter) settle(changed bool) {
	wasDown := c.Picture().Reach.Conditions().StoreDown
	c.look()
	c.watch.picture.Changed = changed
	c.refresh()
	c.tell(Looked{})
	if wasDown && !c.Picture().Reach.Conditions().StoreDown {
		c.do(Recover{Till: c.Till})
		return
	}
	c.announce()
}

// announce announces what is new in the picture, each thing once: outcomes, payments without an
// order, ends of links, and a larger number of orders and payments to check. While payments cannot
// be seen, it announces only outcomes and payments without an order.
func (c *Counter) announce() {
	news := c.announceOutcomes()
	for _, orphan := range slices.Backward(c.Picture().Orphans()) {
		id := string(orphan.ID[:])
		if !c.watch.orphans[id] {
			c.watch.orphans[id] = true
			c.tell(OrphanCame{orphan})
			news = true
		}
	}
	c.watch.begun = c.watch.begun || c.Picture().Changed
	if c.Asking() == AskQuit && (news || c.Awaited() == 0) {
		c.question = nil
	}
	if c.Picture().Reach.Blind() {
		return
	}
	c.announceEnds()
	count := c.Picture().ToCheck()
	if count > c.watch.toCheck {
		c.tell(ToCheck{count})
	}
	c.watch.toCheck = count
}

// announceOutcomes announces each new outcome that the cashier has not seen, and reports whether
// there was one. It does not announce an order again while [Picture.Hidden] reports true for the
// order.
func (c *Counter) announceOutcomes() (news bool) {
	before := c.watch.announced
	c.watch.announced = make(map[string]announcement)
	for _, order := range slices.Backward(c.Picture().Open) {
		if order.Facts.Acknowledged {
			continue
		}
		told, known := before[order.Reference]
		now := announcement{c.Picture().Verdict(order), order.Status}
		if known && (told == now || c.Picture().Hidden(order)) {
			c.watch.announced[order.Reference] = told
			continue
		}
		c.watch.announced[order.Reference] = now
		c.tell(Became{
			Order: order, Verdict: now.verdict, Old: !c.watch.begun, Repeated: known && told.status == now.status,
		})
		news = true
	}
	if news {
		c.tell(Unseen{len(c.watch.announced)})
	}
	return news
}

// announceEnds announces twice for each link: that it ends soon, and that it has ended.
func (c *Counter) announceEnds() {
	before := c.watch.ending
	c.watch.ending = make(map[ending]bool)
	for _, order := range c.Picture().Awaited() {
		left, _ := c.Picture().Remaining(order)
		end := ending{order.Reference, left <= 0}
		if left > SoonOver {
			continue
		}
		c.watch.ending[end] = true
		if !before[end] {
			c.tell(LinkEnds{order, end.over})
		}
	}
}

// Announced reports whether the outcome of an order was announced and not yet
// acknowledged.
func (c *Counter) Announced(order payments.Order) bool {
	_, told := c.watch.announced[order.Reference]
	return told
}
