// Package sample contains the shop of the demo: its articles, and the orders of a market
// morning.
//
// It guarantees that every order was created by the rules of package payments. The morning looks
// the same at each start. Only the date, the database's tag in the numbers, and the order
// references and links of the waiting orders differ.
package sample

import (
	"context"
	_ "embed" // Embeds day.txt.
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/staff"
)

const (
	eventDelay = 47 * time.Second // Time from the creation of an order to its event.
	lateDelay  = 4 * time.Minute  // Time from the end of a link to a late payment.
)

// orders is day.txt. Each line is a sale: the time of day, how the sale ends, and the codes of its
// articles with their quantities. A few lines are other actions, such as [count].
//
//go:embed day.txt
var orders string

// Now returns 11:40 on the day of today. The demo starts at this time, after the sample morning.
func Now(today time.Time) time.Time {
	year, month, day := today.Date()
	return time.Date(year, month, day, 11, 40, 0, 0, today.Location())
}

// Articles returns the catalogue of the demo's shop. day.txt names the articles by their codes.
func Articles() []payments.Article {
	return []payments.Article{
		{Label: "Vary sy laoka", UnitPrice: 3500, Code: "101", Favourite: 1},
		{Label: "Romazava", UnitPrice: 7000, Code: "102", Favourite: 2},
		{Label: "Ravitoto", UnitPrice: 8000, Code: "103", Favourite: 3},
		{Label: "Mofo gasy", UnitPrice: 300, Code: "104", Favourite: 7},
		{Label: "Koba", UnitPrice: 1000, Code: "105", Favourite: 8},
		{Label: "Coca", UnitPrice: 2000, Code: "201", Favourite: 4},
		{Label: "Eau vive", UnitPrice: 2500, Code: "202", Favourite: 5},
		{Label: "Kafe", UnitPrice: 800, Code: "203", Favourite: 6},
		{Label: "Savony", UnitPrice: 1200, Code: "301", Favourite: 9},
		{Label: "Tomate", UnitPrice: 4000, Unit: "kg", Code: "401"},
	}
}

// Calls returns the order calls of the sample morning, on the day of the time reached, oldest
// first.
func Calls(reached time.Time) (calls []payments.Call) {
	year, month, day := reached.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, reached.Location())
	uncalled := regexp.MustCompile(`^-| (float|cash|count|held) `)
	for line := range strings.Lines(orders) {
		since, err := time.ParseDuration(strings.Fields(line)[0])
		if err != nil || uncalled.MatchString(line) {
			continue
		}
		took := 70 + int(since.Minutes())*37%61 // Milliseconds; different for each call, as from a service on the internet.
		if len(calls) == 13 {
			took = 190 // One slow call, so that the slowest is not the usual one.
		}
		calls = append(calls, payments.Call{At: midnight.Add(since), Took: time.Duration(took) * time.Millisecond})
	}
	return calls
}

// Day is the morning of a till. The orders that still wait for payment are in the sandbox, too, so
// that a customer can pay them.
type Day struct {
	Till    string
	Reached time.Time // The time at the end of the morning.
	Sandbox *sandbox.Sandbox
	Address string // The sandbox's address, for the links.
	Settled bool   // Leaves out orders that wait or were paid late, held sales, and the count that finds too little money.
}

// Fill adds the orders of the morning to a store, in one transaction. The store must
// contain the [Articles] already.
func (d Day) Fill(ctx context.Context, store drawer.Store) error {
	return store.Update(ctx, func(tx payments.Tx) error {
		service := &counter{Day: d, tx: tx}
		change := oneChange{store, tx}
		shop := payments.New(change, service, func() time.Time { return service.moment })
		service.Service = drawer.New(change, shop)
		open := regexp.MustCompile(` (waiting|held|late|count) `)
		for line := range strings.Lines(orders) {
			if d.Settled && open.MatchString(line) {
				continue
			}
			if err := service.sell(ctx, strings.Fields(line)); err != nil {
				return fmt.Errorf("sample order %q: %w", line, err)
			}
		}
		return nil
	})
}

// oneChange is a store that makes all changes in the same transaction.
type oneChange struct {
	drawer.Store
	tx payments.Tx
}

func (c oneChange) Update(_ context.Context, change func(payments.Tx) error) error {
	return change(c.tx)
}

// Order reads an order in the transaction, without its events.
func (c oneChange) Order(_ context.Context, ref string) (payments.Order, []payments.Record, error) {
	order, err := c.tx.Order(ref)
	return order, nil, err
}

