package shoptest

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/tuitest"
)

// Sell records a payment at the counter.
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

// Void voids a payment at the counter.
func (c *Counter) Void(number string) {
	c.t.Helper()
	_, err := c.VoidSale(c.t.Context(), Till, number, "mistake", staff.Identity{})
	tuitest.Must(c.t, err)
}
