package shoptest

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/tuitest"
)

// Vary returns the first line of the sale that most tests use. The sale's total is 9 000 Ar.
func Vary() payments.Item { return payments.Item{Label: "Vary", UnitPrice: 3500, Quantity: 2} }

// Coca returns the second line of the sale that most tests use.
func Coca() payments.Item { return payments.Item{Label: "Coca", UnitPrice: 2000, Quantity: 1} }

// Articles returns a catalogue in a store's order. Some names look like a price or a quantity.
func Articles() []payments.Article {
	return []payments.Article{
		{ID: "7", Label: "2*Savon", UnitPrice: 900, Code: "SAV"},
		{ID: "9", Label: "Bon 2000 Ar", UnitPrice: 1900, Code: "20001111"},
		{ID: "4", Label: "Coca", UnitPrice: 2000, Favourite: 1},
		{ID: "3", Label: "Coca 1L", UnitPrice: 6000, Code: "A1"},
		{ID: "6", Label: "Eau 150", UnitPrice: 700, Code: "E150"},
		{ID: "1", Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017"},
		{ID: "2", Label: "Vary stock", UnitPrice: 3000, Code: "12"},
		{ID: "8", Label: "Vis 400x20", UnitPrice: 100},
		{ID: "5", Label: "Éclair", UnitPrice: 4500, Favourite: 3},
	}
}

// Terms returns the terms of an order for a sale, by default with Vary and Coca.
func Terms(sale string, items ...payments.Item) payments.Terms {
	if len(items) == 0 {
		items = []payments.Item{Vary(), Coca()}
	}
	return payments.Terms{Sale: sale, Till: Till, Items: items}
}

// Charge creates an order for a sale, and overrides all objections. The test fails only if no order
// is stored: the service may refuse it.
func (c *Counter) Charge(sale string, items ...payments.Item) payments.Order {
	c.t.Helper()
	terms := Terms(sale, items...)
	terms.Despite = []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable}
	order, err := c.Checkout(c.t.Context(), terms)
	if order.Reference == "" {
		c.t.Fatalf("make an order: %v", err)
	}
	return order
}

// Event returns an event of the payment service about an order. reason is its error text, or empty.
func Event(order payments.Order, kind payments.EventKind, reason string) payments.Event {
	event := payments.Event{
		Kind: kind, OrderReference: order.OrderReference,
		Reference:   payments.TextValue(order.Reference),
		Amount:      payments.AmountValue(order.Amount),
		Currency:    payments.TextValue(payments.Currency),
		Description: payments.TextValue(order.Description),
	}
	if reason != "" {
		event.Error = payments.TextValue(reason)
	}
	return event
}

// Hear passes an event to the counter's service, as the listener does.
func (c *Counter) Hear(event payments.Event) {
	c.t.Helper()
	if _, err := c.Receive(c.t.Context(), event, nil); err != nil {
		c.t.Fatalf("receive an event: %v", err)
	}
}

// Pay passes the order's success event to the service, and returns the changed order.
func (c *Counter) Pay(order payments.Order) payments.Order {
	c.t.Helper()
	c.Hear(Event(order, payments.PaymentSuccess, ""))
	return c.Find(order.Reference)
}

// Fail passes a failure event of the order to the service, and returns the changed order.
func (c *Counter) Fail(order payments.Order, reason string) payments.Order {
	c.t.Helper()
	c.Hear(Event(order, payments.PaymentFailed, reason))
	return c.Find(order.Reference)
}

// Resolve records what a person has found out about an order, and returns the changed order.
func (c *Counter) Resolve(reference string, finding payments.Finding) payments.Order {
	c.t.Helper()
	order := c.Find(reference)
	finding.Seen = order.Verdict(payments.Conditions{}, c.Now())
	finding.Net = order.Net()
	resolved, err := c.Service.Resolve(c.t.Context(), reference, finding, staff.Identity{})
	if err != nil {
		c.t.Fatalf("resolve %s: %v", reference, err)
	}
	return resolved
}

