package counter

import (
	"slices"

	"checkout/till/payments"
)

type watch struct {
	*Config
	*queue
	picture Picture
	number  int // Number of the last read; results of earlier reads are ignored.
	reading bool
	again   bool // The store changed after the read began.
	failing bool
	closed  []payments.Order // Orders that were acknowledged while they could be paid. The picture may lack them.
}

func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	if order.Payable(w.picture.Now) {
		w.closed = append(w.closed, order)
	}
}

// Picture returns the last snapshot of the store.
func (w *watch) Picture() Picture { return w.picture }

func (w *watch) read() {
	w.number++
	w.reading = true
	w.again = false
	w.do(ReadPicture{Till: w.Till, number: w.number})
}

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

func (w *watch) wake() {
	if w.reading {
		w.again = true
		return
	}
	w.read()
}

// take stores the result of a read. It returns false for an outdated one.
func (w *watch) take(read ReadPicture) bool {
	if read.number != w.number {
		return false
	}
	w.reading = false
	if w.again {
		w.read()
	}
	w.failing = read.Err != nil
	if !w.failing {
		w.picture = w.picture.Take(read.Overview, w.Now())
	}
	w.closed = slices.DeleteFunc(w.closed, func(order payments.Order) bool {
		_, open := w.picture.Find(order.Reference)
		return open || !order.Payable(w.picture.Now)
	})
	return true
}

// Wake queues a read of the store. Call it after every change of the store.
func (c *Counter) Wake() {
	c.touch()
	c.wake()
}

func (c *Counter) pictured(read ReadPicture) {
	before := c.Picture()
	if !c.watch.take(read) {
		return
	}
	if !c.failing {
		if c.Picture().lacksRest(before) {
			c.readParts()
		}
		for _, find := range c.unsure {
			c.do(find)
		}
		c.unsure = nil
	}
	c.update(!c.failing)
}

// update updates the shown order from the picture and announces what is new. When the store works
// again, it queues [Recover] and announces nothing.
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

// announce announces what is new in the picture. While payments cannot be seen, it announces only
// outcomes and payments without an order.
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
