package storagetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
)

func drawerTests() []test {
	return []test{
		{"keeps cash sales, moves, receipts and closings as they were stored", drawerKept},
		{"has the sums of a naive calculation in each closing, in random days", drawerAddsUp},
		{"gives no number twice, also to several processes", drawerNumbers},
	}
}

func always() payments.Period {
	return payments.Period{From: opening().AddDate(-1, 0, 0), To: opening().AddDate(1, 0, 0)}
}

func drawerKept(t *testing.T, db Database) {
	store := db.Open(t)
	shop := newShop(store)
	till := drawer.New(store, shop.Service)
	ctx := t.Context()
	terms := terms("T1", "S1")
	terms.Items[1].Measure = payments.Measure{Article: "Coca", Thousandths: 1200, Unit: "kg", Price: 2500}
	sale, err := till.TakeCash(ctx, terms, 20000, "Soa")
	check(t, "take cash", err)
	other, err := till.TakeCash(ctx, payments.Terms{Till: "T2", Items: numbered(0).Items}, 0, "")
	check(t, "take cash at another till", err)
	voided, err := till.VoidCash(ctx, "T1", sale.Number, "mistake", payments.Identity{})
	check(t, "void", err)
	_, err = till.VoidCash(ctx, "T1", sale.Number, "again", payments.Identity{})
	expectError(t, "void again", err, drawer.ErrVoided)
	float, err := till.Move(ctx, "T1", drawer.Float, 50000, "", payments.Identity{})
	check(t, "float", err)
	issued, err := till.IssueReceipt(ctx, other.Number)
	check(t, "issue a receipt", err)
	posted := ledger.Transfer{
		ID: 1, At: opening(), Booked: opening(), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Drawer("T1"), Amount: 9000, Till: "T1", By: "Soa",
		Payment: ledger.Payment{Kind: ledger.AtCounter, Ref: sale.Number},
	}
	back := posted
	back.ID, back.Kind, back.From, back.To, back.By, back.Note = 3, ledger.Void, posted.To, posted.From, "T1", "mistake"
	put := ledger.Transfer{
		ID: 4, At: opening(), Booked: opening(), Kind: ledger.Float, From: ledger.Owner, To: ledger.Drawer("T1"), Amount: float.Amount, Till: "T1", By: "T1",
	}
	check(t, "read the transfers", store.View(ctx, func(tx drawer.Tx) error {
		transfers, err := tx.Transfers(ledger.Query{Till: "T1"})
		expect(t, "the transfers", transfers, []ledger.Transfer{posted, back, put})
		return err
	}))
	closing, err := till.Once("evening").Close(ctx, "T1", "Soa", payments.Identity{})
	check(t, "close", err)
	check(t, "close the store", store.Close())

	reopened := db.Open(t)
	till = drawer.New(reopened, newShop(reopened).Service)
	again, err := till.Once("evening").Close(ctx, "T1", "Soa", payments.Identity{})
	check(t, "close again with the same ID", err)
	expect(t, "the closing of the same ID", again, closing)

	check(t, "read", reopened.View(ctx, func(tx drawer.Tx) error {
		sales, err := tx.CashSales(always())
		expect(t, "the cash sales", sales, []drawer.CashSale{voided, other})
		receipts, receiptErr := tx.Receipts(other.Number)
		expect(t, "the receipts", receipts, []drawer.Receipt{issued.Receipt})
		none, noneErr := tx.Request("morning")
		expect(t, "a request that was not made", none, drawer.Request{})
		return errors.Join(err, receiptErr, noneErr)
	}))
	closings, err := till.Closings(ctx, always(), "T1")
	check(t, "read the closings", err)
	expect(t, "the closings", closings, []drawer.Closing{closing})
	open, err := till.Account(ctx, "T1")
	check(t, "read the account", err)
	expect(t, "whether the account after the closing is empty", open.Empty(), true)
}

