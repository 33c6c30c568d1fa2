package counter

import (
	"time"

	"checkout/till/payments"
)

// Wake queues a read of the store. Call it when the store has changed.
func (c *Counter) Wake() {
	c.catalogue.due = true
	if c.watch.reading {
		c.watch.again = true
		return
	}
	c.read()
}

// read queues a read of the store. The result of an earlier read is then ignored.
func (c *Counter) read() {
	c.watch.number++
	c.watch.reading = true
	c.watch.again = false
	c.do(ReadPicture{Till: c.Till, number: c.watch.number})
}

// look updates two fields of the [Picture]: the time, and whether a payment would be seen.
func (c *Counter) look() {
	c.watch.picture.Now = c.Now()
	c.watch.picture.Reach = c.ReachNow()
}

// ReachNow returns whether the till would see a payment now.
func (c *Counter) ReachNow() payments.Reach {
	health := c.Health()
	health.StoreDown = health.StoreDown || c.watch.failing
	return health.Reach(c.Now())
}

func (c *Counter) blind() bool { return c.ReachNow().Blind() }

// restocking is the shortest time between two reads of the articles by [Counter.Tick]. Without this
// limit, every change of the store would cause a read, because another process may have imported
// articles.
const restocking = 5 * time.Second

// Restock queues a read of the articles if they may have changed since the last read.
func (c *Counter) Restock() {
	if c.catalogue.due && !c.catalogue.reading {
		c.catalogue.due = false
		c.catalogue.reading = true
		c.do(ReadArticles{Shelf: c.catalogue.shelf})
	}
}

// ArticlesChanged queues a read of the articles after one was added, changed or deleted.
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

// NoticeOrphan asks whether a person reviewed a payment without an order.
func (c *Counter) NoticeOrphan(record payments.Record) {
	c.ask(Question{Kind: AskReview, Record: record})
}

func (c *Counter) reviewed(done Review) {
	c.tell(Reviewed(done))
	c.Wake()
}
