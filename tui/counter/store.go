package counter

import (
	"checkout/till/payments"
)

// Wake queues a read of the store. Call it when the store has changed.
func (c *Counter) Wake() {
	c.catalogue.touch(c.Now())
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
	c.watch.picture = c.watch.picture.at(c.Now())
	c.watch.picture.Reach = c.ReachNow()
}

// ReachNow returns whether the till would see a payment now.
func (c *Counter) ReachNow() payments.Reach {
	health := c.Health()
	health.StoreDown = health.StoreDown || c.watch.failing
	return health.Reach(c.Now())
}

func (c *Counter) blind() bool { return c.ReachNow().Blind() }

// RefreshArticles queues a read of the articles if they may have changed since the last read.
func (c *Counter) RefreshArticles() {
	if read, due := c.catalogue.read(); due {
		c.do(read)
	}
}

// ArticlesChanged queues a read of the articles after one was added, changed or deleted.
func (c *Counter) ArticlesChanged() {
	c.catalogue.changed = c.Now()
	c.RefreshArticles()
}

func (c *Counter) articlesRead(read ReadArticles) {
	c.catalogue.take(read, c.Now())
	c.tell(ArticlesRead{})
}

// ReviewOrphan asks whether a person reviewed a payment without an order.
func (c *Counter) ReviewOrphan(record payments.Record) {
	c.ask(Question{Kind: AskReview, Record: record})
}

func (c *Counter) reviewed(done Review) {
	c.tell(Reviewed(done))
	c.Wake()
}