// day is a shop that takes random steps with its drawer. It also computes, in a simple way, what
// each closing must contain.
type day struct {
	*shop
	*rand.Rand
	till   *drawer.Service
	cash   []drawer.CashSale
	orders []payments.Order
	paid   []string // References of the paid orders.
	// What came since the last closing: the cash by its kind, the money of orders, and what was given
	// back of it in the merchant area.
	moves              map[drawer.Kind]payments.Sum
	received, returned payments.Sum
	difference         payments.Ariary // Counted minus expected money at the last count; 0 without a count since the last closing.
	counted            bool
}

func drawerAddsUp(t *testing.T, db Database) {
	store := db.Open(t)
	d := &day{
		shop: newShop(store), Rand: rand.New(rand.NewPCG(8, 1)), moves: map[drawer.Kind]payments.Sum{},
	}
	d.till = drawer.New(store, d.Service)
	steps := []func(*testing.T){d.sell, d.sell, d.take, d.take, d.void, d.refund, d.refundCash, d.move, d.count, d.pay, d.pay, d.close}
	for range Size(150, 3000) {
		steps[d.IntN(len(steps))](t)
	}
	d.close(t)
}

func (d *day) add(kind drawer.Kind, amount payments.Ariary) {
	sum := d.moves[kind]
	d.moves[kind] = payments.Sum{Count: sum.Count + 1, Amount: sum.Amount + amount}
}

func (d *day) sell(t *testing.T) {
	d.orders = append(d.orders, d.charge(t, fmt.Sprint("order ", len(d.orders))))
}

func (d *day) take(t *testing.T) {
	sale, err := d.till.TakeCash(t.Context(), terms("T1", fmt.Sprint("cash ", len(d.cash))), 0, "Soa")
	check(t, "take cash", err)
	d.cash = append(d.cash, sale)
	d.add(drawer.Cash, sale.Amount)
}

func (d *day) void(t *testing.T) {
	if len(d.cash) == 0 {
		return
	}
	sale := d.cash[d.IntN(len(d.cash))]
	_, err := d.till.VoidCash(t.Context(), "T1", sale.Number, "mistake", payments.Identity{})
	if errors.Is(err, drawer.ErrVoided) {
		return
	}
	check(t, "void", err)
	d.add(drawer.Void, sale.Amount-sale.Refunded)
}

func (d *day) move(t *testing.T) {
	kind := []drawer.Kind{drawer.Float, drawer.In, drawer.Out}[d.IntN(3)]
	move, err := d.till.Move(t.Context(), "T1", kind, payments.Ariary(1+d.IntN(90000)), "why", payments.Identity{})
	check(t, "move", err)
	d.add(kind, move.Amount)
}

// pay delivers the success event of a random order that has neither a payment nor a finding.
func (d *day) pay(t *testing.T) {
	if len(d.orders) == 0 {
		return
	}
	order := d.orders[d.IntN(len(d.orders))]
	if stored, _ := read(t, d.store, order.Reference); stored.Paid() || stored.Finding != nil {
		return
	}
	d.receive(t, event(payments.PaymentSuccess, order, ""))
	d.paid = append(d.paid, order.Reference)
	d.received = d.received.Add(order.Amount)
}

func (d *day) refund(t *testing.T) {
	if len(d.paid) == 0 {
		return
	}
	order, _ := read(t, d.store, d.paid[d.IntN(len(d.paid))])
	if order.Finding != nil {
		return
	}
	back := payments.Ariary(1 + d.IntN(int(order.Amount)))
	cash := d.IntN(2) == 0
	_, err := d.till.Resolve(t.Context(), "T1", order.Reference, payments.Finding{
		Kind: payments.FoundRefunded, Amount: back, Cash: cash, Note: "broken", Seen: order.Verdict(payments.Conditions{}, opening()),
	}, payments.Identity{})
	check(t, "refund", err)
	if cash {
		d.add(drawer.Refund, back)
	} else {
		d.returned = d.returned.Add(back)
	}
}

