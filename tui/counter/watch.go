package counter

import (
	"slices"

	"checkout/till/payments"
)

// watch has the data last read from the store.
type watch struct {
	Config
	*queue
	picture      Picture
	number       int  // Number of the last read; results of earlier reads are ignored.
	reading      bool // A read is under way.
	again        bool // The store changed after the read began.
	failing      bool
	acknowledged []payments.Order // Acknowledged orders that are not in the picture. Awaited counts the payable ones.
}

// seen records that the outcome of an order was acknowledged.
func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	if order.Payable(w.picture.Now) {
		w.acknowledged = append(w.acknowledged, order)
	}
}

// Picture returns the last snapshot of the store.
func (w *watch) Picture() Picture { return w.picture }

// read queues a read of the store. The result of an earlier read is then ignored.
func (w *watch) read() {
	w.number++
	w.reading = true
	w.again = false
	w.do(ReadPicture{Till: w.Till, number: w.number})
}

// look updates two fields of the [Picture]: the time, and whether a payment would be seen.
func (w *watch) look() {
	w.picture = w.picture.at(w.Now())
	w.picture.Reach = w.ReachNow()
}

// ReachNow returns whether the till would see a payment now.
func (w *watch) ReachNow() payments.Reach {
	health := w.Health()
	health.StoreDown = health.StoreDown || w.failing
	return health.Reach(w.Now())
}

func (w *watch) blind() bool { return w.ReachNow().Blind() }

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
		before := c.watch.picture
		c.watch.picture = before.Take(read.Picture, c.Now())
		if c.watch.picture.lacksRest(before) {
			c.readParts()
		}
		if c.unsure != nil {
			c.do(*c.unsure)
			c.unsure = nil
		}
	}
	c.watch.acknowledged = slices.DeleteFunc(c.watch.acknowledged, func(order payments.Order) bool {
		_, open := c.Picture().Find(order.Reference) // Awaited finds the order in the picture.
		return open || !order.Payable(c.Picture().Now)
	})
	c.update(!c.watch.failing)
}

// update updates the shown order from the picture and announces what is new in the picture. If this
// call finds that the store works again after a failure, it queues [Recover] instead, and a later
// call announces. The parameter changed is true if the picture was just read.
func (c *Counter) update(changed bool) {
	wasDown := c.Picture().Reach.Conditions().StoreDown
	c.look()
	c.watch.picture.Changed = changed
	c.refresh()
	c.tell(Looked{})
	if wasDown && !c.Picture().Reach.Conditions().StoreDown {
		c.do(Recover{Till: c.Till})
		c.readParts()
		return
	}
	c.announce()
}

// announce announces what is new in the picture, each thing once: outcomes, payments without an
// order, ends of links, and a larger number of orders and payments to check. While payments cannot
// be seen, it announces only outcomes and payments without an order.
func (c *Counter) announce() {
	picture := c.Picture()
	news := slices.Concat(c.announcer.outcomes(picture), c.announcer.orphans(picture))
	c.tell(news...)
	c.announcer.begun = c.announcer.begun || picture.Changed
	if c.Asking() == AskQuit && (len(news) > 0 || c.Awaited() == 0) {
		c.question = nil
	}
	if !picture.Reach.Blind() {
		c.tell(c.announcer.ends(picture)...)
		c.tell(c.announcer.toCheck(picture)...)
	}
}

// Announced reports whether the outcome of an order was announced and not yet
// acknowledged.
func (c *Counter) Announced(order payments.Order) bool {
	_, told := c.announcer.announced[order.Reference]
	return told
}
