package counter

import (
	"slices"
	"time"

	"checkout/till/payments"
)

// SoonOver is how much time a link has left when its end is told.
const SoonOver = time.Minute

// watch is what was read of the store, and what was told of it.
type watch struct {
	picture Picture
	number  int  // Of the read whose result is wanted.
	reading bool // A read is under way.
	again   bool // Something changed since it began.
	failing bool // The last read failed.
	begun   bool // The first picture was told.

	announced map[string]announcement // The outcomes that the cashier has not seen, by reference.
	ending    map[ending]bool         // The ends of links that were told.
	orphans   map[string]bool         // The payments without an order that were told.
	toCheck   int
	givenUp   []payments.Order // Acknowledged while their links lived. The picture lacks them.
}

// announcement is an outcome as it was told.
type announcement struct {
	verdict payments.Verdict
	status  payments.Status
}

// ending is one of the two things that are told of the end of a link.
type ending struct {
	reference string
	over      bool
}

// Wake says that something changed in the store.
func (c *Counter) Wake() {
	c.catalogue.due = true
	if c.watch.reading {
		c.watch.again = true
		return
	}
	c.read()
}

// read reads the store. The result of a read that is under way is not wanted any more.
func (c *Counter) read() {
	c.watch.number++
	c.watch.reading = true
	c.watch.again = false
	c.do(ReadPicture{Till: c.Till, number: c.watch.number})
}

// pictured takes in what was read of the store.
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
	}
	c.watch.givenUp = slices.DeleteFunc(c.watch.givenUp, func(order payments.Order) bool {
		_, open := c.Picture().Find(order.Reference) // It came back as news.
		return open
	})
	c.settle(!c.watch.failing)
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

// look takes the time and the way in of this moment into the picture.
func (c *Counter) look() {
	c.watch.picture.Now = c.Now()
	c.watch.picture.Reach = c.ReachNow()
}

// ReachNow says whether a payment would be seen now.
func (c *Counter) ReachNow() payments.Reach { return c.Reach(c.watch.failing) }

func (c *Counter) blind() bool { return c.ReachNow().Blind() }

// settle brings everything up to the picture. When the store works again it first settles
// what was under way.
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

// announce tells what is new, each thing once. While payments cannot be seen only
// outcomes and payments without an order are told.
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
	c.watch.begun = true
	if c.question != nil && c.question.Kind == AskQuit && (news || c.Awaited() == 0) {
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

// announceOutcomes tells each outcome that the cashier has not seen, and reports whether
// there was a new one. One that was told stays as it was told while nothing can be known.
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

// announceEnds tells that the time of a link runs out, and that it is over.
func (c *Counter) announceEnds() {
	for _, order := range c.Picture().Awaited() {
		left, _ := c.Picture().Left(order)
		end := ending{order.Reference, left <= 0}
		if left <= SoonOver && !c.watch.ending[end] {
			c.watch.ending[end] = true
			c.tell(LinkEnds{order, end.over})
		}
	}
}

// Announced reports whether the outcome of an order was told and not acknowledged.
func (c *Counter) Announced(order payments.Order) bool {
	_, told := c.watch.announced[order.Reference]
	return told
}

// seen takes in that an outcome was acknowledged.
func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	w.givenUp = append(w.givenUp, order)
	delete(w.announced, order.Reference)
}

// Awaited returns how many payments may still come. One that is being made is on no
// picture yet, and one that was given up is on none any more.
func (c *Counter) Awaited() int {
	awaited := c.Picture().Awaited()
	others := c.watch.givenUp
	if c.current() {
		others = append(slices.Clip(others), c.shown.order)
	}
	for _, order := range others {
		listed := slices.ContainsFunc(awaited, func(other payments.Order) bool { return other.Reference == order.Reference })
		if order.Payable(c.Picture().Now) && !listed {
			awaited = append(awaited, order)
		}
	}
	return len(awaited) + c.calls
}
