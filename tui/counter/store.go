package counter

import (
	"checkout/till/payments"
)

// Wake queues a read of the store. Call it after every change of the store.
func (c *Counter) Wake() {
	c.touch()
	c.wake()
}

// ReviewOrphan asks whether a person has reviewed a payment without an order.
func (c *Counter) ReviewOrphan(record payments.Record) {
	c.ask(Question{Kind: AskReview, Record: record})
}

func (c *Counter) reviewed(done Review) {
	c.tell(Reviewed(done))
	c.Wake()
}