// The words in day.txt that say how a sale ends. Any other word is an event kind without "payment.",
// such as "success".
const (
	float   = "float" // Not a sale: the float is put into the drawer.
	closing = "close" // Not a sale: the till is closed.
	count   = "count" // Not a sale: the money in the drawer is counted.
	cash    = "cash"
	account = "account" // The customer pays later; the name follows a colon.
	held    = "held"    // The sale is not charged.
	waiting = "waiting" // The order still waits for payment.
	late    = "late"    // The payment came after the end of the link.
)

// counter makes the sales of the morning. It is also the [payments.Gateway] that answers the order
// calls.
type counter struct {
	Day
	*drawer.Service

	tx     payments.Tx
	moment time.Time // Current time of the morning.
	ending string    // How the current sale ends: the second word of its line in day.txt.
}

func (c *counter) sell(ctx context.Context, line []string) error {
	since, err := time.ParseDuration(line[0])
	if err != nil {
		return err
	}
	year, month, day := c.Reached.Date()
	c.moment = time.Date(year, month, day, 0, 0, 0, 0, c.Reached.Location()).Add(since)
	c.ending = line[1]
	if kind, moves := map[string]drawer.Kind{float: drawer.Float, count: drawer.Count}[c.ending]; moves {
		amount, err := money.ParseAriary(line[2])
		if err == nil {
			_, err = c.Move(ctx, c.Till, kind, amount, "", staff.Identity{})
		}
		return err
	}
	if c.ending == closing {
		_, err := c.Close(ctx, c.Till, c.Till, 0, staff.Identity{})
		return err
	}
	sale := c.NewSale(c.Till)
	for _, text := range line[2:] {
		item, err := item(text)
		if err != nil {
			return err
		}
		sale.Items = append(sale.Items, item)
	}
	if c.ending == held {
		sale.Name = c.moment.Format("15:04")
		return c.SaveSale(ctx, sale)
	}
	terms := payments.Terms{Sale: sale.ID, Till: c.Till, Items: sale.Items}
	if way, name, _ := strings.Cut(c.ending, ":"); way == account {
		_, err := c.Take(ctx, terms, drawer.Paying{Tender: drawer.TenderAccount, Customer: name, New: true})
		return err
	}
	if c.ending == cash {
		_, err := c.Take(ctx, terms, drawer.Paying{Tender: drawer.TenderCash})
		return err
	}
	order, err := c.Checkout(ctx, terms)
	if err != nil || c.ending == waiting {
		return err
	}
	return c.decide(ctx, order)
}

// item returns the item that a text names: a code with or without a quantity, such as "203*2" or
// "203".
func item(text string) (payments.Item, error) {
	code, count, several := strings.Cut(text, "*")
	quantity := int64(1)
	if several {
		quantity, _ = strconv.ParseInt(count, 10, 64) // An invalid number gives 0, which NewItem refuses.
	}
	articles := Articles()
	at := slices.IndexFunc(articles, func(article payments.Article) bool { return article.Code == code })
	if at < 0 {
		return payments.Item{}, fmt.Errorf("no article has the code %q", code)
	}
	return payments.NewItem(articles[at].Label, articles[at].UnitPrice, quantity)
}

func (c *counter) decide(ctx context.Context, order payments.Order) error {
	kind := payments.EventKind("payment." + c.ending)
	c.moment = c.moment.Add(eventDelay)
	if kind == payments.PaymentExpired {
		c.moment = order.Link.ExpiresAt
	}
	if c.ending == late {
		kind = payments.PaymentSuccess
		c.moment = order.Link.ExpiresAt.Add(lateDelay)
	}
	body := gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: order.OrderReference, Reference: order.Reference, Amount: order.Amount,
		Currency: payments.Currency, Description: order.Description, Error: c.Sandbox.Reason(kind, sandbox.LowBalance),
	})
	event, err := gateway.DecodeEvent(body)
	if err != nil {
		return err
	}
	if _, err := c.Receive(ctx, event, body); err != nil {
		return err
	}
	decided, err := c.tx.Order(order.Reference)
	if err != nil {
		return err
	}
	// The cashier acknowledges the verdict at the end of the morning, when the link has ended.
	return c.tx.SaveOrder(decided.Acknowledge(payments.Conditions{}, c.Reached))
}

func (c *counter) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	created := payments.Created{
		OrderReference: "REF_" + strconv.FormatInt(order.CreatedAt.UnixMilli(), 10),
		ExpiresMinutes: int(sandbox.DefaultLifetime / time.Minute),
	}
	link := strings.ToLower(created.OrderReference)
	if c.ending == waiting {
		known, err := c.Sandbox.Add(order, c.moment.Add(sandbox.DefaultLifetime))
		if err != nil {
			return payments.Created{}, err
		}
		created.OrderReference, link = known.OrderReference, known.Link
	}
	created.CheckoutURL = c.Address + sandbox.LinkPrefix + link
	return created, nil
}