// Refund records that an amount of an order was given back; 0 means all that is left.
func (c *Counter) Refund(reference string, amount money.Ariary, inCash bool) payments.Order {
	c.t.Helper()
	err := c.Service.Refund(c.t.Context(), Till, drawer.Given{
		Ref: reference, InCash: inCash, Amount: amount, All: amount == 0, Net: c.Find(reference).Net(), Note: "broken",
	}, staff.Identity{})
	if err != nil {
		c.t.Fatalf("refund %s: %v", reference, err)
	}
	return c.Find(reference)
}

// PINs of the cashiers of Hire.
const (
	HasinasPIN = "4711"
	SoasPIN    = "73914"
)

// Hire adds an owner, Hasina, and a cashier, Soa, to the shop.
func (c *Counter) Hire() {
	c.t.Helper()
	owner := staff.Identity{Name: "Hasina", PIN: secret.New(HasinasPIN)}
	_, ownerErr := c.AddCashier(c.t.Context(), owner.Name, "", owner.PIN, staff.Identity{})
	_, cashierErr := c.AddCashier(c.t.Context(), "Soa", "", secret.New(SoasPIN), owner)
	tuitest.Must(c.t, ownerErr, cashierErr)
}

// Find reads an order, which must exist.
func (c *Counter) Find(reference string) payments.Order {
	c.t.Helper()
	order, _, err := c.Order(c.t.Context(), reference)
	if err != nil {
		c.t.Fatalf("find order %s: %v", reference, err)
	}
	return order
}

// All returns at most 1,000 orders, newest first.
func (c *Counter) All() []payments.Order {
	c.t.Helper()
	orders, err := c.Orders(c.t.Context(), payments.Query{Limit: 1000})
	if err != nil {
		c.t.Fatalf("read the orders: %v", err)
	}
	return orders
}

// Sell records a payment at the counter. The test fails if the service refuses.
func (c *Counter) Sell(terms payments.Terms, paying drawer.Paying) drawer.CounterSale {
	c.t.Helper()
	sale, err := c.Service.Take(c.t.Context(), terms, paying)
	tuitest.Must(c.t, err)
	return sale
}

// Cash is a payment of the exact sum in cash.
func Cash() drawer.Paying { return drawer.Paying{Tender: drawer.TenderCash} }

// Lend sells goods for an amount on the account of a new customer.
func (c *Counter) Lend(customer string, amount money.Ariary) drawer.CounterSale {
	c.t.Helper()
	terms := Terms("", payments.Item{Label: "Vary", UnitPrice: amount, Quantity: 1})
	return c.Sell(terms, drawer.Paying{Tender: drawer.TenderAccount, Customer: customer, New: true})
}

// SellPart records that a part of a sale was paid in cash, and returns the terms for the rest.
func (c *Counter) SellPart(terms payments.Terms, part money.Ariary) (rest payments.Terms) {
	c.t.Helper()
	terms.Part = payments.Part{Amount: part}
	first := c.Sell(terms, Cash())
	terms.Part = payments.Part{
		Amount: first.Total - part, Taken: part, RestOf: first.Number, Label: "Rest of " + i18n.Money(first.Total),
	}
	return terms
}

// TakeInParts makes a sale of 12 500 Ar: 5 000 Ar are paid in cash, and the rest with the tender. It
// returns the payment of the rest.
func (c *Counter) TakeInParts(sale string, tender drawer.Tender) drawer.CounterSale {
	c.t.Helper()
	rest := c.SellPart(Terms(sale, payments.Item{Label: "Menaka", UnitPrice: 12_500, Quantity: 1}), 5000)
	return c.Sell(rest, drawer.Paying{Tender: tender})
}

// Void voids the payment at the counter with this number. The test fails if the service refuses.
func (c *Counter) Void(number string) {
	c.t.Helper()
	_, err := c.VoidSale(c.t.Context(), Till, number, "mistake", staff.Identity{})
	tuitest.Must(c.t, err)
}
