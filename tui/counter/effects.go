package counter

import (
	"context"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Effect is work to do outside of the counter. It holds only values, so that it can be
// performed on another goroutine.
type Effect interface {
	// Perform does the work and returns the effect with its result, to be handed to
	// [Counter.Take].
	Perform(ctx context.Context, service *payments.Service) Effect
}

// SaveSale writes a sale to disk. At most one is under way.
type SaveSale struct {
	Sale *payments.Sale
	Err  error

	again bool // The write before failed, and the cashier knows.
}

// Checkout makes an order.
type Checkout struct {
	Terms payments.Terms
	Order payments.Order
	Err   error

	number int         // Of the call.
	seen   Acknowledge // Acknowledges the order that this one repeats; zero for none.
}

// Acknowledge records that the cashier saw the verdict of an order.
type Acknowledge struct {
	Reference  string
	Seen       payments.Verdict
	Conditions payments.Conditions
	Order      payments.Order
	Err        error
}

// ReadOrder reads the shown order.
type ReadOrder struct {
	Reference string
	Order     payments.Order
	Err       error
}

// ReadPicture reads what the counter shows of the store. At most one is under way.
type ReadPicture struct {
	Till    string
	Picture Picture
	Err     error

	number int // Of the read.
}

// ReadSales reads the sales that were being entered or held.
type ReadSales struct {
	Till  string
	Sales []payments.Sale
	Err   error
}

// ReadArticles reads the catalogue. Shelf keeps the articles of before if it fails.
type ReadArticles struct {
	Shelf entry.Shelf
	Err   error
}

// Recover settles what was under way when the store failed.
type Recover struct {
	Till  string
	Sales []payments.Sale // The sales of which an order was made.
}

// Notice records that a person looked at a payment that no order has.
type Notice struct {
	Record payments.Record
	Err    error
}

// Perform writes the sale. Its context may be one that does not end with the program.
func (e SaveSale) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Err = service.SaveSale(ctx, *e.Sale)
	return e
}

// Perform calls the service once.
func (e Checkout) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Order, e.Err = service.Checkout(ctx, e.Terms)
	return e
}

// Perform acknowledges the order unless it has another verdict by now.
func (e Acknowledge) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Order, e.Err = service.Acknowledge(ctx, e.Reference, e.Seen, e.Conditions)
	return e
}

// Perform reads the order.
func (e ReadOrder) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Order, _, e.Err = service.Order(ctx, e.Reference)
	return e
}

// Perform reads the open and the doubtful orders, and the events that no order has.
func (e ReadPicture) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Picture, e.Err = Picture{}.Read(ctx, service, e.Till)
	return e
}

// Perform reads the sales.
func (e ReadSales) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Sales, e.Err = service.Sales(ctx, e.Till)
	return e
}

// Perform reads the articles and builds the shelf.
func (e ReadArticles) Perform(ctx context.Context, service *payments.Service) Effect {
	articles, err := service.Articles(ctx)
	if e.Err = err; err == nil {
		e.Shelf = entry.NewShelf(articles)
	}
	return e
}

// Perform settles orders and sales. If it fails, the next read says so.
func (e Recover) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Sales, _ = service.Recover(ctx, e.Till)
	return e
}

// Perform records the look.
func (e Notice) Perform(ctx context.Context, service *payments.Service) Effect {
	e.Err = service.Notice(ctx, e.Record, payments.Identity{})
	return e
}
