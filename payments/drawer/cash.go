package drawer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// CounterSale is a payment at the counter for a whole sale, a part of a sale or a debt. It is also
// called a cash sale, whatever its tender; the tender is never [TenderLink].
type CounterSale struct {
	Number      string // Such as T1-GT-C-000123.
	Sale        string // ID of the sale, shared with the orders made from it.
	Till        string
	Items       []payments.Item
	Description string
	Amount      money.Ariary
	Total       money.Ariary   // What the whole sale costs: more than Amount if the customer pays it in parts.
	RestOf      string         // For the rest of a sale: number of the sale's oldest counter payment that was not fully given back; else empty.
	Given       money.Ariary   // Money that the customer gave; Amount if the tender gives no change.
	Account     ledger.Account // The account that got the money; it determines the Tender.
	Debt        ledger.Account // Account of the customer whose debt was paid; empty for a sale.
	By          string         // Name of the seller, else of the till.
	At          time.Time
	Refunded    money.Ariary // Money given back by refunds, without a void; at most Amount.
	VoidedAt    time.Time    // When the sale was voided; zero otherwise.
	// Refunds are the refunds, the transfers that reverse a refund, and the void, oldest first.
	// [Service.CounterSales] and [Service.Day] set only those of their period.
	Refunds []ledger.Transfer
	// Customer is the [Customer.Title] of the customer who bought on account or paid a debt. Only
	// [Service.CounterSale] and [Service.CounterSales] set it.
	Customer string
}

// Tender returns how the sale was paid, by the account that got the money.
func (c CounterSale) Tender() Tender { return TenderOf(c.Account) }

// Change returns what the customer gets back of the money in Given; 0 for the exact amount.
func (c CounterSale) Change() money.Ariary { return c.Given - c.Amount }

// Voided reports whether the sale was voided. A refund of all its money does not void it.
func (c CounterSale) Voided() bool { return !c.VoidedAt.IsZero() }

// Left returns how much of the sale's money can still be given back.
func (c CounterSale) Left() money.Ariary {
	if c.Voided() {
		return 0
	}
	return c.Amount - c.Refunded
}

// LeftFrom is [CounterSale.Left] for one way to give money back: from a drawer if aDrawer is true,
// else by the sale's tender. It returns 0 for a drawer if the sale is on account, and for the other
// way if the sale was paid in cash.
func (c CounterSale) LeftFrom(aDrawer bool) money.Ariary {
	if aDrawer && c.Account.IsCustomer() || !aDrawer && c.Account.IsDrawer() {
		return 0
	}
	return c.Left()
}

// ShortError is returned if the customer gave less than the amount to pay.
type ShortError struct{ Missing money.Ariary }

func (e *ShortError) Error() string { return fmt.Sprintf("%s Ar are missing", e.Missing) }

// Take records a payment at the counter for a sale or a debt. If the sale is then fully paid, Take
// drops the unfinished sale, and the QR codes of the sale's orders are not shown any more.
//
// Take returns the errors of [payments.NewOrder], [payments.MayCharge] and, with paying.Who, of a
// [staff.Identity]. It also returns [ErrNoTender] for a tender that cannot pay for the terms, a
// [*payments.OwedError], a [*ShortError], [payments.ErrNoRoom] and an [*UnknownError]. For a sale
// on account it may return [ErrNoCustomer], [ErrNameNeeded], [ErrLongName] or a [*LimitError].
func (s *Service) Take(ctx context.Context, terms payments.Terms, paying Paying) (CounterSale, error) {
	var taken CounterSale
	var last bool // Whether the sale is fully paid now; false for a part that an earlier attempt stored.
	part := terms.Part
	asked := []any{
		"sale", terms.Till, terms.Items, terms.Description, part.Amount, part.Taken, part.RestOf, part.Label,
		paying.Tender, paying.Given, terms.By,
	}
	if terms.Debt != "" || paying.Customer != "" {
		asked = append(asked, terms.Debt, fold(paying.Customer))
	}
	err := s.once(ctx, paying.Who, asked, func(tx Tx, seller staff.Cashier, request *Request, stored bool) (err error) {
		if stored {
			taken, err = tx.Cash(request.Ref)
			last = taken.Amount == taken.Total
			return err
		}
		now := request.At
		earlier, err := tx.Taken(terms.Sale)
		if err != nil {
			return err
		}
		charged := terms
		if terms.Part.Amount > 0 { // A part after the first one pays the rest of the same sale.
			charged.Part.RestOf = cmp.Or(terms.Part.RestOf, earlier.First)
		}
		taken, err = s.newCash(tx, charged, paying, now)
		if err != nil {
			return err
		}
		request.Ref = taken.Number
		taken.By = cmp.Or(seller.Name, clean.Text(terms.By, staff.MaxNameWidth), taken.Till)
		if err := s.MayCharge(tx, terms.Sale, "", terms); err != nil {
			return err
		}
		if err := s.mayOwe(tx, taken, paying.Who != nil && seller.CheckOwner() == nil); err != nil {
			return err
		}
		if err := s.record(tx, taken); err != nil {
			return err
		}
		last, err = settle(tx, taken, true)
		if err != nil || !last {
			return err
		}
		return tx.DropSale(taken.Sale)
	})
	if err != nil {
		return CounterSale{}, err
	}
	if !last {
		return taken, nil
	}
	// Remove the unfinished sale, which may be in a separate store (see payments.WithDrafts): SaveSale
	// removes a sale without items. Ignore an error: Recover removes the sale later.
	_ = s.SaveSale(context.WithoutCancel(ctx), payments.Sale{ID: taken.Sale, Till: taken.Till})
	return taken, nil
}

