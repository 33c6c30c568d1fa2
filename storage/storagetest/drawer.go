package storagetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

func always() money.Period {
	return money.Period{From: opening().AddDate(-1, 0, 0), To: opening().AddDate(1, 0, 0)}
}

func drawerKept(t *testing.T, db Database) {
	store := db.Open(t)
	shop := newShop(store)
	till := drawer.New(store, shop.Service)
	ctx := t.Context()
	terms := terms("T1", "S1")
	terms.Items[1].Measure = payments.Measure{Article: "Coca", Thousandths: 1200, Unit: "kg", Price: 2500}
	terms.By = "Soa"
	sale, err := till.Take(ctx, terms, drawer.Paying{Tender: drawer.TenderCash, Given: 20000})
	check(t, "take cash", err)
	other, err := till.Take(ctx, payments.Terms{Till: "T2", Items: numbered(0).Items}, drawer.Paying{Tender: drawer.TenderCash})
	check(t, "take cash at another till", err)
	voided, err := till.VoidSale(ctx, "T1", sale.Number, "mistake", staff.Identity{})
	check(t, "void", err)
	_, err = till.VoidSale(ctx, "T1", sale.Number, "again", staff.Identity{})
	expectError(t, "void again", err, drawer.ErrVoided)
	float, err := till.Move(ctx, "T1", drawer.Float, 50000, "", staff.Identity{})
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
	closing, err := till.Once("evening").Close(ctx, "T1", "Soa", 0, staff.Identity{})
	check(t, "close", err)
	check(t, "close the store", store.Close())

	reopened := db.Open(t)
	till = drawer.New(reopened, newShop(reopened).Service)
	again, err := till.Once("evening").Close(ctx, "T1", "Soa", 0, staff.Identity{})
	check(t, "close again with the same ID", err)
	expect(t, "the closing of the same ID", again, closing)

	check(t, "read", reopened.View(ctx, func(tx drawer.Tx) error {
		sales, err := tx.CashSales(always())
		expect(t, "the cash sales", sales, []drawer.CounterSale{voided, other})
		receipts, receiptErr := tx.Receipts(other.Number)
		expect(t, "the receipts", receipts, []drawer.Receipt{issued.Receipt})
		none, noneErr := tx.Request("morning")
		expect(t, "a request that was not made", none, drawer.Request{})
		return errors.Join(err, receiptErr, noneErr)
	}))
	closings, err := till.Closings(ctx, always())
	check(t, "read the closings", err)
	expect(t, "the closings", closings, []drawer.Closing{closing})
	open, err := till.Account(ctx, "T1")
	check(t, "read the account", err)
	expect(t, "whether the account after the closing is empty", open.Empty(), true)
}

func everyDrawerText(tx drawer.Tx) error {
	sale := drawer.CounterSale{Number: "a", Sale: "a", Till: "T1", Items: numbered(0).Items, At: opening()}
	return errors.Join(
		tx.InsertCash(sale),
		tx.InsertCustomer(drawer.Customer{Code: "a", Name: "Rabe", At: opening()}, "rabe"),
		tx.InsertReceipt(drawer.Receipt{Till: "T1", Number: "1", Kind: drawer.Settlement(drawer.TenderCash), At: opening()}),
		tx.Post(ledger.Transfer{Kind: ledger.Closing, Till: "T1", By: "Soa", At: opening(), Booked: opening()}),
	)
}

// everyDrawerTextRead reads all rows of the drawer with texts, and stores the results in read. ref
// is the text that replaces the texts in the database; see writtenBySQL.
func everyDrawerTextRead(tx drawer.Tx, ref string, read map[string]answer) {
	period := money.Period{From: opening(), To: opening().Add(time.Second)}
	sales, err := tx.CashSales(period)
	read["cash sales"] = answer{sales, err}
	sale, err := tx.Cash(ref)
	read["cash sale"] = answer{sale, err}
	customer, err := tx.CustomerOf("rabe")
	read["customer"] = answer{customer, err}
	debtors, err := tx.Debtors(ledger.Query{})
	read["debtors"] = answer{debtors, err}
	transfers, err := tx.Transfers(ledger.Query{Till: ref})
	read["transfers"] = answer{transfers, err}
	receipts, err := tx.Receipts(ref)
	read["receipts"] = answer{receipts, err}
}

func paymentOf(order payments.Order) ledger.Payment {
	return ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference}
}

func cashPayment(number string) ledger.Payment {
	return ledger.Payment{Kind: ledger.AtCounter, Ref: number}
}

// part returns the whole amount or a random part of it.
func part(random *rand.Rand, amount money.Ariary) money.Ariary {
	if random.IntN(2) == 0 {
		return amount
	}
	return 1 + money.Ariary(random.Int64N(int64(amount)))
}

func transfersOf(ctx context.Context, store drawer.Store, payment ledger.Payment) (all []ledger.Transfer, err error) {
	err = store.View(ctx, func(tx drawer.Tx) error {
		all, err = tx.Transfers(ledger.Query{Payment: payment})
		return err
	})
	return all, err
}

// pickRefund returns a random refund of a payment that can be taken back, or the zero transfer.
func pickRefund(ctx context.Context, random *rand.Rand, store drawer.Store, payment ledger.Payment) (ledger.Transfer, error) {
	all, err := transfersOf(ctx, store, payment)
	if err != nil {
		return ledger.Transfer{}, err
	}
	unpaid := false // If the order was found unpaid, the service has no money for it.
	if payment.Kind == ledger.ByOrder {
		order, _, err := store.Order(ctx, payment.Ref)
		if err != nil {
			return ledger.Transfer{}, err
		}
		unpaid = order.Gross() == 0
	}
	var left []ledger.Transfer
	for _, refund := range all {
		ended := slices.ContainsFunc(all, func(t ledger.Transfer) bool { return t.Corrects == refund.ID || t.Kind == ledger.Void })
		if refund.Kind == ledger.Refund && !refund.Back() && !ended && !(unpaid && refund.AtService()) {
			left = append(left, refund)
		}
	}
	if len(left) == 0 {
		return ledger.Transfer{}, nil
	}
	return left[random.IntN(len(left))], nil
}
