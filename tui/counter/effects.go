package counter

import (
	"context"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/entry"
)

// Effect is work for the caller of the counter to perform. A queued effect does not change, so
// another goroutine can perform it.
type Effect interface {
	// Perform does the work. It returns the effect with its result, for [Counter.Take].
	Perform(ctx context.Context, service *drawer.Service) Effect
}

// SaveSale writes a sale to disk. At most one SaveSale is under way.
type SaveSale struct {
	Sale *payments.Sale
	Err  error

	again bool // Whether the write is a retry. The cashier already knows of the failure.
}

// Checkout asks the payment service to create an order. Order and Err are the result.
type Checkout struct {
	Terms payments.Terms
	Order payments.Order
	Err   error

	number int
	seen   Acknowledge // Acknowledges the order that this order repeats; zero if it repeats none.
}

// TakeCash records a payment at the counter, in cash or by another tender.
type TakeCash struct {
	Terms    payments.Terms
	Tender   drawer.Tender
	Given    money.Ariary    // Money that the customer gave; 0 for the exact sum.
	Customer string          // Name of the customer who buys on account; empty for another tender.
	New      bool            // Whether to store an unknown customer.
	Owner    *staff.Identity // Owner who allows more than the limit, or nil; see [drawer.Paying].
	Sale     drawer.CounterSale
	Err      error

	// Effect that charges the rest of the sale; its terms are set later. Nil if TakeCash pays all
	// that is due.
	rest Effect
}

// VoidParts voids the payments of a dropped sale that was paid in part.
type VoidParts struct {
	Sale   payments.Sale
	Reason string
	Who    staff.Identity // The cashier who gives the money back; zero until [Counter.DropBy].
	Cash   money.Ariary   // Result: how much cash leaves the drawer.
	Err    error
}

// ReadTaken reads the money that the shop has for a sale. RestOf is the number of the sale's oldest
// payment at the counter whose money was not all given back.
type ReadTaken struct {
	Sale   string
	Taken  money.Ariary
	RestOf string
	Err    error

	changes int // Number of changes of the cart before the read. If it has grown since, the read is repeated.
}

// FindCash finds out whether the cash sale of a [drawer.UnknownError] is stored. ID is the error's
// ID. If the sale is not stored, Err is [drawer.ErrNotFound].
type FindCash struct {
	Taken TakeCash
	ID    string
	Sale  drawer.CounterSale
	Err   error
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

// ReadPicture reads the orders and events that the counter shows.
type ReadPicture struct {
	Till     string
	Overview payments.Overview
	Err      error

	number int // The result is ignored if a later read has begun.
}

// ReadSales reads the till's current sale and the held ones.
type ReadSales struct {
	Till  string
	Sales []payments.Sale
	Err   error
}

// ReadParts reads the unfinished sales that are paid in part.
type ReadParts struct {
	Till  string
	Sales []payments.Sale
	Err   error

	changes int // Number of changes of the cart before the read. If it has grown since, the read is repeated.
}

// ReadArticles reads the catalogue. If the read fails, Shelf keeps the articles of the last read.
type ReadArticles struct {
	Shelf entry.Shelf
	Err   error
}

// Recover removes charged sales that a crash left in the local store: see
// [payments.Service.Recover].
type Recover struct {
	Till  string
	Sales []payments.Sale // Result: the sales that were already charged.
}

// Review records that a person reviewed a payment without an order.
type Review struct {
	Record payments.Record
	Err    error
}

// Perform writes the sale, or removes it from the disk if it has neither lines nor a note.
func (e SaveSale) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Err = service.SaveSale(ctx, *e.Sale)
	return e
}

// Perform asks the payment service for the order. It does not retry.
func (e Checkout) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Order, e.Err = service.Checkout(ctx, e.Terms)
	return e
}

// Perform records the payment, even if ctx is canceled.
func (e TakeCash) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Sale, e.Err = service.Take(context.WithoutCancel(ctx), e.Terms, drawer.Paying{
		Tender: e.Tender, Given: e.Given, Customer: e.Customer, New: e.New, Who: e.Owner,
	})
	return e
}

// Perform voids the payments, even if ctx is canceled. In a shop with cashiers, it fails with
// [staff.ErrIdentityNeeded] if Who is zero and there is still something to void.
func (e VoidParts) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Cash, e.Err = service.VoidParts(context.WithoutCancel(ctx), e.Sale.Till, e.Sale, e.Reason, e.Who)
	return e
}

// Perform reads what was taken at the counter for the sale.
func (e ReadTaken) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Taken, e.RestOf, e.Err = service.TakenFor(ctx, e.Sale)
	return e
}

// Perform looks for the cash sale, even if ctx is canceled. It waits for a running commit.
func (e FindCash) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Sale, e.Err = service.CashOf(context.WithoutCancel(ctx), e.ID)
	return e
}

// Perform acknowledges the order unless its verdict has changed.
func (e Acknowledge) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Order, e.Err = service.Acknowledge(ctx, e.Reference, e.Seen, e.Conditions)
	return e
}

// Perform reads the order. Err is [payments.ErrNotFound] if the database does not have it.
func (e ReadOrder) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Order, _, e.Err = service.Order(ctx, e.Reference)
	return e
}

// Perform reads the data of a [Picture] from the store.
func (e ReadPicture) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Overview, e.Err = service.Overview(ctx, e.Till, service.Now(), maxRead)
	return e
}

// Perform reads the till's unfinished sales.
func (e ReadSales) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Sales, e.Err = service.Sales(ctx, e.Till)
	return e
}

// Perform calls [drawer.Service.Sales], and returns the sales that are paid in part.
func (e ReadParts) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Sales, e.Err = service.Sales(ctx, e.Till)
	e.Sales = slices.DeleteFunc(e.Sales, func(sale payments.Sale) bool { return sale.RestOf == "" })
	return e
}

// Perform reads the articles and builds the shelf.
func (e ReadArticles) Perform(ctx context.Context, service *drawer.Service) Effect {
	articles, err := service.Articles(ctx)
	if e.Err = err; err == nil {
		e.Shelf = entry.NewShelf(articles)
	}
	return e
}

// Perform removes the charged sales that a crash left, and returns them. It ignores an error,
// because the next Recover tries again.
func (e Recover) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Sales, _ = service.Recover(ctx, e.Till)
	return e
}

// Perform records the review. In a shop with cashiers it fails, because the counter has no PIN.
func (e Review) Perform(ctx context.Context, service *drawer.Service) Effect {
	e.Err = service.Review(ctx, e.Record, staff.Identity{})
	return e
}