func (s *Service) record(tx Tx, taken CounterSale) error {
	if err := tx.InsertCash(taken); err != nil {
		return err
	}
	for _, item := range taken.sold() {
		if err := tx.CountUse(item.Article()); err != nil {
			return err
		}
	}
	return s.post(tx, taken.transfer())
}

// sold returns the articles that this payment sold: none if the payment pays the rest of a sale.
func (c CounterSale) sold() []payments.Item {
	if c.RestOf != "" {
		return nil
	}
	return c.Items
}

func (c CounterSale) transfer() ledger.Transfer {
	kind := ledger.Sale
	if c.Debt != "" {
		kind = ledger.Paid
	}
	return ledger.Transfer{
		At: c.At, Booked: c.At, Kind: kind, From: c.paidFor(), To: c.Account, Amount: c.Amount, Till: c.Till, By: c.By,
		Payment: c.payment(),
	}
}

func (c CounterSale) paidFor() ledger.Account { return cmp.Or(c.Debt, ledger.Sales) }

// home returns the account from which the sale's money is given back: the account that got the
// money, or for cash the drawer of the given till.
func (c CounterSale) home(till string) ledger.Account {
	if c.Account.IsDrawer() {
		return drawerOf(till)
	}
	return c.Account
}

func (c CounterSale) payment() ledger.Payment {
	return ledger.Payment{Kind: ledger.AtCounter, Ref: c.Number}
}

// newCash returns a cash sale with the next number of its till. It does not store the sale, but
// stores a new customer if paying.New allows it.
func (s *Service) newCash(tx Tx, terms payments.Terms, paying Paying, now time.Time) (CounterSale, error) {
	way, known := paying.Tender.Way()
	if !known || way.Tender == TenderLink || way.Named && terms.Debt != "" {
		return CounterSale{}, fmt.Errorf("%w: %q", ErrNoTender, paying.Tender)
	}
	number, err := s.NextNumber(tx, payments.CashNumber, terms.Till)
	if err != nil {
		return CounterSale{}, err
	}
	terms.Reference = number
	order, err := payments.NewOrder(terms, now) // An order has the same rules for items and amounts.
	if err != nil {
		return CounterSale{}, err
	}
	given := paying.Given
	if given == 0 || !way.Given {
		given = order.Amount
	}
	switch {
	case given < order.Amount:
		return CounterSale{}, &ShortError{order.Amount - given}
	case given > money.MaxAriary:
		return CounterSale{}, money.ErrTooLarge
	}
	customer := Customer{}
	if way.Named {
		customer, err = s.customerOf(tx, paying.Customer, paying.New, now)
		if err != nil {
			return CounterSale{}, err
		}
	}
	return CounterSale{
		Number: order.Reference, Sale: order.Sale, Till: order.Till, Items: order.Items,
		Description: order.Description, Amount: order.Amount, Total: order.Total, RestOf: order.RestOf, Debt: order.Debt, Given: given,
		Account: way.account(order.Till, customer.Code), At: now,
	}, nil
}

// settle saves the orders of a sale that [payments.SettleCash] changes after money of one of its
// payments moved. came says that the payment had no money before, and has some now. whole reports
// whether this payment is for the whole sale, or all payments together cover its price.
func settle(tx Tx, moved CounterSale, came bool) (whole bool, err error) {
	orders, taken, err := payments.ReadSale(tx, moved.Sale, "")
	if err != nil {
		return false, err
	}
	net, largest := payments.MoneyOf(orders, taken)
	whole = moved.Amount == moved.Total || net >= largest
	for _, order := range payments.SettleCash(orders, taken, came && whole) {
		if err := tx.SaveOrder(order); err != nil {
			return whole, err
		}
	}
	return whole, nil
}