// refundCash sets the refund of a cash sale to a random total, which may be more or less than
// before.
func (d *day) refundCash(t *testing.T) {
	if len(d.cash) == 0 {
		return
	}
	sale := &d.cash[d.IntN(len(d.cash))]
	back := payments.Ariary(1 + d.IntN(int(sale.Amount)))
	refunded, err := d.till.RefundCash(t.Context(), "T1", sale.Number, back, sale.Refunded, "broken", payments.Identity{})
	if errors.Is(err, drawer.ErrVoided) {
		return
	}
	check(t, "refund a cash sale", err)
	switch given := back - sale.Refunded; {
	case given > 0:
		d.add(drawer.Refund, given)
	case given < 0:
		d.add(drawer.Reversal, -given)
	}
	*sale = refunded
}

func (d *day) count(t *testing.T) {
	d.difference = payments.Ariary(d.IntN(3) - 1)
	var expected payments.Ariary
	for kind, sum := range d.moves {
		expected += kind.Sign() * sum.Amount
	}
	counted := max(0, expected+d.difference)
	d.difference = counted - expected
	d.counted = true
	_, err := d.till.Move(t.Context(), "T1", drawer.Count, counted, "", payments.Identity{})
	check(t, "count", err)
}

func (d *day) close(t *testing.T) {
	closing, err := d.till.Close(t.Context(), "T1", "Soa", payments.Identity{})
	check(t, "close", err)
	expect(t, "the moves of the closing", closing.Moves, d.moves)
	expect(t, "the money received", closing.Received, d.received)
	expect(t, "the money returned", closing.Returned, d.returned)
	difference, counted := closing.Difference()
	expect(t, "the difference of the count", difference, d.difference)
	expect(t, "whether the drawer was counted", counted, d.counted)
	d.difference, d.counted = 0, false
	d.moves = map[drawer.Kind]payments.Sum{}
	d.received, d.returned = payments.Sum{}, payments.Sum{}
}

func drawerNumbers(t *testing.T, db Database) {
	stores := []Store{db.Open(t), db.Open(t)}
	numbers := make([]string, len(stores))
	take := func(i int) func() error {
		return func() error {
			till := drawer.New(stores[i], newShop(stores[i]).Service)
			sale, err := till.TakeCash(t.Context(), terms("T1", fmt.Sprint("S", i)), 0, "")
			numbers[i] = sale.Number
			return err
		}
	}
	errs := atOnce(take(0), take(1))
	check(t, "take cash", errors.Join(errs[:]...))
	slices.Sort(numbers)
	expect(t, "the numbers", numbers, []string{"T1-GT-C-000001", "T1-GT-C-000002"})
}

func everyDrawerText(tx drawer.Tx) error {
	sale := drawer.CashSale{Number: "a", Sale: "a", Till: "T1", Items: numbered(0).Items, At: opening(), VoidedAt: opening()}
	return errors.Join(
		tx.InsertCash(sale), tx.SaveVoid(sale),
		tx.InsertReceipt(drawer.Receipt{Till: "T1", Number: "1", Kind: drawer.ByCash, At: opening()}),
		tx.Post(ledger.Transfer{Kind: ledger.Closing, Till: "T1", By: "Soa", At: opening(), Booked: opening()}),
	)
}

// everyDrawerTextRead reads all rows of the drawer that have texts, and stores the results in read.
// The parameter ref is the text by which writtenBySQL has replaced every text in the database.
func everyDrawerTextRead(tx drawer.Tx, ref string, read map[string]answer) {
	period := payments.Period{From: opening(), To: opening().Add(time.Second)}
	sales, err := tx.CashSales(period)
	read["cash sales"] = answer{sales, err}
	sale, err := tx.Cash(ref)
	read["cash sale"] = answer{sale, err}
	transfers, err := tx.Transfers(ledger.Query{Till: ref})
	read["transfers"] = answer{transfers, err}
	receipts, err := tx.Receipts(ref)
	read["receipts"] = answer{receipts, err}
}
