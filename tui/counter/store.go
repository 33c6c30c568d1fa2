package counter

import (
	"time"

	"checkout/till/payments"
)

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

// look takes the time and the way in of this moment into the picture.
func (c *Counter) look() {
	c.watch.picture.Now = c.Now()
	c.watch.picture.Reach = c.ReachNow()
}

// ReachNow says whether a payment would be seen now.
func (c *Counter) ReachNow() payments.Reach { return c.Reach(c.watch.failing) }

func (c *Counter) blind() bool { return c.ReachNow().Blind() }

// restocking is how long after a read the articles are read again because something
// changed in the store. An import from another process shows, and a busy day costs
// nothing.
const restocking = 5 * time.Second

// Restock reads the articles if they may have changed since they were read.
func (c *Counter) Restock() {
	if c.catalogue.due && !c.catalogue.reading {
		c.catalogue.due = false
		c.catalogue.reading = true
		c.do(ReadArticles{Shelf: c.catalogue.shelf})
	}
}

// ArticlesChanged reads the articles, because one was added, changed or deleted.
func (c *Counter) ArticlesChanged() {
	c.catalogue.due = true
	c.Restock()
}

func (c *Counter) stocked(read ReadArticles) {
	c.catalogue.reading = false
	c.catalogue.at = c.Now()
	c.catalogue.shelf = read.Shelf
	if read.Err != nil {
		c.catalogue.due = true
	}
	c.tell(Restocked{})
}

// NoticeOrphan asks whether a person looked at a payment that no order has.
func (c *Counter) NoticeOrphan(record payments.Record) {
	c.ask(Question{Kind: AskNotice, Record: record})
}

func (c *Counter) noticed(done Notice) {
	c.tell(Noticed(done))
	c.Wake()
}