// VoidSale voids a cash sale, for example because it was a mistake. The money that was not refunded
// yet leaves the account that had received it. Cash leaves the drawer of the given till, even if
// another till made the sale.
//
// VoidSale returns [ErrNotFound], [ErrVoided], [ErrGivenBack], [ErrReasonNeeded], an
// [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) VoidSale(ctx context.Context, till, number, reason string, who staff.Identity) (CounterSale, error) {
	var voided CounterSale
	reason = clean.Text(reason, payments.MaxShownWidth)
	till = clean.Text(till, payments.MaxTillWidth)
	if reason == "" {
		return CounterSale{}, ErrReasonNeeded
	}
	asked := []any{Void, till, number, reason, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, cashier staff.Cashier, request *Request, stored bool) (err error) {
		voided, err = tx.Cash(number)
		switch {
		case err != nil || stored:
			return err
		case voided.Voided():
			return ErrVoided
		case voided.Left() == 0:
			return ErrGivenBack
		}
		err = s.void(tx, voided, ledger.Transfer{At: request.At, Till: till, By: cmp.Or(cashier.Name, till), Note: reason})
		voided.VoidedAt = request.At
		return err
	})
	return voided, err
}

// void posts the void of a cash sale. given has the time, the till, the person and the reason.
func (s *Service) void(tx Tx, sale CounterSale, given ledger.Transfer) error {
	given.Booked = given.At
	given.Kind = ledger.Void
	given.From, given.To = sale.home(given.Till), sale.paidFor()
	given.Amount = sale.Left()
	given.Payment = sale.payment()
	if err := s.post(tx, given); err != nil {
		return err
	}
	if err := s.reclaim(tx, given); err != nil {
		return err
	}
	_, err := settle(tx, sale, false)
	return err
}

// CounterSales returns the cash sales with a transfer in a period, oldest first, with their Refunds
// of the period.
func (s *Service) CounterSales(ctx context.Context, period money.Period) (sales []CounterSale, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		transfers, err := tx.Transfers(ledger.Query{Period: period})
		if err != nil {
			return err
		}
		sales, err = tx.CashSales(period)
		if err != nil {
			return err
		}
		addRefunds(sales, transfers)
		return nameCustomers(tx, sales)
	})
	return sales, err
}

func nameCustomers(tx Tx, sales []CounterSale) error {
	if !slices.ContainsFunc(sales, func(sale CounterSale) bool { return sale.owing().IsCustomer() }) {
		return nil
	}
	all, err := tx.Debtors(ledger.Query{})
	if err != nil {
		return err
	}
	titles := make(map[ledger.Account]string)
	for _, debtor := range all {
		titles[debtor.Account()] = debtor.Title()
	}
	for i, sale := range sales {
		sales[i].Customer = titles[sale.owing()]
	}
	return nil
}

// owing returns the account of the customer who bought on account or paid a debt. For any other
// sale, it returns the account that got the money.
func (c CounterSale) owing() ledger.Account { return cmp.Or(c.Debt, c.Account) }

func addRefunds(sales []CounterSale, transfers []ledger.Transfer) {
	places := make(map[ledger.Payment]int)
	for i, sale := range sales {
		places[sale.payment()] = i
	}
	for _, transfer := range transfers {
		if i, known := places[transfer.Payment]; known && transfer.Kind != ledger.Sale && transfer.Kind != ledger.Paid {
			sales[i].Refunds = append(sales[i].Refunds, transfer)
		}
	}
}

// Reason returns why the sale was voided. It is blank if the void is not among the Refunds.
func (c CounterSale) Reason() string {
	for _, transfer := range c.Refunds {
		if transfer.Kind == ledger.Void {
			return transfer.Note
		}
	}
	return ""
}

// CounterSale returns the cash sale that has the number, with its Refunds, or [ErrNotFound].
func (s *Service) CounterSale(ctx context.Context, number string) (CounterSale, error) {
	sales := make([]CounterSale, 1)
	err := s.store.View(ctx, func(tx Tx) (err error) {
		if sales[0], err = tx.Cash(number); err != nil {
			return err
		}
		transfers, err := tx.Transfers(ledger.Query{Payment: sales[0].payment()})
		if err != nil {
			return err
		}
		addRefunds(sales, transfers)
		return nameCustomers(tx, sales)
	})
	return sales[0], err
}
